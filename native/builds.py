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
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep, time
from typing import IO

from computer import find_lack, has_memory

ROOT = Path(__file__).resolve().parents[1]
BUILDS = ROOT / "build" / "native"
LOG = BUILDS / "log"
FAILED = BUILDS / "failed"
"""Holds the key of what could not be built, so that it is not tried at every start."""

READY = "ready"
"""The last file to come into a build; whoever runs the build holds a lock on this file."""

_LONGEST = 3600.0
"""Seconds that a step may take; at the lowest priority on a busy computer that is not absurd."""

_REMEMBERED = 86_400.0
"""Seconds after which a build that failed is tried again: its compiler may have been mended."""

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
_PASSING = re.compile(
    "|".join([*map(os.strerror, _NO_ROOM), "out of memory", "MemoryError"])
    + r"|(Killed|Terminated) signal|terminated with signal|unable to execute command"
    + r"|exit code:? -",
    re.IGNORECASE,
)
"""What is said of a step that was stopped or had too little room: by Python, gcc, clang, pip."""

_MYPYC = re.compile(r"Error while invoking Mypyc:\n(.*?)(?:\[end of output\]|\Z)", re.DOTALL)
"""What mypyc has said when it ended; not that it was killed, which nobody tells."""


def make_key(root: Path) -> str:
    """Name just these sources, tools and this Python."""
    digest = hashlib.sha256(f"{sys.version}:{sysconfig.get_config_var('SOABI')}".encode())
    for path in sorted([*(root / name for name in _NEEDED), *list_sources(root / "src")]):
        content = path.read_bytes()
        name = os.fsencode(path.relative_to(root))  # which need not be text
        digest.update(b"%b:%d:%b" % (name, len(content), content))
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
    return not has_failed(key) and has_memory() and find_lack() is None


def has_failed(key: str) -> bool:
    """Tell whether this could not be built lately."""
    try:
        is_fresh = abs(time() - FAILED.stat().st_mtime) < _REMEMBERED
        return is_fresh and FAILED.read_bytes() == key.encode()
    except OSError:  # nothing has
        return False


@contextmanager
def locking(*, waits: bool, tries: int = 10) -> Iterator[IO[str]]:
    """Build alone; where another is at it, say so and wait, or raise `BlockingIOError`.

    Whoever is handed the file holds the lock as well. What is left is cleared away in some *tries*.
    """
    BUILDS.mkdir(parents=True, exist_ok=True)
    with (BUILDS / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not waits:
                raise
            print(
                "Waiting for a build that goes on: if beside a game, quicker once that is closed.",
                flush=True,
            )
            fcntl.flock(file, fcntl.LOCK_EX)
        clear_leftovers()  # of one that was killed
        try:
            yield file
        finally:
            clear_leftovers(tries=tries)


def build() -> None:
    """Compile a copy, try it out, and only then let others run it; remember if that fails.

    Whoever calls this holds the lock, and may have waited for it until all was done.
    """
    making = TemporaryDirectory(dir=BUILDS, prefix="making-", ignore_cleanup_errors=True)
    with making as folder, LOG.open("w") as log:
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
        write_through(place)
        (place / READY).touch()
        FAILED.unlink(missing_ok=True)
        clear_stale(key)


def will_fail_again(trouble: OSError | subprocess.SubprocessError) -> bool:
    """Tell whether what went wrong lies in the build, not in a step stopped or short of room."""
    if isinstance(trouble, subprocess.CalledProcessError):
        said = LOG.read_text(encoding="utf-8", errors="replace")
        return trouble.returncode > 0 and not _PASSING.search(said) and not was_mypyc_killed(said)
    return isinstance(trouble, OSError) and trouble.errno not in _NO_ROOM  # else it took too long


def was_mypyc_killed(said: str) -> bool:
    """Tell whether mypyc has ended without a word of what is wrong."""
    found = _MYPYC.search(said)
    return found is not None and not re.search(r"error:|traceback", found[1], re.IGNORECASE)


def compile_into(package: Path, copy: Path, log: IO[str]) -> None:
    """Let pip and the build tools that pyproject.toml names make the package."""
    pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    told = {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "1", "TMPDIR": str(copy.parent)}
    call(log, *pip, "--no-build-isolation", "--target", str(package), str(copy), **told)


def call(log: IO[str], *orders: str, **told: str) -> None:
    """Run this Python, and write down what it says, in English."""
    subprocess.run(
        [sys.executable, *orders],
        env={**os.environ, "LC_ALL": "C", **told},
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


def write_through(place: Path) -> None:
    """Write a build to disk: losing power must not leave its names and lose what is in it."""
    paths = [Path(folder, name) for folder, _, files in os.walk(place) for name in (".", *files)]
    for path in (*paths, place.parent):
        with suppress(OSError):  # some file systems cannot do this for folders
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def list_leftovers() -> list[Path]:
    """List what was never finished; it may just be made."""
    return [place for place in BUILDS.iterdir() if place.is_dir() and not (place / READY).is_file()]


def clear_leftovers(*, tries: int = 1) -> None:
    """Remove what was never finished; those who were killed over it may still write a little."""
    for again in range(tries):
        sleep(0.2 if again else 0)
        for place in list_leftovers():
            shutil.rmtree(place, ignore_errors=True)
        if not list_leftovers():
            return


def clear_if_alone() -> None:
    """Remove what was never finished, unless somebody is at it."""
    with suppress(OSError):
        if list_leftovers():
            with locking(waits=False, tries=1):  # a game does not wait for it
                pass  # whoever has the lock clears


def clear_stale(key: str) -> None:
    """Remove builds of other sources, but for those that somebody still runs."""
    for ready in BUILDS.glob(f"*/{READY}"):
        if ready.parent.name != key:
            # Some file systems lock only what can be written, or nothing at all: then it stays.
            with suppress(OSError), ready.open("r+") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                ready.unlink()  # first: whatever cuts this short, nobody runs the rest
                shutil.rmtree(ready.parent, ignore_errors=True)
