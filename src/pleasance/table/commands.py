"""Commands of a room, up to takeback and rematch: each checks, applies and returns entries.

A refused command raises `IllegalActionError` and changes nothing.
"""

from __future__ import annotations

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Seat
from pleasance.table import entries as log
from pleasance.table.entries import Entry
from pleasance.table.room import AnyTable, Room
from pleasance.table.time_control import FLAG_GRACE_S


def sit(room: Room, player: str, name: str, *, seat: Seat | None, nonce: str) -> tuple[Entry, ...]:
    """Take a free seat."""
    _expect_open(room)
    if player in room.banned:
        raise IllegalActionError("banned")
    if room.config.is_rated and room.seats_of(player):
        raise IllegalActionError("rated_one_seat")
    return _apply(room, log.SitEntry(_free_seat(room, seat), player, name, None, nonce, room.now()))


def seat_bot(room: Room, player: str, bot: str, *, seat: Seat | None) -> tuple[Entry, ...]:
    """Seat a bot on a free seat."""
    _expect_open(room)
    _expect_owner(room, player)
    return _apply(room, log.SitEntry(_free_seat(room, seat), None, bot, bot, None, room.now()))


def leave(room: Room, player: str, seat: Seat, *, stand_in: str) -> tuple[Entry, ...]:
    """Leave a seat: it is free again, or a bot stands in; the owner may remove a bot."""
    _expect_seat(room, seat)
    place = room.places[seat]
    if place.bot is not None:
        _expect_owner(room, player)
        _expect_open(room)
    elif place.player != player:
        raise IllegalActionError("not_your_seat")
    if room.status == "open":
        return _apply(room, log.LeaveEntry(seat, room.now()))
    return take_over(room, seat, bot=stand_in, why="left")


def start(room: Room, player: str) -> tuple[Entry, ...]:
    """Start the game, once all seats are taken."""
    _expect_open(room)
    if player != room.config.owner and not room.seats_of(player):
        raise IllegalActionError("not_seated")
    if any(place.is_free for place in room.places):
        raise IllegalActionError("seats_free")
    if not any(place.player for place in room.places):
        raise IllegalActionError("nobody_seated")
    return room.begin(log.StartEntry(room.now()))


def choose(room: Room, seat: Seat, token: str, *, ply: int, revision: int) -> tuple[Entry, ...]:
    """Choose for a seat, in notation; a stale choice, for another ply or revision, is refused."""
    table = _expect_running(room, seat)
    return room.record(table.choose(seat, token, ply, revision=revision))


def choose_as(
    room: Room, player: str, seat: Seat, token: str, *, ply: int, revision: int
) -> tuple[Entry, ...]:
    """Choose for a seat of *player*."""
    _expect_player(room, player, seat)
    return choose(room, seat, token, ply=ply, revision=revision)


def undo(room: Room, player: str, seat: Seat) -> tuple[Entry, ...]:
    """Undo the last choice of a seat of *player*."""
    table = _expect_running(room, seat)
    _expect_player(room, player, seat)
    return room.record(table.undo(seat))


def request_takeback(room: Room, player: str, seat: Seat) -> tuple[Entry, ...]:
    """Request a takeback to where a person chose last; a player alone needs no agreement.

    Later choices of bots are taken back too: they would choose again at once. A request while
    another one is pending agrees to that one.
    """
    table = _expect_running(room, seat)
    _expect_player(room, player, seat)
    if room.config.is_rated:
        raise IllegalActionError("rated_no_back")
    if room.takeback_by is not None:
        return answer_takeback(room, player, seat, agrees=True)
    ply = table.last_choice(room.people)
    return _agree(room, _apply(room, log.TakebackRequestEntry(seat, ply, room.now())))


def answer_takeback(room: Room, player: str, seat: Seat, *, agrees: bool) -> tuple[Entry, ...]:
    """Agree to the pending takeback, or decline it."""
    _expect_running(room, seat)
    _expect_player(room, player, seat)
    if room.takeback_by is None:
        raise IllegalActionError("nobody_asks")
    return _agree(room, _apply(room, log.TakebackAnswerEntry(seat, agrees, room.now())))


