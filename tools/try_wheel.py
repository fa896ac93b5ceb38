"""Installs the built wheel in a clean environment and synthesises app.py against it.

What only the source tree has (data files, modules, a dependency that nobody declared) is missed here, by us,
instead of by the first user. Usage: ``python tools/try_wheel.py``, after the wheel is in ``dist``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def install(wheel: Path, environment: Path) -> Path:
    """Make the environment and give its ``bin`` folder."""
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    subprocess.run(
        [environment / "bin" / "python", "-m", "pip", "install", "--quiet", "--progress-bar", "off"]
        + ["--constraint", ROOT / "requirements-dev.txt", f"{wheel}[app]"],
        check=True,
    )
    return environment / "bin"


def try_out(commands: Path, folder: Path) -> None:
    """Use the installed package away from the source tree: where it is, the command line, the example app."""
    where = "import karpenter_construct; print(karpenter_construct.__file__)"
    subprocess.run([commands / "python", "-c", where], cwd=folder, check=True)
    subprocess.run([commands / "karpenter-construct", "--help"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name in ("app.py", "cdk.json"):
        shutil.copy(ROOT / name, folder)
    subprocess.run(
        [ROOT / "node_modules" / ".bin" / "cdk", "synth", "--quiet", "--no-notices", "--no-lookups"]
        + ["--app", f"{commands / 'python'} app.py"],
        cwd=folder,
        check=True,
    )


def main() -> None:
    """Try the one wheel in ``dist``."""
    (wheel,) = (ROOT / "dist").glob("*.whl")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "app"
        folder.mkdir()
        try_out(install(wheel, Path(temporary) / "venv"), folder)
    print(f"{wheel.name}: installs in a clean environment, and app.py synthesises against it")


if __name__ == "__main__":
    main()
