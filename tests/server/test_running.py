"""One server for one file: the second is told of the first, but not of one that is gone."""

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
from pleasance.server.base.single_instance import AlreadyRunning, Running, claim_database

US = {"pid": os.getpid(), "host": platform.node()}
NOBODY = 1 << 22
"""More than the number of any process."""


@contextmanager
def locked(file: Path, seconds: float, **more: object) -> Iterator[None]:
    """Hold the lock of a file for so long, as what a killed server has just started does."""
    with file.open("a+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        told = {"link": "http://127.0.0.1:1", "is_open": False, **more}
        held.write(json.dumps(told).encode())
        held.flush()
        letting_go = threading.Timer(seconds, fcntl.flock, (held, fcntl.LOCK_UN))
        letting_go.start()
        yield
        letting_go.cancel()
        letting_go.join()


def test_what_a_killed_server_was_just_starting_does_not_pass_for_a_server(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    here = Running("http://127.0.0.1:2", is_open=False)
    with locked(tmp_path / "games.db.address", 0.2), claim_database(database) as claim:
        claim.tell(here)
        told = json.loads((tmp_path / "games.db.address").read_bytes())
        assert told == {**US, **here._asdict()}


def test_on_a_busy_machine_it_is_waited_for_longer_since_the_server_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single_instance, "_LINGER", 0.0)
    with subprocess.Popen(["true"]) as gone:
        pass
    database = f"sqlite:///{tmp_path / 'games.db'}"
    note = tmp_path / "games.db.address"
    with locked(note, 0.2, **{**US, "pid": gone.pid}), claim_database(database):
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
def test_who_is_there_or_may_be_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, object]
) -> None:
    monkeypatch.setattr(single_instance, "_LINGER", 0.0)
    monkeypatch.setattr(single_instance, "_LINGER_LONG", 90.0)  # who waited would be let in
    database = f"sqlite:///{tmp_path / 'games.db'}"
    with (
        locked(tmp_path / "games.db.address", 60, **more),
        pytest.raises(AlreadyRunning),
        claim_database(database),
    ):
        pass


def test_a_second_server_is_told_where_the_first_is(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    with (
        locked(tmp_path / "games.db.address", 60),
        pytest.raises(AlreadyRunning) as refused,
        claim_database(database),
    ):
        pass
    assert refused.value.running == Running("http://127.0.0.1:1", is_open=False)
