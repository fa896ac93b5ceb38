"""What can be read, in which form, and what every object has in common."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from karpenter_construct._reading.manifests import read_manifests
from karpenter_construct.errors import Problem, SettingsError
from karpenter_construct.node_pool import NodePool
from tests.unit.reading import mistakes, notes, read

POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: batch
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
"""
AS_OBJECT = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "batch"},
    "spec": {
        "template": {
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                "requirements": [],
            }
        }
    },
}
AS_MODEL = NodePool(name="batch", node_class="default", limits=None)


def refused(*given):
    with pytest.raises(SettingsError) as caught:
        read_manifests(*given)
    return str(caught.value).splitlines()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pools.yaml"
    path.write_text(POOL, encoding="utf-8")
    return path


def test_text_is_read():
    assert read_manifests(POOL).node_pools == (AS_MODEL,)


def test_json_text_is_read():
    assert read_manifests(json.dumps(AS_OBJECT)).node_pools == (AS_MODEL,)


def test_path_is_read(file):
    assert read_manifests(file).node_pools == (AS_MODEL,)


def test_path_as_a_string_is_read(file):
    assert read_manifests(str(file)).node_pools == (AS_MODEL,)


def test_object_is_read():
    assert read_manifests(AS_OBJECT).node_pools == (AS_MODEL,)


def test_several_objects_are_read():
    second = {**AS_OBJECT, "metadata": {"name": "second"}}
    assert [pool.name for pool in read_manifests([AS_OBJECT, second]).node_pools] == ["batch", "second"]


def test_objects_may_hold_tuples():
    spec = {"template": {"spec": {**AS_OBJECT["spec"]["template"]["spec"], "requirements": ()}}}
    assert read_manifests({**AS_OBJECT, "spec": spec}).node_pools == (AS_MODEL,)


def test_placeholders_of_cdk_pass():
    cluster = "${Token[TOKEN.1]}"
    pool = {**AS_OBJECT, "spec": {**AS_OBJECT["spec"], "weight": -1.8881545897087504e289}}
    pool["spec"]["template"] = {**pool["spec"]["template"], "metadata": {"labels": {"cluster": cluster}}}
    assert dict(read_manifests(pool).node_pools[0].labels) == {"cluster": cluster}


def test_several_sources_are_read_together(file):
    other = POOL.replace("batch", "second")
    assert [pool.name for pool in read_manifests(file, other).node_pools] == ["batch", "second"]


def test_byte_order_mark_is_no_part_of_a_file(file):
    file.write_text(POOL, encoding="utf-8-sig")
    assert read_manifests(file).node_pools == (AS_MODEL,)


def test_nothing_is_read_of_nothing():
    found = read_manifests("", "---\n---\n", [])
    assert (found.node_classes, found.node_pools, found.notes, found.comment) == ((), (), (), None)


@pytest.mark.parametrize("kind", ["List", "NodePoolList"])
def test_lists_are_taken_apart(kind):
    text = json.dumps({"apiVersion": "v1", "kind": kind, "metadata": {}, "items": [AS_OBJECT]})
    assert read_manifests(text).node_pools == (AS_MODEL,)


def test_lists_in_lists_are_taken_apart_in_order():
    second, third = ({**AS_OBJECT, "metadata": {"name": name}} for name in ("second", "third"))
    inner = {"kind": "List", "items": [AS_OBJECT, second]}
    found = read_manifests({"kind": "List", "items": [inner, third]})
    assert [pool.name for pool in found.node_pools] == ["batch", "second", "third"]


def test_origin_knows_file_and_line(file):
    file.write_text(f"# first\n---\n{POOL}", encoding="utf-8")
    found = read_manifests(file)
    origin = found.origin(found.node_pools[0])
    assert (origin.api_version, origin.kind) == ("karpenter.sh/v1", "NodePool")
    assert str(origin.source.location()) == f"{file}:3"
    assert str(found.comment) == f"{file}:1"


