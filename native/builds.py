"""Builds of the compiled package: their inputs, their folders, and how one is made.

The inputs are copied first, so that no compiled module lies next to the sources and hides newer
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

from build_requirements import find_missing_requirement, has_memory

ROOT = Path(__file__).resolve().parents[1]
BUILDS = ROOT / "build" / "native"
LOG = BUILDS / "log"
FAILED = BUILDS / "failed"
"""Contains the key of a failed build, so that it is not tried again at every start."""

READY = "ready"
"""The last file added to a build; processes that run the build hold a lock on it."""

_STEP_TIMEOUT_S = 3600.0
"""The timeout of a step, long enough for the lowest priority on a busy computer."""

_RETRY_AFTER_S = 86_400.0
"""The time after which a failed build is tried again, perhaps with a repaired compiler."""

_BUILD_INPUTS = (
    "pyproject.toml",
    "hatch_build.py",
    "requirements/dev.lock",
    "native/builds.py",
    "native/smoke_test.py",
)
_METADATA_FILES = ("README.md", "LICENSE")
"""The files that packaging needs; they do not affect the build."""

_skip = shutil.ignore_patterns("__pycache__", "tests", "web", ".*", "*~", "#*#")
"""Ignores files that no server needs; the web app lies in server/page/dist."""

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.ENOMEM)
_TRANSIENT = re.compile(
    "|".join([*map(os.strerror, _NO_ROOM), "out of memory", "MemoryError"])
    + r"|(Killed|Terminated) signal|terminated with signal|unable to execute command"
    + r"|exit code:? -",
    re.IGNORECASE,
)
"""Matches the messages of Python, gcc, clang and pip on a stopped step or a lack of space."""

_MYPYC = re.compile(r"Error while invoking Mypyc:\n(.*?)(?:\[end of output\]|\Z)", re.DOTALL)
"""The output of a failed mypyc, which does not show whether it was killed."""


def make_key(root: Path) -> str:
    """Hash the sources, the tools and the Python version."""
    digest = hashlib.sha256(f"{sys.version}:{sysconfig.get_config_var('SOABI')}".encode())
    for path in sorted([*(root / name for name in _BUILD_INPUTS), *list_sources(root / "src")]):
        content = path.read_bytes()
        name = os.fsencode(path.relative_to(root))  # which need not be text
        digest.update(b"%b:%d:%b" % (name, len(content), content))
    return digest.hexdigest()[:16]


def list_sources(folder: Path) -> Iterator[Path]:
    """List the source files of the package."""
    for place, folders, files in os.walk(folder):
        skipped = _skip(place, [*folders, *files])
        folders[:] = [name for name in folders if name not in skipped]
        paths = (Path(place, name) for name in files if name not in skipped)
        yield from (path for path in paths if path.is_file())  # no links to nowhere


def acquire_build(key: str) -> Path | None:
    """Find the build for *key* and lock it against removal while this process runs."""
    place = BUILDS / key
    try:
        handle = os.open(place / READY, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:  # it does not exist, or is being removed
        return None
    os.set_inheritable(handle, True)
    return place if is_ready(key) else None  # it may have been removed before the lock


def is_ready(key: str) -> bool:
    """Return whether the build for *key* exists."""
    return (BUILDS / key / READY).is_file()


def can_build_in_background(key: str) -> bool:
    """Return whether a build can work and leaves enough memory to the game."""
    return not has_failed(key) and has_memory() and find_missing_requirement() is None


def has_failed(key: str) -> bool:
    """Return whether this build failed recently."""
    try:
        is_fresh = abs(time() - FAILED.stat().st_mtime) < _RETRY_AFTER_S
        return is_fresh and FAILED.read_bytes() == key.encode()
    except OSError:  # no build failed
        return False


@contextmanager
def build_lock(*, waits: bool, tries: int = 10) -> Iterator[IO[str]]:
    """Hold the build lock; if another process has it, wait or raise `BlockingIOError`.

    A child that inherits the file holds the lock too. Leftovers are removed in some *tries*.
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
        clear_leftovers()  # of a killed builder
        try:
            yield file
        finally:
            clear_leftovers(tries=tries)


