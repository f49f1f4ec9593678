"""Views as bytes: what a seat sees of any game, written as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct

from pleasance.core.game import AnyGame, Seat
from pleasance.core.messages import LANGUAGES, load_words

COLUMNS = 100
"""How wide a game is drawn that has no shapes of its own."""

_ENCODER = msgspec.json.Encoder()
_encode = _ENCODER.encode


class PlainView(Struct, frozen=True):
    """What one seat sees of a game that is only drawn in text."""

    text: str


class PlainBox(Struct, frozen=True):
    """What a client needs to know of a game that is only drawn in text."""

    seats: int
    columns: int
    """How wide the text may be."""


def encode_view(game: AnyGame, view: Any, *, language: str = LANGUAGES[0]) -> bytes:
    """Write what *view* tells as JSON; the language matters only where a game is drawn in text."""
    if game.wire is not None:
        return _encode(game.wire.show(view))
    words = load_words(language, game.spec.package)
    return _encode(PlainView(game.draw(view, words, COLUMNS)))


class Showing:
    """One position, shown to one seat after the other; what all see is written once.

    That part comes from a spectator's view, so that nothing of a seat can get to another by it.
    """

    def __init__(self, game: AnyGame, look: Callable[[Seat | None], Any]) -> None:
        """Prepare to show the position at which *look* looks for a seat."""
        self._game = game
        self._look = look
        self._views: dict[Seat | None, Any] = {}
        self._written: dict[Seat | None, bytes] = {}
        self._common: bytes | None = None

    def see(self, seat: Seat | None) -> Any:
        """Look at the position for *seat*."""
        if seat not in self._views:
            self._views[seat] = self._look(seat)
        return self._views[seat]

    def write(self, seat: Seat | None) -> bytes:
        """Write what *seat* sees as JSON."""
        if seat not in self._written:
            self._written[seat] = self._write(self.see(seat))
        return self._written[seat]

    def _write(self, view: Any) -> bytes:
        wire = self._game.wire
        if wire is None:
            return encode_view(self._game, view)
        own = wire.own(view)
        if self._common is None:
            shown = wire.show(self.see(None))
            names, read = _list_common(wire.view, tuple(own))
            self._common = _encode(dict(zip(names, read(shown), strict=True)))
        return _encode(own)[:-1] + b"," + self._common[1:]


@cache
def _list_common(
    shape: type, own: tuple[str, ...]
) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Name the fields of *shape* that are no seat's *own*, and tell how to read them all."""
    names = tuple(field.name for field in fields(shape) if field.name not in own)
    return names, attrgetter(*names)


def encode_box(game: AnyGame, seats: int) -> bytes:
    """Write the facts of the box for so many *seats*, which a client is told once."""
    if game.wire is not None:
        return _encode(game.wire.unpack(seats))
    return _encode(PlainBox(seats, COLUMNS))


def view_type(game: AnyGame) -> type:
    """Name the type of what `encode_view` writes."""
    return PlainView if game.wire is None else game.wire.view


def box_type(game: AnyGame) -> type:
    """Name the type of what `encode_box` writes."""
    return PlainBox if game.wire is None else game.wire.box