@pytest.mark.parametrize(
    ("path", "placed"),
    [
        ("node_pools['batch'].node_class", "8 (document 1): `spec.template.spec.nodeClassRef.name`"),
        (
            "node_pools['batch'].requirements[0].min_values",
            "9 (document 1): `spec.template.spec.requirements[0].minValues`",
        ),
        ("node_pools['batch'].labels['a.b/c']", "6 (document 1): `spec.template.metadata.labels['a.b/c']`"),
        ("node_pools['batch'].name", "4 (document 1): `metadata.name`"),
        ("node_pools['batch']", "5 (document 1): `spec`"),
    ],
)
def test_problems_of_models_are_placed(path, placed):
    found = read_manifests(POOL)
    assert str(found.placed(Problem(path, "is wrong"))) == f"<text>:{placed}: is wrong"


def test_problems_of_other_things_stay_as_they_are():
    problem = Problem("node_pools['other'].weight", "is wrong")
    assert read_manifests(POOL).placed(problem) is problem


def test_problems_of_objects_are_placed_without_lines():
    found = read_manifests({"kind": "List", "items": [AS_OBJECT]})
    placed = found.placed(Problem("node_pools['batch'].weight", "is wrong"))
    assert str(placed) == "objects[0]: `items[0].spec.weight`: is wrong"


def test_null_is_as_good_as_absent():
    assert read_manifests(POOL + "  weight: null\n  limits:\n  disruption: ~\n").node_pools == (AS_MODEL,)


def test_what_an_api_server_wrote_is_noted():
    written = """
        apiVersion: karpenter.sh/v1
        kind: NodePool
        metadata:
          name: batch
          namespace: default
          uid: 7e4bd7e2
          resourceVersion: "5"
          managedFields: []
          labels: {app: x}
          annotations:
            karpenter.sh/nodepool-hash: "1"
            kubectl.kubernetes.io/last-applied-configuration: "{}"
            kubernetes.io/description: General purpose
        spec:
          template:
            spec:
              nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
              requirements: []
        status:
          conditions: []
    """
    assert notes(written) == [
        "<text>:20: status: is what Karpenter found, and is left out",
        "<text>:6: metadata.namespace: is left out: objects of this kind belong to no namespace",
        "<text>:7: metadata.uid: what the API server writes is left out: uid, resourceVersion, managedFields",
        "<text>:10: metadata.labels: are the object's own and are left out: app",
        "<text>:11: metadata.annotations: are the object's own and are left out: kubernetes.io/description",
    ]


def test_fails_all_at_once():
    bad = POOL.replace("requirements: []", "requirements: 5").replace("name: batch", "name: Batch")
    assert refused(f"{bad}---\nkind: NodePool\n---\n{POOL}  wieght: 3\n") == [
        "<text>:4 (document 1): `metadata.name`: must be a name that Kubernetes takes, got 'Batch'; use lower case "
        "letters, digits, '-' and '.', with a letter or digit at both ends of each part",
        "<text>:9 (document 1): `spec.template.spec.requirements`: must be a list, got 5",
        "<text>:11 (document 2): `apiVersion`: is required, as a string",
        "<text>:11 (document 2): `spec`: is required",
        "<text>:22 (document 3): `spec.wieght`: is no field of NodePool in karpenter.sh/v1; did you mean 'weight'?",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {}\n",
            "<text>:2 (document 1): `kind`: is no node object of Karpenter's, got 'Deployment'; keep it in another "
            "file",
        ),
        (
            "apiVersion: karpenter.sh/v1\nkind: NodeClaim\nspec: {}\n",
            "<text>:2 (document 1): `kind`: is made by Karpenter itself, got 'NodeClaim'; leave it out",
        ),
        (
            "apiVersion: karpenter.sh/v2\nkind: NodePool\nspec: {}\n",
            "<text>:1 (document 1): `apiVersion`: must be karpenter.sh/v1beta1 or karpenter.sh/v1 for NodePool, got "
            "'karpenter.sh/v2'",
        ),
        (
            "apiVersion: autoscaling.x-k8s.io/v1alpha1\nkind: CapacityBuffer\nspec: {}\n",
            "<text>:1 (document 1): `apiVersion`: must be autoscaling.x-k8s.io/v1beta1 for CapacityBuffer, got "
            "'autoscaling.x-k8s.io/v1alpha1'",
        ),
        (
            "apiVersion: v1\nkind: List\nitems: {}\n",
            "<text>:3 (document 1): `items`: must be a list of objects, as in any List",
        ),
        (
            "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\nspec:\n",
            "<text>:4 (document 1): `spec`: is required",
        ),
        ("a: 1\nkind: [x]\napiVersion: 5\n", "<text>:3 (document 1): `apiVersion`: is required, as a string"),
        (
            "- 1\n- 2\n",
            "<text>:1 (document 1): must be an object with apiVersion, kind, metadata and spec, got [1, 2]",
        ),
        (
            "apiVersion: v1\nkind: List\nitems:\n- 5\n",
            "<text>:4 (document 1): `items[0]`: must be an object with apiVersion, kind, metadata and spec, got 5",
        ),
        ("a: [\n", "<text>:1: is not YAML: while parsing a flow node, did not find expected node content"),
        ("a: 1\na: 2\n", "<text>:2: has the key 'a' twice, first on line 1"),
    ],
)
def test_fails_at(text, message):
    assert message in refused(text)


