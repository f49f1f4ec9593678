"""Settings of all tests: hypothesis repeats the same cases, and long tests start first."""

import gc
import os
from importlib.util import find_spec

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

# OpenSpiel is an extra; without it this module cannot be imported to collect its examples.
collect_ignore = [] if find_spec("pyspiel") else ["src/pleasance/players/openspiel.py"]


@pytest.fixture
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make commands print English, whatever the language of the machine."""
    monkeypatch.setenv("PLEASANCE_LANGUAGE", "en")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests on PostgreSQL as slow, and start tests marked `long` first.

    At the end, all other processes would wait for them. The order is otherwise kept: one process
    gets the neighbors, which share servers and databases.
    """
    for item in items:
        if runs_postgres(item):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def runs_postgres(item: pytest.Item) -> bool:
    """Return whether a test asks for a PostgreSQL, by a fixture or as its parameter."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    return "cluster" in getattr(item, "fixturenames", ()) or "postgres" in params.values()


def pytest_collection_finish() -> None:
    """Freeze the collected tests and modules, so that the garbage collector skips them."""
    gc.collect()
    gc.freeze()
