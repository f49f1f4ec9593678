"""How the compiled package is built beside a game: never in its way, and no longer than it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from small_package import READY, SOURCE, Ear, Place, listening, open_place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return open_place(tmp_path)


@pytest.fixture
def ear() -> Iterator[Ear]:
    with listening() as ear:
        yield ear


def test_a_game_runs_the_sources_while_a_build_is_made_for_the_next(place: Place, ear: Ear) -> None:
    with place.game("play", LISTENER=ear.port) as found:
        assert found == SOURCE
        trial, _ = ear.hear()
        with trial, place.start() as another:
            assert place.ready() == [], "not before it has been tried out"
            assert another.stdout
            assert another.stdout.readline().startswith("Waiting")
            trial.sendall(b"!")
            assert place.finish(another)[:2] == (0, READY)
    with place.game("play") as found:
        assert place.root / found == place.ready()[0] / "pleasance" / "quick.py"


def test_a_build_ends_with_the_game_and_leaves_nothing(place: Place, ear: Ear) -> None:
    with place.game("play", LISTENER=ear.port):
        trial, _ = ear.hear()
        assert [path for path in place.builds.iterdir() if path.is_dir()]
    with trial:
        assert trial.recv(1) == b"", "it has been stopped"
    place.await_end()
    assert sorted(path.name for path in place.builds.iterdir()) == ["lock", "log"]


@pytest.mark.parametrize("compiler", ["/nowhere/cc", " ", '"gcc'])
def test_without_a_compiler_games_run_the_sources(tmp_path: Path, compiler: str) -> None:
    place = Place(tmp_path)
    status, _, complained = place.make(CC=compiler)
    assert status == 1
    assert complained == "make native: no C compiler found (Debian: apt install gcc)\n"
    with place.game("play", CC=compiler) as found:
        assert found == SOURCE
    assert not place.builds.exists()
