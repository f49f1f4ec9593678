"""Two servers on one database, which goes away now and then: one truth, nothing lost."""

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
from server.casino import PUBLIC, Casino, Doors, Party, open_casino
from server.gambler import open_wire
from server.guests import NONCE
from server.halls import ADA, BEN, first_choice, open_hall, table_of
from server.house import House, open_house
from server.ledger import Ledger
from server.patience import PATIENCE
from server.postgres import Cluster
from server.talks import Message, Seen

pytestmark = pytest.mark.anyio


async def test_a_request_that_one_server_has_done_is_not_refused_by_one_that_is_behind(
    postgres_url: str,
) -> None:
    async with open_hall(postgres_url) as quick, open_hall(postgres_url) as deaf:
        live = await quick.open(ADA, BEN, game="sanssouci")
        behind = await deaf.hub.find(live.id)
        assert deaf.hub._stop_listening is not None
        deaf.hub._stop_listening()
        done = []
        for n in range(12):
            (seat,) = table_of(live).waiting
            who, choice = (ADA, BEN)[seat], first_choice(live, seat)
            done.append((who, choice, await quick.do(live.id, who, choice, f"k{n}")))
        assert len(behind.room.happenings) < done[0][-1], "it has heard of nothing"
        who, choice, seq = done[-1]
        assert await deaf.do(live.id, who, choice, "k11") == seq
        assert len(behind.room.happenings) == len(live.room.happenings)
        who, choice, seq = done[0]
        assert await deaf.do(live.id, who, choice, "k0") == seq


async def test_a_choice_for_a_position_that_a_server_has_not_heard_of_is_taken(
    postgres_url: str,
) -> None:
    async with open_hall(postgres_url) as quick, open_hall(postgres_url) as deaf:
        live = await quick.open(ADA, BEN, game="sanssouci")
        behind = await deaf.hub.find(live.id)
        assert deaf.hub._stop_listening is not None
        deaf.hub._stop_listening()
        (seat,) = table_of(live).waiting
        await quick.choose(live, (ADA, BEN)[seat], seat)
        (seat,) = table_of(live).waiting
        known = len(live.room.happenings)
        seq = await deaf.do(live.id, (ADA, BEN)[seat], first_choice(live, seat))
        assert seq == known + 1
        await live.catch_up(seq)
        assert table_of(live).ply == table_of(behind).ply


async def test_who_moves_to_a_server_that_is_behind_sees_nothing_vanish(postgres_url: str) -> None:
    async with open_hall(postgres_url) as quick, open_hall(postgres_url) as deaf:
        live = await quick.open(ADA, BEN, game="sanssouci")
        await deaf.hub.find(live.id)
        assert deaf.hub._stop_listening is not None
        deaf.hub._stop_listening()
        (seat,) = table_of(live).waiting
        seq = await quick.choose(live, (ADA, BEN)[seat], seat)
        screen = deaf.screen(ADA)
        await screen.watch(live.id, seq)
        picture = await screen.wait_for(lambda message: message["kind"] == "snapshot")
        assert picture["seq"] == len(live.room.happenings)


class Tab:
    """One page of a player, open on one server."""

    def __init__(self, wire: ClientConnection, player: str, ledger: Ledger) -> None:
        self.player = player
        self.seen = Seen()
        self._wire = wire
        self._ledger = ledger
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self._wire:
            message = json.loads(text)
            if message["kind"] in {"snapshot", "update"}:
                self.seen.take(message)
                self._news.set()
            elif message.get("key") in self._answers:
                self._answers.pop(message["key"]).set_result(message)

    async def knows(self, seq: int) -> None:
        """Wait until so many lines are known."""
        async with asyncio.timeout(PATIENCE):
            while self.seen.seq < seq:
                self._news.clear()
                await self._news.wait()

    async def ask(self, key: str, **fields: object) -> Message:
        """Send a request and wait for its answer."""
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[key] = answer
        await self._wire.send(json.dumps({"key": key, **fields}))
        async with asyncio.timeout(PATIENCE):
            return await answer

    async def do(self, key: str, table: str, **command: object) -> Message:
        """Do something at a table; write the answer down."""
        self._ledger.send(key, table, self.player, command)
        answer: Message = await self.ask(key, kind="do", table=table, command=command)
        if answer["kind"] == "accepted":
            self._ledger.accept(key, answer["seq"])
        else:
            self._ledger.refuse(key, answer["code"])
        return answer

    async def choose(self, key: str, table: str, seat: int, token: str) -> Message:
        """Choose at the position that is seen."""
        where = {"ply": self.seen.now["ply"], "undone": self.seen.now["undone"]}
        return await self.do(key, table, kind="choose", seat=seat, token=token, **where)

    async def close(self) -> None:
        """Close the page."""
        await self._wire.close()
        await self._reading


