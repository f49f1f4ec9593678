"""What people may do at a table: each wish is checked, carried out, and gives new entries.

A wish that is refused changes nothing.
"""

from __future__ import annotations

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Seat
from pleasance.table.entries import (
    AnewEntry,
    AnswerEntry,
    AskEntry,
    CloseEntry,
    Entry,
    HandBackEntry,
    KickEntry,
    LeaveEntry,
    RematchEntry,
    ResignEntry,
    SayEntry,
    SitEntry,
    StartEntry,
    TakeOverEntry,
)
from pleasance.table.room import AnyTable, Room
from pleasance.table.time_control import LATE


def sit(room: Room, player: str, name: str, *, seat: Seat | None, nonce: str) -> tuple[Entry, ...]:
    """Take a free seat."""
    _expect_open(room)
    if player in room.banned:
        raise IllegalActionError("banned")
    if room.plan.is_rated and room.seats_of(player):
        raise IllegalActionError("rated_one_seat")
    return _do(room, SitEntry(_free_seat(room, seat), player, name, None, nonce, room.now()))


def seat_bot(room: Room, player: str, bot: str, *, seat: Seat | None) -> tuple[Entry, ...]:
    """Put a bot on a free seat."""
    _expect_open(room)
    _expect_owner(room, player)
    return _do(room, SitEntry(_free_seat(room, seat), None, bot, bot, None, room.now()))


def leave(room: Room, player: str, seat: Seat, *, stand_in: str) -> tuple[Entry, ...]:
    """Give a seat up: it is free again, or a bot plays on; the owner may remove a bot."""
    _expect_seat(room, seat)
    place = room.places[seat]
    if place.bot is not None:
        _expect_owner(room, player)
        _expect_open(room)
    elif place.player != player:
        raise IllegalActionError("not_your_seat")
    if room.status == "open":
        return _do(room, LeaveEntry(seat, room.now()))
    return take_over(room, seat, bot=stand_in, why="left")


def start(room: Room, player: str) -> tuple[Entry, ...]:
    """Begin the game, once all seats are taken."""
    _expect_open(room)
    if player != room.plan.owner and not room.seats_of(player):
        raise IllegalActionError("not_seated")
    if any(place.is_free for place in room.places):
        raise IllegalActionError("seats_free")
    if not any(place.player for place in room.places):
        raise IllegalActionError("nobody_seated")
    return room.begin(StartEntry(room.now()))


def choose(room: Room, seat: Seat, token: str, *, ply: int, undone: int) -> tuple[Entry, ...]:
    """Choose for a seat, in notation, at the position that was seen."""
    table = _expect_running(room, seat)
    return room.note(table.choose(seat, token, ply, undone=undone))


def choose_as(
    room: Room, player: str, seat: Seat, token: str, *, ply: int, undone: int
) -> tuple[Entry, ...]:
    """Choose for one's own seat."""
    _expect_player(room, player, seat)
    return choose(room, seat, token, ply=ply, undone=undone)


def undo(room: Room, player: str, seat: Seat) -> tuple[Entry, ...]:
    """Take back one's own last choice."""
    table = _expect_running(room, seat)
    _expect_player(room, player, seat)
    return room.note(table.undo(seat))


def ask_back(room: Room, player: str, seat: Seat) -> tuple[Entry, ...]:
    """Ask all people to go back to where one of them chose last; alone, one need not ask.

    What bots have chosen since falls too: they would choose again at once. Who asks while somebody
    else does agrees with them.
    """
    table = _expect_running(room, seat)
    _expect_player(room, player, seat)
    if room.plan.is_rated:
        raise IllegalActionError("rated_no_back")
    if room.asks_back is not None:
        return answer_back(room, player, seat, agrees=True)
    ply = table.last_choice(room.people)
    return _agree(room, _do(room, AskEntry(seat, ply, room.now())))


def answer_back(room: Room, player: str, seat: Seat, *, agrees: bool) -> tuple[Entry, ...]:
    """Agree to going back, or decline."""
    _expect_running(room, seat)
    _expect_player(room, player, seat)
    if room.asks_back is None:
        raise IllegalActionError("nobody_asks")
    return _agree(room, _do(room, AnswerEntry(seat, agrees, room.now())))


