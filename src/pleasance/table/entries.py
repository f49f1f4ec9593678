"""Event sourcing: the closed union of log entries, appended and never changed, and their codec."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from json.encoder import encode_basestring
from math import isfinite
from typing import Any, ClassVar, TypeAlias, get_args

from pleasance.core.errors import BadRecordError
from pleasance.core.game import Seat


@dataclass(frozen=True, slots=True)
class ChooseEntry:
    """A seat has chosen; in a simultaneous turn the choice is still secret."""

    kind: ClassVar = "choose"
    seat: Seat
    ply: int
    """How many tokens the record had."""

    token: str
    at: float
    """When, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class DrawEntry:
    """Chance has decided."""

    kind: ClassVar = "draw"
    index: int
    """Number of the draw; no number is used twice."""

    token: str
    at: float


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """A seat has taken back its last choice."""

    kind: ClassVar = "undo"
    seat: Seat
    at: float


@dataclass(frozen=True, slots=True)
class TakebackEntry:
    """All people agreed to a takeback: the game goes back to where one of them chose last."""

    kind: ClassVar = "takeback"
    ply: int
    """How many tokens the record has then."""

    at: float


GameEntry: TypeAlias = ChooseEntry | DrawEntry | UndoEntry | TakebackEntry
"""Entries that change the position."""


@dataclass(frozen=True, slots=True)
class SitEntry:
    """A player has taken a seat, or the owner has seated a bot."""

    kind: ClassVar = "sit"
    seat: Seat
    player: str | None
    name: str
    bot: str | None
    nonce: str | None
    """The random contribution of a person to the draws, in hexadecimal digits."""

    at: float


@dataclass(frozen=True, slots=True)
class LeaveEntry:
    """A seat is free again, before the game began."""

    kind: ClassVar = "leave"
    seat: Seat
    at: float


@dataclass(frozen=True, slots=True)
class StartEntry:
    """The game has begun; no nonce is added any more."""

    kind: ClassVar = "start"
    at: float


@dataclass(frozen=True, slots=True)
class TakebackRequestEntry:
    """A seat requests a takeback: back to where a person chose last."""

    kind: ClassVar = "request_takeback"
    seat: Seat
    ply: int
    """How many tokens the record would have then."""

    at: float


@dataclass(frozen=True, slots=True)
class TakebackAnswerEntry:
    """A seat agrees to a takeback, or declines."""

    kind: ClassVar = "answer_takeback"
    seat: Seat
    agrees: bool
    at: float


@dataclass(frozen=True, slots=True)
class ResignEntry:
    """A seat has given the game up."""

    kind: ClassVar = "resign"
    seat: Seat
    at: float


@dataclass(frozen=True, slots=True)
class TakeOverEntry:
    """A bot stands in for a seat."""

    kind: ClassVar = "take_over"
    seat: Seat
    bot: str
    why: str
    """`away`, `left`, `time`, `kicked` or `resigned`."""

    at: float


@dataclass(frozen=True, slots=True)
class SeatReturnedEntry:
    """A seat is its player's again."""

    kind: ClassVar = "seat_returned"
    seat: Seat
    at: float


@dataclass(frozen=True, slots=True)
class ClockResetEntry:
    """The clocks of this choice start again, since no server was there to call a flag."""

    kind: ClassVar = "clock_reset"
    at: float


@dataclass(frozen=True, slots=True)
class SayEntry:
    """A player has said something."""

    kind: ClassVar = "say"
    player: str
    name: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class KickEntry:
    """The owner has removed a player."""

    kind: ClassVar = "kick"
    player: str
    is_ban: bool
    at: float


@dataclass(frozen=True, slots=True)
class RematchEntry:
    """A rematch was opened at another table."""

    kind: ClassVar = "rematch"
    table: str
    at: float


@dataclass(frozen=True, slots=True)
class CloseEntry:
    """The table was closed."""

    kind: ClassVar = "close"
    why: str
    """`abandoned` or `closed`."""

    at: float


RoomEntry: TypeAlias = (
    SitEntry
    | LeaveEntry
    | StartEntry
    | TakebackRequestEntry
    | TakebackAnswerEntry
    | ResignEntry
    | TakeOverEntry
    | SeatReturnedEntry
    | ClockResetEntry
    | SayEntry
    | KickEntry
    | RematchEntry
    | CloseEntry
)
"""Entries that leave the position as it is."""

Entry: TypeAlias = GameEntry | RoomEntry
"""Everything that can happen at a table; match on it and close the match with `assert_never`."""

_KINDS: dict[str, type[Entry]] = {kind.kind: kind for kind in get_args(Entry)}
_FORMS = {
    kind: ", ".join([f'{{"kind": "{name}"', *(f'"{field}": %s' for field in kind.__slots__)]) + "}"
    for name, kind in _KINDS.items()
}
"""The JSON of each kind of entry, with a place for each value."""

_WRITERS: dict[type, Callable[[Any], str]] = {
    str: encode_basestring,
    int: repr,
    float: repr,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _: "null",
}


def _is_text_or_none(value: object) -> bool:
    return value is None or type(value) is str


_CHECKS: dict[str, Callable[[object], bool]] = {
    **dict.fromkeys(("seat", "ply", "index"), lambda value: type(value) is int),
    **dict.fromkeys(
        ("token", "name", "why", "text", "table", "player", "bot"), lambda value: type(value) is str
    ),
    **dict.fromkeys(("agrees", "is_ban"), lambda value: type(value) is bool),
    "nonce": _is_text_or_none,
    "at": lambda value: type(value) is float and isfinite(value),
}
_CHECKS_OF: dict[type[Entry], dict[str, Callable[[object], bool]]] = {
    SitEntry: {**_CHECKS, "player": _is_text_or_none, "bot": _is_text_or_none},
}


def to_json(entry: Entry) -> str:
    """Encode one entry as one line of JSON."""
    kind = type(entry)
    # Written by hand, since a log is written far more often than anything else.
    return _FORMS[kind] % tuple(
        [_WRITERS[type(value := getattr(entry, name))](value) for name in kind.__slots__]
    )


def from_json(text: str) -> Entry:
    """Decode an entry that `to_json` encoded."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecordError("log_entry") from error
    kind = _KINDS.get(str(fields.pop("kind", ""))) if isinstance(fields, dict) else None
    if kind is None or fields.keys() != set(kind.__slots__) or not _is_sound(kind, fields):
        raise BadRecordError("log_entry")  # what it holds may be hidden
    return kind(**fields)


def _is_sound(kind: type[Entry], fields: dict[str, object]) -> bool:
    """Return whether each field holds a value of its type."""
    checks = _CHECKS_OF.get(kind, _CHECKS)
    return all(checks[name](value) for name, value in fields.items())
