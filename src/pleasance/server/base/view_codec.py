"""Views as bytes: what a seat sees of any game, written as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from pleasance.core.game import AnyGame, Seat
from pleasance.i18n.catalog import LANGUAGES, load_words

COLUMNS = 100
"""How wide a game is drawn that has no shapes of its own."""

_ENCODER = msgspec.json.Encoder()
_encode = _ENCODER.encode

_PLAIN = (int, str, bool)
_SHORT = 8
"""A list of at most so many parts is written part by part."""


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
    What of it was there *before*, in the position shown last, is not written again: most of a
    game stays as it is.
    """

    def __init__(
        self, game: AnyGame, look: Callable[[Seat | None], Any], before: Showing | None = None
    ) -> None:
        """Prepare to show the position at which *look* looks for a seat."""
        self._game = game
        self.parts: dict[int, tuple[object, msgspec.Raw]] = {}
        """Parts of the position and how they are written, by where they lie."""

        self._known = {} if before is None else before.parts

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
            common = _list_common(wire.view, tuple(own))
            self._common = self._write_common(common, wire.show(self.see(None)))
        return b"%b,%b" % (_encode(own)[:-1], self._common[1:])

    def _write_common(self, common: Common, shown: object) -> bytes:
        """Write what all see of what is *shown* to a spectator."""
        told = dict(zip(common.names, common.read(shown), strict=True))
        for name in common.lists:
            items = told[name]
            if len(items) <= _SHORT:
                told[name] = [self._write_part(item) for item in items]
            else:
                told[name] = self._write_part(items)
        self._known = {}
        return _encode(told)

    def _write_part(self, part: object) -> msgspec.Raw:
        """Write a part of the position, unless it was there before."""
        place = id(part)
        known = self._known.get(place)
        if known is None or known[0] is not part:
            known = part, msgspec.Raw(_encode(part))
        self.parts[place] = known
        return known[1]


class Common(NamedTuple):
    """What all see of a game."""

    names: tuple[str, ...]
    """The fields that are no seat's own."""

    read: Callable[[Any], tuple[Any, ...]]
    """Reads all of them."""

    lists: tuple[str, ...]
    """Those of them that list more than plain values, such as one garden for each seat."""


@cache
def _list_common(shape: type, own: tuple[str, ...]) -> Common:
    """Name the fields of *shape* that are no seat's *own*."""
    names = tuple(field.name for field in fields(shape) if field.name not in own)
    hints = get_type_hints(shape)
    lists = [name for name in names if get_origin(hints[name]) is tuple]
    rich = tuple(name for name in lists if get_args(hints[name])[0] not in _PLAIN)
    return Common(names, attrgetter(*names), rich)


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