async def open_tabs(houses: Sequence[House], game: str, ledger: Ledger) -> tuple[str, list[Tab]]:
    """Let two people play; each has a page open on each server."""
    table, tabs = "", []
    for seat, name in enumerate(("Ada", "Ben")):
        with houses[0].visit(name) as visitor:
            table = table or visitor.open(game)
            cookie = "; ".join(f"{name}={text}" for name, text in visitor.http.cookies.items())
            for house in houses:
                tab = Tab(await open_wire(house.link, cookie, PATIENCE), visitor.id, ledger)
                await tab.ask("w", kind="watch", table=table)
                tabs.append(tab)
        await tabs[-1].do(f"sit{seat}", table, kind="sit", seat=seat, nonce=NONCE)
    begun = await tabs[0].do("start", table, kind="start")
    await asyncio.gather(*(tab.knows(begun["seq"]) for tab in tabs))
    return table, tabs


async def play_rounds(table: str, tabs: list[Tab], rng: Random) -> int:
    """Let both pages of whoever must choose choose differently at once; count the rounds."""
    for n in count():
        newest = max(tab.seen.seq for tab in tabs)
        await asyncio.gather(*(tab.knows(newest) for tab in tabs))
        if tabs[0].seen.is_over:
            return n
        able = [(tab, choice) for tab in tabs if (choice := tab.seen.find_choice())]
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
        await asyncio.gather(*(tab.knows(accepted["seq"]) for tab in tabs))
    raise AssertionError("a game ends")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
async def test_of_two_pages_on_two_servers_that_choose_at_once_one_is_heard(
    postgres_url: str, game: str
) -> None:
    ledger = Ledger()
    with open_house(postgres_url) as one, open_house(postgres_url) as other:
        table, tabs = await open_tabs((one, other), game, ledger)
        rounds = await play_rounds(table, tabs, Random(8))
        (log,) = ledger.check(postgres_url).values()
        assert sum(isinstance(row.entry, ChooseEntry) for row in log) == rounds > 20
        for tab in tabs:
            assert tab.seen.seq == len(log)
            assert {name: tab.seen.now[name] for name in PUBLIC} == {
                name: tabs[0].seen.now[name] for name in PUBLIC
            }
            await tab.close()
        assert [tab.seen.lines for tab in tabs[::2]] == [tab.seen.lines for tab in tabs[1::2]]
        assert len(ledger.accepted) - 3 == len(ledger.refused) == rounds


@pytest.mark.slow
async def test_a_database_that_goes_away_is_told_and_loses_nothing(
    postgres_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDatabase, "patience", 0.3)
    parties = Party("sakura", 3), Party("sanssouci", 2)
    with open_house(postgres_url) as one, open_house(postgres_url) as other:
        houses = (one, other)
        async with open_casino(Doors(one.link, other.link), 9, *parties) as casino:
            await go_on(casino, houses)
            await asyncio.to_thread(cluster.stop)
            await casino.wait_for_refusals("storage_away", 10)
            await asyncio.to_thread(cluster.start)
            await go_on(casino, houses)
            await asyncio.to_thread(cluster.kill)
            await go_on(casino, houses)
            await casino.finish()
            await casino.compare()
            casino.ledger.check(postgres_url)


async def go_on(casino: Casino, houses: Sequence[House]) -> None:
    """Wait until each server has given some more answers."""
    for house in houses:
        await casino.wait_for_server(house.link, 30)
