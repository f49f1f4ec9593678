"""A choice on a live server takes the walk that docs/ARCHITECTURE.md describes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

import pleasance
from repository.architecture import Call, read_calls
from support.http_client import start_game
from support.live_server import open_server

HEADING = "One choice, from the click to every screen"
PACKAGE = f"{Path(pleasance.__file__).parent}/"


class CallRecorder:
    """Records the functions of the program in the order of their first calls, in all threads."""

    def __init__(self) -> None:
        self.is_on = False
        self.calls: dict[Call, None] = {}

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if self.is_on and event == "call" and code.co_filename.startswith(PACKAGE):
            call = Call(code.co_filename.removeprefix(PACKAGE), code.co_qualname)
            self.calls.setdefault(call)


@contextmanager
def recorded_calls() -> Iterator[CallRecorder]:
    """Record the calls of threads that are started in this context."""
    recorder = CallRecorder()
    threading.setprofile(recorder)
    try:
        yield recorder
    finally:
        threading.setprofile(None)


@pytest.mark.slow
def test_a_choice_takes_the_walk_of_the_page(sqlite_url: str) -> None:
    walk = [call for call in read_calls(HEADING) if call.file.endswith(".py")]
    with (
        recorded_calls() as recorder,
        open_server(sqlite_url) as server,
        server.visit("Ada") as ada,
        server.visit("Ben") as ben,
        server.visit("Cyd") as cyd,
    ):
        table = start_game([ada, ben], "sanssouci")
        with ada.connect() as first, ben.connect() as second, cyd.connect() as watcher:
            for socket in (first, second, watcher):
                socket.watch(table)
            recorder.is_on = True
            chooser = next(one for one in (first, second) if one.mirrors[table].find_choice())
            found = chooser.mirrors[table].find_choice()
            assert found is not None
            seat, tokens = found
            chooser.do(table, **chooser.make_choice(table, seat, tokens[0]))
            for socket in (first, second, watcher):
                socket.wait_for(table, chooser.mirrors[table].seq)
            recorder.is_on = False
    assert sys.getprofile() is None
    assert [call for call in walk if call not in recorder.calls] == []
    order = list(recorder.calls)
    assert walk == sorted(walk, key=order.index)
