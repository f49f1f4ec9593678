"""The mypyc build of `make native`: it compiles, plays the same games, and serves."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from support.programs import run_program

ROOT = Path(__file__).parents[2]
HOOKS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
NATIVE: list[str] = HOOKS["build"]["targets"]["wheel"]["hooks"]["mypyc"]["include"]
IMPORT_CHECK = """
import sys
from importlib import import_module
from pathlib import Path


def pytest_sessionfinish():
    for name in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split():
        assert not import_module(name).__file__.endswith(".py"), name
"""
"""A pytest plugin that fails the run if a module was imported as source."""

SERVER_TESTS = ("test_faults.py", "live/test_housekeeping.py", "http/test_socket.py")
"""Tests of tables on both databases, of sockets, and of servers that are killed."""

BUILD = """
import os
import sys
from mypyc.build import mypycify
from setuptools import setup

native = mypycify(["--follow-imports=silent", *sys.argv[3:]], opt_level="0")
setup(name="native", ext_modules=native, packages=[], script_args=sys.argv[1:3])
sys.stdout.flush()
os._exit(0)  # to take all that was analyzed apart would take a quarter as long again
"""

PLAY = """
import hashlib
import sys
from importlib import import_module
from random import Random

from conformance import CONFIGURATIONS
from conformance.tables import choose_at_random, start_table
from pleasance.core.record import write_record
from pleasance.server.base.view_codec import ViewCache

print(*(import_module(name).__file__.endswith(".py") for name in sys.argv[1:]))
for config in CONFIGURATIONS:
    table, seen, rng = start_table(config), hashlib.sha256(), Random(1)
    while not table.is_over:
        view_cache = ViewCache(config.game, table.view)
        for seat in config.viewers:
            seen.update(view_cache.encode(seat))
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
    done = run_program(sys.executable, *orders, cwd=folder, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.long
def test_compiled_modules_play_the_same_and_hold_a_server(tmp_path: Path) -> None:
    if not Path(sysconfig.get_path("include"), "Python.h").is_file() or not shutil.which("cc"):
        pytest.skip("needs a C compiler and the headers of Python")
    source = tmp_path / "src"
    made = shutil.ignore_patterns("__pycache__", "web", "*.so")
    shutil.copytree(ROOT / "src", source, ignore=made)
    (tmp_path / "build.py").write_text(BUILD, encoding="utf-8")
    (tmp_path / "play.py").write_text(PLAY, encoding="utf-8")
    files = [name.removeprefix("/src/") for name in NATIVE]
    names = [name.removesuffix(".py").replace("/", ".") for name in files]
    play = (str(tmp_path / "play.py"), *names)
    plain = run(source, *play).splitlines()
    run(source, str(tmp_path / "build.py"), "build_ext", "--inplace", *files)
    native = run(source, *play).splitlines()
    assert set(plain[0].split()) == {"True"}
    assert set(native[0].split()) == {"False"}
    assert native[1:] == plain[1:]
    (source / "import_check.py").write_text(IMPORT_CHECK, encoding="utf-8")
    (source / "import_check.txt").write_text("\n".join(names), encoding="utf-8")
    tests = [str(ROOT / "tests" / "server" / name) for name in SERVER_TESTS]
    quick = ("-q", "-x", "-m", "not slow", "-p", "import_check", "-p", "no:cacheprovider")
    run(source, "-m", "pytest", f"--rootdir={ROOT}", *quick, *tests)
