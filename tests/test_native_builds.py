"""How the compiled package is built and found, tried with a small package of the same shape."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.patience import PATIENCE
from small_package import PROJECT, READY, ROOT, SOURCE, Place, open_place

MYPYC = """
[tool.hatch.build.targets.wheel.hooks.mypyc]
enable-by-default = false
include = ["/src/pleasance/quick.py"]
"""
NEEDED = (
    "pyproject.toml",
    "hatch_build.py",
    "requirements/dev.lock",
    "native/builds.py",
    "native/trial.py",
)
KILL = "import os; os.kill(os.getpid(), 9)"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return open_place(tmp_path)


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


@pytest.mark.parametrize("name", NEEDED)
def test_what_a_build_is_made_with_belongs_to_its_key(tmp_path: Path, name: str) -> None:
    place = Place(tmp_path)
    assert place.ask("builds._NEEDED") == NEEDED
    before = place.ask("make_key(ROOT)")
    place.write(name, (place.root / name).read_text(encoding="utf-8") + "# another\n")
    assert place.ask("make_key(ROOT)") != before


@pytest.mark.parametrize(
    "change", ["setattr(sys, 'version', '4')", "setattr(sysconfig, 'get_config_var', str)"]
)
def test_a_build_for_another_python_is_another(tmp_path: Path, change: str) -> None:
    before, _, after = Place(tmp_path).ask(f"[make_key(ROOT), {change}, make_key(ROOT)]")
    assert before != after


def test_what_fails_is_remembered_until_something_changes(place: Place) -> None:
    assert place.is_worth_it()
    place.write("native/trial.py", "raise SystemExit('Alas!')")
    status, _, complained = place.make()
    assert (status, place.ready(), place.is_worth_it()) == (1, [], False)
    assert complained.startswith("Alas!\n")
    place.write("native/trial.py", "")
    assert place.is_worth_it()
    assert place.make()[0] == 0
    assert not (place.builds / "failed").exists()


def test_what_has_failed_is_tried_again_after_a_day(place: Place) -> None:
    failed = place.builds / "failed"
    place.write("build/native/failed", place.ask("make_key(ROOT)"))
    assert not place.is_worth_it()
    yesterday = failed.stat().st_mtime - 86_401
    os.utime(failed, (yesterday, yesterday))
    assert place.is_worth_it(), "somebody may have mended the compiler"


@pytest.mark.parametrize(
    "happens",
    [
        KILL,
        "import os; raise OSError(28, os.strerror(28))",
        "raise SystemExit('cc1: out of memory allocating 65536 bytes')",
        "raise SystemExit('gcc: fatal error: Killed signal terminated program cc1')",
    ],
)
def test_what_was_stopped_or_had_no_room_is_tried_again(place: Place, happens: str) -> None:
    place.write("native/trial.py", happens)
    assert place.make()[0] == 1
    assert place.is_worth_it()


@pytest.mark.parametrize(("happens", "again"), [(KILL, True), ("raise ValueError('no')", False)])
def test_mypyc_that_was_killed_is_tried_again(place: Place, happens: str, *, again: bool) -> None:
    place.write("pyproject.toml", PROJECT + MYPYC)
    place.write("src/mypyc/__init__.py", happens)  # found before the real one
    status, _, complained = place.make()
    assert (status, "Error while invoking Mypyc" in complained) == (1, True)
    assert place.is_worth_it() == again


def test_what_took_too_long_is_tried_again(place: Place) -> None:
    place.builds.mkdir(parents=True)
    with pytest.raises(subprocess.CalledProcessError):
        place.ask("[setattr(builds, '_LONGEST', 0.01), builds.build()]")
    assert place.is_worth_it()


def test_what_a_build_says_is_english(place: Place) -> None:
    place.write("native/trial.py", "import os; raise SystemExit(os.environ['LC_ALL'])")
    assert place.make(LC_ALL="de_DE.UTF-8")[2].startswith("C\n")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory is free")
def test_a_build_needs_free_memory_and_stands_back_as_far_as_it_may(place: Place) -> None:
    assert not place.is_worth_it(NATIVE_MEMORY=str(10**12))
    refused = "setattr(os, 'sched_setscheduler', lambda *_: os.stat('/nowhere'))"
    asked = (
        f"{refused}, beside.stand_back(19), os.nice(0), Path('/proc/self/autogroup').read_text()"
    )
    if not os.access("/proc/self/autogroup", os.W_OK):
        pytest.skip("sessions are not told apart here")
    *_, niceness, session = place.ask(f"[{asked}]")
    assert (niceness, session.split()[-1]) == (19, "19")


def test_a_build_that_another_has_made_meanwhile_is_good(place: Place) -> None:
    assert place.make()[0] == 0
    place.ask("build()")  # what a game does that has got the lock
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


def test_what_was_killed_may_still_write_while_it_is_cleared_away(tmp_path: Path) -> None:
    place = Place(tmp_path)
    (place.builds / "making-halfway").mkdir(parents=True)
    in_vain = "lambda *a, **k: vain.pop() if vain else rmtree(*a, **k)"
    patch = f"rmtree := shutil.rmtree, vain := [1, 2], setattr(shutil, 'rmtree', {in_vain})"
    assert place.ask(f"[{patch}, clear_leftovers(tries=5), len(list_leftovers())][-1]") == 0


def test_all_of_a_build_is_written_to_disk_and_nothing_else(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write("build/native/one/pleasance/quick.so", "")
    written = (
        "written := [], setattr(os, 'fsync', lambda one: written.append(os.fstat(one).st_ino))"
    )
    found = place.ask(f"[{written}, write_through(BUILDS / 'one'), written][-1]")
    below = [place.builds, *place.builds.rglob("*")]
    assert sorted(found) == sorted(path.stat().st_ino for path in below)


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


def test_who_has_a_build_needs_no_compiler(place: Place) -> None:
    assert place.make()[0] == 0
    assert place.make(CC="/nowhere/cc") == (0, READY, "")


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


TRY = """
import sys
import trial
from pleasance.server.base.view_codec import Showing
from pleasance.table.table import Table