@pytest.mark.parametrize(
    ("replaced", "by", "message"),
    [
        ("metadata:\n  name: batch\n", "", "1 (document 1): `metadata`: is required"),
        (
            "metadata:\n  name: batch\n",
            "metadata: 5\n",
            "3 (document 1): `metadata`: must be a mapping, got 5",
        ),
        ("metadata:\n  name: batch\n", "metadata:\n", "3 (document 1): `metadata`: is required"),
        ("name: batch", "labels: {}", "3 (document 1): `metadata.name`: is required"),
        (
            "name: batch",
            'name: "it\'s"',
            '4 (document 1): `metadata.name`: must be a name that Kubernetes takes, got "it\'s"; use lower case '
            "letters, digits, '-' and '.', with a letter or digit at both ends of each part",
        ),
        (
            "name: batch",
            "generateName: b-",
            "4 (document 1): `metadata.generateName`: cannot be carried over; give the object a name",
        ),
        ("name: batch", "name: 5", "4 (document 1): `metadata.name`: must be a string, got 5; write '5'"),
        (
            "name: batch",
            "name: on",
            "4 (document 1): `metadata.name`: must be a string, got on, which YAML reads as true; write 'on'",
        ),
        (
            "name: batch",
            "name: a\n  lables: {}",
            "5 (document 1): `metadata.lables`: cannot be carried over; leave it out",
        ),
        (
            "name: batch",
            "name: a\n  labels: x",
            "5 (document 1): `metadata.labels`: must be a mapping, got 'x'",
        ),
        (
            "spec:\n",
            "data: {}\nspec:\n",
            "5 (document 1): `data`: is no field of an object; its fields are apiVersion, kind, "
            "metadata, spec, status",
        ),
    ],
)
def test_fails_around_the_spec(replaced, by, message):
    assert f"<text>:{message}" in refused(POOL.replace(replaced, by, 1))


def test_fails_for_a_name_that_is_taken():
    assert refused(f"{POOL}---\n{POOL}") == [
        "<text>:14 (document 2): `metadata.name`: is taken: NodePool 'batch' at <text>:1 becomes the same object; give "
        "each its own name"
    ]


def test_fails_for_old_and_new_beside_each_other():
    old = """
        apiVersion: karpenter.k8s.aws/v1alpha1
        kind: AWSNodeTemplate
        metadata: {name: default}
        spec: {subnetSelector: {a: b}}
        ---
        apiVersion: karpenter.k8s.aws/v1
        kind: EC2NodeClass
        metadata: {name: default}
        spec: {}
    """
    assert mistakes(old) == [
        "<text>:9 (document 2): `metadata.name`: is taken: AWSNodeTemplate 'default' at <text>:2 becomes the same "
        "object; give each its own name"
    ]


