"""Hints: the strongest bot at hand says what it would choose, knowing what the seat knows."""

from __future__ import annotations

from litestar import Response, post
from msgspec import Struct, structs

from pleasance.core.errors import BadSetupError, IllegalActionError
from pleasance.core.game import AnyGame, Seat
from pleasance.server.base.errors import ForbiddenError
from pleasance.server.bots.pool import Thought, check_bot
from pleasance.server.http.tables_api import TableName, enter_table
from pleasance.server.identity.authentication import allow
from pleasance.server.identity.dependencies import Buckets, You
from pleasance.server.live.bot_scheduler import make_thought
from pleasance.server.live.site import Here
from pleasance.server.page.responses import reply_json
from pleasance.server.page.table_api import SeatNumber
from pleasance.table.room import Room

ADVISERS = ("master:0.3s", "ismcts:1s", "planner", "greedy", "random")
"""Who is asked, the strongest first; not every game has them all."""


class Hint(Struct, frozen=True):
    """What a bot would choose."""

    token: str
    bot: str | None
    """Who has answered: while the compiled rules of the strongest are being made ready, a simpler
    one does. `None` where workers on other machines do not tell."""


@post("/t/{table:str}/hint", status_code=200, include_in_schema=False)
async def give_hint(
    site: Here, you: You, table: TableName, *, seat: SeatNumber, limits: Buckets
) -> Response[bytes]:
    """Say what a strong bot would choose in one's place, in a game that is not rated."""
    allow(you, "play")
    live = await enter_table(site, you, table)
    check_hint(live.room, you.id, Seat(seat))
    limits.spend("hint", you.id)
    bot = find_adviser(live.room.game)
    advice = await site.crew.advise(make_question(live.id, live.room, Seat(seat), bot))
    return reply_json(Hint(advice.token, advice.bot))


def check_hint(room: Room, player: str, seat: Seat) -> None:
    """Refuse a hint to who does not choose for this seat now, and in rated games."""
    if room.table is None:
        raise IllegalActionError("not_started")
    if seat not in room.seats_of(player):
        raise ForbiddenError("not_your_seat")
    if room.status != "running":
        raise IllegalActionError("game_over")
    if room.plan.is_rated:
        raise IllegalActionError("rated_no_hint")
    if room.places[seat].plays is not None:
        raise IllegalActionError("bot_stands_in")
    if seat not in room.waiting:
        raise IllegalActionError("not_your_turn")


def find_adviser(game: AnyGame) -> str:
    """Name the strongest bot that plays *game* as it is set up here."""
    for bot in ADVISERS:
        try:
            check_bot(bot, game)
        except BadSetupError:
            continue
        return bot
    raise BadSetupError("player_unknown", player=ADVISERS[-1], known="")


def make_question(table: str, room: Room, seat: Seat, bot: str) -> Thought:
    """Ask as one asks a bot that sits there, but with luck that everybody could know.

    So a hint follows from what the seat sees, and from nothing that is hidden from it.
    """
    thought = make_thought(table, room, seat, bot)
    return structs.replace(thought, seed=f"hint:{thought.seat}:{thought.ply}:{thought.undone}")


ROUTES = [give_hint]
