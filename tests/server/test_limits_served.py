"""Limits of a whole server: behind a proxy, and on what takes long to make."""

from __future__ import annotations

from typing import cast

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pleasance.server.identity.rate_limits import RULES, Rule
from server.guests import knock
from server.house import open_house
from server.patience import PATIENCE


def test_a_neighbor_of_the_proxy_cannot_claim_to_be_somebody_else(sqlite_url: str) -> None:
    told = [{"X-Forwarded-For": f"9.9.9.{n}, 192.168.1.50"} for n in range(60)]
    with (
        open_house(sqlite_url, limits_factor=0.002, trusts_proxy=True) as house,
        knock(house.link) as neighbor,
    ):
        codes = [neighbor.get("/nowhere", headers=each).status_code for each in told]
    assert codes[0] == 404
    assert 429 in codes, "all count for one and the same address"


@pytest.mark.parametrize("path", ["nowhere", "api/me", "t/somewhere"])
def test_handshakes_that_lead_nowhere_are_counted_too(sqlite_url: str, path: str) -> None:
    # One is let in; the next would be after a minute and a half, however slow the machine is.
    with open_house(sqlite_url, limits_factor=0.0001) as house:
        link = house.link.replace("http", "ws", 1)
        with pytest.raises(InvalidStatus), connect(f"{link}/{path}", open_timeout=PATIENCE):
            pass
        assert httpx.get(f"{house.link}/api/me", timeout=PATIENCE).status_code == 429


def test_records_are_not_played_again_without_end(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cast("dict[str, Rule]", RULES), "replay", Rule(2, 0.001))
    with (
        open_house(sqlite_url, limits_factor=1) as house,
        knock(house.link) as stranger,
    ):
        asked = [
            stranger.post(f"/page/{path}", json={"record": "", **more}).status_code
            for path, more in (
                ("draws", {}),
                ("reels", {}),
                ("pictures", {"step": 0}),
                ("draws", {}),
            )
        ]
    assert asked == [400, 400, 429, 429]


def test_whoever_follows_a_game_is_not_held_up(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cast("dict[str, Rule]", RULES), "replay", Rule(2, 0.001))
    with open_house(sqlite_url, limits_factor=1) as house, house.visit("Ada") as ada:
        reel = f"/t/{ada.open_table('sakura')}/reel.json"
        steps = ada.ask("GET", reel)["steps"]
        told = [
            ada.http.get(reel, params=params).status_code
            for params in ({"first": 0}, {"first": 0}, {"first": 0}, {"first": steps - 3}, {})
        ]
    assert steps >= 10
    assert told == [200, 200, 429, 200, 200]


def test_long_stories_are_not_told_without_end(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cast("dict[str, Rule]", RULES), "replay", Rule(2, 0.001))
    with open_house(sqlite_url, limits_factor=1) as house, house.visit("Ada") as ada:
        table = ada.open()
        with ada.connect() as talk:
            lines = [talk.do(table, kind="say", text=str(n))["seq"] for n in range(51)]
        told = [
            ada.http.get(f"/t/{table}/story.json", params={"after": after}).status_code
            for after in (0, 0, 0, lines[0], lines[-1])
        ]
    assert told == [200, 200, 429, 200, 200], "who follows the table asks for few lines"
