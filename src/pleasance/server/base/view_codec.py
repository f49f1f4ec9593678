"""Codec of views: the view of a seat of any game as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from pleasance.core.game import AnyGame, Seat
from pleasance.i18n.catalog import LANGUAGES, load_messages

TEXT_COLUMNS = 100
"""The width of the text drawing of a game without wire types."""

_ENCODER = msgspec.json.Encoder()
_encode = _ENCODER.encode

_PLAIN = (int, str, bool)
_MAX_ITEMS_CACHED = 8
"""Lists of at most this length are encoded and cached item by item."""


class TextView(Struct, frozen=True):
    """The view of one seat of a game that is only drawn in text."""

    text: str


class TextBoxFacts(Struct, frozen=True):
    """The box facts of a game that is only drawn in text."""

    seats: int
    columns: int
    """The width of the text."""


def encode_view(game: AnyGame, view: Any, *, language: str = LANGUAGES[0]) -> bytes:
    """Encode *view* as JSON; the language matters only for a game drawn in text."""
    if game.wire is not None:
        return _encode(game.wire.view_to_wire(view))
    messages = load_messages(language, game.spec.package)
    return _encode(TextView(game.render(view, messages, TEXT_COLUMNS)))


class ViewCache:
    """The encoded views of one position; fields that all seats share are encoded once.

    The shared fields come from a spectator's view, so no secret of a seat can leak to another.
    Parts that the cache of the position *before* has encoded are reused: most of a game does not
    change.
    """

    def __init__(
        self, game: AnyGame, get_view: Callable[[Seat | None], Any], before: ViewCache | None = None
    ) -> None:
        self._game = game
        self.parts: dict[int, tuple[object, msgspec.Raw]] = {}
        """Parts of the position and their encodings, by `id`."""

        self._encoded_before = {} if before is None else before.parts

        self._get_view = get_view
        self._views: dict[Seat | None, Any] = {}
        self._encoded: dict[Seat | None, bytes] = {}
        self._shared: bytes | None = None

    def view(self, seat: Seat | None) -> Any:
        """Return the view of *seat*."""
        if seat not in self._views:
            self._views[seat] = self._get_view(seat)
        return self._views[seat]

    def encode(self, seat: Seat | None) -> bytes:
        """Encode the view of *seat* as JSON."""
        if seat not in self._encoded:
            self._encoded[seat] = self._encode_view(self.view(seat))
        return self._encoded[seat]

    def _encode_view(self, view: Any) -> bytes:
        wire = self._game.wire
        if wire is None:
            return encode_view(self._game, view)
        private = wire.private_fields(view)
        if self._shared is None:
            shared = _shared_fields(wire.view_type, tuple(private))
            self._shared = self._encode_shared(shared, wire.view_to_wire(self.view(None)))
        return b"%b,%b" % (_encode(private)[:-1], self._shared[1:])

    def _encode_shared(self, shared: SharedFields, view: object) -> bytes:
        """Encode the shared fields of a spectator's *view*."""
        values = dict(zip(shared.names, shared.read(view), strict=True))
        for name in shared.lists:
            items = values[name]
            if len(items) <= _MAX_ITEMS_CACHED:
                values[name] = [self._encode_part(item) for item in items]
            else:
                values[name] = self._encode_part(items)
        self._encoded_before = {}
        return _encode(values)

    def _encode_part(self, part: object) -> msgspec.Raw:
        """Encode a part of the position, unless it was encoded before."""
        key = id(part)
        cached = self._encoded_before.get(key)
        if cached is None or cached[0] is not part:
            cached = part, msgspec.Raw(_encode(part))
        self.parts[key] = cached
        return cached[1]


class SharedFields(NamedTuple):
    """The fields of a view that all seats share."""

    names: tuple[str, ...]

    read: Callable[[Any], tuple[Any, ...]]
    """Gets the values of all of them."""

    lists: tuple[str, ...]
    """Those of them that list structured values, such as one garden for each seat."""


@cache
def _shared_fields(view_type: type, private: tuple[str, ...]) -> SharedFields:
    """List the fields of *view_type* that are not *private* to a seat."""
    names = tuple(field.name for field in fields(view_type) if field.name not in private)
    hints = get_type_hints(view_type)
    lists = [name for name in names if get_origin(hints[name]) is tuple]
    structured = tuple(name for name in lists if get_args(hints[name])[0] not in _PLAIN)
    return SharedFields(names, attrgetter(*names), structured)


def encode_box(game: AnyGame, seats: int) -> bytes:
    """Encode the box facts for a number of *seats*, which a client gets once."""
    if game.wire is not None:
        return _encode(game.wire.box_to_wire(seats))
    return _encode(TextBoxFacts(seats, TEXT_COLUMNS))


def view_type(game: AnyGame) -> type:
    """Return the type that `encode_view` encodes."""
    return TextView if game.wire is None else game.wire.view_type


def box_type(game: AnyGame) -> type:
    """Return the type that `encode_box` encodes."""
    return TextBoxFacts if game.wire is None else game.wire.box_type
