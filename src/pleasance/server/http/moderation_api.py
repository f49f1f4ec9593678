"""HTTP for good manners: not hearing somebody any more, and reporting what was said."""

from __future__ import annotations

from base64 import b32encode
from hashlib import sha256
from typing import Annotated

from litestar import delete, get, post, put
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct
from sqlalchemy import Connection, insert, select
from sqlalchemy import delete as remove

from pleasance.server.base.errors import BadRequestError, ForbiddenError, UnknownError
from pleasance.server.base.messages import END
from pleasance.server.http.tables_api import TableName
from pleasance.server.identity.authentication import check_person
from pleasance.server.identity.dependencies import Buckets, You, refusals
from pleasance.server.identity.players import find_player
from pleasance.server.live.site import Here
from pleasance.server.store.meta import insert_unless_there
from pleasance.server.store.schema.rooms import mutes, reports
from pleasance.table.entries import KickEntry, SayEntry
from pleasance.table.room import Room

PlayerName = Annotated[str, PathParameter(min_length=4, max_length=40, pattern=r"^[a-z0-9]+" + END)]
MOST_MUTED = 500
_TAGS = ["manners"]


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody finds should not have been said."""

    line: Annotated[int, Meta(ge=1, le=1_000_000)]
    """The number of the line in the log."""

    reason: Annotated[str, Meta(max_length=500)] = ""


class Reported(Struct, frozen=True):
    """A report that was taken."""

    id: str


@get("/api/me/mutes", responses=refusals(401), tags=_TAGS)
async def list_mutes(site: Here, you: You) -> list[str]:
    """List the players whose words you do not want to read."""
    wanted = select(mutes.c.muted_id).where(mutes.c.player_id == you.id).order_by(mutes.c.muted_id)
    return await site.store.read(lambda connection: list(connection.scalars(wanted)))


@put("/api/me/mutes/{player:str}", status_code=204, responses=refusals(401, 404), tags=_TAGS)
async def mute(site: Here, you: You, player: PlayerName) -> None:
    """Read no more words of a player, from the next message on."""
    check_person(you)

    def work(connection: Connection) -> None:
        if find_player(connection, player) is None:
            raise UnknownError("no_player")
        mine = select(mutes.c.muted_id).where(mutes.c.player_id == you.id)
        known = set(connection.scalars(mine))
        if player in known:
            return
        if len(known) >= MOST_MUTED:
            raise BadRequestError("too_many_mutes", most=MOST_MUTED)
        connection.execute(insert(mutes).values(player_id=you.id, muted_id=player))

    await site.store.write(work)
    site.hub.door.mute(you.id, player, is_muted=True)


@delete("/api/me/mutes/{player:str}", status_code=204, responses=refusals(401), tags=_TAGS)
async def unmute(site: Here, you: You, player: PlayerName) -> None:
    """Read a player's words again."""
    check_person(you)
    both = (mutes.c.player_id == you.id, mutes.c.muted_id == player)

    def work(connection: Connection) -> None:
        connection.execute(remove(mutes).where(*both))

    await site.store.write(work)
    site.hub.door.mute(you.id, player, is_muted=False)


@post("/api/tables/{table:str}/reports", responses=refusals(401, 404), tags=_TAGS)
async def report(
    site: Here, you: You, table: TableName, *, limits: Buckets, data: JSONBody[Report]
) -> Reported:
    """Report what was said at a table to whoever runs this server; a line is reported once."""
    check_person(you)
    limits.spend("make", you.id)
    live = await site.hub.find(table)
    await live.settle()
    _check_words(live.room, data.line, you.id)
    made = _name_report(table, data.line, you.id)
    row: dict[str, object] = {
        "id": made,
        "table_id": table,
        "line": data.line,
        "by": you.id,
        "reason": data.reason,
        "at": site.clock(),
    }

    def work(connection: Connection) -> None:
        connection.execute(insert_unless_there(connection, reports, row, ["id"]))

    await site.store.write(work)
    return Reported(made)


def _check_words(room: Room, line: int, reader: str) -> None:
    """Refuse a line in which nobody said anything that *reader* can have read.

    Who was sent away for good may still report what was said before, and who muted somebody what
    made them do so.
    """
    seen = [happening.entry for happening in room.happenings[:line]]
    if any(
        isinstance(entry, KickEntry) and entry.is_ban and entry.player == reader for entry in seen
    ):
        raise ForbiddenError("banned")
    said = seen[-1] if len(seen) == line else None
    if not isinstance(said, SayEntry):
        raise UnknownError("no_such_words")


def _name_report(table: str, line: int, by: str) -> str:
    """Name a report; the same one has the same name, so that nobody can make many of it."""
    told = sha256(f"{table}:{line}:{by}".encode()).digest()
    return b32encode(told).decode("ascii").lower()[:12]


ROUTES = [list_mutes, mute, unmute, report]
