"""Runs the build steps of a Dockerfile without a container runtime, in a plain root.

The root has the programs of this machine, read-only, and a Python; but no home, no Node, no
compiler and no file of this repository except those that are copied. Mounts and `chroot` need the
rights of root.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from container.dockerfile import ROOT, Stage, list_context
from support.programs import run_program

_MASKED = ("cc", "gcc", "git", "node", "nodejs", "npm")
"""The programs that a slim image lacks."""

_PASSED = re.compile(r"(?i)pip_|npm_config_|ssl_cert_|node_extra_ca_certs|\w+_proxy")
"""The variables with which a machine reaches its package index; Docker takes them as arguments."""

_ENTER = """
set -e
mount --make-rprivate /
mount --bind "$root" "$root"
show() { mount --bind "$1" "$root$2"; mount -o remount,bind,ro "$root$2"; }
show /usr /usr
show "$local" /usr/local
for each in $shared; do show "$each" "$each"; done
for each in /dev /proc /sys; do mount --rbind "$each" "$root$each"; done
for each in $masked; do mount --bind /dev/null "$root/usr/bin/$each"; done
for each in $writable; do mount --bind "$root$each" "$root$each"; done
test -z "$writable" || mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" /usr/bin/env --ignore-environment --chdir="$folder" "$@"
"""


class PlainRoot(NamedTuple):
    """A folder that looks like the root of a slim image with a Python."""

    folder: Path
    shared: tuple[Path, ...]
    """Folders of this machine that are seen inside at the same place, besides /usr."""

    passed: dict[str, str]
    """Variables of this machine that are set inside, too."""

    def copy(self, source: Path, target: Path) -> None:
        """Copy a file or a folder to a place inside."""
        place = self.folder / target.relative_to("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, place, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy2(source, place)

    def call(
        self,
        command: list[str],
        variables: Mapping[str, str],
        *,
        user: str = "0:0",
        home: str = "/root",
        workdir: str = "/",
        writable: tuple[str, ...] = (),
    ) -> list[str]:
        """Make the command line that runs *command* inside; if *writable*, only there it writes."""
        inside = {**self.passed, **variables, "HOME": home}
        settings = {
            "root": str(self.folder),
            "local": f"{self.folder}.local",
            "shared": " ".join(map(str, self.shared)),
            "masked": " ".join(each for each in _MASKED if Path("/usr/bin", each).exists()),
            "writable": " ".join(writable),
            "user": user,
            "folder": workdir,
        }
        head = "".join(f"{name}={shlex.quote(value)}\n" for name, value in settings.items())
        pairs = [f"{name}={value}" for name, value in inside.items()]
        return ["unshare", "--mount", "sh", "-c", head + _ENTER, "sh", *pairs, *command]


def build(stages: list[Stage], folder: Path, python: Path) -> PlainRoot:
    """Run all stages, each in a root of its own; return the root of the last."""
    roots: dict[str, PlainRoot] = {}
    root = None
    for number, stage in enumerate(stages):
        root = roots[stage.alias] = make_root(folder / f"stage{number}", python)
        run_stage(stage, root, roots)
    assert root is not None
    return root


def run_stage(stage: Stage, root: PlainRoot, roots: Mapping[str, PlainRoot]) -> None:
    """Run the instructions of one stage that change files."""
    workdir = Path("/")
    for instruction, text in stage.instructions:
        match instruction:
            case "WORKDIR":
                workdir = Path(text)
                (root.folder / workdir.relative_to("/")).mkdir(parents=True)
            case "COPY":
                copy_files(shlex.split(text), root, workdir, roots)
            case "RUN":
                command = ["/bin/sh", "-c", text]
                call = root.call(command, stage.environment, workdir=str(workdir))
                done = run_program(*call)
                assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
            case _:
                pass


def copy_files(
    words: list[str], root: PlainRoot, workdir: Path, roots: Mapping[str, PlainRoot]
) -> None:
    """Copy files of the build context, or of an earlier stage."""
    *options, source, target = words
    if options:
        (stage,) = options
        origin = roots[stage.removeprefix("--from=")].folder
        root.copy(origin / Path(source).relative_to("/"), workdir / target)
        return
    for path in list_context():
        if path.is_relative_to(source):
            root.copy(ROOT / path, workdir / target / path.relative_to(source))


def make_root(folder: Path, python: Path) -> PlainRoot:
    """Make an empty root around the programs of this machine and a Python."""
    prefix, executable = ask_python(python)
    passed = ask_pip()
    passed |= {name: value for name, value in os.environ.items() if _PASSED.match(name)}
    shared = tuple(sorted({prefix, *find_packages(passed.values())} - {Path("/usr")}))
    folder.mkdir()
    for name in ("bin", "lib", "lib32", "lib64", "sbin"):
        if Path("/", name).is_symlink():
            (folder / name).symlink_to(Path("/", name).readlink())
        elif Path("/", name).is_dir():
            shared = (*shared, Path("/", name))
    for each in (*shared, *map(Path, ("/usr", "/dev", "/proc", "/root", "/sys", "/tmp"))):
        (folder / each.relative_to("/")).mkdir(parents=True, exist_ok=True)
    (folder / "tmp").chmod(0o1777)
    shutil.copytree("/etc", folder / "etc", symlinks=True)
    local = Path(f"{folder}.local", "bin")
    local.mkdir(parents=True)
    # A link would let Python look for its library around the link, where another may lie.
    (local / "python").write_text(f'#!/bin/sh\nexec {shlex.quote(str(executable))} "$@"\n')
    (local / "python").chmod(0o755)
    return PlainRoot(folder, shared, passed)


def ask_python(python: Path) -> tuple[Path, Path]:
    """Ask a Python where it is installed, and for its own path."""
    code = "import sys; print(sys.base_prefix, sys._base_executable, sep='\\n')"
    prefix, executable = subprocess.check_output((python, "-c", code), text=True).split()
    return Path(prefix).resolve(), Path(executable).resolve()


def ask_pip() -> dict[str, str]:
    """Ask pip for its settings on this machine, as variables: where its packages come from."""
    settings = run_program(sys.executable, "-m", "pip", "config", "list").stdout
    pairs = re.findall(r"^(?:global|install)\.([\w-]+)=('.*')$", settings, re.MULTILINE)
    return {f"PIP_{name.upper().replace('-', '_')}": literal_eval(value) for name, value in pairs}


def find_packages(settings: Iterable[str]) -> Iterator[Path]:
    """Find the folders of packages that settings of pip name; an index has its files beside it."""
    for place in re.findall(r"(?:file://|\s|^)(/[\w./-]+)", "\n".join(settings)):
        folder = Path(place.removesuffix("/simple"))
        if folder.is_dir() and not folder.is_relative_to("/etc"):
            yield folder
