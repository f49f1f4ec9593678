"""What this computer has to build with: a compiler, headers, free memory."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

_MEMORY = 2_097_152
"""Kilobytes that must be free to build beside a game; 1.2 million were used at most."""


def has_memory() -> bool:
    """Tell whether enough memory is free, where the system says so."""
    with suppress(OSError):
        told = Path("/proc/meminfo").read_text(encoding="ascii")
        free = re.search(r"^MemAvailable: +(\d+) kB$", told, re.MULTILINE)
        return free is None or int(free[1]) >= read_number("NATIVE_MEMORY", _MEMORY)
    return True


def read_number(variable: str, usual: float) -> float:
    """Read a number that somebody may have set; nonsense must not stop a game."""
    try:
        return float(os.environ.get(variable, usual))
    except ValueError:
        return usual


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
