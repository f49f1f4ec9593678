"""The scripts behind make: the Python they take, what they install, and their errors."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import run_program

ROOT = Path(__file__).parents[2]
SCRIPTS = ("setup.sh dev", "tools.sh lock tools")


def run_script(folder: Path, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a copy of what it reads."""
    (folder / "requirements").mkdir()
    for path in (ROOT / "requirements").iterdir():
        shutil.copy(path, folder / "requirements")
    shutil.copy(ROOT / "pyproject.toml", folder)
    environment = {"PATH": "/usr/bin:/bin", **variables}
    command = ("sh", *f"requirements/{script}".split())
    return run_program(*command, cwd=folder, env=environment)


def make_python(path: Path, script: str) -> str:
    """Write a program that stands for a Python."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_says_what_to_do_when_there_is_no_python(tmp_path: Path, script: str) -> None:
    done = run_script(tmp_path, script, PYTHON="/nowhere/python3")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "no Python 3.11 or newer found at /nowhere/python3; install one" in done.stderr


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_says_what_to_do_when_python_is_too_old(tmp_path: Path, script: str) -> None:
    # Python 3.10 evaluates the question like any other, with its own version.
    old = f'exec {sys.executable} -c "import sys; sys.version_info = (3, 10); $2"'
    python = make_python(tmp_path / "python3.10", old)
    done = run_script(tmp_path, script, PYTHON=python)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert f"no Python 3.11 or newer found at {python}; install one" in done.stderr


def test_a_python_that_is_named_goes_before_that_of_the_environment(tmp_path: Path) -> None:
    make_python(tmp_path / ".venv/bin/python", "exit 0")
    named = make_python(tmp_path / "python3", f'echo "$@" >>{tmp_path}/calls')
    run_script(tmp_path, "tools.sh lock tools", PYTHON=named)
    assert "-m venv --clear build/lock-venv" in (tmp_path / "calls").read_text()


@pytest.mark.parametrize(
    ("targets", "pinned"),
    [
        *((target, "play") for target in ("play", "terminal", "page", "docs")),
        *((target, "dev") for target in ("setup", "fast", "test", "check", "native", "coverage")),
        ("play check", "dev"),
    ],
)
def test_players_and_servers_install_no_development_tools(targets: str, pinned: str) -> None:
    others = ("MAKE", "MFLAGS")  # make may run these tests, too
    kept = {name: text for name, text in os.environ.items() if not name.startswith(others)}
    done = run_program("make", "-n", *targets.split(), cwd=ROOT, env=kept)
    assert done.returncode == 0
    assert set(re.findall(r"requirements/setup\.sh (\w*)", done.stdout)) == {pinned}


def test_setup_says_what_to_do_when_python_cannot_make_environments(tmp_path: Path) -> None:
    python = make_python(tmp_path / "python3", 'case "$2" in *venv*) exit 1;; esac')
    done = run_script(tmp_path, "setup.sh dev", PYTHON=python)
    assert done.returncode == 1
    assert "install its venv module" in done.stderr
