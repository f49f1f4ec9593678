"""Tables for matches of the queue: opened, seated and started."""

from __future__ import annotations

from dataclasses import replace

from pleasance.core.game import Seat
from pleasance.server.base.errors import NotFoundError
from pleasance.server.live.hub import Hub
from pleasance.server.live.pending import RoomCommand
from pleasance.server.live.table_configs import OpenTable, make_table_config
from pleasance.server.matchmaking.seek import MatchRequest, TableOpener
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room


def make_match_opener(hub: Hub) -> TableOpener:
    """Make the function that opens a rated table, seats all players and starts the game."""

    async def open_match(request: MatchRequest) -> str:
        owner = next(place.player for place in request.places if place.player is not None)
        try:
            live = await hub.find(request.table)
        except NotFoundError:
            opening = OpenTable(
                game=request.game,
                seats=len(request.places),
                options=request.options,
                clock=request.clock,
                is_rated=True,
            )
            config = make_table_config(opening, owner, hub.repository.games)
            # The players saw the commitment to this secret before they gave their nonces.
            live = await hub.create(replace(config, secret=request.secret), request.table)
        await live.execute(_seat_all(request, owner))
        return live.id

    return open_match


def _seat_all(request: MatchRequest, owner: str) -> RoomCommand:
    def seat_all(room: Room) -> tuple[Entry, ...]:
        if room.table is not None:
            return ()  # another server has done so
        entries: tuple[Entry, ...] = ()
        for n, place in enumerate(request.places):
            seat = Seat(n)
            if not room.places[seat].is_free:
                continue
            if place.player is None:
                entries += commands.seat_bot(room, owner, place.bot or "", seat=seat)
            else:
                name, nonce = place.name or "", place.nonce or ""
                entries += commands.sit(room, place.player, name, seat=seat, nonce=nonce)
        return entries + commands.start(room, owner)

    return seat_all
