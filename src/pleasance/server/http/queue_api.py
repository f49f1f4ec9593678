"""Endpoints of the matchmaking queue."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct
from sqlalchemy import Connection

from pleasance.server.base.messages import PATTERN_END, Clock, Name, Nonce
from pleasance.server.identity.authentication import require_scope
from pleasance.server.identity.dependencies import IdentityDep, error_responses
from pleasance.server.identity.players import find_player
from pleasance.server.live.site import SiteDep
from pleasance.server.matchmaking import queue
from pleasance.server.matchmaking.queue import QueueState, Seeker
from pleasance.server.matchmaking.seek import make_seek
from pleasance.server.store.topics import QUEUE_TOPIC


class Enqueue(Struct, frozen=True, forbid_unknown_fields=True):
    """A seek: the game to play against opponents near in rating."""

    game: Name
    seats: Annotated[int, Meta(ge=1, le=6)]
    options: Annotated[tuple[Name, ...], Meta(max_length=8)] = ()
    clock: Clock | None = None


class GiveNonce(Struct, frozen=True, forbid_unknown_fields=True):
    """The nonce of a player for the draws of the coming table."""

    commitment: Annotated[
        str, Meta(min_length=64, max_length=64, pattern=r"^[0-9a-f]+" + PATTERN_END)
    ]
    """The commitment that the player has seen before."""

    nonce: Nonce


class BotAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to an offer of bots as opponents."""

    accepts: bool


@post(
    "/api/queue",
    status_code=200,
    guards=[require_scope("play")],
    responses=error_responses(401, 409),
)
async def enter_queue(site: SiteDep, you: IdentityDep, data: JSONBody[Enqueue]) -> QueueState:
    """Enter the queue; without a request within thirty seconds the place is lost."""
    seek = make_seek(data.game, data.seats, data.options, data.clock)
    now, bot_after = site.clock(), site.settings.queue_bot_after

    def work(connection: Connection) -> QueueState:
        player = find_player(connection, you.id)
        owner = (player and player.owner) or you.id
        seeker = Seeker(you.id, you.name, owner)
        queue.join(connection, seeker, seek, now=now, bot_after=bot_after)
        site.store.publish(connection, QUEUE_TOPIC)
        return queue.read_state(connection, you.id, now)

    return await site.store.write(work)


@get("/api/queue", guards=[require_scope("play")], responses=error_responses(401))
async def read_queue(site: SiteDep, you: IdentityDep) -> QueueState:
    """Read your state in the queue; this keeps the place."""
    now = site.clock()
    if await site.store.read(lambda connection: queue.needs_touch(connection, you.id, now)):
        await site.store.write(lambda connection: queue.touch(connection, you.id, now))
    return await site.store.read(lambda connection: queue.read_state(connection, you.id, now))


@delete(
    "/api/queue",
    status_code=204,
    guards=[require_scope("play")],
    responses=error_responses(401, 409),
)
async def leave_queue(site: SiteDep, you: IdentityDep) -> None:
    """Leave the queue."""
    await site.store.write(lambda connection: queue.leave(connection, you.id))


@post(
    "/api/queue/bot",
    status_code=200,
    guards=[require_scope("play")],
    responses=error_responses(401, 409),
)
async def answer_offer(site: SiteDep, you: IdentityDep, data: JSONBody[BotAnswer]) -> QueueState:
    """Accept bots near your rating, or keep waiting for people."""
    now, bot_after = site.clock(), site.settings.queue_bot_after

    def work(connection: Connection) -> QueueState:
        queue.answer_offer(connection, you.id, accepts=data.accepts, now=now, bot_after=bot_after)
        site.store.publish(connection, QUEUE_TOPIC)
        return queue.read_state(connection, you.id, now)

    return await site.store.write(work)


@post(
    "/api/queue/nonce",
    status_code=200,
    guards=[require_scope("play")],
    responses=error_responses(401, 409),
)
async def give_nonce(site: SiteDep, you: IdentityDep, data: JSONBody[GiveNonce]) -> QueueState:
    """Send your nonce for the table found; after 15 seconds without it the place is lost."""
    now = site.clock()

    def work(connection: Connection) -> QueueState:
        queue.give_nonce(connection, you.id, commitment=data.commitment, nonce=data.nonce)
        site.store.publish(connection, QUEUE_TOPIC)
        return queue.read_state(connection, you.id, now)

    return await site.store.write(work)


ROUTES = [enter_queue, read_queue, leave_queue, answer_offer, give_nonce]
