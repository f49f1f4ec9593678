"""How the compiled package is built and found, tried with a small package of the same shape."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.patience import PATIENCE
from small_package import FILES, PROJECT, ROOT, Place

MYPYC = """
[tool.hatch.build.targets.wheel.hooks.mypyc]
enable-by-default = false
include = ["/src/pleasance/quick.py"]
"""
READY = "Ready: make play runs what is compiled, until the sources change.\n"
SOURCE = Path("src/pleasance/quick.py")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path)
    lack = place.ask("find_lack()")
    if lack is not None:
        pytest.skip(str(lack))
    return place


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Hear of the small server while it is tried out."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        yield listener


def hear(listener: socket.socket) -> socket.socket:
    """Wait until the small server has come up; it goes on when it is answered."""
    server, _ = listener.accept()
    server.settimeout(PATIENCE)
    assert server.recv(2) == b"up"
    return server


def port_of(listener: socket.socket) -> str:
    return str(listener.getsockname()[1])


def test_a_build_runs_until_the_sources_change(place: Place) -> None:
    with place.game("run") as found:
        assert found == SOURCE
    assert place.make()[0] == 0
    (build,) = place.ready()
    assert (build / "pleasance/server/page/dist/app.js").is_file()
    with place.game("run") as found:
        assert found.parts[:2] == ("build", "native")
    place.write("src/pleasance/games/tests/test_it.py", "no server needs it")
    assert place.make()[1].count("\n") == 1, "there is nothing to compile"
    (place.root / "src/pleasance/link.py").symlink_to("nowhere")
    for name in (".quick.py.swp", "quick.py~", "#quick.py#"):  # somebody edits it
        place.write(f"src/pleasance/{name}", "")
    with place.game("run") as found:
        assert found.parts[:2] == ("build", "native")
    place.write("src/pleasance/data.json", "{}")
    with place.game("run") as found:
        assert found == SOURCE
    assert place.make()[0] == 0


def test_a_game_runs_the_sources_while_a_build_is_made_for_the_next(
    place: Place, listener: socket.socket
) -> None:
    with place.game("play", LISTENER=port_of(listener)) as found:
        assert found == SOURCE
        with hear(listener) as server, place.start() as another:
            assert place.ready() == [], "not before it has been tried out"
            assert another.stdout
            assert another.stdout.readline().startswith("Waiting")
            server.sendall(b"!")
            assert place.finish(another)[:2] == (0, READY)
    with place.game("play") as found:
        assert place.root / found == place.ready()[0] / "pleasance" / "quick.py"


def test_a_build_ends_with_the_game_and_leaves_nothing(
    place: Place, listener: socket.socket
) -> None:
    with place.game("play", LISTENER=port_of(listener)):
        server = hear(listener)
        assert [path for path in place.builds.iterdir() if path.is_dir()]
    with server:
        assert server.recv(1) == b"", "it has been stopped"
    place.await_end()
    assert sorted(path.name for path in place.builds.iterdir()) == ["lock", "log"]


def test_what_fails_is_remembered_until_something_changes(place: Place) -> None:
    good = FILES["src/pleasance/server/serve.py"]
    assert place.is_worth_it()
    place.write("src/pleasance/server/serve.py", good.replace("True", "print('Alas!')"))
    status, _, complained = place.make()
    assert (status, place.ready(), place.is_worth_it()) == (1, [], False)
    assert complained.startswith("Alas!\n")
    place.write("src/pleasance/server/serve.py", good)
    assert place.is_worth_it()
    assert place.make()[0] == 0
    assert not (place.builds / "failed").exists()


@pytest.mark.parametrize(
    "happens", ["os.kill(os.getpid(), 9)", "raise OSError(28, os.strerror(28))"]
)
def test_what_was_stopped_or_had_no_room_is_tried_again(place: Place, happens: str) -> None:
    place.write("src/pleasance/server/serve.py", f"import os\n{happens}\n")
    assert place.make()[0] == 1
    assert place.is_worth_it()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory is free")
def test_a_build_needs_free_memory_and_stands_back_as_far_as_it_may(place: Place) -> None:
    assert not place.is_worth_it(NATIVE_MEMORY=str(10**12))
    refused = "setattr(os, 'sched_setscheduler', lambda *_: os.stat('/nowhere'))"
    asked = f"{refused}, beside.stand_back(), os.nice(0), Path('/proc/self/autogroup').read_text()"
    if not os.access("/proc/self/autogroup", os.W_OK):
        pytest.skip("sessions are not told apart here")
    *_, niceness, session = place.ask(f"[{asked}]", NATIVE_NICENESS="19")
    assert (niceness, session.split()[-1]) == (19, "19")


def test_a_build_that_another_has_made_meanwhile_is_good(place: Place) -> None:
    assert place.make()[0] == 0
    assert place.finish(place.start("build"))[0] == 0  # what a game starts that has got the lock
    assert len(place.ready()) == 1
    assert place.is_worth_it(), "nothing has failed"


def test_a_removal_that_is_cut_short_leaves_nothing_to_run(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write("build/native/old/ready", "")
    cut = "setattr(shutil, 'rmtree', lambda *_, **__: os.kill(os.getpid(), 9))"
    with pytest.raises(subprocess.CalledProcessError):
        place.ask(f"[{cut}, clear_stale('new')]")
    assert place.ready() == []
    assert place.ask("take('old')") is None


@pytest.mark.slow
def test_stale_builds_go_but_not_while_somebody_runs_them(place: Place) -> None:
    place.make()
    (first,) = place.ready()
    with place.game("run"):
        place.write("src/pleasance/data.json", "{}")
        place.make()
        assert first in place.ready()
    place.write("src/pleasance/data.json", "[]")
    place.make()
    assert len(place.ready()) == 1


def test_two_at_once_make_one_build(place: Place) -> None:
    (place.builds / "making-halfway").mkdir(parents=True)  # by one that was killed
    both = [place.start(), place.start()]
    statuses, said, _ = zip(*map(place.finish, both), strict=True)
    assert statuses == (0, 0)
    assert "".join(said).count("Compiling") == 1
    assert len([path for path in place.builds.iterdir() if path.is_dir()]) == 1


@pytest.mark.parametrize("compiler", ["/nowhere/cc", " ", '"gcc'])
def test_without_a_compiler_games_run_the_sources(tmp_path: Path, compiler: str) -> None:
    place = Place(tmp_path)
    status, _, complained = place.make(CC=compiler)
    assert status == 1
    assert complained == "make native: no C compiler found (Debian: apt install gcc)\n"
    with place.game("play", CC=compiler) as found:
        assert found == SOURCE
    assert not place.builds.exists()


def test_a_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    place = Place(tmp_path)
    told = place.finish(place.start("run", "/missing"))
    assert told == (127, "", "/missing: No such file or directory\n")


@pytest.mark.slow
def test_what_is_built_is_compiled(place: Place) -> None:
    place.write("pyproject.toml", PROJECT + MYPYC)
    status, _, complained = place.make()
    assert status == 0, complained
    with place.game("run") as found:
        assert found.suffix == ".so"


@pytest.mark.parametrize(
    ("given", "is_used"), [("", True), ("NATIVE=1", True), ("NATIVE=0", False)]
)
def test_who_plays_can_do_without(given: str, *, is_used: bool) -> None:
    kept = {
        name: text for name, text in os.environ.items() if not name.startswith(("MAKE", "NATIVE"))
    }
    command = ["make", "-n", "play", *given.split()]
    told = subprocess.check_output(command, cwd=ROOT, env=kept, text=True).splitlines()[-1]
    assert ("python native play .venv/bin/pleasance" in told) == is_used
