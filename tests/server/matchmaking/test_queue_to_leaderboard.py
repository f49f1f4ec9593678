"""From the queue to the leaderboard with a whole app: match, game, rating, webhook."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from litestar import Litestar

from pleasance.server.app import make_app, make_site
from pleasance.server.base.settings import ServerSettings
from pleasance.server.store.store import Store
from pleasance.server.webhooks import deliveries
from server.webhooks.receiver import receive

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
HERE = "http://play.localhost"


class Guest:
    """A guest with a browser but no WebSocket."""

    def __init__(self, app: Litestar, store: Store, name: str) -> None:
        transport = httpx.ASGITransport(app)  # type: ignore[arg-type]  # Litestar's own words for the same
        headers = {"Origin": HERE}
        self.http = httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers)
        self.store = store
        self.name = name
        self.id = ""

    async def come(self) -> None:
        self.id = (await self.ask("POST", "/api/session", {"name": self.name}))["id"]

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        answer = await self.http.request(method, path, json=body)
        assert answer.is_success, (path, answer.text)
        return answer.json()

    async def wait_for_table(self) -> str:
        """Wait in the queue, add to the draws of the table that is found, and go there."""
        news = asyncio.Event()
        silence = self.store.subscribe(
            lambda topic: news.set() if topic == f"queue:{self.id}" else None
        )
        state = await self.ask("POST", "/api/queue", {"game": "sakura", "seats": 2})
        promise = None
        while state["state"] != "matched":
            if state["state"] == "found":
                promise = state["commitment"]
                answer = {"commitment": promise, "nonce": "5a" * 16}
                await self.ask("POST", "/api/queue/nonce", answer)
            await news.wait()
            news.clear()
            state = await self.ask("GET", "/api/queue")
        silence()
        table = str(state["table"])
        assert (await self.ask("GET", f"/api/tables/{table}"))["info"]["commitment"] == promise
        return table

    async def choose(self, table: str) -> bool:
        """Make the first legal choice, if it is this guest's turn; return whether it was."""
        seen = await self.ask("GET", f"/api/tables/{table}")
        mine = [view for view in seen["views"] if view["seat"] in seen["waiting"]]
        for view in mine:
            where = {"seat": view["seat"], "ply": seen["ply"], "revision": seen["revision"]}
            command = {"kind": "choose", "token": view["legal"][0], **where}
            body = {"key": f"k{seen['seq']}", "command": command}
            await self.ask("POST", f"/api/tables/{table}/commands", body)
        return bool(mine)

    async def is_over(self, table: str) -> bool:
        return bool((await self.ask("GET", f"/api/tables/{table}"))["info"]["status"] == "over")


@asynccontextmanager
async def open_guests(url: str) -> AsyncIterator[tuple[Guest, Guest]]:
    """Run the server with two guests."""
    settings = ServerSettings(
        database=url, bot_processes=1, limits_factor=1000, webhook_allows_private=True
    )
    site = make_site(settings)
    app = make_app(site)
    async with app.lifespan():
        guests = Guest(app, site.store, "Ada"), Guest(app, site.store, "Bea")
        for guest in guests:
            await guest.come()
        yield guests


async def test_two_guests_meet_play_to_the_end_and_are_rated(database_url: str) -> None:
    async with asyncio.timeout(300), open_guests(database_url) as (ada, bea):
        found = await asyncio.gather(ada.wait_for_table(), bea.wait_for_table())
        assert found[0] == found[1]
        table = found[0]
        while not await ada.is_over(table):
            assert any([await ada.choose(table), await bea.choose(table)])
        profiles = [await guest.ask("GET", f"/api/players/{guest.id}") for guest in (ada, bea)]
        moved = [profile["ratings"][0]["mu"] - 25.0 for profile in profiles]
        assert moved[0] == pytest.approx(-moved[1])
        (result,) = (await ada.ask("GET", f"/api/players/{ada.id}/results"))["items"]
        assert result["table"] == table
        assert (moved[0] > 0) == (result["rank"] == 1 and moved[0] != 0)


async def test_away_players_are_notified(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "ANNOUNCE_DELAY_S", 0.0)
    async with asyncio.timeout(300), receive() as receiver, open_guests(sqlite_url) as (ada, bea):
        await ada.ask("PUT", "/api/me/webhook", {"url": receiver.url()})
        table, _ = await asyncio.gather(ada.wait_for_table(), bea.wait_for_table())
        await receiver.arrived.wait()
        body = json.loads(receiver.requests[0].body)
        assert body["pleasance"]["table"] == table
        assert body["content"].startswith("It is your turn in Sakura: http://")
