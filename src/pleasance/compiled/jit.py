"""The just-in-time compiler: numba where it is installed, plain Python elsewhere.

Compiled functions work on signed 64-bit integers only; mixing in unsigned ones would turn sums into
floats. A cache on disk limits compiling to the first start on a machine.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryFile
from time import time
from typing import TYPE_CHECKING, Any, TypeVar

from platformdirs import user_cache_path

_LOG = logging.getLogger(__name__)

_CACHE_MAX_AGE_S = 14 * 24 * 3600
"""The age at which the compiled code of another version is removed."""

F = TypeVar("F", bound=Callable[..., Any])

compiler: Any = None
try:
    import numba as compiler
    from numba.core import types
    from numba.extending import intrinsic
except ImportError:  # plain Python does the same, slowly
    pass

HAS_COMPILER = compiler is not None and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
"""`True` if functions marked with `jit` are compiled."""


_PACKAGE = Path(__file__).parents[1]
_HASHED_FOLDERS = ("compiled", "core", "games", "players")


def hash_sources() -> str:
    """Hash all sources that determine how a game is played.

    Numba checks only the file of a function for changes, not the functions it calls. So each
    version of the sources has its own cache folder.
    """
    digest = hashlib.sha256()
    for part in _HASHED_FOLDERS:
        folder = _PACKAGE / part
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
            if "tests" not in path.relative_to(folder).parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_name() -> str:
    """Name the cache folder of these sources at this path.

    Numba looks up compiled code by the path of the sources; entries of other paths would never be
    removed from a folder in use.
    """
    place = hashlib.sha256(os.fsencode(_PACKAGE)).hexdigest()[:8]
    return f"{hash_sources()}-{place}"


def open_cache(folder: Path) -> bool:
    """Make the cache folder; return whether it is writable.

    If it is not, log a warning; every process then compiles the functions again.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except OSError as error:
        reason = error.strerror or str(error)
        _LOG.warning("Compiled code cannot be kept in %s (%s); starts are slow.", folder, reason)
        return False
    return True


def clear_cache(folder: Path, now: float) -> None:
    """Remove the folders beside *folder* that no process has opened for a while.

    Each start updates the time of its folder, so a recent one may be in use. A folder is renamed
    before it is removed, so that other processes see all of it or nothing.
    """
    for other in folder.parent.iterdir():
        try:
            if other != folder and now - other.stat().st_mtime > _CACHE_MAX_AGE_S:
                removed = other.with_name(f"{other.name}.{os.getpid()}.old")
                other.rename(removed)
                rmtree(removed, ignore_errors=True)
        except OSError:  # another process was faster, or permission is missing
            continue


_IS_CACHED = False
if HAS_COMPILER and "NUMBA_CACHE_DIR" in os.environ:
    _IS_CACHED = open_cache(Path(os.environ["NUMBA_CACHE_DIR"]))
elif HAS_COMPILER:
    _FOLDER = user_cache_path("pleasance") / "compiled" / cache_name()
    if _IS_CACHED := open_cache(_FOLDER):
        compiler.config.CACHE_DIR = str(_FOLDER)
        clear_cache(_FOLDER, time())


def jit(function: F) -> F:
    """Compile *function* at its first call; it runs without the interpreter lock.

    The compiled code counts no references to arrays, which makes it twice as fast; so it must not
    allocate arrays.
    """
    if not HAS_COMPILER:
        return function
    compiled: F = compiler.njit(cache=_IS_CACHED, nogil=True, _nrt=False)(function)
    return compiled


def jit_fastmath(function: F) -> F:
    """Compile *function* with reassociated float sums: faster, but not bit-exact."""
    if not HAS_COMPILER:
        return function
    compiled: F = compiler.njit(
        cache=_IS_CACHED, nogil=True, _nrt=False, fastmath={"reassoc", "contract", "nsz"}
    )(function)
    return compiled


if HAS_COMPILER and not TYPE_CHECKING:

    @intrinsic
    def count_bits(_context: Any, _mask: Any) -> Any:
        """Count the members of a bitmask (popcount)."""

        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic
    def lowest_bit(_context: Any, _mask: Any) -> Any:
        """Find the lowest member of a set that has one."""

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            false = context.get_constant(types.boolean, 0)
            return builder.cttz(arguments[0], false)

        return types.int64(types.int64), generate

else:

    def count_bits(mask: int) -> int:
        """Count the members of a bitmask (popcount)."""
        return int(mask).bit_count()

    def lowest_bit(mask: int) -> int:
        """Find the lowest member of a set that has one."""
        mask = int(mask)
        return (mask & -mask).bit_length() - 1


@jit
def nth_bit(mask: int, place: int) -> int:
    """Find the member of a set with *place* smaller members."""
    for _ in range(place):
        mask &= mask - 1
    return lowest_bit(mask)


@jit
def nth_bit_branchless(mask: int, place: int) -> int:
    """Find the same member as `nth_bit` without branches.

    Faster where *place* is random, so that a processor could not predict branches.
    """
    first = 0
    for width in (32, 16, 8):
        low = count_bits(mask & ((1 << width) - 1))
        is_high = place >= low
        place -= low * is_high
        mask >>= width * is_high
        first += width * is_high
    for skipped in range(7):
        mask &= mask - (skipped < place)
    return first + lowest_bit(mask)


@jit
def copy_into(target: Any, source: Any) -> None:
    """Copy an array into another of the same length."""
    for place in range(len(source)):
        target[place] = source[place]
