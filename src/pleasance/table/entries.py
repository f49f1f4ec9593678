"""The log of a table: what was done, by whom and when; lines are added, never changed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from math import isfinite
from typing import TypeAlias

from pleasance.core.errors import BadRecordError
from pleasance.core.game import Seat


@dataclass(frozen=True, slots=True)
class ChooseEntry:
    """A seat has chosen; in a simultaneous turn the choice is still secret."""

    seat: Seat
    ply: int
    """How many tokens the record had."""

    token: str
    at: float
    """When, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class DrawEntry:
    """Chance has decided."""

    index: int
    """Number of the draw; no number is used twice."""

    token: str
    at: float


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """A seat has taken back its last choice."""

    seat: Seat
    at: float


Entry: TypeAlias = ChooseEntry | DrawEntry | UndoEntry

_KINDS: dict[str, type[Entry]] = {"choose": ChooseEntry, "draw": DrawEntry, "undo": UndoEntry}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_TYPES = {"seat": int, "ply": int, "index": int, "token": str, "at": float}


def to_json(entry: Entry) -> str:
    """Write one entry as one line of JSON."""
    return json.dumps({"kind": _NAMES[type(entry)], **asdict(entry)}, ensure_ascii=False)


def from_json(text: str) -> Entry:
    """Read what `to_json` wrote."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecordError("log_entry") from error
    kind = _KINDS.get(str(fields.pop("kind", ""))) if isinstance(fields, dict) else None
    if kind is None or fields.keys() != set(kind.__slots__) or not _is_sound(fields):
        raise BadRecordError("log_entry")  # what it holds may be hidden
    return kind(**fields)


def _is_sound(fields: dict[str, object]) -> bool:
    """Tell whether each field holds what it should."""
    return all(
        type(value) is _TYPES[name] and (not isinstance(value, float) or isfinite(value))
        for name, value in fields.items()
    )
