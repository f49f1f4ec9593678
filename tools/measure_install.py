"""Measures what the wheel installs, alone and with each extra, in fresh environments.

    python tools/measure_install.py                  the package alone and with each extra
    python tools/measure_install.py server plot      the package alone and with these extras

For each it prints a line of CSV: how many packages are installed, pleasance among them, and their
megabytes by RECORD, without bytecode. Versions are those that requirements/ pins.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
_PIN = re.compile(r"^([a-z0-9-]+==[^\\\n]*?) *\\?$", re.MULTILINE)
_PYTHON_NAME = re.compile(r"python3\.[0-9]+")
_OLDEST = (3, 11)
_MEASURE = """
import json
from importlib.metadata import distributions
print(json.dumps({
    each.name: sum(file.size or 0 for file in each.files or () if file.suffix != ".pyc")
    for each in distributions() if each.name not in {"pip", "setuptools"}
}))
"""


class Environment(NamedTuple):
    """A virtual environment with the wheel in it."""

    folder: Path

    @property
    def python(self) -> Path:
        """The path of its Python."""
        return self.folder / "bin" / "python"

    def measure(self) -> dict[str, int]:
        """Measure the bytes of each package by its RECORD."""
        found: dict[str, int] = json.loads(run(self.python, "-I", "-c", _MEASURE))
        return found


def main(extras: list[str]) -> None:
    """Print the sizes of the package alone and with each extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    print("install,packages,megabytes")
    with TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        for extra in ("", *(extras or project["optional-dependencies"])):
            environment = install(wheel, Path(folder) / (extra or "alone"), extra=extra)
            sizes = environment.measure()
            name = f"pleasance[{extra}]" if extra else "pleasance"
            print(f"{name},{len(sizes)},{sum(sizes.values()) / 1e6:.1f}", flush=True)


def build_wheel(folder: Path) -> Path:
    """Build the wheel of this repository with the packages of this environment."""
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(
    wheel: Path, folder: Path, *, extra: str = "", python: Path | str = sys.executable
) -> Environment:
    """Install the wheel into a fresh environment."""
    run(python, "-m", "venv", folder)
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(list_pins()), encoding="utf-8")
    run(
        *(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-compile"),
        *("--constraint", constraints, f"{wheel}[{extra}]" if extra else wheel),
    )
    return Environment(folder)


def list_pins() -> Iterator[str]:
    """List the pinned versions; pip takes no hashes in a file of constraints."""
    for lock in ("dev", "run"):
        text = (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
        yield from _PIN.findall(text)


def find_pythons() -> list[Path]:
    """Find one Python of each version at hand that can run the package."""
    folders = [Path(each) for each in os.environ.get("PATH", "").split(os.pathsep)]
    folders += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    found = {sys.version_info[:2]: Path(sys.executable)}
    for folder in folders:
        for path in sorted(folder.glob("python3.*")):
            if _PYTHON_NAME.fullmatch(path.name) and (version := ask_version(path)):
                found.setdefault(version, path)
    return [found[version] for version in sorted(found) if version >= _OLDEST]


def ask_version(python: Path) -> tuple[int, int] | None:
    """Ask a Python for its version; there is none if it makes no virtual environments."""
    command = (python, "-c", "import ensurepip, sys, venv; print(*sys.version_info[:2])")
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode:
        return None
    major, minor = map(int, done.stdout.split())
    return major, minor


def run(*command: Path | str) -> str:
    """Run a command in an environment of its own; return what it printed."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    }
    return subprocess.run(
        command, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ).stdout


if __name__ == "__main__":
    main(sys.argv[1:])
