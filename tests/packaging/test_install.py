"""The wheel in fresh environments: what works without extras, and what names the one it needs."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tomllib
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest
from measure_install import Environment, build_wheel, find_pythons, install

from support.programs import run_program
from support.server_process import finish, read_until, run_process

ROOT = Path(__file__).parents[2]
ARENA = "pleasance arena sakura --seats 2 --players"
JIT = "pleasance record sanssouci --seats 2 --players planner,greedy"
SERVE_POSTGRES = "pleasance serve --no-browser --port 0 --database postgresql://localhost:9/none?connect_timeout=2"

MAX_PACKAGES, MAX_MEGABYTES = 16, 45
"""The limits of the package without extras."""

WORKS_ALONE = """
pleasance --version
pleasance rules sakura
pleasance record sanssouci --seats 2 --players master:8,network --seed spring > game.txt
pleasance record sakura --seats 3 --players master:8,ismcts:8,planner --seed spring > path.txt
pleasance verify game.txt
pleasance replay --explain path.txt
pleasance show game.txt
pleasance picture game.txt
pleasance data sakura
pleasance perft sakura --seats 2 --depth 1
pleasance survey --players random --games 10
pleasance arena sanssouci --seats 2 --players planner,greedy --games 10
pleasance bench sakura --seconds 0.01
pleasance serve --help
"""

NEEDS_MORE = [
    ("pleasance serve --no-browser", "server"),
    ("pleasance worker --database postgresql://localhost/none", "server"),
    ("pleasance admin tables", "server"),
    ("pleasance train sakura --out trained --seconds 1", "train"),
    (f"{ARENA} greedy,openspiel-mcts:9 --games 10", "openspiel"),
    (f"{ARENA} greedy,random --games 10 --on ray", "cluster"),
    (f"{ARENA} greedy,random --games 10 --plot wins.png", "plot"),
    ("python -m pleasance.tuning.planner_weights sanssouci --out tuned.json", "numpy"),
    (f"PLEASANCE_KERNELS=jit {JIT}", "kernels"),
]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel once."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def call(environment: Environment, line: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the environment in an empty folder of its own."""
    path = f"{environment.folder / 'bin'}:/usr/bin:/bin"
    variables = {"PATH": path, "HOME": str(home), "PLEASANCE_LANGUAGE": "en"}
    return run_program("sh", "-c", line, cwd=home, env=variables)


@pytest.mark.slow
def test_the_wheel_tells_an_index_what_it_is(wheel: Path) -> None:
    with ZipFile(wheel) as packed:
        (name,) = [each for each in packed.namelist() if each.endswith(".dist-info/METADATA")]
        metadata = message_from_string(packed.read(name).decode())
    links = re.findall(r"\]\(([^)]+)\)", str(metadata.get_payload()))
    assert len(links) > 10
    assert all(link.startswith("https://") for link in links)
    branches = re.findall(r"/(?:blob|raw)/([^/]+)/", " ".join(links))
    assert set(branches) == {f"v{metadata['Version']}"}
    urls = dict(each.split(", ") for each in metadata.get_all("Project-URL", []))
    assert {"Documentation", "Issues", "Changelog", "Repository"} <= set(urls)
    assert any("Python :: 3.11" in each for each in metadata.get_all("Classifier", []))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("python", find_pythons(), ids=lambda path: path.name)
def test_alone_it_is_small_plays_records_and_measures(
    python: Path, wheel: Path, tmp_path: Path
) -> None:
    environment = install(wheel, tmp_path / "env", python=python)
    sizes = environment.measure()
    assert len(sizes) <= MAX_PACKAGES, sizes
    assert sum(sizes.values()) <= MAX_MEGABYTES * 1e6, sizes
    for line in WORKS_ALONE.strip().splitlines():
        done = call(environment, line, tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), line
    for line, extra in NEEDS_MORE:
        done = call(environment, line, tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), line
        assert done.stderr.count("\n") == 1
        assert f'pip install "pleasance[{extra}]"' in done.stderr


WITH_EXTRA = {
    "numpy": "python -m pleasance.tuning.planner_weights sanssouci --out tuned.json"
    " --rounds 1 --candidates 11 --games 8",
    "train": "pleasance train sakura --out trained --seconds 2"
    " --evaluation-games 8 --final-games 8",
    "plot": f"{ARENA} greedy,random --games 10 --plot wins.png",
    "kernels": f"PLEASANCE_KERNELS=jit {JIT}",
    "openspiel": f"{ARENA} greedy,openspiel-mcts:9 --games 2",
    "cluster": f"{ARENA} greedy,random --games 2 --on ray",
    "all": "python -m pip check",
}
"""The command that is tried with each extra; other tests start a server."""

LARGE = {"kernels", "openspiel", "cluster", "all"}
"""Extras of hundreds of megabytes, which are tried where `PLEASANCE_TEST_EXTRAS` is set."""


def mark_extra(extra: str) -> object:
    """Mark the case of a large extra to be skipped unless it is asked for."""
    is_skipped = extra in LARGE and not os.environ.get("PLEASANCE_TEST_EXTRAS")
    marks = pytest.mark.skipif(is_skipped, reason="PLEASANCE_TEST_EXTRAS asks for large extras")
    return pytest.param(extra, marks=marks)


def test_every_extra_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) == {*WITH_EXTRA, "server", "postgres"}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("extra", [mark_extra(extra) for extra in WITH_EXTRA])
def test_with_its_extra_a_command_runs(extra: str, wheel: Path, tmp_path: Path) -> None:
    environment = install(wheel, tmp_path / "env", extra=extra)
    done = call(environment, WITH_EXTRA[extra], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    if extra == "train":
        assert json.loads(done.stdout.splitlines()[-1])
    if extra == "plot":
        assert (tmp_path / "wins.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.long
def test_with_its_extra_a_server_runs_and_names_the_one_for_postgresql(
    wheel: Path, tmp_path: Path
) -> None:
    environment = install(wheel, tmp_path / "env", extra="server")
    command = (str(environment.folder / "bin" / "pleasance"), "serve", "--no-browser", "--port=0")
    with run_process(command, tmp_path) as process:
        assert "http://127.0.0.1:" in read_until(process, "http://")
        assert finish(process, signal.SIGINT)[0] == 0
    done = call(environment, SERVE_POSTGRES, tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert 'pip install "pleasance[postgres]"' in done.stderr


@pytest.mark.slow
@pytest.mark.long
def test_with_its_extra_a_database_is_missed_and_no_package(wheel: Path, tmp_path: Path) -> None:
    environment = install(wheel, tmp_path / "env", extra="postgres")
    done = call(environment, SERVE_POSTGRES, tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "database" in done.stderr
    assert "pip install" not in done.stderr
