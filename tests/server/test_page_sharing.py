"""The link to a table: where it leads, and the code that phones read."""

from __future__ import annotations

import re

import pytest
from litestar.datastructures import Headers

from pleasance.server.base.settings import Settings
from pleasance.server.page.invite_links import find_home
from pleasance.server.webhooks import sender
from server.talks import Visitor


def test_the_link_comes_as_a_code_for_phones(ada: Visitor) -> None:
    table = ada.open()
    answer = ada.http.get(f"/t/{table}/qr.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert re.fullmatch(r"<svg .*</svg>\s*", answer.text, re.DOTALL)


class Asked:
    """A request of which only the headers matter."""

    def __init__(self, host: str) -> None:
        self.headers = Headers({"host": host})


@pytest.mark.parametrize(
    ("settings", "host", "home"),
    [
        (Settings(), "127.0.0.1:8040", "http://127.0.0.1:8040"),
        (Settings(host="0.0.0.0"), "192.168.1.5:8040", "http://192.168.1.5:8040"),
        (Settings(is_https=True), "games.example", "https://games.example"),
        (Settings(public_url="https://games.example"), "10.0.0.7", "https://games.example"),
    ],
)
def test_the_link_to_share_leads_here(settings: Settings, host: str, home: str) -> None:
    assert find_home(Asked(host), settings) == home  # type: ignore[arg-type]  # only headers matter


def test_a_webhook_tells_a_link_that_leads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "find_addresses", lambda: ("192.168.1.5",))
    assert sender.find_home(Settings(host="0.0.0.0", port=8041)) == "http://192.168.1.5:8041"
    assert sender.find_home(Settings(host="10.0.0.7")) == "http://10.0.0.7:8040"
    named = Settings(host="0.0.0.0", public_url="https://games.example/")
    assert sender.find_home(named) == "https://games.example"


def test_whoever_sits_at_an_open_server_shares_its_address_in_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "pleasance.server.page.invite_links.find_addresses", lambda: ("192.168.1.5",)
    )
    home = find_home(Asked("localhost:8040"), Settings(host="0.0.0.0"))  # type: ignore[arg-type]  # only headers matter
    assert home == "http://192.168.1.5:8040"
