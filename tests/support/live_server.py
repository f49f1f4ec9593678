"""A live server on a free port of this computer.

`open_server(url)` runs the server in a thread of this process, so that a test can look inside.

    with open_server(url) as server, server.visit("Ada") as ada, ada.connect() as ws:
        table = ada.open_table("sakura", seats=2)
        ws.watch(table)
        ws.do(table, kind="sit", nonce=NONCE)
"""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager
from typing import Any, TypeVar

import pytest
import uvicorn

from pleasance.server.app import make_app, make_site
from pleasance.server.base.settings import ServerSettings
from pleasance.server.live.site import Site
from pleasance.server.serve import find_link, listen, make_server
from support import LIMITS_FACTOR, TIMEOUT_S
from support.http_client import HttpClient

T = TypeVar("T")


def visit(link: str, name: str | None = None, **fields: str) -> HttpClient:
    """Connect to a server as a guest."""
    client = HttpClient(link)
    client.join(name, **fields)
    return client


class LiveServer:
    """A server that runs in a thread of this process."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.site: Site = make_site(settings)
        app = make_app(self.site)
        self._listener = listen(settings.host, settings.port, may_move=False)
        self.link = find_link(settings, self._listener).link
        self._ready = threading.Event()
        self._server: uvicorn.Server = make_server(
            app,
            settings,
            on_ready=self._note_ready,
            on_stopping=self.site.hub.connections.announce_stop,
        )
        self._thread = threading.Thread(target=self._serve, name="live server")
        self._thread.start()
        while not self._ready.wait(0.05):
            assert self._thread.is_alive(), "the server did not start"

    def visit(self, name: str | None = None, **fields: str) -> HttpClient:
        """Connect as a guest."""
        return visit(self.link, name, **fields)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the event loop of the server."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(TIMEOUT_S)

    def stop(self) -> None:
        """Stop the server as a signal does."""
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
def open_server(database: str, **settings: Any) -> Iterator[LiveServer]:
    """Run the server on a database, without rate limits unless a setting says so."""
    defaults: dict[str, Any] = {"limits_factor": LIMITS_FACTOR, "bot_processes": 0, "port": 0}
    server = LiveServer(ServerSettings(database=database, **defaults | settings))
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def open_module_server(
    request: pytest.FixtureRequest, kind: str = "sqlite", **settings: Any
) -> Iterator[LiveServer]:
    """Run a server on a fresh database for all tests of a module; for fixtures."""
    if kind == "postgres":
        databases = request.getfixturevalue("cluster").database("ready")
        with databases as url, open_server(url, **settings) as server:
            yield server
        return
    folder = request.getfixturevalue("tmp_path_factory").mktemp("server")
    shutil.copy(request.getfixturevalue("ready_file"), folder / "pleasance.db")
    with open_server(f"sqlite:///{folder / 'pleasance.db'}", **settings) as server:
        yield server
