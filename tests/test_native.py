"""Modules that `make native` compiles: they are there, they compile, and they play the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOOKS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
NATIVE: list[str] = HOOKS["build"]["targets"]["wheel"]["hooks"]["mypyc"]["include"]
HEAVY = ("/src/pleasance/server/rooms/", "/src/pleasance/server/store/")
"""They pull in the types of all libraries of the server, which take a minute to read."""

BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup

native = mypycify(["--follow-imports=silent", *sys.argv[3:]], opt_level="0")
setup(name="native", ext_modules=native, packages=[], script_args=sys.argv[1:3])
"""

PLAY = """
import hashlib
import sys
from importlib import import_module
from random import Random

from conformance import CONFIGURATIONS
from conformance.tables import choose_at_random, sit_down
from pleasance.core.record import write_record
from pleasance.server.views import Showing

print(*(import_module(name).__file__.endswith(".py") for name in sys.argv[1:]))
for config in CONFIGURATIONS:
    table, seen, rng = sit_down(config), hashlib.sha256(), Random(1)
    while not table.is_over:
        showing = Showing(config.game, table.view)
        for seat in config.everybody:
            seen.update(showing.write(seat))
        choose_at_random(table, rng)
    seen.update(write_record(table.full_record(is_owner=True)).encode())
    print(config.name, seen.hexdigest())
"""


def test_what_is_compiled_is_there() -> None:
    assert sorted(set(NATIVE)) == NATIVE
    assert [name for name in NATIVE if not (ROOT / name[1:]).is_file()] == []


def run(folder: Path, *orders: str) -> str:
    """Run Python with the package as it lies in *folder*."""
    paths = os.pathsep.join(map(str, (folder, ROOT / "tests")))
    # What a debugger would want takes the C compiler as long as the code itself.
    plain = {"PYTHONHASHSEED": "0", "CFLAGS": "-g0"}
    environment = {**os.environ, "PYTHONPATH": paths, **plain}
    command = [sys.executable, *orders]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_compiled_modules_play_and_show_the_same_games(tmp_path: Path) -> None:
    if not Path(sysconfig.get_path("include"), "Python.h").is_file() or not shutil.which("cc"):
        pytest.skip("needs a C compiler and the headers of Python")
    made = shutil.ignore_patterns("__pycache__", "dist", "web", "*.so")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=made)
    (tmp_path / "src" / "build.py").write_text(BUILD, encoding="utf-8")
    (tmp_path / "play.py").write_text(PLAY, encoding="utf-8")
    files = [name.removeprefix("/src/") for name in NATIVE if not name.startswith(HEAVY)]
    names = [name.removesuffix(".py").replace("/", ".") for name in files]
    play = (str(tmp_path / "play.py"), *names)
    plain = run(tmp_path / "src", *play).splitlines()
    run(tmp_path / "src", "build.py", "build_ext", "--inplace", *files)
    native = run(tmp_path / "src", *play).splitlines()
    assert set(plain[0].split()) == {"True"}
    assert set(native[0].split()) == {"False"}
    assert native[1:] == plain[1:]
