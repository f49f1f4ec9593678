"""What tests of the server share: every kind of database, fresh for each test."""

from __future__ import annotations

import fcntl
import logging
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pleasance.server.store.store import Store
from server.guests import knock
from server.house import House, open_lodge
from server.postgres import Cluster
from server.talks import Visitor

BUILD = Path(__file__).parents[2] / "web" / "build.py"


@pytest.fixture(scope="session")
def built_app() -> None:
    """Build the app for browsers, where `make` has not done so."""
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
    """Give a fresh SQLite database that has all tables."""
    path = tmp_path / "pleasance.db"
    shutil.copy(ready_file, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgres_url(cluster: Cluster) -> Iterator[str]:
    """Give a fresh PostgreSQL database that has all tables."""
    with cluster.database("ready") as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Give a fresh database of each kind that has all tables."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """Open a store on a fresh database of each kind."""
    store = Store.open(database_url)
    yield store
    store.close()


@pytest.fixture(autouse=True)
def logs() -> Iterator[None]:
    """Leave the logs of this process as they were: one test's stream is closed for the next."""
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
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    """Run a server for the tests of a module; who needs another one has a fixture of that name."""
    with open_lodge(request) as house:
        yield house


@pytest.fixture
def ada(house: House) -> Iterator[Visitor]:
    """Let Ada come in."""
    with house.visit("Ada") as ada:
        yield ada


@pytest.fixture
def ben(house: House) -> Iterator[Visitor]:
    """Let Ben come in."""
    with house.visit("Ben") as ben:
        yield ben


@pytest.fixture
def stranger(house: House) -> Iterator[httpx.Client]:
    """Let somebody look who is nobody yet."""
    with knock(house.link) as stranger:
        yield stranger
