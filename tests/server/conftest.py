"""Fixtures for tests of the server: databases, an app, a live server and its clients."""

from __future__ import annotations

import fcntl
import logging
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from pleasance.server.store.store import Store
from support.app_client import AppHarness, ManualClock
from support.http_client import HttpClient, open_http
from support.hub_harness import HubHarness, ManualBotPool, open_hub
from support.live_server import LiveServer, open_module_server
from support.postgres import Cluster

BUILD = Path(__file__).parents[2] / "web" / "build.py"


@pytest.fixture(scope="session")
def built_app() -> None:
    """Build the web app unless `make` has done so."""
    with (BUILD.parent / "package.json").open() as held:  # by one worker at a time
        fcntl.flock(held, fcntl.LOCK_EX)
        subprocess.run([sys.executable, str(BUILD)], check=True)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Start a PostgreSQL server with a database `ready` that has all tables."""
    cluster = Cluster()
    cluster.execute("CREATE DATABASE ready")
    Store.open(cluster.url("ready")).close()
    yield cluster
    cluster.close()


@pytest.fixture(scope="session")
def ready_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a SQLite database that has all tables."""
    path = tmp_path_factory.mktemp("ready") / "ready.db"
    Store.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def sqlite_url(ready_file: Path, tmp_path: Path) -> str:
    """Provide a fresh SQLite database that has all tables."""
    path = tmp_path / "pleasance.db"
    shutil.copy(ready_file, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgres_url(cluster: Cluster) -> Iterator[str]:
    """Provide a fresh PostgreSQL database that has all tables."""
    with cluster.database("ready") as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Provide a fresh database of each kind that has all tables."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Provide another database of each kind, without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/empty/empty.db"
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        with cluster.database() as url:
            yield url


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """Open a store on a fresh database of each kind."""
    store = Store.open(database_url)
    yield store
    store.close()


@pytest.fixture
def pair(postgres_url: str) -> Iterator[tuple[Store, Store]]:
    """Open two stores on one database, as two servers do."""
    stores = Store.open(postgres_url), Store.open(postgres_url)
    yield stores
    for store in stores:
        store.close()


@pytest.fixture
def app(store: Store) -> Iterator[AppHarness]:
    """Open an app without a network on a fresh database of each kind."""
    app = AppHarness(store)
    yield app
    app.close()


@pytest.fixture
def clock() -> ManualClock:
    """Provide a clock that stands still."""
    return ManualClock()


@pytest.fixture
def bot_pool() -> ManualBotPool:
    """Provide a bot pool whose answers come from the test."""
    return ManualBotPool()


@pytest.fixture
async def hub(
    database_url: str, clock: ManualClock, bot_pool: ManualBotPool
) -> AsyncIterator[HubHarness]:
    """Start a hub on a fresh database of each kind."""
    async with open_hub(database_url, clock, bot_pool) as hub:
        yield hub


@pytest.fixture(autouse=True)
def logs() -> Iterator[None]:
    """Restore the loggers: the stream of one test is closed for the next."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {logger.name: logger.level for logger in named_loggers()}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for logger in named_loggers():
        logger.setLevel(levels.get(logger.name, logging.NOTSET))


def named_loggers() -> list[logging.Logger]:
    """List all loggers of this process that have a name."""
    found = logging.root.manager.loggerDict.values()
    return [logger for logger in found if isinstance(logger, logging.Logger)]


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio alone, as the server does."""
    return "asyncio"


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    """Run a server for the tests of a module, which may override this fixture."""
    with open_module_server(request) as server:
        yield server


@pytest.fixture
def ada(server: LiveServer) -> Iterator[HttpClient]:
    """Connect Ada as a guest."""
    with server.visit("Ada") as ada:
        yield ada


@pytest.fixture
def ben(server: LiveServer) -> Iterator[HttpClient]:
    """Connect Ben as a guest."""
    with server.visit("Ben") as ben:
        yield ben


@pytest.fixture
def stranger(server: LiveServer) -> Iterator[httpx.Client]:
    """Connect without a session."""
    with open_http(server.link) as stranger:
        yield stranger