trial.rehearse = print  # it takes minutes, and is tried elsewhere
{change}
trial.main(sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("", "sakura\nsanssouci\n"),
        ("Table.choose = None", "Internal Server Error"),
        ("Showing.write = None", "'NoneType' object is not callable"),
    ],
)
def test_a_trial_plays_every_game_and_fails_with_any_error(
    tmp_path: Path, change: str, said: str
) -> None:
    paths = os.pathsep.join(map(str, (ROOT / "src", ROOT / "native")))
    done = subprocess.run(
        [sys.executable, "-c", TRY.format(change=change), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": paths, "PLEASANCE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode == 0) == (not change), done.stderr
    assert said in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("given", "is_used"), [("", True), ("NATIVE=1", True), ("NATIVE=0", False)]
)
def test_who_plays_can_do_without(given: str, *, is_used: bool) -> None:
    assert ("python native play .venv/bin/pleasance" in what_play_runs(given)) == is_used


@pytest.mark.parametrize(
    ("given", "is_open"), [("", False), ("LAN=0", False), ("LAN=", False), ("LAN=1", True)]
)
@pytest.mark.parametrize("others", ["", "NATIVE=0", "ARGS=--no-browser"])
def test_only_who_says_so_lets_the_home_network_join(
    given: str, others: str, *, is_open: bool
) -> None:
    _, options = what_play_runs(given, others).split(".venv/bin/pleasance serve")
    wanted = ["--lan"] * is_open + ["--no-browser"] * (others == "ARGS=--no-browser")
    assert options.split() == wanted


def what_play_runs(*given: str) -> str:
    """Tell which command `make play` would run in the end; nothing is run."""
    told = {name for name in os.environ if name.startswith("MAKE")} | {"NATIVE", "LAN", "ARGS"}
    kept = {name: text for name, text in os.environ.items() if name not in told}
    command = ["make", "-n", "play", *" ".join(given).split()]
    return subprocess.check_output(command, cwd=ROOT, env=kept, text=True).splitlines()[-1]
