"""Bind a command from the wire to a player: the result changes a room when it is executed."""

from __future__ import annotations

from functools import partial
from typing import assert_never

from pleasance.core.game import Seat
from pleasance.core.record import clean_text
from pleasance.players.registry import fallback_player
from pleasance.server.base import requests
from pleasance.server.base.errors import BadRequestError
from pleasance.server.base.requests import Command
from pleasance.server.bots.eligibility import check_bot, rated_bots
from pleasance.server.identity.names import clean_name
from pleasance.server.live.pending import RoomCommand
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room


def bind_command(command: Command, player: str, name: str) -> RoomCommand:
    """Bind a command to the *player* called *name*."""
    return partial(_execute, command=command, player=player, name=name)


def _execute(  # noqa: C901, PLR0912  (a closed match)
    room: Room, command: Command, player: str, name: str
) -> tuple[Entry, ...]:
    stand_in = fallback_player(room.game)
    match command:
        case requests.Choose(seat, token, ply, revision):
            return commands.choose_as(room, player, Seat(seat), token, ply=ply, revision=revision)
        case requests.Undo(seat):
            return commands.undo(room, player, Seat(seat))
        case requests.RequestTakeback(seat):
            return commands.request_takeback(room, player, Seat(seat))
        case requests.AnswerTakeback(seat, agrees):
            return commands.answer_takeback(room, player, Seat(seat), agrees=agrees)
        case requests.Say(text):
            return commands.say(room, player, name, _clean_chat(text))
        case requests.Start():
            return commands.start(room, player)
        case requests.Close():
            return commands.close_own(room, player)
        case requests.Sit(nonce, wanted, chosen_name):
            shown = name if chosen_name is None else clean_name(chosen_name)
            return commands.sit(room, player, shown, seat=_seat(wanted), nonce=nonce)
        case requests.SeatBot(bot, wanted):
            _check_bot(room, bot)
            return commands.seat_bot(room, player, bot, seat=_seat(wanted))
        case requests.Leave(seat):
            return commands.leave(room, player, Seat(seat), stand_in=stand_in)
        case requests.Resign(seat):
            return commands.resign(room, player, Seat(seat), stand_in=stand_in)
        case requests.ReclaimSeat(seat):
            return commands.reclaim_seat(room, player, Seat(seat))
        case requests.Kick(target, is_ban):
            return commands.kick(room, player, target, is_ban=is_ban, stand_in=stand_in)
        case requests.Rematch():
            raise AssertionError("a rematch concerns two tables")
        case _:
            assert_never(command)


def _check_bot(room: Room, bot: str) -> None:
    """Refuse a bot that this table does not accept."""
    check_bot(bot, room.game)
    known = rated_bots(room.game)
    if room.config.is_rated and bot not in known:
        # Wins against a bot without a reliable rating would be a way to climb.
        raise BadRequestError("rated_bot", bot=bot, known=", ".join(known))


def _clean_chat(text: str) -> str:
    """Reduce a chat message to one line; refuse an empty one."""
    cleaned = clean_text(text)
    if not cleaned:
        raise BadRequestError("nothing_said")
    return cleaned


def _seat(seat: int | None) -> Seat | None:
    return None if seat is None else Seat(seat)
