"""The requirements of a build: a compiler, Python's headers, free memory."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

_MIN_FREE_MEMORY_KB = 2_097_152
"""The free memory that a background build needs; it uses 1.2 million KB at most."""


def has_memory() -> bool:
    """Return whether enough memory is free; assume so if it is unknown."""
    with suppress(OSError):
        fields = Path("/proc/meminfo").read_text(encoding="ascii")
        free = re.search(r"^MemAvailable: +(\d+) kB$", fields, re.MULTILINE)
        return free is None or int(free[1]) >= read_number("NATIVE_MEMORY", _MIN_FREE_MEMORY_KB)
    return True


def read_number(variable: str, default: float) -> float:
    """Read a number from an environment variable; ignore an invalid one."""
    try:
        return float(os.environ.get(variable, default))
    except ValueError:
        return default


def find_missing_requirement() -> str | None:
    """Describe a missing requirement, if there is one."""
    if find_spec("hatch_mypyc") is None:
        return "the compiler is not installed (make setup)"
    if not _has_compiler() or not _has_macos_tools():
        return "no C compiler found (Debian: apt install gcc)"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "the headers of Python are missing (Debian: apt install python3-dev)"
    return None


def _has_compiler() -> bool:
    """Return whether the configured compiler can be found."""
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    try:
        words = shlex.split(compiler)
    except ValueError:  # a quote that is not closed
        return False
    return bool(words) and shutil.which(words[0]) is not None


def _has_macos_tools() -> bool:
    """Return whether the compiler is not just macOS's stub that offers to install one."""
    asked, nothing = ["/usr/bin/xcode-select", "-p"], subprocess.DEVNULL
    return sys.platform != "darwin" or not subprocess.call(asked, stdout=nothing, stderr=nothing)
