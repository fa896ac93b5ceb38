"""The EBS volumes of a node."""

from typing import Annotated, ClassVar

from ._fields import Choice, Flag, Number, Text, Words
from ._model import Model
from .releases import since


class VolumeType(Words):
    """The EBS volume types."""

    STANDARD = "standard"
    IO1 = "io1"
    IO2 = "io2"
    GP2 = "gp2"
    SC1 = "sc1"
    ST1 = "st1"
    GP3 = "gp3"


class BlockDevice(Model):
    """An EBS volume that comes and goes with the node."""

    sample: ClassVar[str] = "{'volumeSize': '20Gi'}"

    # The pattern of the CRD, apis/v1 BlockDevice; it knows no 18Ti and no 19Ti.
    volume_size: Annotated[
        str | None,
        Text(
            "1 to 59000Gi, 1 to 64000G, 1 to 58Ti or 1 to 64T",
            pattern=(
                r"(?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi"
                r"|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G"
                r"|([1-9]|[1-5][0-7]|58)Ti|([1-9]|[1-5][0-9]|6[0-3]|64)T"
            ),
            fix="write a whole number with its unit, as in '20Gi'",
        ),
    ] = None
    """The size with its unit, such as ``20Gi``. Default: the snapshot's."""
    snapshot_id: Annotated[
        str | None,
        Text(
            "the id of a snapshot",
            pattern="snap-[0-9a-z]+",
            fix="write one as in 'snap-0abcdef1234567890'",
        ),
    ] = None
    """The snapshot that the volume is made from. Default: none, an empty volume."""
    volume_type: Annotated[VolumeType | str | None, Choice(VolumeType)] = None
    """The kind of volume. Default: EC2's."""
    iops: Annotated[int | None, Number()] = None
    """I/O operations per second, for gp3, io1 and io2. Default: EC2's, 3,000 for gp3."""
    throughput: Annotated[int | None, Number()] = None
    """Throughput in MiB/s, 125 to 1,000, for gp3. Default: EC2's, 125."""
    volume_initialization_rate: Annotated[int | None, Number(100, 300), since("1.5")] = None
    """How fast the snapshot's blocks are fetched, in MiB/s; needs ``snapshot_id``. Default: as EC2 can."""
    encrypted: Annotated[bool | None, Flag()] = None
    """Whether the volume is encrypted. Default: the account's setting."""
    kms_key_id: Annotated[
        str | None, Text(shortest=1, fix="give the id or ARN of a key or alias, or leave it out")
    ] = None
    """The KMS key to encrypt with: id, alias, or the ARN of either; its policy must let EC2 use it, else the
    instance ends as it starts. Default: the account's key for EBS."""
    delete_on_termination: Annotated[bool | None, Flag()] = None
    """Whether the volume goes with the instance. Default: EC2's, yes."""


class BlockDeviceMapping(Model):
    """An EBS volume and the device that a node sees it as."""

    sample: ClassVar[str] = "{'deviceName': '/dev/xvda', 'ebs': {'volumeSize': '20Gi'}}"

    device_name: Annotated[str | None, Text()] = None
    """The device, such as ``/dev/xvda``; the AMI decides which is the root. Default: none."""
    ebs: BlockDevice | None = None
    """The volume. Default: none."""
    root_volume: Annotated[bool | None, Flag(), since("0.32")] = None
    """Whether this is the volume that the kubelet's own files are on, where the AMI's first volume is not.
    Default: no."""
