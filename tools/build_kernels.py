"""Build the libraries of compiled code of all games, for all targets: `make kernels`.

    python tools/build_kernels.py [GAME ...] [--targets NAME,NAME] [--check]

Numba compiles each game once; llvmlite optimizes the result for each target and Zig's linker makes
a library of it. On the canonical builder (see `CANONICAL`) the same sources give the same bytes;
`--check` builds this machine's own library and the browser's again and compares.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pleasance.compiled.build.targets import TARGETS
from pleasance.compiled.library import MANIFEST, find_names
from pleasance.compiled.sources import hash_file, hash_sources
from pleasance.games import find_game, game_names

GAMES = Path(__file__).parents[1] / "src" / "pleasance" / "games"

CANONICAL = {
    "system": "Linux x86_64",
    "python": "3.11",
    "numba": "0.68.1",
    "llvmlite": "0.50.0",
    "numpy": "2.4.6",
    "ziglang": "0.17.0",
}
"""The machine and the versions that make the bytes in the repository."""


def find_builder() -> dict[str, str]:
    """Describe this machine as `CANONICAL` does."""
    found = {
        "system": f"{platform.system()} {platform.machine()}",
        "python": ".".join(platform.python_version_tuple()[:2]),
    }
    for package in ("numba", "llvmlite", "numpy", "ziglang"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "none"
    return found


def run_step(*arguments: str | Path) -> None:
    """Run a step of the build in a process of its own."""
    command = [sys.executable, "-m", "pleasance.compiled.build", *map(str, arguments)]
    if subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, check=False).returncode:
        sys.exit(f"build_kernels.py: {' '.join(map(str, arguments))} failed")


def build(package: str, targets: Collection[str], output: Path) -> dict[str, str]:
    """Build the libraries of a package; return the hash of each file."""
    output.mkdir(parents=True, exist_ok=True)
    hashes = {}
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "module.ll"
        title = package.rpartition(".")[2]
        print(f"{title}: compiling ...", flush=True)
        run_step("compile", package, module)
        for target in TARGETS:
            if target.name in targets:
                library = output / target.file_name
                run_step("link", module, target.name, library)
                hashes[library.name] = hashlib.sha256(library.read_bytes()).hexdigest()
                print(
                    f"{title}: {library.name}, {library.stat().st_size / 1000:.0f} KB", flush=True
                )
    return hashes


def write_manifest(package: str, hashes: dict[str, str], folder: Path) -> None:
    """Write beside the libraries of a package what they are."""
    sources, modules = hash_sources(package)
    manifest = {
        "builder": find_builder(),
        "sources": sources,
        "libraries": hashes,
        "files": {module: hash_file(module) for module in modules},
    }
    text = json.dumps(manifest, indent=1) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def check(game: str) -> None:
    """Compare the libraries of a game with its sources.

    The canonical builder builds those of this machine and of the browser again and compares the
    bytes. Elsewhere the hash of the sources must be the one that the libraries carry.
    """
    kept = GAMES / game / "lib"
    manifest = json.loads((kept / MANIFEST).read_text(encoding="utf-8"))
    if manifest["sources"] != hash_sources(f"pleasance.games.{game}")[0]:
        sys.exit(f"build_kernels.py: the kernels of {game} were edited: make kernels")
    builder = find_builder()
    if builder != CANONICAL:
        if all(builder[part] == CANONICAL[part] for part in ("system", "python")):
            sys.exit(f"build_kernels.py: {builder}, not CANONICAL: change it and make kernels")
        return
    here = {name.partition(".")[0] for name in find_names()} | {"browser"}
    with tempfile.TemporaryDirectory() as folder:
        built = build(f"pleasance.games.{game}", here, Path(folder))
    for name, digest in built.items():
        if hashlib.sha256((kept / name).read_bytes()).hexdigest() != digest:
            sys.exit(f"build_kernels.py: {game}/lib/{name} is not what its sources give")


def main() -> None:
    """Build or check."""
    parser = argparse.ArgumentParser(description="Build the libraries of compiled code.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--targets", default=",".join(target.name for target in TARGETS))
    parser.add_argument("--check", action="store_true", help="build again and compare")
    given = parser.parse_args()
    with_kernel = [name for name in game_names() if find_game(name).kernel is not None]
    games, targets = given.games or with_kernel, given.targets.split(",")
    if unknown := (set(games) - set(with_kernel)) | (set(targets) - {t.name for t in TARGETS}):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if not given.check and find_builder() != CANONICAL:
        print(f"These libraries will not be those of the canonical builder, {CANONICAL}.")
    for game in games:
        if given.check:
            check(game)
            continue
        package, folder = f"pleasance.games.{game}", GAMES / game / "lib"
        hashes = build(package, targets, folder)
        write_manifest(package, hashes, folder)
        if len(hashes) < len(TARGETS):
            print(f"{game}: the manifest names these only; build all before you commit.")
    if given.check:
        how = "byte for byte" if find_builder() == CANONICAL else "by the hash that they carry"
        print(f"The libraries are what their sources give, {how}.")


if __name__ == "__main__":
    main()
