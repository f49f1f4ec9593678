"""The compiler: numba where it is installed, plain Python where it is not.

Compiled functions work on signed 64-bit integers only; mixing in unsigned ones would turn sums into
floats. They are kept on disk, so that only the first start on a machine compiles.
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

_KEPT_SECONDS = 14 * 24 * 3600
"""So long the compiled code of another version is kept."""

F = TypeVar("F", bound=Callable[..., Any])

compiler: Any = None
try:
    import numba as compiler
    from numba.core import types
    from numba.extending import intrinsic
except ImportError:  # plain Python does the same, slowly
    pass

HAS_COMPILER = compiler is not None and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
"""Whether functions marked with `jit` are compiled."""


_PACKAGE = Path(__file__).parents[1]
_PARTS = ("compiled", "core", "games", "players")


def hash_sources() -> str:
    """Sum up the source of all that decides how a game is played.

    Numba looks only at the file of a function to tell whether its compiled code is stale, not at
    the functions it calls. So each version of the sources has a folder of its own.
    """
    digest = hashlib.sha256()
    for part in _PARTS:
        folder = _PACKAGE / part
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
            if "tests" not in path.relative_to(folder).parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def name_cache() -> str:
    """Name the folder of compiled code for these sources where they lie.

    Numba looks for it by the path of the sources; what other paths have left would never be cleared
    from a folder that is still used.
    """
    place = hashlib.sha256(os.fsencode(_PACKAGE)).hexdigest()[:8]
    return f"{hash_sources()}-{place}"


def open_cache(folder: Path) -> bool:
    """Make the folder of compiled code, and tell whether it can be written.

    Where it cannot, say so once; functions are then compiled anew in every process.
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

    Each start sets the time of its folder, so what is young may be in use. A folder is renamed
    before it is emptied: others see all of it or nothing, and of two who clear only one does.
    """
    for other in folder.parent.iterdir():
        try:
            if other != folder and now - other.stat().st_mtime > _KEPT_SECONDS:
                doomed = other.with_name(f"{other.name}.{os.getpid()}.old")
                other.rename(doomed)
                rmtree(doomed, ignore_errors=True)
        except OSError:  # somebody else was quicker, or may and we may not
            continue


_IS_KEPT = False
if HAS_COMPILER and "NUMBA_CACHE_DIR" in os.environ:
    _IS_KEPT = open_cache(Path(os.environ["NUMBA_CACHE_DIR"]))
elif HAS_COMPILER:
    _FOLDER = user_cache_path("pleasance") / "compiled" / name_cache()
    if _IS_KEPT := open_cache(_FOLDER):
        compiler.config.CACHE_DIR = str(_FOLDER)
        clear_cache(_FOLDER, time())


def jit(function: F) -> F:
    """Compile *function* when it is first called; it may then run beside other threads.

    The compiled code counts no references to arrays, which alone makes it twice as fast; so it must
    not make arrays either.
    """
    if not HAS_COMPILER:
        return function
    compiled: F = compiler.njit(cache=_IS_KEPT, nogil=True, _nrt=False)(function)
    return compiled


def jit_loosely(function: F) -> F:
    """Compile *function* so that it may add up in any order: quicker, but not to the last bit."""
    if not HAS_COMPILER:
        return function
    compiled: F = compiler.njit(
        cache=_IS_KEPT, nogil=True, _nrt=False, fastmath={"reassoc", "contract", "nsz"}
    )(function)
    return compiled


if HAS_COMPILER and not TYPE_CHECKING:

    @intrinsic
    def count_bits(_context: Any, _mask: Any) -> Any:
        """Count the members of a set."""

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
        """Count the members of a set."""
        return int(mask).bit_count()

    def lowest_bit(mask: int) -> int:
        """Find the lowest member of a set that has one."""
        mask = int(mask)
        return (mask & -mask).bit_length() - 1


@jit
def nth_bit(mask: int, place: int) -> int:
    """Find the member of a set that has *place* smaller ones."""
    for _ in range(place):
        mask &= mask - 1
    return lowest_bit(mask)


@jit
def copy_into(target: Any, source: Any) -> None:
    """Copy a row of numbers into another one of the same length."""
    for place in range(len(source)):
        target[place] = source[place]
