"""A house where tests play: a real server on a free port of this computer, and its visitors.

`open_house(url)` runs the whole server in a thread of this process, so that a test can look inside;
`open_process(home)` runs `pleasance serve` as a process of its own, which a test can kill.

    with open_house(url) as house, house.visit("Ada") as ada, ada.connect() as talk:
        table = ada.ask("POST", "/api/tables", {"game": "sakura", "seats": 2}, 201)["id"]
        talk.watch(table)
        talk.do(table, kind="sit", nonce=NONCE)
"""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import Popen
from typing import Any, NamedTuple, TypeVar

import pytest
import uvicorn

from pleasance.server.app import make_app, make_site
from pleasance.server.base.settings import Settings
from pleasance.server.bots.local_pool import LocalCrew
from pleasance.server.live.site import Site
from pleasance.server.serve import find_link, listen, make_server
from server.patience import PATIENCE
from server.processes import COMMAND, read_until, started
from server.talks import Visitor

T = TypeVar("T")
LAVISH = 100_000.0
"""How much more than usual may be asked for where a test is not about limits."""


class House:
    """A server that runs in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.site: Site = make_site(settings)
        if isinstance(self.site.crew, LocalCrew) and settings.bot_processes == 0:
            self.site.crew._games = ()  # rules need not be compiled: simple bots use none
        app = make_app(self.site)
        self._listener = listen(settings.host, settings.port, may_move=False)
        self.link = find_link(settings, self._listener).link
        self._ready = threading.Event()
        self._server: uvicorn.Server = make_server(
            app, settings, on_ready=self._note_ready, on_stopping=self.site.hub.close
        )
        self._thread = threading.Thread(target=self._serve, name="house")
        self._thread.start()
        while not self._ready.wait(0.05):
            assert self._thread.is_alive(), "the server did not start"

    def visit(self, name: str | None = None, **wish: str) -> Visitor:
        """Let somebody come in as a guest."""
        visitor = Visitor(self.link)
        visitor.come_in(name, **wish)
        return visitor

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something inside the server."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def stop(self) -> None:
        """Stop as after a signal; nothing acknowledged may be lost."""
        self._server.should_exit = True
        self._thread.join()

    def _note_ready(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready.set()

    def _serve(self) -> None:
        with closing(self._listener):
            try:
                self._server.run(sockets=[self._listener])
            finally:
                self.site.store.close()


@contextmanager
def open_house(database: str, **settings: Any) -> Iterator[House]:
    """Run the server on a database for a while, without limits unless some are set."""
    told: dict[str, Any] = {"limits_factor": LAVISH, "bot_processes": 0, "port": 0, **settings}
    house = House(Settings(database=database, **told))
    try:
        yield house
    finally:
        house.stop()


@contextmanager
def open_lodge(
    request: pytest.FixtureRequest, kind: str = "sqlite", **settings: Any
) -> Iterator[House]:
    """Run a server for all tests of a module on a database of one kind; for fixtures."""
    if kind == "postgres":
        databases = request.getfixturevalue("cluster").database("ready")
        with databases as url, open_house(url, **settings) as house:
            yield house
        return
    folder = request.getfixturevalue("tmp_path_factory").mktemp("lodge")
    shutil.copy(request.getfixturevalue("ready_file"), folder / "pleasance.db")
    with open_house(f"sqlite:///{folder / 'pleasance.db'}", **settings) as house:
        yield house


class Running(NamedTuple):
    """A server that runs in a process of its own."""

    process: Popen[str]
    link: str

    def visit(self, name: str | None = None) -> Visitor:
        """Let somebody come in as a guest."""
        visitor = Visitor(self.link)
        visitor.come_in(name)
        return visitor


@contextmanager
def open_process(home: Path, *options: str, **environment: str) -> Iterator[Running]:
    """Run `pleasance serve` with its data in *home*; whoever kills it may open it there again."""
    told = {"PLEASANCE_LIMITS_FACTOR": str(LAVISH), "PLEASANCE_BOT_PROCESSES": "0", **environment}
    command = (*COMMAND, "serve", "--no-browser", "--port", "0", *options)
    with started(command, home, **told) as process:
        yield Running(process, read_until(process, "http://").split()[-1])
