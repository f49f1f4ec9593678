"""From what somebody wants over the wire to what the table is asked."""

from __future__ import annotations

from pleasance.core.game import Seat
from pleasance.core.record import clean_text
from pleasance.server.base.errors import BadRequestError
from pleasance.server.base.requests import (
    AnswerBack,
    AskBack,
    Choose,
    Close,
    Command,
    Kick,
    Leave,
    Rematch,
    Resign,
    Say,
    SeatBot,
    Sit,
    Start,
    TakeSeatBack,
    Undo,
)
from pleasance.server.bots.pool import check_bot, find_stand_in
from pleasance.server.identity.names import clean_name
from pleasance.server.live.services import Wish
from pleasance.server.matchmaking.bot_opponents import playable_bots
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room


def make_wish(command: Command, player: str, name: str) -> Wish:
    """Make the wish that a *player* called *name* has by a command."""

    def wish(room: Room) -> tuple[Entry, ...]:
        return _wish(room, command, player, name)

    return wish


def _wish(room: Room, command: Command, player: str, name: str) -> tuple[Entry, ...]:
    match command:
        case Choose(seat, token, ply, undone):
            return commands.choose_as(room, player, Seat(seat), token, ply=ply, undone=undone)
        case Undo(seat):
            return commands.undo(room, player, Seat(seat))
        case AskBack(seat):
            return commands.ask_back(room, player, Seat(seat))
        case AnswerBack(seat, agrees):
            return commands.answer_back(room, player, Seat(seat), agrees=agrees)
        case Say(text):
            return commands.say(room, player, name, _clean(text))
        case Start():
            return commands.start(room, player)
        case Close():
            return commands.close_own(room, player)
        case _:
            return _wish_about_seats(room, command, player, name)


def _wish_about_seats(
    room: Room,
    command: Sit | SeatBot | Leave | Resign | TakeSeatBack | Kick | Rematch,
    player: str,
    name: str,
) -> tuple[Entry, ...]:
    stand_in = find_stand_in(room.game)
    match command:
        case Sit(nonce, seat, called):
            shown = name if called is None else clean_name(called)
            return commands.sit(room, player, shown, seat=_seat(seat), nonce=nonce)
        case SeatBot(bot, seat):
            _check_bot(room, bot)
            return commands.seat_bot(room, player, bot, seat=_seat(seat))
        case Leave(seat):
            return commands.leave(room, player, Seat(seat), stand_in=stand_in)
        case Resign(seat):
            return commands.resign(room, player, Seat(seat), stand_in=stand_in)
        case TakeSeatBack(seat):
            return commands.take_seat_back(room, player, Seat(seat))
        case Kick(whom, is_ban):
            return commands.kick(room, player, whom, is_ban=is_ban, stand_in=stand_in)
        case Rematch():
            raise AssertionError("a rematch concerns two tables")


def _check_bot(room: Room, bot: str) -> None:
    """Refuse a bot that cannot sit here."""
    check_bot(bot, room.game)
    known = playable_bots(room.game)
    if room.plan.is_rated and bot not in known:
        # Else anybody could climb by beating bots that nobody has met before.
        raise BadRequestError("rated_bot", bot=bot, known=", ".join(known))


def _clean(text: str) -> str:
    """Make what somebody says one line; refuse what says nothing."""
    said = clean_text(text)
    if not said:
        raise BadRequestError("nothing_said")
    return said


def _seat(seat: int | None) -> Seat | None:
    return None if seat is None else Seat(seat)
