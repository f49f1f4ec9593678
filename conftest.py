"""What every test shares: hypothesis tries the same cases each time, and the longest go first."""

import gc
import os
from importlib.util import find_spec

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# OpenSpiel is an extra; without it this cannot even be looked at for examples.
collect_ignore = [] if find_spec("pyspiel") else ["src/pleasance/players/openspiel.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes a minute: at the end all other processes would wait for it.

    Neighbors go to one process, so that what these files compile is compiled once.
    """
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: thousands of tests, and all modules."""
    gc.collect()
    gc.freeze()
