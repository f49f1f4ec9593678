"""Loading a library: the right one, or one clear line and the next best way."""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from typing import Any

import lief
import pytest

from conformance.kernels import WITH_KERNEL
from pleasance import games
from pleasance.compiled import export, sources
from pleasance.compiled.arrays import from_values
from pleasance.compiled.build.targets import TARGETS
from pleasance.compiled.library import MANIFEST, LibraryError
from support.toy_game.kernel import sums

lief.disable_leak_warning()

GAMES = sorted({config.game.spec.name for config in WITH_KERNEL})
REPOSITORY = Path(__file__).parents[2]
FOLDERS = [Path(games.__path__[0]) / name / "lib" for name in GAMES]


def use_total() -> int:
    """Call an export as the first call of a process would."""
    sums.total.forget()
    return int(sums.total(from_values("int64", [1, 2, 3])))


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:1000])


def flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def edit_manifest(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    manifest = json.loads((path.parent / MANIFEST).read_text(encoding="utf-8"))
    change(manifest)
    (path.parent / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def claim_other_sources(path: Path) -> None:
    """Keep the library, but let the manifest say that it was built from what is not there."""
    edit_manifest(path, lambda manifest: manifest.update(sources="0" * 64))


def edit_a_source(path: Path) -> None:
    """Let the manifest be that of other sources, file by file."""
    edit_manifest(
        path,
        lambda manifest: manifest.update(sources="0" * 64, files={"pleasance.compiled.jit": "0"}),
    )


def offer_another_machine_only(path: Path) -> None:
    edit_manifest(path, lambda manifest: manifest.update(libraries={"vax-780.so": "0"}))


def put_text_in_place(path: Path) -> None:
    path.write_text("no library", encoding="utf-8")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    edit_manifest(path, lambda manifest: manifest["libraries"].update({path.name: digest}))


def lose_the_manifest(path: Path) -> None:
    (path.parent / MANIFEST).unlink()


def garble_the_manifest(path: Path) -> None:
    (path.parent / MANIFEST).write_text("{", encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (Path.unlink, "cannot be read (No such file or directory)"),
        (truncate, "is damaged"),
        (flip_a_byte, "is damaged"),
        (put_text_in_place, "cannot be loaded ("),
        (claim_other_sources, "was built from other sources"),
        (edit_a_source, "were edited; make kernels builds their libraries again"),
        (offer_another_machine_only, "has no library for"),
        (lose_the_manifest, "has no libraries of compiled code"),
        (garble_the_manifest, "has no libraries of compiled code"),
    ],
)
def test_a_library_that_cannot_be_used_gets_one_line_and_the_next_best_way(
    toy_library: Path,
    caplog: pytest.LogCaptureFixture,
    damage: Callable[[Path], None],
    reason: str,
) -> None:
    damage(toy_library)
    with caplog.at_level(logging.WARNING, logger=export.__name__):
        assert use_total() == 6
        assert use_total() == 6
    (line,) = caplog.messages
    assert reason in line
    assert line.endswith("Numba compiles it now.")


@pytest.mark.slow
def test_without_numba_plain_python_runs(
    toy_library: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy_library.unlink()
    monkeypatch.setattr(export, "_has_numba", lambda: False)
    assert use_total() == 6
    (line,) = caplog.messages
    assert line.endswith("plain Python runs it, slowly.")
    assert export.choose_backend("support.toy_game") == "python"


@pytest.mark.slow
@pytest.mark.usefixtures("toy_library")
@pytest.mark.parametrize("asked", ["library", "jit", "python"])
def test_the_environment_asks_for_a_backend(
    monkeypatch: pytest.MonkeyPatch, asked: export.Backend
) -> None:
    monkeypatch.setenv("PLEASANCE_KERNELS", asked)
    assert export.choose_backend("support.toy_game") == asked
    assert use_total() == 6


@pytest.mark.slow
@pytest.mark.usefixtures("toy_library")
def test_nonsense_in_the_environment_is_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PLEASANCE_KERNELS", "fast")
    assert use_total() == 6
    assert caplog.messages == ["PLEASANCE_KERNELS must be library, jit or python, not fast."]
    assert export.choose_backend("support.toy_game") == "library"


@pytest.mark.slow
def test_a_library_that_was_asked_for_and_is_missing_is_an_error(
    toy_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_the_manifest(toy_library)
    monkeypatch.setenv("PLEASANCE_KERNELS", "library")
    with pytest.raises(LibraryError, match="toy_game has no libraries"):
        use_total()


@pytest.mark.parametrize("folder", FOLDERS, ids=GAMES)
def test_every_target_has_a_library_that_matches_the_manifest(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    assert set(manifest["libraries"]) == {target.file_name for target in TARGETS}
    assert {path.name for path in folder.iterdir()} == {*manifest["libraries"], MANIFEST}
    for name, digest in manifest["libraries"].items():
        content = (folder / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest
        assert manifest["sources"].encode() in content
        assert not [place for place in (b"/work", b"/home", b"/tmp") if place in content]


@pytest.mark.parametrize("folder", FOLDERS, ids=GAMES)
def test_the_sources_are_those_that_the_libraries_were_built_from(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    assert sources.hash_sources(f"pleasance.games.{folder.parent.name}")[0] == manifest["sources"]


@pytest.mark.slow
def test_no_package_is_built_with_libraries_of_other_sources(tmp_path: Path) -> None:
    check: Callable[[Path], None] = run_path(str(REPOSITORY / "hatch_build.py"))["check_libraries"]
    check(REPOSITORY / "src")
    folder = tmp_path / "pleasance" / "games" / GAMES[0] / "lib"
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_text('{"sources": "0"}', encoding="utf-8")
    with pytest.raises(RuntimeError, match="make kernels comes first"):
        check(tmp_path)


@pytest.mark.parametrize("folder", FOLDERS, ids=GAMES)
@pytest.mark.parametrize("name", [t.file_name for t in TARGETS if t.suffix != "wasm"])
def test_a_library_imports_nothing(folder: Path, name: str) -> None:
    binary: Any = lief.parse(str(folder / name))
    libraries = {str(getattr(each, "name", each)) for each in binary.libraries}
    imported = {str(function.name) for function in binary.imported_functions}
    if name.endswith("dylib"):  # macOS loads nothing without its system library
        assert libraries == {"@rpath/pleasance.dylib", "/usr/lib/libSystem.B.dylib"}
        assert imported <= {"dyld_stub_binder"}
        assert binary.has_code_signature or "arm64" not in name
    else:
        assert (libraries, imported) == (set(), set())
    assert "pleasance_sources" in {str(symbol.name).lstrip("_") for symbol in binary.symbols} | {
        str(function.name).lstrip("_") for function in binary.exported_functions
    } | ({entry.name for entry in binary.get_export().entries} if name.endswith("dll") else set())


RUN = '''"""Doc."""
import shutil
from pleasance.compiled.jit import jit
from toy_hash.rules.sizes import SIZES
PLAIN = 7
def plain():
    """Plain."""
    return PLAIN
class Rows(NamedTuple):
    """Doc."""
    rows: int
    """Doc."""
@jit
def run(a: Rows) -> int:
    """Run."""
    shutil = a + SIZES  # why
    return shutil
'''
SIZES = "def make():\n    return count()\ndef count():\n    return 3\nSIZES = make()\nOTHER = 1\n"


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ("Run.", "Run it.", False),
        ("  # why", "", False),
        ("Doc.", "Text.", False),
        ("PLAIN = 7", "PLAIN = 8", False),
        ("import shutil", "import shutil, time", False),
        ("OTHER = 1", "OTHER = 2", False),
        ("a + SIZES", "a - SIZES", True),
        ("return 3", "return 4", True),
        ("return count()", "return count() + 1", True),
        ("rows: int", "row: int", True),
        ("@jit", "@jit\n@jit", True),
    ],
)
def test_the_hash_of_sources_follows_what_compiled_functions_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, counts: bool
) -> None:
    def hash_with(old: str, new: str) -> str:
        for place, text in (("kernel/run.py", RUN), ("rules/sizes.py", SIZES)):
            path = tmp_path / "toy_hash" / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace(old, new), encoding="utf-8")
        (tmp_path / "toy_hash" / "__init__.py").touch()
        sources._read.cache_clear()
        return sources.hash_sources("toy_hash")[0]

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "toy_hash", raising=False)
    assert (hash_with(old, new) != hash_with("", "")) is counts
    monkeypatch.delitem(sys.modules, "toy_hash")
    sources._read.cache_clear()


def test_whoever_changes_what_builds_libraries_builds_them_again() -> None:
    _, modules = sources.hash_sources("pleasance.games.sakura")
    for name in (
        "build.wrappers",
        "build.link",
        "build.ir",
        "build.__main__",
        "signature",
        "export",
    ):
        assert f"pleasance.compiled.{name}" in modules
