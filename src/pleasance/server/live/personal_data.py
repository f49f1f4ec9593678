"""What tables keep about a player: to take along, or to be forgotten."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import Connection, bindparam, delete, func, or_, select, update

from pleasance.core.errors import PleasanceError
from pleasance.server.bots.pool import find_stand_in
from pleasance.server.identity.personal_data import Change, Keeper, named_in
from pleasance.server.store.schema.rooms import entries, mutes, reports, sitters, tables
from pleasance.table import commands
from pleasance.table.entries import Entry, SayEntry, SitEntry, from_json, to_json
from pleasance.table.room import Room

if TYPE_CHECKING:
    from pleasance.server.live.hub import Hub

SOMEBODY = "Somebody"
"""How one is called in the logs of tables who has asked to be forgotten."""

_FEW = 200
"""How many lines are changed in one go."""


def export(connection: Connection, player: str) -> object:
    """List a player's tables, words, mutes and reports."""
    mine = select(sitters.c.table_id, sitters.c.seat).where(sitters.c.player_id == player)
    owned = select(tables.c.id).where(tables.c.owner == player)
    muted = select(mutes.c.muted_id).where(mutes.c.player_id == player)
    told = select(reports.c.table_id, reports.c.line, reports.c.reason, reports.c.at)
    seats = [{"table": row.table_id, "seat": row.seat} for row in connection.execute(mine)]
    return {
        "seats": seats,
        "owns": list(connection.scalars(owned)),
        "said": [
            {"table": table, "text": entry.text, "at": entry.at}
            for table, _, entry in _find_lines(connection, player)
            if isinstance(entry, SayEntry)
        ],
        "muted": list(connection.scalars(muted)),
        "reports": [
            dict(row) for row in connection.execute(told.where(reports.c.by == player)).mappings()
        ],
    }


def search(connection: Connection, player: str) -> list[Change]:
    """Find a player's name and words in all logs; the games stay as they were played."""
    rows = [
        {"of": table, "at": n, "said": to_json(changed)}
        for table, n, entry in _find_lines(connection, player)
        if (changed := _without_name(entry)) != entry
    ]
    return [_rewrite(rows[start : start + _FEW]) for start in range(0, len(rows), _FEW)]


def _without_name(entry: SayEntry | SitEntry) -> Entry:
    if isinstance(entry, SayEntry):
        return SayEntry(entry.player, SOMEBODY, "…", entry.at)
    return SitEntry(entry.seat, entry.player, SOMEBODY, entry.bot, entry.nonce, entry.at)


def _rewrite(rows: list[dict[str, object]]) -> Change:
    here = (entries.c.table_id == bindparam("of"), entries.c.n == bindparam("at"))
    statement = update(entries).where(*here).values(body=bindparam("said"))

    def change(connection: Connection) -> None:
        connection.execute(statement, rows)

    return change


def forget(connection: Connection, player: str) -> None:
    """Remove whom a player did not want to read, and what the player reported."""
    connection.execute(
        delete(mutes).where(or_(mutes.c.player_id == player, mutes.c.muted_id == player))
    )
    connection.execute(delete(reports).where(reports.c.by == player))


_find_listed = named_in(
    sitters.c.player_id, tables.c.owner, mutes.c.player_id, mutes.c.muted_id, reports.c.by
)


def find_known(connection: Connection, ids: Collection[str]) -> set[str]:
    """Name those of some players who own a table or sit there, or have done anything at one."""
    known = _find_listed(connection, ids)
    # Who has left again, or only spoke, is found by the keys of what they asked for.
    heads = {f"{player}:" for player in ids if player not in known}
    for length in {len(head) for head in heads}:
        head = func.substr(entries.c.key, 1, length)
        found = connection.scalars(select(head).where(head.in_(heads)).distinct())
        known |= {text.removesuffix(":") for text in found}
    return known


def _find_lines(connection: Connection, player: str) -> list[tuple[str, int, SayEntry | SitEntry]]:
    """Find the lines in which a player sat down or spoke."""
    # Whoever spoke without a seat is found by the text of the line, which names the player.
    named = entries.c.body.contains(f'"player": "{player}"', autoescape=True)
    wanted = select(entries.c.table_id, entries.c.n, entries.c.body).where(named)
    found = []
    for row in connection.execute(wanted):
        entry = from_json(row.body)
        if isinstance(entry, SayEntry | SitEntry) and entry.player == player:
            found.append((row.table_id, row.n, entry))
    return found


def make_leaver(hub: Hub) -> Callable[[str], Awaitable[None]]:
    """Make what gives up the seats of a player in games that go on."""

    async def leave(player: str) -> None:
        live_now = ("open", "running")
        wanted = (
            select(sitters.c.table_id)
            .join(tables, tables.c.id == sitters.c.table_id)
            .where(sitters.c.player_id == player, tables.c.status.in_(live_now))
            .distinct()
        )
        for table in await hub.read(lambda connection: list(connection.scalars(wanted))):
            with suppress(PleasanceError):  # a game that just ended needs nobody to leave it
                await (await hub.find(table)).change(lambda room: _leave_all(room, player))

    return leave


def _leave_all(room: Room, player: str) -> tuple[Entry, ...]:
    done: tuple[Entry, ...] = ()
    for seat in room.seats_of(player):
        if room.status == "open":
            done += commands.leave(room, player, seat, stand_in="")
        elif room.status == "running" and not room.places[seat].has_resigned:
            done += commands.resign(room, player, seat, stand_in=find_stand_in(room.game))
    return done


KEEPER = Keeper("tables", export, forget, find_known, search)
