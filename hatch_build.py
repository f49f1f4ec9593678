"""What happens when the package is built: the app for browsers is built first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AppHook(BuildHookInterface[Any]):
    """Builds the app into the package; it travels inside, so that nobody else needs Node."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (theirs)
        """Build it, unless the package is only linked to be edited: then `make page` does."""
        if version == "editable" or self.target_name != "wheel":
            return
        build = Path(self.root) / "web" / "build.py"
        if build.is_file():
            subprocess.run([sys.executable, str(build)], check=True)
