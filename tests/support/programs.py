"""Programs that run to their end."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any


def run_program(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; return its status, and what it printed as text."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)
