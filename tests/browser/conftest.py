"""Fixtures for tests in real browsers: a server with the built app, and Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.chromium import FLAGS, find_chromium
from server.conftest import built_app, ready_file
from support.live_server import LiveServer, open_module_server

__all__ = ["built_app", "ready_file"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the Chromium of this machine.

    Its driver keeps an event loop running in this thread, so it ends with the module: tests of
    other modules have loops of their own.
    """
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("there is no Chromium: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, built_app: None) -> Iterator[LiveServer]:  # noqa: ARG001  (built first)
    """Run a server that serves the app."""
    with open_module_server(request) as server:
        yield server
