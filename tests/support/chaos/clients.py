"""Random clients that play at one table after another, whatever happens to the servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

from support.chaos.random_client import ClientTable, RandomClient, Servers
from support.chaos.request_log import RequestLog
from support.ws_client import Message

STALL_LIMIT_S = 120.0
"""Time without an answer or update after which the games count as stuck."""

WAIT_LIMIT_S = 300.0
"""Limit for one wait, even while games go on."""

PUBLIC = ("seq", "ply", "revision", "waiting", "chose", "scores", "info", "clocks")
"""Snapshot fields on which all watchers must agree."""


class ServerList:
    """The servers that a test has opened and not yet closed."""

    def __init__(self, *links: str) -> None:
        self._links = links
        self._changed = asyncio.Event()

    @property
    def links(self) -> Sequence[str]:
        """The links of all servers that are up."""
        return self._links

    def change(self, *links: str) -> None:
        """Replace the links."""
        self._links = links
        self._changed.set()

    async def find_link(self, rng: Random) -> str:
        """Return the link of a random server; wait while none is up."""
        while not self._links:
            self._changed.clear()
            await self._changed.wait()
        return rng.choice(self._links)


@dataclass(frozen=True)
class PlayerGroup:
    """Clients that play one game together, at *tables* tables at a time."""

    game: str
    members: int
    tables: int = 2
    bot: str | None = None
    """A bot on one more seat, if any."""

    options: dict[str, Any] = field(default_factory=dict)


class ClientPool:
    """All random clients, a spectator, and the log of their requests."""

    def __init__(self, servers: Servers, seed: int) -> None:
        self.request_log = RequestLog()
        self.clients: list[RandomClient] = []
        self.is_closing = False
        self.opened = 0
        self._servers = servers
        self._changed = asyncio.Event()
        self._rng = Random(seed)
        self._http = httpx.AsyncClient(
            limits=httpx.Limits(max_keepalive_connections=0),
            timeout=60,
            trust_env=False,
            verify=False,
        )

    @property
    def answers(self) -> int:
        """The number of answers to all clients."""
        return sum(client.answers for client in self.clients)

    def count_answers(self, link: str) -> int:
        """Count the answers of one server."""
        return sum(client.answers_by_link.get(link, 0) for client in self.clients)

    async def run(self, *groups: PlayerGroup) -> None:
        """Connect all clients and play until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            spectator = await self._join("Spectator")
            tasks.create_task(spectator.play(self._servers))
            for group in groups:
                members = [await self._join(f"Client {n}") for n in range(group.members)]
                for client in members:
                    tasks.create_task(client.play(self._servers))
                for _ in range(group.tables):
                    tasks.create_task(self._play_repeatedly(group, members, spectator))

    async def wait_for(self, is_true: Callable[[], bool]) -> None:
        """Wait until a condition holds; fail with a description when the games are stuck."""
        try:
            async with asyncio.timeout(WAIT_LIMIT_S):
                while not is_true():
                    self._changed.clear()
                    async with asyncio.timeout(STALL_LIMIT_S):
                        await self._changed.wait()
        except TimeoutError:
            raise AssertionError(self.describe()) from None

    async def wait_for_refusals(self, code: str, count: int) -> None:
        """Wait until *count* more requests were refused with this code."""
        end = self.request_log.codes[code] + count
        await self.wait_for(lambda: self.request_log.codes[code] >= end)

    async def wait_for_server(self, link: str, count: int) -> None:
        """Wait for *count* more answers of one server."""
        end = self.count_answers(link) + count
        await self.wait_for(lambda: self.count_answers(link) >= end)

    async def wait_for_answers(self, count: int) -> None:
        """Wait for *count* more answers."""
        end = self.answers + count
        await self.wait_for(lambda: self.answers >= end)

    async def finish(self) -> None:
        """Open no more tables; play the open ones to the end."""
        self.is_closing = True
        await self.wait_for(lambda: self.opened == self._finished_tables)

    async def pause(self) -> None:
        """Make no new requests; wait until all are answered and all clients are up to date."""
        for client in self.clients:
            client.is_paused = True
        await self.wait_for(lambda: self._is_idle)

    async def resume(self) -> None:
        """Make requests again."""
        for client in self.clients:
            await client.resume()

    @property
    def _is_idle(self) -> bool:
        """True if no request is unanswered and all clients know the same entries."""
        known: dict[str, set[int | None]] = {}
        for client in self.clients:
            for table in client.tables.values():
                # No client watches a table after its end.
                known.setdefault(table.id, set()).add(
                    None if table.mirror.is_over else table.mirror.seq
                )
        is_consistent = all(len(seqs) == 1 for seqs in known.values())
        return is_consistent and not any(client.is_waiting for client in self.clients)

    @property
    def _finished_tables(self) -> int:
        """The number of tables that are over and have no unanswered request."""
        tables: dict[str, list[bool]] = {}
        for client in self.clients:
            for table in client.tables.values():
                tables.setdefault(table.id, []).append(
                    table.mirror.is_over and table.pending_key is None
                )
        return sum(map(all, tables.values()))

    def describe(self) -> str:
        """Describe the state of every client at every running table."""
        lines = [
            f"{client.player} at {table.id}: has {table.mirror.seq} entries of {table.awaited_seq},"
            f" pending {table.pending_key}, seats {table.mirror.latest.get('waiting')} must choose;"
            f" {client.connection_state}"
            for client in self.clients
            for table in client.tables.values()
            if not table.mirror.is_over
        ]
        up = ", ".join(self._servers.links)
        refusals = dict(self.request_log.codes)
        return "\n".join([f"stuck; servers: {up}; refusals: {refusals}", *lines])

    async def send(self, method: str, path: str, cookie: str = "", body: object = None) -> Any:
        """Send a request to random servers until one answers."""
        while True:
            link = await self._servers.find_link(self._rng)
            try:
                answer = await self._request(method, link, path, cookie, body)
            except httpx.TransportError:
                await asyncio.sleep(0.01)
                continue
            if answer.status_code != 503:
                assert answer.status_code in {200, 201}, (path, answer.text)
                return answer
            self.request_log.refuse("", answer.json()["code"])
            await asyncio.sleep(0.05)

    async def _request(
        self, method: str, link: str, path: str, cookie: str, body: object = None
    ) -> httpx.Response:
        headers = {"Origin": link, "Cookie": cookie}
        return await self._http.request(method, link + path, headers=headers, json=body)

    async def _join(self, name: str) -> RandomClient:
        answer = await self.send("POST", "/api/session", body={"name": name})
        cookie = answer.headers["set-cookie"].split(";")[0]
        rng, player = Random(self._rng.random()), answer.json()["id"]
        client = RandomClient(player, cookie, self.request_log, rng=rng, changed=self._changed)
        self.clients.append(client)
        return client

    async def _play_repeatedly(
        self, group: PlayerGroup, members: list[RandomClient], spectator: RandomClient
    ) -> None:
        """Play one game after another with one group."""
        while not self.is_closing:
            seats = group.members + (group.bot is not None)
            options = {"game": group.game, "seats": seats, **group.options}
            self.opened += 1
            answer = await self.send("POST", "/api/tables", members[0].cookie, options)
            table_id = answer.json()["id"]
            bots = {} if group.bot is None else {group.members: group.bot}
            for seat, client in enumerate(members):
                await client.follow(ClientTable(table_id, seat, is_owner=seat == 0, bots=bots))
            await spectator.follow(ClientTable(table_id, None))
            table = members[0].tables[table_id]
            while not table.mirror.is_over:
                self._changed.clear()
                await self._changed.wait()

    async def compare(self) -> None:
        """Assert that all clients agree with each other and with each server."""
        await self.pause()
        known: dict[str, list[Message]] = {}
        for link in self._servers.links:
            for client in self.clients:
                await client.catch_up(link)
                for table in client.tables.values():
                    await self._compare(link, client, table)
                    public = {name: table.mirror.latest[name] for name in PUBLIC}
                    known.setdefault(table.id, []).append(public)
        for states in known.values():
            assert all(state == states[0] for state in states)

    async def _compare(self, link: str, client: RandomClient, table: ClientTable) -> None:
        """Compare the state of a client with a fresh snapshot and with the log."""
        mirror, path = table.mirror, f"/api/tables/{table.id}"
        snapshot = (await self._request("GET", link, path, client.cookie)).json()
        for name in PUBLIC:
            assert mirror.latest[name] == snapshot[name], (table.id, client.player, name)
        assert list(mirror.views.values()) == snapshot["views"]
        entries: list[Message] = []
        after: str | None = "0"
        while after is not None:
            page_path = f"{path}/log?after={after}"
            page = (await self._request("GET", link, page_path, client.cookie)).json()
            entries, after = entries + page["items"], page["next"]
        assert list(map(mirror.entries.get, range(1, mirror.seq + 1))) == entries

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()


@asynccontextmanager
async def open_client_pool(
    servers: Servers, seed: int, *groups: PlayerGroup
) -> AsyncIterator[ClientPool]:
    """Run a pool of clients during the context; add the *seed* to its errors."""
    pool = ClientPool(servers, seed)
    playing = asyncio.create_task(pool.run(*groups))
    test = asyncio.current_task()
    assert test is not None
    playing.add_done_callback(lambda done: done.cancelled() or test.cancel())
    try:
        yield pool
    except BaseException as error:
        error.add_note(f"seed {seed}")
        if playing.done() and not playing.cancelled():
            playing.result()
        raise
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await pool.close()
