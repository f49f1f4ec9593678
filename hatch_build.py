"""Build hooks: the app for browsers is built first, and the links of the README become absolute."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class AppHook(BuildHookInterface[Any]):
    """Builds the app into the package; it travels inside, so that nobody else needs Node."""

    @property
    def _script(self) -> Path:
        return Path(self.root) / "web" / "build.py"

    def dependencies(self) -> list[str]:
        """Ask for a Node where the machine has none: packages are built where there is no pip."""
        if self.target_name != "wheel" or not self._script.is_file():
            return []
        build = run_path(str(self._script))
        if build["find_installed"]() is not None:
            return []
        lines = build["PINS"].read_text(encoding="utf-8").splitlines()
        return [line.split()[0] for line in lines if "==" in line]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (theirs)
        """Build it, unless the package is only linked to be edited: then `make page` does."""
        if version == "editable" or self.target_name != "wheel":
            return
        check_libraries(Path(self.root) / "src")
        if self._script.is_file():
            subprocess.run([sys.executable, str(self._script)], check=True)


class ReadmeHook(MetadataHookInterface):
    """Gives the description of the package the README, with absolute links."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = make_links_absolute(text, metadata["urls"]["Repository"], metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def make_links_absolute(text: str, repository: str, version: str) -> str:
    """Lead the links of a page to the repository: package indexes hold no files.

    A released version leads to its tag, a development version to the main branch.

    >>> make_links_absolute("![a](b.png) [c](https://d)", "https://host/us/it", "1.2.0")
    '![a](https://host/us/it/raw/v1.2.0/b.png) [c](https://d)'
    >>> make_links_absolute("[a](b.md)", "https://host/us/it", "1.3.0.dev1")
    '[a](https://host/us/it/blob/main/b.md)'
    """
    branch = "main" if "dev" in version else f"v{version}"

    def lead(link: re.Match[str]) -> str:
        kind = "raw" if link[1] else "blob"
        return f"{link[1]}[{link[2]}]({repository}/{kind}/{branch}/{link[3]})"

    return re.sub(r"(!?)\[([^]]*)\]\((?!https?:|#)([^)]+)\)", lead, text)


def check_libraries(sources: Path) -> None:
    """Refuse to ship libraries of compiled code that were built from other sources."""
    sys.path.insert(0, str(sources))
    try:
        from pleasance.compiled.sources import hash_sources  # noqa: PLC0415  (only found now)

        for manifest in sorted(sources.glob("pleasance/games/*/lib/manifest.json")):
            game = manifest.parts[-3]
            built_from = json.loads(manifest.read_text(encoding="utf-8"))["sources"]
            if built_from != hash_sources(f"pleasance.games.{game}")[0]:
                raise RuntimeError(f"the kernels of {game} were edited; make kernels comes first")
    finally:
        sys.path.remove(str(sources))
