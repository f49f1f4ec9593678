"""Compiled code is kept on disk where that can be done, and what is old is cleared away."""

from __future__ import annotations

import logging
import os
import shutil
import sys
from pathlib import Path

import pytest

from pleasance.compiled import jit
from pleasance.compiled.jit import clear_cache, open_cache
from support.programs import run_program

DAYS = 24 * 3600.0


def make(folder: Path, age: float) -> Path:
    """Make a cache folder last opened *days* before day 100."""
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "code.nbc").write_bytes(b"code")
    os.utime(folder, ((100 - age) * DAYS,) * 2)
    return folder


def test_old_versions_are_cleared_and_young_ones_stay(tmp_path: Path) -> None:
    own, young, old = (
        make(tmp_path / name, age) for name, age in (("own", 60), ("young", 13), ("old", 15))
    )
    clear_cache(own, 100 * DAYS)
    assert own.exists()
    assert (young / "inner" / "code.nbc").exists()
    assert not old.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["own", "young"]


def test_clearing_goes_on_where_another_process_was_quicker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, *_ = (make(tmp_path / name, 20) for name in ("own", "one", "two"))
    rename, tried = Path.rename, []

    def race(path: Path, target: Path) -> Path:
        tried.append(path.name)
        if len(tried) == 1:
            raise FileNotFoundError(path)
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", race)
    clear_cache(own, 100 * DAYS)
    assert sorted(tried) == ["one", "two"]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_start_makes_its_folder_young(tmp_path: Path) -> None:
    folder = make(tmp_path / "own", 50)
    assert open_cache(folder)
    assert folder.stat().st_mtime > 100 * DAYS


def test_a_folder_that_cannot_be_made_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    with caplog.at_level(logging.WARNING):
        assert not open_cache(tmp_path / "file" / "cache")
    assert "cannot be kept in" in caplog.text


@pytest.mark.slow
def test_without_a_folder_functions_are_compiled_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    script = "from pleasance.compiled.jit import nth_bit; print(nth_bit(0b10110, 2))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "file" / "cache")}
    done = run_program(sys.executable, "-c", script, env=environment)
    assert (done.returncode, done.stdout) == (0, "4\n")
    assert done.stderr.count("\n") == 1
    assert "cannot be kept" in done.stderr


def test_each_place_of_the_same_sources_has_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Path(jit.__file__).parents[1]
    here, version = jit.cache_name(), jit.hash_sources()
    # A folder above that happens to be named so has nothing to do with tests.
    other = tmp_path / "tests" / "pleasance"
    for part in ("compiled", "core", "games", "players"):
        shutil.copytree(package / part, other / part)
    monkeypatch.setattr(jit, "_PACKAGE", other)
    assert jit.hash_sources() == version
    assert jit.cache_name() != here
    (other / "core" / "game.py").write_text("# changed", encoding="utf-8")
    assert jit.hash_sources() != version
