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


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """What the command prints; its errors go to the terminal, and a failure ends this program."""
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def install(wheel: Path, environment: Path) -> Path:
    """Make the environment and give its folder of commands."""
    run(sys.executable, "-m", "venv", environment)
    commands = environment / "bin"
    run(commands / "python", "-m", "pip", "install", "-q", "-c", "requirements-dev.txt", f"{wheel}[app]")
    return commands


def try_out(commands: Path, folder: Path) -> None:
    """Use the installed package away from the source tree: its place, the command line, the example app."""
    where = run(
        commands / "python", "-c", "import karpenter_construct as k; print(k.__file__)", folder=folder
    )
    if not where.startswith(str(commands.parent)):
        sys.exit(f"the package was imported from {where.strip()}, not from the wheel")
    run(commands / "karpenter-construct", "--help", folder=folder)
    for name in ("app.py", "cdk.json"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "examples", folder / "examples")
    app = f"{commands / 'python'} app.py"
    cdk = ROOT / "node_modules" / ".bin" / "cdk"
    run(cdk, "synth", "--quiet", "--no-notices", "--no-lookups", "--app", app, folder=folder)


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
