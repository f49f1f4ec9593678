"""What clients send: closed unions, tagged by `kind`.

A client names every request with a *key* of its own: a repeated key is answered the same and done
once.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from pleasance.server.base.messages import (
    Count,
    Key,
    Name,
    Nonce,
    PlayerId,
    SeatNumber,
    TableId,
    Wire,
)

# Commands: what somebody wants of a table.


class Sit(Wire, frozen=True, tag="sit"):
    """Take a free seat; several seats on one device need a name for each."""

    nonce: Nonce
    seat: SeatNumber | None = None
    """The first free one, if none is named."""

    name: Name | None = None


class SeatBot(Wire, frozen=True, tag="seat_bot"):
    """Let a bot sit on a free seat (the owner)."""

    bot: Name
    seat: SeatNumber | None = None


class Leave(Wire, frozen=True, tag="leave"):
    """Give a seat up before the game begins; the owner may remove a bot."""

    seat: SeatNumber


class Start(Wire, frozen=True, tag="start"):
    """Begin the game (the owner, or anybody seated once all seats are taken)."""


class Choose(Wire, frozen=True, tag="choose"):
    """Choose, in notation, at the position that was seen."""

    seat: SeatNumber
    token: Annotated[str, Meta(min_length=1, max_length=40)]
    ply: Count
    undone: Count = 0


class Undo(Wire, frozen=True, tag="undo"):
    """Take back one's own last choice, while nothing hidden has come out since."""

    seat: SeatNumber


class AskBack(Wire, frozen=True, tag="ask_back"):
    """Ask all people at the table to go back to before somebody's last choice (unrated games)."""

    seat: SeatNumber


class AnswerBack(Wire, frozen=True, tag="answer_back"):
    """Agree to going back, or decline."""

    seat: SeatNumber
    agrees: bool


class Resign(Wire, frozen=True, tag="resign"):
    """Give the game up."""

    seat: SeatNumber


class TakeSeatBack(Wire, frozen=True, tag="take_seat_back"):
    """Take one's seat back from the bot that stood in."""

    seat: SeatNumber


class Say(Wire, frozen=True, tag="say"):
    """Say something to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Kick(Wire, frozen=True, tag="kick"):
    """Send somebody away, for good if it *is_ban* (the owner)."""

    player: PlayerId
    is_ban: bool = False


class Close(Wire, frozen=True, tag="close"):
    """Put a table away before the game begins (the owner)."""


class Rematch(Wire, frozen=True, tag="rematch"):
    """Play again, once it is over: the first to ask opens a table like this one, others join it.

    Bots take their seats again, and the game begins when all have come.
    """

    nonce: Nonce


Command: TypeAlias = (
    Sit
    | SeatBot
    | Leave
    | Start
    | Choose
    | Undo
    | AskBack
    | AnswerBack
    | Resign
    | TakeSeatBack
    | Say
    | Kick
    | Close
    | Rematch
)
"""What somebody can want of a table, over the socket or by HTTP."""


# What a client sends over the socket.


class Watch(Wire, frozen=True, tag="watch"):
    """Follow a table; *since* is the last number seen of it, to go on after a lost connection."""

    key: Key
    table: TableId
    since: Annotated[int, Meta(ge=0)] | None = None


class Unwatch(Wire, frozen=True, tag="unwatch"):
    """Follow a table no more."""

    key: Key
    table: TableId


class Do(Wire, frozen=True, tag="do"):
    """Do something at a table."""

    key: Key
    table: TableId
    command: Command


class Ping(Wire, frozen=True, tag="ping"):
    """Ask whether the server is there."""

    key: Key


Request: TypeAlias = Watch | Unwatch | Do | Ping
