"""How a room looks on the wire: to everybody, and to one seat."""

from __future__ import annotations

import msgspec

from pleasance.core.game import Seat
from pleasance.server.base.messages import Clock, Face, Place, SeatView, TableInfo
from pleasance.server.base.view_codec import Showing
from pleasance.table import table_config
from pleasance.table.room import Room


def show_info(table: str, room: Room) -> TableInfo:
    """Show what everybody may know of a table besides the position."""
    plan = room.plan
    timing = plan.timing
    return TableInfo(
        id=table,
        game=plan.game,
        rules=plan.rules,
        options=plan.options,
        data=room.game.data.name,
        is_rated=plan.is_rated,
        is_public=plan.is_public,
        clock=None if timing is None else Clock(timing.move, timing.bank),
        owner=plan.owner,
        status=room.status,
        ending=room.ending,
        commitment=plan.commitment,
        places=tuple(map(_show_place, room.places)),
        asks_back=room.asks_back,
        agreed_back=tuple(sorted(room.agreed)),
        rematch=room.rematch,
        opening=len(plan.opening),
    )


def _show_place(place: table_config.Place) -> Place:
    return Place(
        player=place.player,
        name=place.name,
        bot=place.plays,
        has_left=place.left > 0,
        has_resigned=place.has_resigned,
    )


def show_clocks(room: Room) -> tuple[Face, ...]:
    """Show the clocks of all seats, where there are clocks."""
    clocks = room.clocks
    if clocks is None:
        return ()
    return tuple(Face(bank, clocks.due(Seat(n))) for n, bank in enumerate(clocks.banks))


def show_chose(room: Room) -> tuple[int, ...]:
    """Name the seats whose secret choice lies on the table."""
    return () if room.table is None else tuple(sorted(room.table.chose))


def show_view(room: Room, seat: Seat | None, showing: Showing | None = None) -> SeatView:
    """Show the position to one seat; `None` is a spectator.

    A *showing* that knows the position already need not be told what everybody sees.
    """
    table = room.table
    assert table is not None, "a game is on"
    showing = showing or Showing(room.game, table.view)
    position = msgspec.Raw(showing.write(seat))
    if seat is None:
        return SeatView(None, position, (), None, can_undo=False)
    choice, write = table.choice(seat), room.game.space.write
    is_played = room.status == "running" and room.places[seat].plays is None
    may_choose = is_played and seat in room.waiting
    return SeatView(
        seat=seat,
        position=position,
        legal=tuple(map(write, showing.see(seat).legal)) if may_choose else (),
        chosen=None if choice is None else write(choice),
        can_undo=is_played and table.can_undo(seat),
    )
