"""The background build of the compiled package never hinders the running server or outlives it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from native_build.small_package import (
    PRINT_MODULE_PATH,
    READY,
    SOURCE,
    BuildProject,
    TrialListener,
    listen_for_trials,
    open_project,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path) -> BuildProject:
    return open_project(tmp_path)


@pytest.fixture
def listener() -> Iterator[TrialListener]:
    with listen_for_trials() as listener:
        yield listener


def test_a_game_runs_the_sources_while_a_build_is_made_for_the_next(
    project: BuildProject, listener: TrialListener
) -> None:
    with project.game("play", LISTENER=listener.port) as found:
        assert found == SOURCE
        trial, _ = listener.accept()
        with trial, project.start() as another:
            assert project.ready() == [], "not before it has been tried out"
            assert another.stdout
            assert another.stdout.readline().startswith("Waiting")
            trial.sendall(b"!")
            assert project.finish(another)[:2] == (0, READY)
    with project.game("play") as found:
        assert project.root / found == project.ready()[0] / "pleasance" / "quick.py"


def test_a_build_ends_with_the_game_and_leaves_nothing(
    project: BuildProject, listener: TrialListener
) -> None:
    with project.game("play", LISTENER=listener.port):
        trial, _ = listener.accept()
        assert [path for path in project.builds.iterdir() if path.is_dir()]
    with trial:
        assert trial.recv(1) == b"", "it has been stopped"
    project.await_end()
    assert sorted(path.name for path in project.builds.iterdir()) == ["lock", "log"]


def test_a_build_ends_with_a_game_that_is_killed(
    project: BuildProject, listener: TrialListener
) -> None:
    with project.start(
        "play", sys.executable, "-c", PRINT_MODULE_PATH, LISTENER=listener.port
    ) as game:
        trial, _ = listener.accept()
        game.kill()
    with trial:
        assert trial.recv(1) == b"", "it has been stopped"
    project.await_end()
    assert sorted(path.name for path in project.builds.iterdir()) == ["lock", "log"]


def test_a_builder_that_nobody_looks_after_ends_with_the_game_too(
    project: BuildProject, listener: TrialListener
) -> None:
    with project.game("play", LISTENER=listener.port):
        trial, builder = listener.accept()
        os.killpg(os.getsid(builder), signal.SIGKILL)  # who looks after it: alone in its group
        assert project.is_being_built(), "and nobody else begins"
        os.killpg(builder, 0)
    with trial:
        assert trial.recv(1) == b"", "it has been stopped"
    project.await_end()


def test_two_games_at_once_make_one_build(project: BuildProject, listener: TrialListener) -> None:
    with (
        project.game("play", LISTENER=listener.port) as one,
        project.game("play", LISTENER=listener.port) as other,
    ):
        assert one == other == SOURCE
        trial, _ = listener.accept()
        with trial:
            trial.sendall(b"!")
            assert project.make()[0] == 0  # which waits until it is done
        assert not listener.has_pending()
    assert len(project.ready()) == 1


def test_what_was_never_finished_goes_when_the_next_game_begins(project: BuildProject) -> None:
    assert project.make()[0] == 0
    (project.builds / "making-halfway").mkdir()
    with project.game("play") as found:
        assert found.parts[:2] == ("build", "native")
        assert not (project.builds / "making-halfway").exists()


@pytest.mark.parametrize("compiler", ["/nowhere/cc", " ", '"gcc'])
def test_without_a_compiler_games_run_the_sources(tmp_path: Path, compiler: str) -> None:
    project = BuildProject(tmp_path)
    status, _, stderr = project.make(CC=compiler)
    assert status == 1
    assert stderr == "make native: no C compiler found (Debian: apt install gcc)\n"
    with project.game("play", CC=compiler) as found:
        assert found == SOURCE
    assert not project.builds.exists()


@pytest.mark.parametrize("mode", ["play", "run"])
@pytest.mark.parametrize("there", ["a file", "a link to nowhere", "a folder that is closed"])
def test_where_nothing_can_be_kept_games_run_the_sources(
    tmp_path: Path, there: str, mode: str
) -> None:
    project = BuildProject(tmp_path)
    folder = project.root / "build"
    match there:
        case "a file":
            folder.touch()
        case "a link to nowhere":
            folder.symlink_to("/nowhere/at/all")
        case _:
            folder.mkdir(mode=0o500)
    with project.game(mode) as found:
        assert found == SOURCE


@pytest.mark.parametrize("mode", ["play", "run"])
def test_nonsense_in_variables_stops_no_game(tmp_path: Path, mode: str) -> None:
    project = BuildProject(tmp_path)
    environment = dict.fromkeys(("NATIVE_AFTER", "NATIVE_MEMORY", "NATIVE_NICENESS"), "a lot")
    with project.game(mode, **environment) as found:
        assert found == SOURCE
    assert project.ask("background_build.read_number('NATIVE_AFTER', 10)", **environment) == 10


@pytest.mark.parametrize("mode", ["play", "run"])
def test_a_file_name_that_is_not_text_stops_no_game(tmp_path: Path, mode: str) -> None:
    project = BuildProject(tmp_path)
    try:
        (project.root / "src" / "pleasance" / os.fsdecode(b"caf\xe9.py")).touch()
    except OSError:
        pytest.skip("there are no such names here")
    with project.game(mode) as found:
        assert found == SOURCE
    assert project.ask("len(make_key(ROOT))") == 16


@pytest.mark.parametrize("mode", ["play", "run"])
def test_a_memory_of_failures_that_is_broken_stops_no_game(
    project: BuildProject, mode: str
) -> None:
    project.builds.mkdir(parents=True)
    (project.builds / "failed").write_bytes(b"\xff\x00")
    with project.game(mode) as found:
        assert found == SOURCE
    assert project.is_buildable()