def test_fails_where_there_is_no_file(tmp_path):
    assert refused(tmp_path / "none.yaml") == [f"{tmp_path}/none.yaml: there is no such file"]
    assert refused("no-such-file.yaml") == ["no-such-file.yaml: there is no such file"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a" * 300, "File name too long"),
        (f"{__file__}/a", "Not a directory"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_fails_for_a_name_that_no_file_has(name, why):
    assert refused(Path(name)) == [f"{name}: cannot be read: {why}"]


def test_name_that_is_no_unicode_is_escaped(tmp_path):
    path = tmp_path / "a\udcff.yaml"
    path.write_text("a: [", encoding="utf-8")
    assert refused(path) == [
        f"{tmp_path}/a\\xff.yaml:1: is not YAML: while parsing a flow node, did not find expected node content"
    ]


def test_nothing_more_is_said_of_other_kinds():
    assert refused("apiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n") == [
        "<text>:2 (document 1): `kind`: is no node object of Karpenter's, got 'ConfigMap'; keep it in another file"
    ]
    assert refused("apiVersion: v1\nKind: NodePool\n") == [
        "<text>:1 (document 1): `kind`: is required, as a string",
        "<text>:2 (document 1): `Kind`: is no field of an object; its fields are apiVersion, kind, metadata, spec, "
        "status",
    ]


def test_fails_for_a_directory(tmp_path):
    assert refused(tmp_path) == [f"{tmp_path}: is a directory; name its files"]


def test_fails_for_bytes_that_are_no_text(file):
    file.write_bytes(b"a: 1\nb: \xff\n")
    assert refused(file) == [f"{file}:2: is not UTF-8, has the byte 0xFF; save it as UTF-8"]


def test_fails_for_a_file_without_end():
    assert refused(Path("/dev/zero")) == ["/dev/zero: has more than 16777216 bytes; split it"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (5, "manifests: must be a path, a text, or mappings, got 5"),
        (
            [5],
            "objects[0]: must be an object with apiVersion, kind, metadata and spec, got 5",
        ),
        (
            {"apiVersion": "v1", "metadata": {"x": {1, 2}}},
            "objects[0]: `metadata.x`: must be a string, a number, a boolean, a list or a mapping, got {1, 2}",
        ),
    ],
)
def test_fails_for_objects_that_are_none(given, message):
    assert message in refused(given)


def test_fails_for_an_object_within_itself():
    loop: dict[str, object] = {"kind": "List"}
    loop["items"] = [loop]
    assert refused(loop) == ["objects[0]: is larger or deeper than any node object"]


def test_fails_no_more_than_a_hundred_times():
    lines = refused("---\n".join(POOL.replace("batch", f"b-{n}").replace("[]", "5") for n in range(200)))
    assert len(lines) == 100
    assert lines[0] == "<text>:9 (document 1): `spec.template.spec.requirements`: must be a list, got 5"
    assert lines[-1] == "<text>:999 (document 100): `spec.template.spec.requirements`: must be a list, got 5"


def test_fails_for_more_values_than_any_object_has():
    labels = ",".join(f"l{n}: x" for n in range(20_001))
    assert refused(f"{POOL}  limits: {{{labels}}}\n") == [
        "<text>:1 (document 1): has more than 20000 values, more than any node object"
    ]


def test_unknown_fields_are_not_listed_without_end():
    lines = refused(POOL + "".join(f"  f{n}: 1\n" for n in range(25)))
    assert len(lines) == 21
    assert "<text>:5 (document 1): `spec`: has 5 more unknown fields" in lines


def test_what_is_right_is_read_beside_what_is_wrong():
    assert read(POOL).node_pools == (AS_MODEL,)
    assert mistakes(POOL + "---\nkind: x\n") != []
