"""Two servers on one database that goes away now and then lose nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from itertools import count
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection

from pleasance.server.store.postgres import PostgresDatabase
from pleasance.table.entries import ChooseEntry
from support import NONCE, TIMEOUT_S
from support.chaos.clients import PUBLIC, ClientPool, PlayerGroup, ServerList, open_client_pool
from support.chaos.random_client import open_ws
from support.chaos.request_log import RequestLog
from support.hub_harness import ADA, BEN, legal_choice, open_hub, running_table
from support.live_server import LiveServer, open_server
from support.postgres import Cluster
from support.ws_client import Message, TableMirror

pytestmark = pytest.mark.anyio


async def test_a_request_done_by_one_server_is_not_refused_by_another(postgres_url: str) -> None:
    async with open_hub(postgres_url) as quick, open_hub(postgres_url) as deaf:
        live = await quick.start_game(ADA, BEN, game="sanssouci")
        behind = await deaf.hub.find(live.id)
        deaf.stop_listening()
        done = []
        for n in range(12):
            (seat,) = running_table(live).waiting
            who, choice = (ADA, BEN)[seat], legal_choice(live, seat)
            done.append((who, choice, await quick.do(live.id, who, choice, f"k{n}")))
        assert len(behind.room.log) < done[0][-1], "it has heard of nothing"
        who, choice, seq = done[-1]
        assert await deaf.do(live.id, who, choice, "k11") == seq
        assert len(behind.room.log) == len(live.room.log)
        who, choice, seq = done[0]
        assert await deaf.do(live.id, who, choice, "k0") == seq


async def test_a_choice_for_a_position_unknown_to_its_server_is_taken(postgres_url: str) -> None:
    async with open_hub(postgres_url) as quick, open_hub(postgres_url) as deaf:
        live = await quick.start_game(ADA, BEN, game="sanssouci")
        behind = await deaf.hub.find(live.id)
        deaf.stop_listening()
        (seat,) = running_table(live).waiting
        await quick.choose(live, (ADA, BEN)[seat], seat)
        (seat,) = running_table(live).waiting
        known = len(live.room.log)
        seq = await deaf.do(live.id, (ADA, BEN)[seat], legal_choice(live, seat))
        assert seq == known + 1
        await live.catch_up(seq)
        assert running_table(live).ply == running_table(behind).ply


async def test_moving_to_a_server_that_is_behind_loses_nothing(postgres_url: str) -> None:
    async with open_hub(postgres_url) as quick, open_hub(postgres_url) as deaf:
        live = await quick.start_game(ADA, BEN, game="sanssouci")
        await deaf.hub.find(live.id)
        deaf.stop_listening()
        (seat,) = running_table(live).waiting
        seq = await quick.choose(live, (ADA, BEN)[seat], seat)
        watcher = deaf.watcher(ADA)
        await watcher.watch(live.id, seq)
        picture = await watcher.wait_for(lambda message: message["kind"] == "snapshot")
        assert picture["seq"] == len(live.room.log)


class Page:
    """One page of a player, open on one server."""

    def __init__(self, wire: ClientConnection, player: str, request_log: RequestLog) -> None:
        self.player = player
        self.mirror = TableMirror()
        self._wire = wire
        self._ledger = request_log
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self._wire:
            message = json.loads(text)
            if message["kind"] in {"snapshot", "update"}:
                self.mirror.apply(message)
                self._news.set()
            elif message.get("key") in self._answers:
                self._answers.pop(message["key"]).set_result(message)

    async def knows(self, seq: int) -> None:
        """Wait until the log has reached *seq*."""
        async with asyncio.timeout(TIMEOUT_S):
            while self.mirror.seq < seq:
                self._news.clear()
                await self._news.wait()

    async def ask(self, key: str, **fields: object) -> Message:
        """Send a request and wait for its answer."""
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[key] = answer
        await self._wire.send(json.dumps({"key": key, **fields}))
        async with asyncio.timeout(TIMEOUT_S):
            return await answer

    async def do(self, key: str, table: str, **command: object) -> Message:
        """Send a command to a table; record the answer."""
        self._ledger.send(key, table, self.player, command)
        answer: Message = await self.ask(key, kind="do", table=table, command=command)
        if answer["kind"] == "accepted":
            self._ledger.accept(key, answer["seq"])
        else:
            self._ledger.refuse(key, answer["code"])
        return answer

    async def choose(self, key: str, table: str, seat: int, token: str) -> Message:
        """Choose at the last received position."""
        where = {"ply": self.mirror.latest["ply"], "revision": self.mirror.latest["revision"]}
        return await self.do(key, table, kind="choose", seat=seat, token=token, **where)

    async def close(self) -> None:
        """Close the page."""
        await self._wire.close()
        await self._reading


async def open_pages(
    servers: Sequence[LiveServer], game: str, request_log: RequestLog
) -> tuple[str, list[Page]]:
    """Play with two players, each with a page open on each server."""
    table, pages = "", []
    for seat, name in enumerate(("Ada", "Ben")):
        with servers[0].visit(name) as client:
            table = table or client.open_table(game)
            cookie = "; ".join(f"{name}={text}" for name, text in client.http.cookies.items())
            for server in servers:
                tab = Page(await open_ws(server.link, cookie, TIMEOUT_S), client.id, request_log)
                await tab.ask("w", kind="watch", table=table)
                pages.append(tab)
        await pages[-1].do(f"sit{seat}", table, kind="sit", seat=seat, nonce=NONCE)
    begun = await pages[0].do("start", table, kind="start")
    await asyncio.gather(*(tab.knows(begun["seq"]) for tab in pages))
    return table, pages


async def play_rounds(table: str, pages: list[Page], rng: Random) -> int:
    """Send different choices from both pages of a seat at once; count the rounds."""
    for n in count():
        newest = max(tab.mirror.seq for tab in pages)
        await asyncio.gather(*(tab.knows(newest) for tab in pages))
        if pages[0].mirror.is_over:
            return n
        able = [(tab, choice) for tab in pages if (choice := tab.mirror.find_choice())]
        seat, legal = able[0][1]
        two = [tab for tab, choice in able if choice[0] == seat]
        tokens = rng.sample(legal, 2) if len(legal) > 1 else [*legal, *legal]
        answers = await asyncio.gather(
            *(
                tab.choose(f"k{n}-{side}", table, seat, token)
                for side, (tab, token) in enumerate(zip(two, tokens, strict=True))
            )
        )
        accepted, refused = sorted(answers, key=lambda answer: str(answer["kind"]))
        assert (accepted["kind"], refused["kind"]) == ("accepted", "refused"), answers
        assert refused["code"] in {"already_chosen", "stale", "not_your_turn", "game_over"}
        await asyncio.gather(*(tab.knows(accepted["seq"]) for tab in pages))
    raise AssertionError("a game ends")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
async def test_of_two_choices_at_once_on_two_servers_one_wins(postgres_url: str, game: str) -> None:
    request_log = RequestLog()
    with open_server(postgres_url) as one, open_server(postgres_url) as other:
        table, pages = await open_pages((one, other), game, request_log)
        rounds = await play_rounds(table, pages, Random(8))
        (log,) = request_log.check_database(postgres_url).values()
        assert sum(isinstance(row.entry, ChooseEntry) for row in log) == rounds > 20
        for tab in pages:
            assert tab.mirror.seq == len(log)
            assert {name: tab.mirror.latest[name] for name in PUBLIC} == {
                name: pages[0].mirror.latest[name] for name in PUBLIC
            }
            await tab.close()
        assert [tab.mirror.entries for tab in pages[::2]] == [
            tab.mirror.entries for tab in pages[1::2]
        ]
        assert len(request_log.accepted) - 3 == len(request_log.refused) == rounds


@pytest.mark.slow
async def test_database_outages_lose_nothing(
    postgres_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDatabase, "reconnect_timeout_s", 0.3)
    groups = PlayerGroup("sakura", 3), PlayerGroup("sanssouci", 2)
    with open_server(postgres_url) as one, open_server(postgres_url) as other:
        servers = (one, other)
        async with open_client_pool(ServerList(one.link, other.link), 9, *groups) as pool:
            await keep_playing(pool, servers)
            await asyncio.to_thread(cluster.stop)
            await pool.wait_for_refusals("storage_away", 10)
            await asyncio.to_thread(cluster.start)
            await keep_playing(pool, servers)
            await asyncio.to_thread(cluster.kill)
            await keep_playing(pool, servers)
            await pool.finish()
            await pool.compare()
            pool.request_log.check_database(postgres_url)


async def keep_playing(pool: ClientPool, servers: Sequence[LiveServer]) -> None:
    """Wait until each server has given some more answers."""
    for server in servers:
        await pool.wait_for_server(server.link, 30)
