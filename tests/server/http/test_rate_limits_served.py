"""Rate limits of a whole server: behind a proxy, and on expensive pages."""

from __future__ import annotations

from typing import cast

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pleasance.server.identity.rate_limits import RATE_LIMITS, RateLimit
from support import TIMEOUT_S
from support.http_client import open_http
from support.live_server import open_server


@pytest.mark.slow
def test_a_neighbor_of_the_proxy_cannot_forge_an_address(sqlite_url: str) -> None:
    results = [{"X-Forwarded-For": f"9.9.9.{n}, 192.168.1.50"} for n in range(60)]
    with (
        open_server(sqlite_url, limits_factor=0.002, trusts_proxy=True) as server,
        open_http(server.link) as neighbor,
    ):
        codes = [neighbor.get("/nowhere", headers=each).status_code for each in results]
    assert codes[0] == 404
    assert 429 in codes, "all count for one and the same address"


@pytest.mark.slow
@pytest.mark.parametrize("path", ["nowhere", "api/me", "t/somewhere"])
def test_handshakes_that_lead_nowhere_are_counted_too(sqlite_url: str, path: str) -> None:
    # One is let in; the next would be after a minute and a half, however slow the machine is.
    with open_server(sqlite_url, limits_factor=0.0001) as server:
        link = server.link.replace("http", "ws", 1)
        with pytest.raises(InvalidStatus), connect(f"{link}/{path}", open_timeout=TIMEOUT_S):
            pass
        assert httpx.get(f"{server.link}/api/me", timeout=TIMEOUT_S).status_code == 429


@pytest.mark.slow
def test_replays_of_records_are_limited(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast("dict[str, RateLimit]", RATE_LIMITS), "replay", RateLimit(2, 0.001))
    with open_server(sqlite_url, limits_factor=1) as server, open_http(server.link) as stranger:
        statuses = [
            stranger.post(f"/page/{path}", json={"record": "", **more}).status_code
            for path, more in (
                ("draws", {}),
                ("playbacks", {}),
                ("pictures", {"step": 0}),
                ("draws", {}),
            )
        ]
    assert statuses == [400, 400, 429, 429]


@pytest.mark.slow
def test_watching_a_game_is_not_limited(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast("dict[str, RateLimit]", RATE_LIMITS), "replay", RateLimit(2, 0.001))
    with open_server(sqlite_url, limits_factor=1) as server, server.visit("Ada") as ada:
        playback = f"/t/{ada.start_solo_game('sakura')}/playback.json"
        steps = ada.ask("GET", playback)["steps"]
        results = [
            ada.http.get(playback, params=params).status_code
            for params in ({"first": 0}, {"first": 0}, {"first": 0}, {"first": steps - 3}, {})
        ]
    assert steps >= 10
    assert results == [200, 200, 429, 200, 200]


@pytest.mark.slow
def test_long_logs_in_words_are_limited(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast("dict[str, RateLimit]", RATE_LIMITS), "replay", RateLimit(2, 0.001))
    with open_server(sqlite_url, limits_factor=1) as server, server.visit("Ada") as ada:
        table = ada.open_table()
        with ada.connect() as ws:
            lines = [ws.do(table, kind="say", text=str(n))["seq"] for n in range(51)]
        results = [
            ada.http.get(f"/t/{table}/story.json", params={"after": after}).status_code
            for after in (0, 0, 0, lines[0], lines[-1])
        ]
    assert results == [200, 200, 429, 200, 200], "who follows the table asks for few lines"
