"""The mypyc build is made, cached and found; shown with a small package of the same shape."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from native_build.small_package import PROJECT, READY, ROOT, SOURCE, BuildProject, open_project
from support import TIMEOUT_S
from support.programs import run_program

pytestmark = pytest.mark.slow

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
    "native/smoke_test.py",
)
KILL = "import os; os.kill(os.getpid(), 9)"


@pytest.fixture
def project(tmp_path: Path) -> BuildProject:
    return open_project(tmp_path)


def test_a_build_runs_until_the_sources_change(project: BuildProject) -> None:
    with project.game("run") as found:
        assert found == SOURCE
    assert project.make()[0] == 0
    (build,) = project.ready()
    assert (build / "pleasance/server/page/dist/app.js").is_file()
    with project.game("run") as found:
        assert found.parts[:2] == ("build", "native")
    project.write("src/pleasance/games/tests/test_it.py", "no server needs it")
    assert project.make()[1].count("\n") == 1, "there is nothing to compile"
    (project.root / "src/pleasance/link.py").symlink_to("nowhere")
    for name in (".quick.py.swp", "quick.py~", "#quick.py#"):  # editor swap files
        project.write(f"src/pleasance/{name}", "")
    with project.game("run") as found:
        assert found.parts[:2] == ("build", "native")
    project.write("src/pleasance/data.json", "{}")
    with project.game("run") as found:
        assert found == SOURCE
    assert project.make()[0] == 0


@pytest.mark.parametrize("name", NEEDED)
def test_what_a_build_is_made_with_belongs_to_its_key(tmp_path: Path, name: str) -> None:
    project = BuildProject(tmp_path)
    assert project.ask("builds._BUILD_INPUTS") == NEEDED
    before = project.ask("make_key(ROOT)")
    project.write(name, (project.root / name).read_text(encoding="utf-8") + "# another\n")
    assert project.ask("make_key(ROOT)") != before


@pytest.mark.parametrize(
    "change", ["setattr(sys, 'version', '4')", "setattr(sysconfig, 'get_config_var', str)"]
)
def test_a_build_for_another_python_is_another(tmp_path: Path, change: str) -> None:
    before, _, after = BuildProject(tmp_path).ask(f"[make_key(ROOT), {change}, make_key(ROOT)]")
    assert before != after


def test_what_fails_is_remembered_until_something_changes(project: BuildProject) -> None:
    assert project.is_buildable()
    project.write("native/smoke_test.py", "raise SystemExit('Alas!')")
    status, _, stderr = project.make()
    assert (status, project.ready(), project.is_buildable()) == (1, [], False)
    assert stderr.startswith("Alas!\n")
    project.write("native/smoke_test.py", "")
    assert project.is_buildable()
    assert project.make()[0] == 0
    assert not (project.builds / "failed").exists()


def test_what_has_failed_is_tried_again_after_a_day(project: BuildProject) -> None:
    failed = project.builds / "failed"
    project.write("build/native/failed", project.ask("make_key(ROOT)"))
    assert not project.is_buildable()
    yesterday = failed.stat().st_mtime - 86_401
    os.utime(failed, (yesterday, yesterday))
    assert project.is_buildable(), "somebody may have mended the compiler"


@pytest.mark.parametrize(
    "happens",
    [
        KILL,
        "import os; raise OSError(28, os.strerror(28))",
        "raise SystemExit('cc1: out of memory allocating 65536 bytes')",
        "raise SystemExit('gcc: fatal error: Killed signal terminated program cc1')",
    ],
)
def test_what_was_stopped_or_had_no_room_is_tried_again(
    project: BuildProject, happens: str
) -> None:
    project.write("native/smoke_test.py", happens)
    assert project.make()[0] == 1
    assert project.is_buildable()


@pytest.mark.parametrize(("happens", "again"), [(KILL, True), ("raise ValueError('no')", False)])
def test_mypyc_that_was_killed_is_tried_again(
    project: BuildProject, happens: str, *, again: bool
) -> None:
    project.write("pyproject.toml", PROJECT + MYPYC)
    project.write("src/mypyc/__init__.py", happens)  # found before the real one
    status, _, stderr = project.make()
    assert (status, "Error while invoking Mypyc" in stderr) == (1, True)
    assert project.is_buildable() == again


def test_what_took_too_long_is_tried_again(project: BuildProject) -> None:
    project.builds.mkdir(parents=True)
    with pytest.raises(subprocess.CalledProcessError):
        project.ask("[setattr(builds, '_STEP_TIMEOUT_S', 0.01), builds.build()]")
    assert project.is_buildable()


def test_what_a_build_says_is_english(project: BuildProject) -> None:
    project.write("native/smoke_test.py", "import os; raise SystemExit(os.environ['LC_ALL'])")
    assert project.make(LC_ALL="de_DE.UTF-8")[2].startswith("C\n")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports free memory")
def test_a_build_needs_free_memory_and_stands_back_as_far_as_it_may(project: BuildProject) -> None:
    assert not project.is_buildable(NATIVE_MEMORY=str(10**12))
    refused = "setattr(os, 'sched_setscheduler', lambda *_: os.stat('/nowhere'))"
    lowered = "background_build.lower_priority(19), os.nice(0)"
    asked = f"{refused}, {lowered}, Path('/proc/self/autogroup').read_text()"
    if not os.access("/proc/self/autogroup", os.W_OK):
        pytest.skip("sessions have no priority of their own here")
    *_, niceness, session = project.ask(f"[{asked}]")
    assert (niceness, session.split()[-1]) == (19, "19")


def test_a_build_that_another_has_made_meanwhile_is_good(project: BuildProject) -> None:
    assert project.make()[0] == 0
    project.ask("build()")  # what a game does that has got the lock
    assert len(project.ready()) == 1
    assert project.is_buildable(), "nothing has failed"


def test_a_removal_that_is_cut_short_leaves_nothing_to_run(tmp_path: Path) -> None:
    project = BuildProject(tmp_path)
    project.write("build/native/old/ready", "")
    cut = "setattr(shutil, 'rmtree', lambda *_, **__: os.kill(os.getpid(), 9))"
    with pytest.raises(subprocess.CalledProcessError):
        project.ask(f"[{cut}, clear_stale('new')]")
    assert project.ready() == []
    assert project.ask("acquire_build('old')") is None


def test_what_was_killed_may_still_write_while_it_is_cleared_away(tmp_path: Path) -> None:
    project = BuildProject(tmp_path)
    (project.builds / "making-halfway").mkdir(parents=True)
    in_vain = "lambda *a, **k: vain.pop() if vain else rmtree(*a, **k)"
    patch = f"rmtree := shutil.rmtree, vain := [1, 2], setattr(shutil, 'rmtree', {in_vain})"
    assert project.ask(f"[{patch}, clear_leftovers(tries=5), len(list_leftovers())][-1]") == 0


def test_all_of_a_build_is_written_to_disk_and_nothing_else(tmp_path: Path) -> None:
    project = BuildProject(tmp_path)
    project.write("build/native/one/pleasance/quick.so", "")
    written = (
        "written := [], setattr(os, 'fsync', lambda one: written.append(os.fstat(one).st_ino))"
    )
    found = project.ask(f"[{written}, sync_build(BUILDS / 'one'), written][-1]")
    below = [project.builds, *project.builds.rglob("*")]
    assert sorted(found) == sorted(path.stat().st_ino for path in below)


@pytest.mark.slow
def test_stale_builds_go_but_not_while_somebody_runs_them(project: BuildProject) -> None:
    project.make()
    (first,) = project.ready()
    with project.game("run"):
        project.write("src/pleasance/data.json", "{}")
        project.make()
        assert first in project.ready()
    project.write("src/pleasance/data.json", "[]")
    project.make()
    assert len(project.ready()) == 1


def test_two_at_once_make_one_build(project: BuildProject) -> None:
    (project.builds / "making-halfway").mkdir(parents=True)  # by one that was killed
    both = [project.start(), project.start()]
    statuses, stdout, _ = zip(*map(project.finish, both), strict=True)
    assert statuses == (0, 0)
    assert "".join(stdout).count("Compiling") == 1
    assert len([path for path in project.builds.iterdir() if path.is_dir()]) == 1


def test_who_has_a_build_needs_no_compiler(project: BuildProject) -> None:
    assert project.make()[0] == 0
    assert project.make(CC="/nowhere/cc") == (0, READY, "")


def test_a_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    project = BuildProject(tmp_path)
    environment = project.finish(project.start("run", "/missing"))
    assert environment == (127, "", "/missing: No such file or directory\n")


@pytest.mark.slow
def test_what_is_built_is_compiled(project: BuildProject) -> None:
    project.write("pyproject.toml", PROJECT + MYPYC)
    status, _, stderr = project.make()
    assert status == 0, stderr
    with project.game("run") as found:
        assert found.suffix == ".so"


TRY = """
import sys
import smoke_test
from pleasance.server.base.view_codec import ViewCache
from pleasance.table.table import Table

{change}
smoke_test.main(sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("", ""),
        ("Table.choose = None", "Internal Server Error"),
        ("ViewCache.encode = None", "'NoneType' object is not callable"),
    ],
)
def test_a_trial_plays_every_game_and_fails_with_any_error(
    tmp_path: Path, change: str, error: str
) -> None:
    paths = os.pathsep.join(map(str, (ROOT / "src", ROOT / "native")))
    environment = {**os.environ, "PYTHONPATH": paths, "PLEASANCE_HOME": str(tmp_path)}
    command = (sys.executable, "-c", TRY.format(change=change), tmp_path)
    done = run_program(*command, env=environment, timeout=TIMEOUT_S)
    assert (done.returncode == 0) == (not change), done.stderr
    assert error in done.stderr


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
    """Return the command that `make play` would run, without running it."""
    environment = {name for name in os.environ if name.startswith("MAKE")} | {
        "NATIVE",
        "LAN",
        "ARGS",
    }
    kept = {name: text for name, text in os.environ.items() if name not in environment}
    command = ["make", "-n", "play", *" ".join(given).split()]
    return subprocess.check_output(command, cwd=ROOT, env=kept, text=True).splitlines()[-1]
