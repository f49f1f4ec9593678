"""Invite links to a table, and their QR code."""

from __future__ import annotations

import re

import pytest
from litestar.datastructures import Headers

from pleasance.server.base.settings import ServerSettings
from pleasance.server.page.invite_links import find_public_url
from pleasance.server.webhooks import sender
from support.http_client import HttpClient


def test_the_link_comes_as_a_code_for_phones(ada: HttpClient) -> None:
    answer = ada.http.get(f"/t/{ada.open_table()}/qr.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert re.fullmatch(r"<svg .*</svg>\s*", answer.text, re.DOTALL)


class StubRequest:
    """A request of which only the headers matter."""

    def __init__(self, host: str) -> None:
        self.headers = Headers({"host": host})


@pytest.mark.parametrize(
    ("settings", "host", "home"),
    [
        (ServerSettings(), "127.0.0.1:8040", "http://127.0.0.1:8040"),
        (ServerSettings(host="0.0.0.0"), "192.168.1.5:8040", "http://192.168.1.5:8040"),
        (ServerSettings(is_https=True), "games.example", "https://games.example"),
        (ServerSettings(public_url="https://games.example"), "10.0.0.7", "https://games.example"),
    ],
)
def test_the_link_to_share_leads_here(settings: ServerSettings, host: str, home: str) -> None:
    assert find_public_url(StubRequest(host), settings) == home  # type: ignore[arg-type]  # only headers matter


def test_a_webhook_tells_a_link_that_leads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "find_addresses", lambda: ("192.168.1.5",))
    assert (
        sender._find_public_url(ServerSettings(host="0.0.0.0", port=8041))
        == "http://192.168.1.5:8041"
    )
    assert sender._find_public_url(ServerSettings(host="10.0.0.7")) == "http://10.0.0.7:8040"
    named = ServerSettings(host="0.0.0.0", public_url="https://games.example/")
    assert sender._find_public_url(named) == "https://games.example"


def test_a_lan_server_shares_its_network_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pleasance.server.page.invite_links.find_addresses", lambda: ("192.168.1.5",)
    )
    home = find_public_url(StubRequest("localhost:8040"), ServerSettings(host="0.0.0.0"))  # type: ignore[arg-type]  # only headers matter
    assert home == "http://192.168.1.5:8040"