def _agree(room: Room, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Go back once all people have agreed; seats of one person agree together."""
    agreed = {room.places[seat].player for seat in room.agreed}
    wanted = {room.places[seat].player for seat in room.people}
    if room.asks_back is None or not wanted <= agreed:
        return entries
    assert room.table is not None, "somebody asked in a game"
    return entries + room.note(room.table.go_back(room.back_to))


def resign(room: Room, player: str, seat: Seat, *, stand_in: str) -> tuple[Entry, ...]:
    """Give the game up: it ends if one player is left, else a bot plays on."""
    _expect_running(room, seat)
    if room.places[seat].player != player:
        raise IllegalActionError("not_your_seat")
    if room.places[seat].has_resigned:
        raise IllegalActionError("already_resigned")
    entries = _do(room, ResignEntry(seat, room.now()))
    if room.ending is None and room.places[seat].stand_in is None:
        entries += _do(room, TakeOverEntry(seat, stand_in, "resigned", room.now()))
    return entries


def take_over(room: Room, seat: Seat, *, bot: str, why: str) -> tuple[Entry, ...]:
    """Let a bot stand in for somebody who is not there."""
    _expect_running(room, seat)
    place = room.places[seat]
    if place.player is None or place.stand_in is not None:
        raise IllegalActionError("bot_plays")
    return _do(room, TakeOverEntry(seat, bot, why, room.now()))


def take_seat_back(room: Room, player: str, seat: Seat) -> tuple[Entry, ...]:
    """Take one's seat back from the bot that stood in."""
    _expect_running(room, seat)
    place = room.places[seat]
    if place.player != player:
        raise IllegalActionError("not_your_seat")
    if place.has_resigned:
        raise IllegalActionError("already_resigned")
    if player in room.banned:
        raise IllegalActionError("banned")
    if place.stand_in is None:
        raise IllegalActionError("seat_is_yours")
    return _do(room, HandBackEntry(seat, room.now()))


def call_flags(room: Room, *, bot: str) -> tuple[Entry, ...]:
    """Let a bot stand in for those whose time is up; far too late, their time starts anew."""
    if room.clocks is None:
        return ()
    if anew := _start_anew(room):
        return anew
    now = room.now()
    dues = {seat: room.clocks.due(seat) for seat in room.waiting}
    late = [seat for seat, due in dues.items() if due is not None and due <= now]
    return sum((take_over(room, seat, bot=bot, why="time") for seat in late), ())


def _start_anew(room: Room) -> tuple[Entry, ...]:
    """Let time start anew where somebody's ran out so long ago that nobody can have watched."""
    due, now = room.due(), room.now()
    return _do(room, AnewEntry(now)) if due is not None and now - due > LATE else ()


def say(room: Room, player: str, name: str, text: str) -> tuple[Entry, ...]:
    """Say something to the table."""
    _expect_not_closed(room)
    if player in room.banned:
        raise IllegalActionError("banned")
    return _do(room, SayEntry(player, name, text, room.now()))


def kick(room: Room, player: str, whom: str, *, is_ban: bool, stand_in: str) -> tuple[Entry, ...]:
    """Send somebody away; in a running game a bot plays on."""
    _expect_owner(room, player)
    _expect_not_closed(room)
    if whom == player:
        raise IllegalActionError("kick_oneself")
    if room.status == "running" and room.plan.is_rated and room.seats_of(whom):
        raise IllegalActionError("rated_no_kick")
    entries = _do(room, KickEntry(whom, is_ban, room.now()))
    if room.status == "running":
        for seat in room.seats_of(whom):
            if room.places[seat].stand_in is None:
                entries += take_over(room, seat, bot=stand_in, why="kicked")
    return entries


def check_rematch(room: Room, player: str) -> None:
    """Refuse who may not ask for another game."""
    if room.status != "over":
        raise IllegalActionError("not_over")
    if not room.seats_of(player):
        raise IllegalActionError("not_seated")


def note_rematch(room: Room, player: str, table: str) -> tuple[Entry, ...]:
    """Tell that another table like this one was opened."""
    check_rematch(room, player)
    return _do(room, RematchEntry(table, room.now()))


def close_own(room: Room, player: str) -> tuple[Entry, ...]:
    """Put one's own table away before the game begins."""
    _expect_open(room)
    _expect_owner(room, player)
    return close(room, "closed")


def close(room: Room, why: str) -> tuple[Entry, ...]:
    """Put the table away; its log is kept."""
    _expect_not_closed(room)
    return _do(room, CloseEntry(why, room.now()))


def _do(room: Room, entry: Entry) -> tuple[Entry, ...]:
    room.follow([entry])
    return (entry,)


def _free_seat(room: Room, seat: Seat | None) -> Seat:
    """Find the seat that was asked for, or the first free one."""
    if seat is None:
        free = [n for n, place in enumerate(room.places) if place.is_free]
        if not free:
            raise IllegalActionError("table_full")
        return Seat(free[0])
    _expect_seat(room, seat)
    if not room.places[seat].is_free:
        raise IllegalActionError("seat_taken", seat=seat + 1)
    return seat


def _expect_not_closed(room: Room) -> None:
    if room.closed is not None:
        raise IllegalActionError("table_closed")


def _expect_open(room: Room) -> None:
    _expect_not_closed(room)
    if room.table is not None:
        raise IllegalActionError("already_started")


def _expect_running(room: Room, seat: Seat) -> AnyTable:
    _expect_not_closed(room)
    if room.table is None:
        raise IllegalActionError("not_started")
    if room.ending is not None:
        raise IllegalActionError("game_over")
    _expect_seat(room, seat)
    return room.table


def _expect_seat(room: Room, seat: Seat) -> None:
    if not 0 <= seat < len(room.places):
        raise IllegalActionError("seat_unknown", seat=seat + 1, seats=len(room.places))


def _expect_owner(room: Room, player: str) -> None:
    if player != room.plan.owner:
        raise IllegalActionError("not_owner")


def _expect_player(room: Room, player: str, seat: Seat) -> None:
    """Refuse who does not play this seat now."""
    _expect_seat(room, seat)
    place = room.places[seat]
    if place.player != player:
        raise IllegalActionError("not_your_seat")
    if place.has_resigned:
        raise IllegalActionError("already_resigned")
    if place.stand_in is not None:
        raise IllegalActionError("bot_stands_in")
