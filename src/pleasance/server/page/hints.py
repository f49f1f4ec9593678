"""Hints: the choice of the strongest bot that can play, from the view of the seat."""

from __future__ import annotations

from litestar import Response, post
from msgspec import Struct, structs

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import AnyGame, Seat
from pleasance.players.registry import players_by_strength
from pleasance.server.base.errors import ForbiddenError
from pleasance.server.bots.pool import MoveRequest
from pleasance.server.identity.authentication import check_scope
from pleasance.server.identity.dependencies import IdentityDep, RateLimiterDep
from pleasance.server.live.bot_scheduler import make_move_request
from pleasance.server.live.site import SiteDep, TablePath
from pleasance.server.page.responses import reply_json
from pleasance.server.page.table_api import SeatNumber
from pleasance.table.room import Room


class Hint(Struct, frozen=True):
    """The choice of a bot."""

    token: str
    bot: str | None
    """The bot that answered: a simpler one where the strongest failed. `None` if remote workers do
    not report it."""


@post("/t/{table:str}/hint", status_code=200, include_in_schema=False)
async def give_hint(
    site: SiteDep, you: IdentityDep, table: TablePath, *, seat: SeatNumber, limits: RateLimiterDep
) -> Response[bytes]:
    """Return the choice of a strong bot for your seat, in an unrated game."""
    check_scope(you, "play")
    live = await site.hub.find_for(you, table)
    check_hint(live.room, you.id, Seat(seat))
    limits.charge("hint", you.id)
    bot = strongest_bot(live.room.game)
    move = await site.bot_pool.select_move(make_hint_request(live.id, live.room, Seat(seat), bot))
    return reply_json(Hint(move.token, move.bot))


def check_hint(room: Room, player: str, seat: Seat) -> None:
    """Refuse a hint to a player who need not choose for this seat now, and in rated games."""
    if room.table is None:
        raise IllegalActionError("not_started")
    if seat not in room.seats_of(player):
        raise ForbiddenError("not_your_seat")
    if room.status != "running":
        raise IllegalActionError("game_over")
    if room.config.is_rated:
        raise IllegalActionError("rated_no_hint")
    if room.places[seat].plays is not None:
        raise IllegalActionError("bot_stands_in")
    if seat not in room.waiting:
        raise IllegalActionError("not_your_turn")


def strongest_bot(game: AnyGame) -> str:
    """Find the strongest bot that gives hints for *game* as configured."""
    hint_bots = [player for player in players_by_strength(game) if player.gives_hints]
    return hint_bots[-1].named(hint_bots[-1].hint_budget)


def make_hint_request(table: str, room: Room, seat: Seat, bot: str) -> MoveRequest:
    """Make the request for a hint: that of a bot on the seat, but with a public seed.

    A hint thus depends only on what the seat sees.
    """
    request = make_move_request(table, room, seat, bot)
    return structs.replace(request, seed=f"hint:{request.seat}:{request.ply}:{request.revision}")


ROUTES = [give_hint]
