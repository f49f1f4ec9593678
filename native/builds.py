"""Builds of the compiled package: what they are made from, where they lie, how one is made.

They are built from a copy, so that nothing compiled ever lies beside the sources and hides newer
ones.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
BUILDS = ROOT / "build" / "native"
LOG = BUILDS / "log"
FAILED = BUILDS / "failed"
"""Holds the key of what could not be built, so that it is not tried at every start."""

READY = "ready"
"""The last file to come into a build; whoever runs the build holds a lock on this file."""

_LONGEST = 3600.0
"""Seconds that a step may take; at the lowest priority on a busy computer that is not absurd."""

_MEMORY = int(os.environ.get("NATIVE_MEMORY", "2097152"))
"""Kilobytes that must be free to build beside a game; 1.2 million were used at most."""

_NEEDED = (
    "pyproject.toml",
    "hatch_build.py",
    "requirements/dev.lock",
    "native/builds.py",
    "native/trial.py",
)
_TOLD = ("README.md", "LICENSE")
"""What a package wants to have besides; it changes nothing."""

_skip = shutil.ignore_patterns("__pycache__", "tests", "web", ".*", "*~", "#*#")
"""Tells what no server needs; the app that web/ becomes lies in server/page/dist."""

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.ENOMEM)


def make_key(root: Path) -> str:
    """Name just these sources, tools and this Python."""
    digest = hashlib.sha256(f"{sys.version}:{sysconfig.get_config_var('SOABI')}".encode())
    for path in sorted([*(root / name for name in _NEEDED), *list_sources(root / "src")]):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root)}:{len(content)}:".encode() + content)
    return digest.hexdigest()[:16]


def list_sources(folder: Path) -> Iterator[Path]:
    """List the files that belong to the package."""
    for place, folders, files in os.walk(folder):
        skipped = _skip(place, [*folders, *files])
        folders[:] = [name for name in folders if name not in skipped]
        paths = (Path(place, name) for name in files if name not in skipped)
        yield from (path for path in paths if path.is_file())  # no links to nowhere


def take(key: str) -> Path | None:
    """Find the build for *key*; it stays as long as this process runs, whatever that becomes."""
    place = BUILDS / key
    try:
        handle = os.open(place / READY, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:  # there is none, or it is just being removed
        return None
    os.set_inheritable(handle, True)
    return place if is_ready(key) else None  # it may have been removed before it was locked


def is_ready(key: str) -> bool:
    """Tell whether the build for *key* is there."""
    return (BUILDS / key / READY).is_file()


def can_be_built_beside(key: str) -> bool:
    """Tell whether a build is worth trying, and leaves enough memory to the game."""
    has_failed = FAILED.is_file() and FAILED.read_text(encoding="ascii") == key
    return not has_failed and has_memory() and find_lack() is None


def has_memory() -> bool:
    """Tell whether enough memory is free, where the system says so."""
    with suppress(OSError):
        told = Path("/proc/meminfo").read_text(encoding="ascii")
        free = re.search(r"^MemAvailable: +(\d+) kB$", told, re.MULTILINE)
        return free is None or int(free[1]) >= _MEMORY
    return True


def find_lack() -> str | None:
    """Say what this computer lacks to compile, if anything."""
    if not _has_compiler() or not _has_tools():
        return "no C compiler found (Debian: apt install gcc)"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "the headers of Python are missing (Debian: apt install python3-dev)"
    return None


def _has_compiler() -> bool:
    """Tell whether the compiler that is asked for can be found."""
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    try:
        words = shlex.split(compiler)
    except ValueError:  # a quote that is not closed
        return False
    return bool(words) and shutil.which(words[0]) is not None


def _has_tools() -> bool:
    """Tell whether a compiler is more than that of macOS which only offers to install one."""
    asked, nothing = ["/usr/bin/xcode-select", "-p"], subprocess.DEVNULL
    return sys.platform != "darwin" or not subprocess.call(asked, stdout=nothing, stderr=nothing)


@contextmanager
def locking(*, waits: bool) -> Iterator[IO[str]]:
    """Build alone; where another is at it, say so and wait, or raise `BlockingIOError`.

    Whoever is handed the file holds the lock as well.
    """
    BUILDS.mkdir(parents=True, exist_ok=True)
    with (BUILDS / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not waits:
                raise
            print("Waiting for another that compiles: make play, perhaps ...", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        clear_leftovers()  # of one that was killed
        try:
            yield file
        finally:
            clear_leftovers()


def build() -> None:
    """Compile a copy, try it out, and only then let others run it; remember if that fails.

    Whoever calls this holds the lock, and may have waited for it until all was done.
    """
    with TemporaryDirectory(dir=BUILDS, prefix="making-") as folder, LOG.open("w") as log:
        copy, package = Path(folder, "copy"), Path(folder, "package")
        copy_sources(copy)
        key = make_key(copy)
        place = BUILDS / key
        if is_ready(key):
            return
        try:
            compile_into(package, copy, log)
            package.rename(place)
            trial = str(copy / "native" / "trial.py")
            # Where it stays: the code of bots is kept by its path.
            call(log, trial, folder, PYTHONPATH=str(place), PLEASANCE_HOME=folder)
        except (OSError, subprocess.SubprocessError) as trouble:
            if will_fail_again(trouble):
                FAILED.write_text(key, encoding="ascii")
            raise
        os.sync()  # or a computer that loses power could keep the names of files and lose the rest
        (place / READY).touch()
        FAILED.unlink(missing_ok=True)
        clear_stale(key)


def will_fail_again(trouble: OSError | subprocess.SubprocessError) -> bool:
    """Tell whether what went wrong lies in the build, not in a step stopped or short of room."""
    if isinstance(trouble, subprocess.CalledProcessError):
        said = LOG.read_text(encoding="utf-8", errors="replace")
        passing = [*map(os.strerror, _NO_ROOM), "Killed signal", "MemoryError"]
        return trouble.returncode > 0 and not any(words in said for words in passing)
    return not (isinstance(trouble, OSError) and trouble.errno in _NO_ROOM)


def compile_into(package: Path, copy: Path, log: IO[str]) -> None:
    """Let pip and the build tools that pyproject.toml names make the package."""
    pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    told = {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "1", "TMPDIR": str(copy.parent)}
    call(log, *pip, "--no-build-isolation", "--target", str(package), str(copy), **told)


def call(log: IO[str], *orders: str, **told: str) -> None:
    """Run this Python, and write down what it says."""
    subprocess.run(
        [sys.executable, *orders],
        env={**os.environ, **told},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        check=True,
        timeout=_LONGEST,
    )


def copy_sources(copy: Path) -> None:
    """Copy all that the package is built from."""
    shutil.copytree(ROOT / "src", copy / "src", ignore=_skip, ignore_dangling_symlinks=True)
    for name in (*_NEEDED, *_TOLD):
        (copy / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, copy / name)


def clear_leftovers() -> None:
    """Remove what was never finished."""
    for place in BUILDS.iterdir():
        if place.is_dir() and not (place / READY).is_file():
            shutil.rmtree(place, ignore_errors=True)


def clear_stale(key: str) -> None:
    """Remove builds of other sources, but for those that somebody still runs."""
    for ready in BUILDS.glob(f"*/{READY}"):
        if ready.parent.name != key:
            # Some file systems lock only what can be written, or nothing at all: then it stays.
            with suppress(OSError), ready.open("r+") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                ready.unlink()  # first: whatever cuts this short, nobody runs the rest
                shutil.rmtree(ready.parent, ignore_errors=True)
