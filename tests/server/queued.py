"""People who come to the queue, and who opens their tables, for tests."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from pleasance.server.base.errors import ConflictError
from pleasance.server.matchmaking import queue
from pleasance.server.matchmaking.matching import match_once
from pleasance.server.matchmaking.queue import Guest, QueueState
from pleasance.server.matchmaking.seek import MakeTable, Match, MatchRequest, make_wish
from pleasance.server.store.schema.ratings import waiting
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store
from server.rated import add_table

BOT_AFTER = 20.0
NONCE = "00" * 16


@dataclass
class Opener:
    """Opens tables as far as the queue can tell: a line in the database, once for each id."""

    store: Store
    requests: list[MatchRequest] = field(default_factory=list)
    before: Callable[[], None] = lambda: None
    """Goes wrong before the table is there, if it likes."""
    after: Callable[[], None] = lambda: None
    """Goes wrong when the table is there."""

    async def __call__(self, request: MatchRequest) -> str:
        self.requests.append(request)
        self.before()
        await self.store.write(lambda connection: self._add(connection, request.table))
        self.after()
        return request.table

    def _add(self, connection: Connection, table: str) -> None:
        if connection.scalar(select(tables.c.id).where(tables.c.id == table)) is None:
            add_table(connection, table)


async def come(store: Store, player: str, *, now: float = 0.0, **wish: object) -> QueueState:
    """Let somebody wait."""
    game, seats = str(wish.get("game", "sakura")), int(str(wish.get("seats", 2)))
    made = make_wish(game, seats, (), None)
    guest = Guest(player, player.title(), str(wish.get("owner", player)))

    def work(connection: Connection) -> QueueState:
        queue.join(connection, guest, made, now=now, bot_after=BOT_AFTER)
        return queue.tell(connection, player, now)

    return await store.write(work)


async def ask(store: Store, player: str, now: float = 0.0) -> QueueState:
    """Ask how it stands, as a client does that is still there."""
    await store.write(lambda connection: queue.touch(connection, player, now))
    return await store.read(lambda connection: queue.tell(connection, player, now))


async def give(store: Store, player: str, *, nonce: str = NONCE) -> None:
    """Give a nonce for the match that was found."""
    state = await store.read(lambda connection: queue.tell(connection, player, 0.0))
    promise = state.commitment or "0" * 64
    await store.write(
        lambda connection: queue.give_nonce(connection, player, commitment=promise, nonce=nonce)
    )


async def give_all(store: Store) -> None:
    """Let everybody who was found give a nonce.

    Where two servers let the same people answer at once, the other may have been quicker, and the
    table is open: then there is nothing left to answer.
    """
    asked = select(waiting.c.player_id).where(
        waiting.c.match_id.is_not(None), waiting.c.nonce.is_(None)
    )
    for player in await store.read(lambda connection: list(connection.scalars(asked))):
        with suppress(ConflictError):
            await give(store, player)


async def meet(store: Store, opener: MakeTable, now: float) -> list[Match]:
    """Do what is due in the queue, and all that follows from it when everybody answers at once."""
    found = await match_once(store, opener, now)
    await give_all(store)
    return found + await match_once(store, opener, now)


async def needs_touch(store: Store, player: str, now: float) -> bool:
    return await store.read(lambda connection: queue.needs_touch(connection, player, now))


async def answer(store: Store, player: str, *, accepts: bool, now: float) -> None:
    await store.write(
        lambda connection: queue.answer(
            connection, player, accepts=accepts, now=now, bot_after=BOT_AFTER
        )
    )


def fail_with(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail
