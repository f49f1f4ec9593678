"""One server per SQLite file: a second one is refused, unless the first has ended."""

from __future__ import annotations

import fcntl
import json
import os
import platform
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pleasance.server.base import single_instance
from pleasance.server.base.single_instance import (
    AlreadyRunningError,
    RunningServer,
    hold_address_file,
)

US = {"pid": os.getpid(), "host": platform.node()}
NOBODY = 1 << 22
"""Greater than any process id."""


@contextmanager
def locked(file: Path, seconds: float, **more: object) -> Iterator[None]:
    """Hold the lock of a file for a while, as a child of a killed server does."""
    with file.open("a+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        state = {"link": "http://127.0.0.1:1", "is_open": False, **more}
        held.write(json.dumps(state).encode())
        held.flush()
        letting_go = threading.Timer(seconds, fcntl.flock, (held, fcntl.LOCK_UN))
        letting_go.start()
        yield
        letting_go.cancel()
        letting_go.join()


def test_what_a_killed_server_was_just_starting_does_not_pass_for_a_server(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    here = RunningServer("http://127.0.0.1:2", is_open=False)
    with locked(tmp_path / "games.db.address", 0.2), hold_address_file(database) as claim:
        claim.write(here)
        assert json.loads((tmp_path / "games.db.address").read_bytes()) == {**US, **here._asdict()}


def test_on_a_busy_machine_it_is_waited_for_longer_since_the_server_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single_instance, "_LOCK_TIMEOUT_S", 0.0)
    with subprocess.Popen(["true"]) as gone:
        pass
    database = f"sqlite:///{tmp_path / 'games.db'}"
    note = tmp_path / "games.db.address"
    with locked(note, 0.2, **{**US, "pid": gone.pid}), hold_address_file(database):
        assert json.loads(note.read_bytes()) == US


@pytest.mark.parametrize(
    "more",
    [
        US,
        {**US, "pid": "?"},
        {**US, "pid": 10**30},
        {"pid": NOBODY, "host": f"not {platform.node()}"},
        {"pid": NOBODY},
        {},
    ],
)
def test_a_possible_owner_is_not_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, object]
) -> None:
    monkeypatch.setattr(single_instance, "_LOCK_TIMEOUT_S", 0.0)
    monkeypatch.setattr(single_instance, "_DEAD_OWNER_LOCK_TIMEOUT_S", 90.0)  # too long to wait
    database = f"sqlite:///{tmp_path / 'games.db'}"
    with (
        locked(tmp_path / "games.db.address", 60, **more),
        pytest.raises(AlreadyRunningError),
        hold_address_file(database),
    ):
        pass


@pytest.mark.slow
def test_a_second_server_learns_the_link_of_the_first(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    with (
        locked(tmp_path / "games.db.address", 60),
        pytest.raises(AlreadyRunningError) as refused,
        hold_address_file(database),
    ):
        pass
    assert refused.value.running == RunningServer("http://127.0.0.1:1", is_open=False)
