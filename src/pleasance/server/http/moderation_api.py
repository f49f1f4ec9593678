"""Endpoints of moderation: mutes, and reports of chat messages."""

from __future__ import annotations

from base64 import b32encode
from hashlib import sha256
from typing import Annotated

from litestar import delete, get, post, put
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct
from sqlalchemy import Connection, insert, select
from sqlalchemy import delete as remove

from pleasance.server.base.errors import BadRequestError, ForbiddenError, NotFoundError
from pleasance.server.base.messages import PATTERN_END
from pleasance.server.identity.authentication import check_person
from pleasance.server.identity.dependencies import IdentityDep, RateLimiterDep, error_responses
from pleasance.server.identity.players import find_player
from pleasance.server.live.site import SiteDep, TablePath
from pleasance.server.store.meta import insert_if_absent
from pleasance.server.store.schema.rooms import mutes, reports
from pleasance.table.entries import KickEntry, SayEntry
from pleasance.table.room import Room

PlayerName = Annotated[
    str, PathParameter(min_length=4, max_length=40, pattern=r"^[a-z0-9]+" + PATTERN_END)
]
MAX_MUTED_PLAYERS = 500


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """A report of a chat message."""

    seq: Annotated[int, Meta(ge=1, le=1_000_000)]
    """The seq of the message in the log."""

    reason: Annotated[str, Meta(max_length=500)] = ""


class Reported(Struct, frozen=True):
    """The id of an accepted report."""

    id: str


@get("/api/me/mutes", responses=error_responses(401))
async def list_mutes(site: SiteDep, you: IdentityDep) -> list[str]:
    """List the players you have muted."""
    wanted = select(mutes.c.muted_id).where(mutes.c.player_id == you.id).order_by(mutes.c.muted_id)
    return await site.store.read(lambda connection: list(connection.scalars(wanted)))


@put("/api/me/mutes/{player:str}", status_code=204, responses=error_responses(401, 404))
async def mute(site: SiteDep, you: IdentityDep, player: PlayerName) -> None:
    """Mute a player, from the next message on."""
    check_person(you)

    def work(connection: Connection) -> None:
        if find_player(connection, player) is None:
            raise NotFoundError("no_player")
        mine = select(mutes.c.muted_id).where(mutes.c.player_id == you.id)
        known = set(connection.scalars(mine))
        if player in known:
            return
        if len(known) >= MAX_MUTED_PLAYERS:
            raise BadRequestError("too_many_mutes", most=MAX_MUTED_PLAYERS)
        connection.execute(insert(mutes).values(player_id=you.id, muted_id=player))

    await site.store.write(work)
    site.hub.connections.mute(you.id, player, is_muted=True)


@delete("/api/me/mutes/{player:str}", status_code=204, responses=error_responses(401))
async def unmute(site: SiteDep, you: IdentityDep, player: PlayerName) -> None:
    """Unmute a player."""
    check_person(you)
    both = (mutes.c.player_id == you.id, mutes.c.muted_id == player)

    def work(connection: Connection) -> None:
        connection.execute(remove(mutes).where(*both))

    await site.store.write(work)
    site.hub.connections.mute(you.id, player, is_muted=False)


@post("/api/tables/{table:str}/reports", responses=error_responses(401, 404))
async def report(
    site: SiteDep,
    you: IdentityDep,
    table: TablePath,
    *,
    limits: RateLimiterDep,
    data: JSONBody[Report],
) -> Reported:
    """Report a chat message to the operator of this server; a repeated report counts once."""
    check_person(you)
    limits.charge("create", you.id)
    live = await site.hub.find(table)
    await live.wait_until_committed()
    _check_message(live.room, data.seq, you.id)
    report_id = _derive_report_id(table, data.seq, you.id)
    row: dict[str, object] = {
        "id": report_id,
        "table_id": table,
        "seq": data.seq,
        "reporter_id": you.id,
        "reason": data.reason,
        "at": site.clock(),
    }

    def work(connection: Connection) -> None:
        connection.execute(insert_if_absent(connection, reports, row, ["id"]))

    await site.store.write(work)
    return Reported(report_id)


def _check_message(room: Room, seq: int, reader: str) -> None:
    """Refuse an entry that is no chat message, or that *reader* cannot have read.

    Banned players may report earlier messages, and players who muted another one may report theirs.
    """
    seen = [logged.entry for logged in room.log[:seq]]
    if any(
        isinstance(entry, KickEntry) and entry.is_ban and entry.player == reader for entry in seen
    ):
        raise ForbiddenError("banned")
    said = seen[-1] if len(seen) == seq else None
    if not isinstance(said, SayEntry):
        raise NotFoundError("no_such_words")


def _derive_report_id(table: str, seq: int, reporter: str) -> str:
    """Derive the id of a report: an idempotency key, so that a repeated report changes nothing."""
    digest = sha256(f"{table}:{seq}:{reporter}".encode()).digest()
    return b32encode(digest).decode("ascii").lower()[:12]


ROUTES = [list_mutes, mute, unmute, report]
