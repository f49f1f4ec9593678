"""A small package of the same shape as ours, to be built and run as ours is."""

from __future__ import annotations

import ast
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import Any

import pytest

from support import TIMEOUT_S

ROOT = Path(__file__).parents[2]
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "pleasance"
version = "1"
[tool.hatch.build.targets.wheel]
packages = ["src/pleasance"]
"""
FILES = {
    "pyproject.toml": PROJECT,
    "hatch_build.py": "",
    "README.md": "",
    "LICENSE": "",
    "requirements/dev.lock": "",
    "src/pleasance/__init__.py": "",
    "src/pleasance/quick.py": "def double(number: int) -> int:\n    return 2 * number\n",
    "src/pleasance/server/page/dist/app.js": "",
    # A trial that, where a test listens, names the group of its processes and waits for an answer.
    "native/smoke_test.py": """
import os, socket
if "LISTENER" in os.environ:
    address = "127.0.0.1", int(os.environ["LISTENER"])
    with socket.create_connection(address, timeout=60) as test:
        test.sendall(b"%10d" % os.getpgrp())
        test.recv(1)
""",
}
READY = "Ready: make play runs what is compiled, until the sources change.\n"
SOURCE = Path("src/pleasance/quick.py")
PRINT_MODULE_PATH = "import pleasance.quick; print(pleasance.quick.__file__, flush=True); input()"


class BuildProject:
    """A small repository with a package to build."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.builds = root / "build" / "native"
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "NATIVE_AFTER": "0",
            "NATIVE_MEMORY": "0",
            "NATIVE_NICENESS": "0",
            "PYTHONPATH": str(root / "src"),
        }
        shutil.copytree(ROOT / "native", root / "native")
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "native", *arguments],
            cwd=self.root,
            env={**self.environment, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def make(self, **environment: str) -> tuple[int | None, str, str]:
        """Do what `make native` does."""
        return self.finish(self.start(**environment))

    @staticmethod
    def finish(started: subprocess.Popen[str]) -> tuple[int | None, str, str]:
        with started:
            try:
                stdout, stderr = started.communicate(timeout=TIMEOUT_S)
            finally:
                started.kill()  # or leaving would wait for it
        return started.returncode, stdout, stderr

    @contextmanager
    def game(self, mode: str, **environment: str) -> Iterator[Path]:
        """Run something that lasts; tell which module it has found."""
        with self.start(mode, sys.executable, "-c", PRINT_MODULE_PATH, **environment) as game:
            assert game.stdout
            yield Path(game.stdout.readline().strip()).relative_to(self.root)
            game.communicate("\n")
            assert game.returncode == 0

    def ask(self, claim: str, **environment: str) -> Any:
        """Ask the tool itself about something, in a session of its own."""
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                f"from builds import *; import background_build, builds; print(repr({claim}))",
            ],
            env={**self.environment, "PYTHONPATH": str(self.root / "native"), **environment},
            stdout=subprocess.PIPE,
            start_new_session=True,
            timeout=TIMEOUT_S,
            check=True,
        )
        return ast.literal_eval(done.stdout.decode())

    def is_buildable(self, **environment: str) -> bool:
        return self.ask("can_build_in_background(make_key(ROOT))", **environment) is True

    def ready(self) -> list[Path]:
        return [path.parent for path in self.builds.glob("*/ready")]

    def await_end(self) -> None:
        """Wait until no build is running."""
        self.ask("fcntl.flock((BUILDS / 'lock').open('w'), fcntl.LOCK_EX)")

    def is_being_built(self) -> bool:
        """Return whether the build lock is held."""
        held = "fcntl.flock((BUILDS / 'lock').open('w'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        try:
            self.ask(held)
        except subprocess.CalledProcessError:
            return True
        return False


def open_project(root: Path) -> BuildProject:
    """Make such a repository, where something can be compiled."""
    project = BuildProject(root)
    lack = project.ask("find_missing_requirement()")
    if lack is not None:
        pytest.skip(str(lack))
    return project


class TrialListener:
    """Hears of builds that are tried out."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self.port = str(listener.getsockname()[1])

    def accept(self) -> tuple[socket.socket, int]:
        """Wait until one is tried out; it goes on when it is answered. Name its processes."""
        self._listener.settimeout(TIMEOUT_S)
        trial, _ = self._listener.accept()
        trial.settimeout(TIMEOUT_S)
        return trial, int(trial.recv(10))

    def has_pending(self) -> bool:
        """Return whether another trial has started."""
        return bool(select([self._listener], [], [], 0)[0])


@contextmanager
def listen_for_trials() -> Iterator[TrialListener]:
    """Listen for a while."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield TrialListener(listener)
