"""HTTP for the queue."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct
from sqlalchemy import Connection

from pleasance.server.base.messages import END, Clock, Name, Nonce, Offered
from pleasance.server.identity.authentication import need
from pleasance.server.identity.dependencies import You, refusals
from pleasance.server.identity.players import find_player
from pleasance.server.live.site import Here
from pleasance.server.matchmaking import queue
from pleasance.server.matchmaking.queue import Guest, QueueState
from pleasance.server.matchmaking.seek import make_wish
from pleasance.server.matchmaking.ticker import WAKE, QueueSite

_TAGS = ["queue"]


class Enqueue(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to play with whoever is near in rating."""

    game: Name
    seats: Annotated[int, Meta(ge=1, le=6)]
    options: Annotated[tuple[Name, ...], Meta(max_length=8)] = ()
    clock: Clock | None = None


class GiveNonce(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player adds to the draws of the table to come."""

    commitment: Annotated[str, Meta(min_length=64, max_length=64, pattern=r"^[0-9a-f]+" + END)]
    """The promise that was seen before."""

    nonce: Nonce


class BotAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether somebody takes bots instead of people."""

    accepts: bool


@post(
    "/api/queue", status_code=200, guards=[need("play")], responses=refusals(401, 409), tags=_TAGS
)
async def enter_queue(site: Here, you: You, data: JSONBody[Enqueue]) -> QueueState:
    """Wait for opponents; ask again within thirty seconds, or the place is given up."""
    wish = make_wish(data.game, data.seats, data.options, data.clock)
    now, bot_after = site.clock(), site.settings.queue_bot_after

    def work(connection: Connection) -> QueueState:
        player = find_player(connection, you.id)
        owner = (player and player.owner) or you.id
        guest = Guest(you.id, you.name, owner)
        queue.join(connection, guest, wish, now=now, bot_after=bot_after)
        site.store.publish(connection, WAKE)
        return queue.tell(connection, you.id, now)

    return await site.store.write(work)


@get("/api/queue", guards=[need("play")], responses=refusals(401), tags=_TAGS)
async def read_queue(site: Here, you: You) -> QueueState:
    """Tell how it stands; who asks is still there."""
    now = site.clock()
    if await site.store.read(lambda connection: queue.needs_touch(connection, you.id, now)):
        await site.store.write(lambda connection: queue.touch(connection, you.id, now))
    return await site.store.read(lambda connection: queue.tell(connection, you.id, now))


@delete(
    "/api/queue", status_code=204, guards=[need("play")], responses=refusals(401, 409), tags=_TAGS
)
async def leave_queue(site: Here, you: You) -> None:
    """Wait no more."""
    await site.store.write(lambda connection: queue.leave(connection, you.id))


@post(
    "/api/queue/bot",
    status_code=200,
    guards=[need("play")],
    responses=refusals(401, 409),
    tags=_TAGS,
)
async def answer_offer(site: Here, you: You, data: JSONBody[BotAnswer]) -> QueueState:
    """Take bots near one's rating, since nobody came, or go on waiting for people."""
    now, bot_after = site.clock(), site.settings.queue_bot_after

    def work(connection: Connection) -> QueueState:
        queue.answer(connection, you.id, accepts=data.accepts, now=now, bot_after=bot_after)
        site.store.publish(connection, WAKE)
        return queue.tell(connection, you.id, now)

    return await site.store.write(work)


@post(
    "/api/queue/nonce",
    status_code=200,
    guards=[need("play")],
    responses=refusals(401, 409),
    tags=_TAGS,
)
async def give_nonce(site: Here, you: You, data: JSONBody[GiveNonce]) -> QueueState:
    """Add to the draws of the table that was found; who does not within 15 seconds is taken out."""
    now = site.clock()

    def work(connection: Connection) -> QueueState:
        queue.give_nonce(connection, you.id, commitment=data.commitment, nonce=data.nonce)
        site.store.publish(connection, WAKE)
        return queue.tell(connection, you.id, now)

    return await site.store.write(work)


async def find_offer(site: QueueSite, player: str) -> Offered | None:
    """Find the news that the topic `queue:<player>` is about.

    Without a table it asks for something: whether bots will do, or, if none are offered, for the
    nonce; `GET /api/queue` tells the rest.
    """
    now = site.clock()
    state = await site.store.read(lambda connection: queue.tell(connection, player, now))
    if state.state == "matched":
        return Offered(table=state.table, has_bot=state.has_bot)
    if state.has_offer or state.state == "found":
        return Offered(table=None, has_bot=state.has_offer)
    return None


QUEUE_ROUTES = [enter_queue, read_queue, leave_queue, answer_offer, give_nonce]
