"""How the compiled package is built beside a game: never in its way, and no longer than it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from small_package import READY, SOURCE, WHERE, Ear, Place, listening, open_place


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


def test_a_build_ends_with_a_game_that_is_killed(place: Place, ear: Ear) -> None:
    with place.start("play", sys.executable, "-c", WHERE, LISTENER=ear.port) as game:
        trial, _ = ear.hear()
        game.kill()
    with trial:
        assert trial.recv(1) == b"", "it has been stopped"
    place.await_end()
    assert sorted(path.name for path in place.builds.iterdir()) == ["lock", "log"]


def test_a_builder_that_nobody_looks_after_ends_with_the_game_too(place: Place, ear: Ear) -> None:
    with place.game("play", LISTENER=ear.port):
        trial, builder = ear.hear()
        os.killpg(os.getsid(builder), signal.SIGKILL)  # who looks after it: alone in its group
        assert place.is_being_built(), "and nobody else begins"
        os.killpg(builder, 0)
    with trial:
        assert trial.recv(1) == b"", "it has been stopped"
    place.await_end()


def test_two_games_at_once_make_one_build(place: Place, ear: Ear) -> None:
    with (
        place.game("play", LISTENER=ear.port) as one,
        place.game("play", LISTENER=ear.port) as other,
    ):
        assert one == other == SOURCE
        trial, _ = ear.hear()
        with trial:
            trial.sendall(b"!")
            assert place.make()[0] == 0  # which waits until it is done
        assert not ear.has_heard()
    assert len(place.ready()) == 1


def test_what_was_never_finished_goes_when_the_next_game_begins(place: Place) -> None:
    assert place.make()[0] == 0
    (place.builds / "making-halfway").mkdir()
    with place.game("play") as found:
        assert found.parts[:2] == ("build", "native")
        assert not (place.builds / "making-halfway").exists()


@pytest.mark.parametrize("compiler", ["/nowhere/cc", " ", '"gcc'])
def test_without_a_compiler_games_run_the_sources(tmp_path: Path, compiler: str) -> None:
    place = Place(tmp_path)
    status, _, complained = place.make(CC=compiler)
    assert status == 1
    assert complained == "make native: no C compiler found (Debian: apt install gcc)\n"
    with place.game("play", CC=compiler) as found:
        assert found == SOURCE
    assert not place.builds.exists()


@pytest.mark.parametrize("how", ["play", "run"])
@pytest.mark.parametrize("there", ["a file", "a link to nowhere", "a folder that is closed"])
def test_where_nothing_can_be_kept_games_run_the_sources(
    tmp_path: Path, there: str, how: str
) -> None:
    place = Place(tmp_path)
    folder = place.root / "build"
    match there:
        case "a file":
            folder.touch()
        case "a link to nowhere":
            folder.symlink_to("/nowhere/at/all")
        case _:
            folder.mkdir(mode=0o500)
    with place.game(how) as found:
        assert found == SOURCE


@pytest.mark.parametrize("how", ["play", "run"])
def test_nonsense_in_variables_stops_no_game(tmp_path: Path, how: str) -> None:
    place = Place(tmp_path)
    told = dict.fromkeys(("NATIVE_AFTER", "NATIVE_MEMORY", "NATIVE_NICENESS"), "a lot")
    with place.game(how, **told) as found:
        assert found == SOURCE
    assert place.ask("beside.read_number('NATIVE_AFTER', 10)", **told) == 10


@pytest.mark.parametrize("how", ["play", "run"])
def test_a_file_name_that_is_not_text_stops_no_game(tmp_path: Path, how: str) -> None:
    place = Place(tmp_path)
    try:
        (place.root / "src" / "pleasance" / os.fsdecode(b"caf\xe9.py")).touch()
    except OSError:
        pytest.skip("there are no such names here")
    with place.game(how) as found:
        assert found == SOURCE
    assert place.ask("len(make_key(ROOT))") == 16


@pytest.mark.parametrize("how", ["play", "run"])
def test_a_memory_of_failures_that_is_broken_stops_no_game(place: Place, how: str) -> None:
    place.builds.mkdir(parents=True)
    (place.builds / "failed").write_bytes(b"\xff\x00")
    with place.game(how) as found:
        assert found == SOURCE
    assert place.is_worth_it()
