"""What follows from what happens at tables: ratings move, absent players are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from pleasance.server.live.log_append import Work, find_standings
from pleasance.server.ratings.rate_game import rate_table
from pleasance.server.webhooks.deliveries import queue_turn
from pleasance.table.entries import Entry
from pleasance.table.room import Room


def rate_ended(table: str, room: Room, entries: Sequence[Entry]) -> Work | None:
    """Rate a game with the entry that ends it."""
    if not entries or room.status != "over" or not room.plan.is_rated:
        return None
    standings = find_standings(room)
    if standings is None:
        return None
    game, at = room.plan.game, entries[-1].at

    def work(connection: Connection) -> None:
        rate_table(connection, table, standings, game=game, at=at)

    return work


def make_caller(is_here: Callable[[str | None], bool]) -> Callable[..., Work | None]:
    """Make what has players told that it is their turn, if they are not connected."""

    def call_absent(table: str, room: Room, entries: Sequence[Entry]) -> Work | None:
        due = [room.places[seat] for seat in room.waiting]
        absent = [p.player for p in due if p.player and p.plays is None and not is_here(p.player)]
        if not absent:
            return None
        # By the position, so that talk and secret choices of others do not announce a turn again.
        lines, at = 0 if room.table is None else room.table.ply, entries[-1].at

        def work(connection: Connection) -> None:
            for player in absent:
                queue_turn(connection, player, table, lines=lines, at=at)

        return work

    return call_absent
