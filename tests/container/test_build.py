"""The image, built step by step in a plain root: it serves, is healthy, and stops."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from measure_install import find_pythons

from container.dockerfile import ROOT, Stage, read_dockerfile
from container.plain_root import PlainRoot, build
from support import TIMEOUT_S
from support.http_client import HttpClient
from support.programs import run_program
from support.server_process import finish, read_until, run_process

HAS_MOUNTS = (
    hasattr(os, "geteuid")
    and os.geteuid() == 0
    and run_program("unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt").returncode == 0
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.skipif(
        not HAS_MOUNTS, reason="needs root and mounts; the host's workflow builds the image itself"
    ),
]


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    return read_dockerfile((ROOT / "Dockerfile").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def image(stages: list[Stage], tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainRoot]:
    wanted = stages[-1].base.removeprefix("python:").removesuffix("-slim")
    pythons = find_pythons()
    python = next((each for each in pythons if each.name == f"python{wanted}"), pythons[0])
    folder = tmp_path_factory.mktemp("image")
    yield build(stages, folder, python)
    shutil.rmtree(folder)  # hundreds of megabytes; nothing is mounted there any more


def find_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def read_user(pid: int) -> str:
    """Read the number of the user as whom a process runs."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    (user,) = (line.split()[1] for line in lines if line.startswith("Uid:"))
    return user


def call_inside(image: PlainRoot, stage: Stage, variables: dict[str, str]) -> partial[list[str]]:
    """Prepare calls as the user of the image, who writes only into the volume and /tmp."""
    volume = stage.find("VOLUME")
    return partial(
        image.call,
        variables=stage.environment | variables,
        user=stage.find("USER"),
        home=volume,
        writable=(volume, "/tmp"),
    )


def test_it_serves_as_its_user_is_healthy_and_stops(
    stages: list[Stage], image: PlainRoot, tmp_path: Path
) -> None:
    stage, port = stages[-1], find_port()
    # A container has a network of its own; this root shares that of the machine.
    call = call_inside(image, stage, {"PLEASANCE_HOST": "127.0.0.1", "PLEASANCE_PORT": port})
    check = call(stage.health_check)
    assert run_program(*check).returncode == 1  # nobody serves yet
    with run_process(call(stage.command), tmp_path) as process:
        link = read_until(process, "http://").split()[-1]
        assert link == f"http://127.0.0.1:{port}"
        end = time.monotonic() + TIMEOUT_S
        while run_program(*check).returncode:
            assert time.monotonic() < end
        assert read_user(process.pid) == stage.find("USER").split(":")[0]
        with HttpClient(link) as guest:
            guest.request_session(name="Ada").raise_for_status()
            table = guest.start_solo_game()
            assert guest.choose(table).is_success
            assert "<script" in guest.http.get("/").text
        assert finish(process, signal.SIGTERM)[0] == 0
    done = run_program(*call(["pleasance", "admin", "tables", "--json"]))
    assert json.loads(done.stdout)["id"] == table