def build() -> None:
    """Compile a copy, run its smoke test and publish it; remember a failure.

    The caller holds the lock, and may have waited until another process finished the build.
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
            smoke_test = str(copy / "native" / "smoke_test.py")
            # At its final path, where games will run it.
            run_python(log, smoke_test, folder, PYTHONPATH=str(place), PLEASANCE_HOME=folder)
        except (OSError, subprocess.SubprocessError) as error:
            if is_permanent(error):
                FAILED.write_text(key, encoding="ascii")
            raise
        sync_build(place)
        (place / READY).touch()
        FAILED.unlink(missing_ok=True)
        clear_stale(key)


def is_permanent(error: OSError | subprocess.SubprocessError) -> bool:
    """Return whether an error lies in the build, not in a step that was stopped or out of space."""
    if isinstance(error, subprocess.CalledProcessError):
        output = LOG.read_text(encoding="utf-8", errors="replace")
        return (
            error.returncode > 0 and not _TRANSIENT.search(output) and not was_mypyc_killed(output)
        )
    return isinstance(error, OSError) and error.errno not in _NO_ROOM  # else it took too long


def was_mypyc_killed(output: str) -> bool:
    """Return whether mypyc ended without an error message."""
    found = _MYPYC.search(output)
    return found is not None and not re.search(r"error:|traceback", found[1], re.IGNORECASE)


def compile_into(package: Path, copy: Path, log: IO[str]) -> None:
    """Build the package with pip and the build tools named by pyproject.toml."""
    pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    fields = {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "1", "TMPDIR": str(copy.parent)}
    run_python(log, *pip, "--no-build-isolation", "--target", str(package), str(copy), **fields)


def run_python(log: IO[str], *orders: str, **fields: str) -> None:
    """Run this Python, its output in English and written to the log."""
    subprocess.run(
        [sys.executable, *orders],
        env={**os.environ, "LC_ALL": "C", **fields},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        check=True,
        timeout=_STEP_TIMEOUT_S,
    )


def copy_sources(copy: Path) -> None:
    """Copy the inputs of the build."""
    shutil.copytree(ROOT / "src", copy / "src", ignore=_skip, ignore_dangling_symlinks=True)
    for name in (*_BUILD_INPUTS, *_METADATA_FILES):
        (copy / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, copy / name)


def sync_build(place: Path) -> None:
    """Sync a build to disk: a power failure must not leave file names without contents."""
    paths = [Path(folder, name) for folder, _, files in os.walk(place) for name in (".", *files)]
    for path in (*paths, place.parent):
        with suppress(OSError):  # some file systems cannot do this for folders
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def list_leftovers() -> list[Path]:
    """List unfinished builds, perhaps with the current one."""
    return [place for place in BUILDS.iterdir() if place.is_dir() and not (place / READY).is_file()]


def clear_leftovers(*, tries: int = 1) -> None:
    """Remove unfinished builds; killed builders may still write for a moment."""
    for again in range(tries):
        sleep(0.2 if again else 0)
        for place in list_leftovers():
            shutil.rmtree(place, ignore_errors=True)
        if not list_leftovers():
            return


def clear_leftovers_if_unlocked() -> None:
    """Remove unfinished builds, unless a builder holds the lock."""
    with suppress(OSError):
        if list_leftovers():
            with build_lock(waits=False, tries=1):  # a game does not wait for it
                pass  # the lock's context removes them


def clear_stale(key: str) -> None:
    """Remove builds of other sources, except those in use."""
    for ready in BUILDS.glob(f"*/{READY}"):
        if ready.parent.name != key:
            # Some file systems lock only writable files, or none: then the build stays.
            with suppress(OSError), ready.open("r+") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                ready.unlink()  # first, so that no process runs an incomplete build
                shutil.rmtree(ready.parent, ignore_errors=True)
