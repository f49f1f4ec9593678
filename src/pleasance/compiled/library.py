"""Finds and opens the shared library of a package that fits this machine.

A package keeps its libraries in `lib/`, one for each kind of machine, with a manifest: the hash of
each file, and of the sources that it was built from. Where sources can be edited, which is where
the repository lies around the package, a library of other sources is refused.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import platform
import sys
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pleasance.compiled.sources import hash_file, hash_sources

MANIFEST = "manifest.json"
"""The file beside the libraries that says what they are."""

_SUFFIXES = {"linux": "so", "macos": "dylib", "windows": "dll"}
_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows", "cygwin": "windows"}
_MACHINES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "arm64", "aarch64": "aarch64"}

_V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}
"""The instructions that the quicker of two libraries (x86-64-v3) needs, as Linux names them."""


class LibraryError(RuntimeError):
    """A library is missing, damaged, of other sources or for another machine."""


def find_names() -> tuple[str, ...]:
    """Name the libraries that this machine can load, the quickest first.

    >>> all(name.count(".") == 1 for name in find_names())
    True
    """
    system = _SYSTEMS.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    name = f"{system}-{_MACHINES.get(machine, machine)}"
    suffix = _SUFFIXES.get(system, "so")
    names = (f"{name}.{suffix}",)
    return (f"{name}-v3.{suffix}", *names) if name == "linux-x86_64" and _has_v3() else names


def _has_v3() -> bool:
    """Return whether this processor knows the instructions of x86-64-v3."""
    try:
        with Path("/proc/cpuinfo").open(encoding="ascii", errors="replace") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return False
    return set(flags.split()) >= _V3


def find_folder(package: str) -> Path:
    """Find the folder of the libraries of a package."""
    return Path(str(files(package))) / "lib"


@cache
def open_library(package: str) -> Any:
    """Open the library of a package, or say why there is none."""
    folder = find_folder(package)
    title = package.rpartition(".")[2]
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        hashes, sources = dict(manifest["libraries"]), str(manifest["sources"])
    except (OSError, ValueError, KeyError, TypeError):
        raise LibraryError(f"{title} has no libraries of compiled code.") from None
    check_sources(package, manifest)
    for name in find_names():
        if name in hashes:
            return _open(folder / name, str(hashes[name]), sources)
    raise LibraryError(f"{title} has no library for {find_names()[-1].partition('.')[0]}.")


def _open(path: Path, digest: str, sources: str) -> Any:
    """Open a library after comparing its bytes: loading a damaged one could end the process."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LibraryError(f"{path.name} cannot be read ({error.strerror}).") from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise LibraryError(f"{path.name} is damaged.")
    try:
        library = ctypes.CDLL(str(path))
        found = (ctypes.c_char * len(sources)).in_dll(library, "pleasance_sources").value.decode()
    except (OSError, ValueError) as error:
        raise LibraryError(f"{path.name} cannot be loaded ({error}).") from None
    if found != sources:
        raise LibraryError(f"{path.name} was built from other sources.")
    return library


def check_sources(package: str, manifest: Mapping[str, Any]) -> None:
    """Refuse the libraries of a package whose kernels were edited since they were built.

    An installed package is not looked at. In a checkout the bytes of each source are compared
    first; only if some differ, what compiled code consists of.
    """
    if not is_checkout():
        return
    kept = dict(manifest.get("files", {}))
    is_same = kept and all(hash_file(module) == digest for module, digest in kept.items())
    if not is_same and hash_sources(package)[0] != manifest["sources"]:
        raise LibraryError(
            f"The kernels of {package.rpartition('.')[2]} were edited; make kernels builds their "
            "libraries again."
        )


@cache
def is_checkout() -> bool:
    """Return whether the package lies in its repository, where sources are edited."""
    root = Path(__file__).parents[3]
    return (root / "tools" / "build_kernels.py").is_file() and (root / "src").is_dir()
