"""HTTP for good manners: not hearing somebody any more, and reporting what was said."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, post, put
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct
from sqlalchemy import Connection, insert, select
from sqlalchemy import delete as remove

from pleasance.server.errors import BadRequestError, UnknownError
from pleasance.server.identity.desk import Buckets, You, refusals
from pleasance.server.identity.players import find_player
from pleasance.server.identity.who import check_person
from pleasance.server.messages import END
from pleasance.server.rooms.schema import mutes, reports
from pleasance.server.site import Here
from pleasance.server.store.meta import new_id
from pleasance.server.tables_api import TableName
from pleasance.table.entries import SayEntry

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
    """Report what was said at a table to whoever runs this server."""
    check_person(you)
    limits.spend("make", you.id)
    live = await site.hub.find(table)
    await live.settle()
    happenings = live.room.happenings
    if data.line > len(happenings) or not isinstance(happenings[data.line - 1].entry, SayEntry):
        raise UnknownError("no_such_words")
    made = new_id()
    row = {
        "id": made,
        "table_id": table,
        "line": data.line,
        "by": you.id,
        "reason": data.reason,
        "at": site.clock(),
    }

    def work(connection: Connection) -> None:
        connection.execute(insert(reports).values(row))

    await site.store.write(work)
    return Reported(made)


ROUTES = [list_mutes, mute, unmute, report]