def _agree(room: Room, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Take back once all people have agreed; seats of one person agree together."""
    agreed = {room.places[seat].player for seat in room.takeback_agreed}
    needed = {room.places[seat].player for seat in room.people}
    if room.takeback_by is None or not needed <= agreed:
        return entries
    assert room.table is not None, "a takeback was requested in a game"
    return entries + room.record(room.table.take_back(room.takeback_ply))


def resign(room: Room, player: str, seat: Seat, *, stand_in: str) -> tuple[Entry, ...]:
    """Resign: the game ends if one player is left, else a bot stands in."""
    _expect_running(room, seat)
    if room.places[seat].player != player:
        raise IllegalActionError("not_your_seat")
    if room.places[seat].has_resigned:
        raise IllegalActionError("already_resigned")
    entries = _apply(room, log.ResignEntry(seat, room.now()))
    if room.ending is None and room.places[seat].stand_in is None:
        entries += _apply(room, log.TakeOverEntry(seat, stand_in, "resigned", room.now()))
    return entries


def take_over(room: Room, seat: Seat, *, bot: str, why: str) -> tuple[Entry, ...]:
    """Let a bot stand in for an absent player."""
    _expect_running(room, seat)
    place = room.places[seat]
    if place.player is None or place.stand_in is not None:
        raise IllegalActionError("bot_plays")
    return _apply(room, log.TakeOverEntry(seat, bot, why, room.now()))


def reclaim_seat(room: Room, player: str, seat: Seat) -> tuple[Entry, ...]:
    """Reclaim a seat of *player* from the bot that stood in."""
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
    return _apply(room, log.SeatReturnedEntry(seat, room.now()))


def call_flags(room: Room, *, bot: str) -> tuple[Entry, ...]:
    """Let a bot stand in where time is up; flags that are long overdue reset the clocks instead.

    A long overdue flag means that no server was running.
    """
    if room.clocks is None:
        return ()
    due, now = room.due(), room.now()
    if due is not None and now - due > FLAG_GRACE_S:
        return _apply(room, log.ClockResetEntry(now))
    dues = {seat: room.clocks.due(seat) for seat in room.waiting}
    late = [seat for seat, due in dues.items() if due is not None and due <= now]
    return sum((take_over(room, seat, bot=bot, why="time") for seat in late), ())


def say(room: Room, player: str, name: str, text: str) -> tuple[Entry, ...]:
    """Send a chat message to the table."""
    _expect_not_closed(room)
    if player in room.banned:
        raise IllegalActionError("banned")
    return _apply(room, log.SayEntry(player, name, text, room.now()))


def kick(room: Room, player: str, target: str, *, is_ban: bool, stand_in: str) -> tuple[Entry, ...]:
    """Remove a player from the table; in a running game a bot stands in."""
    _expect_owner(room, player)
    _expect_not_closed(room)
    if target == player:
        raise IllegalActionError("kick_oneself")
    if room.status == "running" and room.config.is_rated and room.seats_of(target):
        raise IllegalActionError("rated_no_kick")
    entries = _apply(room, log.KickEntry(target, is_ban, room.now()))
    if room.status == "running":
        for seat in room.seats_of(target):
            if room.places[seat].stand_in is None:
                entries += take_over(room, seat, bot=stand_in, why="kicked")
    return entries


def check_rematch(room: Room, player: str) -> None:
    """Refuse a rematch before the end, or for a player who was not seated."""
    if room.status != "over":
        raise IllegalActionError("not_over")
    if not room.seats_of(player):
        raise IllegalActionError("not_seated")


def note_rematch(room: Room, player: str, table: str) -> tuple[Entry, ...]:
    """Record the table where the rematch is played."""
    check_rematch(room, player)
    return _apply(room, log.RematchEntry(table, room.now()))


def close_own(room: Room, player: str) -> tuple[Entry, ...]:
    """Close a table of *player* before the game starts."""
    _expect_open(room)
    _expect_owner(room, player)
    return close(room, "closed")


def close(room: Room, why: str) -> tuple[Entry, ...]:
    """Close the table; its log is kept."""
    _expect_not_closed(room)
    return _apply(room, log.CloseEntry(why, room.now()))


def _apply(room: Room, entry: Entry) -> tuple[Entry, ...]:
    room.apply([entry])
    return (entry,)


def _free_seat(room: Room, seat: Seat | None) -> Seat:
    """Return the named seat, or the first free one; refuse a taken seat."""
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
    if player != room.config.owner:
        raise IllegalActionError("not_owner")


def _expect_player(room: Room, player: str, seat: Seat) -> None:
    """Refuse a player who does not play this seat now."""
    _expect_seat(room, seat)
    place = room.places[seat]
    if place.player != player:
        raise IllegalActionError("not_your_seat")
    if place.has_resigned:
        raise IllegalActionError("already_resigned")
    if place.stand_in is not None:
        raise IllegalActionError("bot_stands_in")
