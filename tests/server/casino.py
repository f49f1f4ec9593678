"""A place full of gamblers: parties that go from table to table, whatever happens to servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import httpx

from server.gambler import Desk, Gambler, Where
from server.ledger import Ledger
from server.talks import Message

PATIENCE = 120.0
"""Seconds after which a game that does not go on has stopped for good."""

LONGEST = 300.0
"""Seconds after which what is waited for will never be so, whatever else goes on."""

PUBLIC = ("seq", "ply", "undone", "waiting", "chose", "scores", "info", "clocks")
"""What all who follow a table must agree on."""


class Place(Where, Protocol):
    """Servers on one database."""

    @property
    def links(self) -> Sequence[str]:
        """Name all servers that are up."""


class Doors:
    """Servers that somebody else opens and closes."""

    def __init__(self, *links: str) -> None:
        self._links = links
        self._news = asyncio.Event()

    @property
    def links(self) -> Sequence[str]:
        """Name all servers that are up."""
        return self._links

    def change(self, *links: str) -> None:
        """Tell where servers are now."""
        self._links = links
        self._news.set()

    async def find_link(self, rng: Random) -> str:
        """Name a server that is up; wait while there is none."""
        while not self._links:
            self._news.clear()
            await self._news.wait()
        return rng.choice(self._links)


@dataclass(frozen=True)
class Party:
    """People who play the same kind of game together, at so many tables at a time."""

    game: str
    people: int
    tables: int = 2
    bot: str | None = None
    """Plays along, if there is one."""

    wish: dict[str, Any] = field(default_factory=dict)


class Casino:
    """All parties, their ledger, and somebody who looks on."""

    def __init__(self, where: Place, seed: int) -> None:
        self.ledger = Ledger()
        self.gamblers: list[Gambler] = []
        self.is_closing = False
        self.opened = 0
        self._where = where
        self._news = asyncio.Event()
        self._rng = Random(seed)
        self._http = httpx.AsyncClient(
            limits=httpx.Limits(max_keepalive_connections=0),
            timeout=60,
            trust_env=False,
            verify=False,
        )

    @property
    def answers(self) -> int:
        """Count the answers that were given, to everybody."""
        return sum(gambler.answers for gambler in self.gamblers)

    def served(self, link: str) -> int:
        """Count the answers that one server has given."""
        return sum(gambler.served.get(link, 0) for gambler in self.gamblers)

    async def run(self, *parties: Party) -> None:
        """Let everybody in and play for ever."""
        async with asyncio.TaskGroup() as tasks:
            looker = await self._let_in("Looker")
            tasks.create_task(looker.play(self._where))
            for party in parties:
                people = [await self._let_in(f"Gambler {n}") for n in range(party.people)]
                for gambler in people:
                    tasks.create_task(gambler.play(self._where))
                for _ in range(party.tables):
                    tasks.create_task(self._play_often(party, people, looker))

    async def wait_for(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so; should games stop or go in circles, say how things stand."""
        try:
            async with asyncio.timeout(LONGEST):
                while not is_so():
                    self._news.clear()
                    async with asyncio.timeout(PATIENCE):
                        await self._news.wait()
        except TimeoutError:
            raise AssertionError(self.describe()) from None

    async def wait_for_refusals(self, code: str, count: int) -> None:
        """Wait until so many more requests were refused with this code."""
        end = self.ledger.codes[code] + count
        await self.wait_for(lambda: self.ledger.codes[code] >= end)

    async def wait_for_server(self, link: str, count: int) -> None:
        """Wait for so many more answers of one server."""
        end = self.served(link) + count
        await self.wait_for(lambda: self.served(link) >= end)

    async def wait_for_answers(self, count: int) -> None:
        """Wait for so many more answers."""
        end = self.answers + count
        await self.wait_for(lambda: self.answers >= end)

    async def finish(self) -> None:
        """Open no more tables; play those that are open to the end."""
        self.is_closing = True
        await self.wait_for(lambda: self.opened == self._over)

    async def calm_down(self) -> None:
        """Ask for nothing new; wait until all is answered and everybody knows what came of it."""
        for gambler in self.gamblers:
            gambler.is_tired = True
        await self.wait_for(lambda: self._is_calm)

    async def wake_up(self) -> None:
        """Go on after a rest."""
        for gambler in self.gamblers:
            await gambler.wake_up()

    @property
    def _is_calm(self) -> bool:
        """Tell whether nobody waits for an answer or knows less of a game than somebody else."""
        known: dict[str, set[int | None]] = {}
        for gambler in self.gamblers:
            for desk in gambler.desks.values():
                # After its end a table is followed no more.
                known.setdefault(desk.id, set()).add(None if desk.seen.is_over else desk.seen.seq)
        is_even = all(len(counts) == 1 for counts in known.values())
        return is_even and not any(gambler.is_waiting for gambler in self.gamblers)

    @property
    def _over(self) -> int:
        """Count the tables that are over and where nobody waits for an answer."""
        desks: dict[str, list[bool]] = {}
        for gambler in self.gamblers:
            for desk in gambler.desks.values():
                desks.setdefault(desk.id, []).append(desk.seen.is_over and desk.key is None)
        return sum(map(all, desks.values()))

    def describe(self) -> str:
        """Tell where everybody waits for what."""
        lines = [
            f"{gambler.player} at {desk.id}: knows {desk.seen.seq} lines, waits for {desk.next},"
            f" asks {desk.key}, {desk.seen.now.get('waiting')} must choose; {gambler.whereabouts}"
            for gambler in self.gamblers
            for desk in gambler.desks.values()
            if not desk.seen.is_over
        ]
        up = ", ".join(self._where.links)
        told = f"it does not go on as it should; servers: {up}; refusals: {dict(self.ledger.codes)}"
        return "\n".join([told, *lines])

    async def ask(self, method: str, path: str, cookie: str = "", body: object = None) -> Any:
        """Ask some server for something until there is an answer."""
        while True:
            link = await self._where.find_link(self._rng)
            try:
                answer = await self._request(method, link, path, cookie, body)
            except httpx.TransportError:
                await asyncio.sleep(0.01)
                continue
            if answer.status_code != 503:
                assert answer.status_code in {200, 201}, (path, answer.text)
                return answer
            self.ledger.refuse("", answer.json()["code"])
            await asyncio.sleep(0.05)

    async def _request(self, method: str, link: str, path: str, *more: object) -> httpx.Response:
        cookie, body = more
        told = {"Origin": link, "Cookie": str(cookie)}
        return await self._http.request(method, link + path, headers=told, json=body)

    async def _let_in(self, name: str) -> Gambler:
        answer = await self.ask("POST", "/api/session", body={"name": name})
        cookie = answer.headers["set-cookie"].split(";")[0]
        rng = Random(self._rng.random())
        gambler = Gambler(answer.json()["id"], cookie, self.ledger, rng=rng, news=self._news)
        self.gamblers.append(gambler)
        return gambler

    async def _play_often(self, party: Party, people: list[Gambler], looker: Gambler) -> None:
        """Let a party play one game after the other at one of its tables."""
        while not self.is_closing:
            seats = party.people + (party.bot is not None)
            wish = {"game": party.game, "seats": seats, **party.wish}
            self.opened += 1
            answer = await self.ask("POST", "/api/tables", people[0].cookie, wish)
            table = answer.json()["id"]
            bots = {} if party.bot is None else {party.people: party.bot}
            for seat, gambler in enumerate(people):
                await gambler.follow(Desk(table, seat, is_owner=seat == 0, bots=bots))
            await looker.follow(Desk(table, None))
            desk = people[0].desks[table]
            while not desk.seen.is_over:
                self._news.clear()
                await self._news.wait()

    async def compare(self) -> None:
        """Make sure that everybody agrees with everybody, and with each server."""
        await self.calm_down()
        known: dict[str, list[Message]] = {}
        for link in self._where.links:
            for gambler in self.gamblers:
                await gambler.catch_up(link)
                for desk in gambler.desks.values():
                    await self._compare(link, gambler, desk)
                    told = {name: desk.seen.now[name] for name in PUBLIC}
                    known.setdefault(desk.id, []).append(told)
        for same in known.values():
            assert all(each == same[0] for each in same)

    async def _compare(self, link: str, gambler: Gambler, desk: Desk) -> None:
        """Compare what a gambler knows with a fresh picture and with the log."""
        seen, path = desk.seen, f"/api/tables/{desk.id}"
        shown = (await self._request("GET", link, path, gambler.cookie, None)).json()
        for name in PUBLIC:
            assert seen.now[name] == shown[name], (desk.id, gambler.player, name)
        assert list(seen.views.values()) == shown["views"]
        lines: list[Message] = []
        after: str | None = "0"
        while after is not None:
            part = f"{path}/log?after={after}"
            page = (await self._request("GET", link, part, gambler.cookie, None)).json()
            lines, after = lines + page["items"], page["next"]
        assert list(map(seen.lines.get, range(1, seen.seq + 1))) == lines

    async def close(self) -> None:
        """Let go of all connections."""
        await self._http.aclose()


@asynccontextmanager
async def open_casino(where: Place, seed: int, *parties: Party) -> AsyncIterator[Casino]:
    """Let parties play while something else is done; name the *seed* if that fails."""
    casino = Casino(where, seed)
    playing = asyncio.create_task(casino.run(*parties))
    ours = asyncio.current_task()
    assert ours is not None
    playing.add_done_callback(lambda done: done.cancelled() or ours.cancel())
    try:
        yield casino
    except BaseException as error:
        error.add_note(f"seed {seed}")
        if playing.done() and not playing.cancelled():
            playing.result()
        raise
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await casino.close()
