"""Seeks for tests of the queue, and an opener of their tables."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from pleasance.server.base.errors import ConflictError
from pleasance.server.matchmaking import queue
from pleasance.server.matchmaking.matchmaker import run_round
from pleasance.server.matchmaking.queue import QueueState, Seeker
from pleasance.server.matchmaking.seek import Match, MatchRequest, TableOpener, make_seek
from pleasance.server.store.schema.ratings import seeks
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store
from support.rows import add_table

BOT_AFTER = 20.0
NONCE = "00" * 16


@dataclass
class Opener:
    """Opens tables as rows of the database, once for each id."""

    store: Store
    requests: list[MatchRequest] = field(default_factory=list)
    before: Callable[[], None] = lambda: None
    """Called before the table exists; may raise."""
    after: Callable[[], None] = lambda: None
    """Called once the table exists; may raise."""

    async def __call__(self, request: MatchRequest) -> str:
        self.requests.append(request)
        self.before()
        await self.store.write(lambda connection: self._add(connection, request.table))
        self.after()
        return request.table

    def _add(self, connection: Connection, table: str) -> None:
        if connection.scalar(select(tables.c.id).where(tables.c.id == table)) is None:
            add_table(connection, table)


async def enqueue(store: Store, player: str, *, now: float = 0.0, **fields: object) -> QueueState:
    """Add a seek to the queue."""
    game, seats = str(fields.get("game", "sakura")), int(str(fields.get("seats", 2)))
    made = make_seek(game, seats, (), None)
    seeker = Seeker(player, player.title(), str(fields.get("owner", player)))

    def work(connection: Connection) -> QueueState:
        queue.join(connection, seeker, made, now=now, bot_after=BOT_AFTER)
        return queue.read_state(connection, player, now)

    return await store.write(work)


async def poll(store: Store, player: str, now: float = 0.0) -> QueueState:
    """Poll the state of the queue, as a present client does."""
    await store.write(lambda connection: queue.touch(connection, player, now))
    return await store.read(lambda connection: queue.read_state(connection, player, now))


async def submit_nonce(store: Store, player: str, *, nonce: str = NONCE) -> None:
    """Submit a nonce for the found match."""
    state = await store.read(lambda connection: queue.read_state(connection, player, 0.0))
    expected_commitment = state.commitment or "0" * 64
    await store.write(
        lambda connection: queue.give_nonce(
            connection, player, commitment=expected_commitment, nonce=nonce
        )
    )


async def submit_all_nonces(store: Store) -> None:
    """Submit nonces of all matched players.

    Where two servers let the same people answer at once, the other may have been quicker, and the
    table is open: then there is nothing left to answer.
    """
    query = select(seeks.c.player_id).where(seeks.c.match_id.is_not(None), seeks.c.nonce.is_(None))
    for player in await store.read(lambda connection: list(connection.scalars(query))):
        with suppress(ConflictError):
            await submit_nonce(store, player)


async def match_all(store: Store, opener: TableOpener, now: float) -> list[Match]:
    """Match once, submit all nonces, and match again."""
    found = await run_round(store, opener, now)
    await submit_all_nonces(store)
    return found + await run_round(store, opener, now)


async def needs_touch(store: Store, player: str, now: float) -> bool:
    return await store.read(lambda connection: queue.needs_touch(connection, player, now))


async def answer(store: Store, player: str, *, accepts: bool, now: float) -> None:
    await store.write(
        lambda connection: queue.answer_offer(
            connection, player, accepts=accepts, now=now, bot_after=BOT_AFTER
        )
    )


def fail_with(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail
