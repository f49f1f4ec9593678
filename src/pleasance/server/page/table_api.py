"""Endpoints of the table page: picture, legal choices, narration and ending, for one seat.

As over the socket, a visitor may look from an own seat or as a spectator, never from another seat.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import QueryParameter
from msgspec import Struct

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Seat
from pleasance.core.steps import read_choice
from pleasance.i18n.catalog import MessageCatalog, load_messages
from pleasance.server.base.errors import ForbiddenError, NotFoundError
from pleasance.server.base.translate import server_messages
from pleasance.server.base.view_codec import TEXT_COLUMNS
from pleasance.server.identity.authentication import Identity
from pleasance.server.identity.dependencies import (
    OptionalIdentityDep,
    RateLimiterDep,
    charge_replay,
)
from pleasance.server.live.connections import read_mutes
from pleasance.server.live.serializers import seat_view_to_wire
from pleasance.server.live.site import SiteDep, TablePath
from pleasance.server.page.document import choose_language
from pleasance.server.page.narration import Sentence, narrate_log
from pleasance.server.page.player_names import name_people
from pleasance.server.page.responses import SVG, TEXT, reply, reply_json
from pleasance.server.page.results import describe_ending
from pleasance.table.room import AnyTable, Room

AnyRequest = Request[Any, Any, Any]
SeatNumber = Annotated[int, QueryParameter(ge=0, le=5)]
AnySeat = Annotated[int | None, QueryParameter(ge=0, le=5)]
Language = Annotated[str | None, QueryParameter(max_length=10)]
LineNumber = Annotated[int, QueryParameter(ge=0)]

_MAX_FREE_ENTRIES = 50
"""Entries that are narrated without a rate limit charge; more of them block the event loop."""


class Option(Struct, frozen=True):
    """A legal choice in words."""

    token: str
    text: str
    effect: str
    """Its immediate effect; empty where *text* includes that."""


class Options(Struct, frozen=True):
    """The legal choices of a seat in one position."""

    seq: int
    ply: int
    revision: int
    items: tuple[Option, ...]


class Story(Struct, frozen=True):
    """A narrated part of the log."""

    seq: int
    """The seq of its last entry."""

    revision: int
    items: tuple[Sentence, ...]


def find_viewer(room: Room, visitor: Identity | None, seat: int | None) -> Seat | None:
    """Return the seat to look from; refuse a seat of another player."""
    if seat is None:
        return None
    own = room.seats_of(None if visitor is None else visitor.id)
    if seat not in own:
        raise ForbiddenError("not_your_seat")
    return Seat(seat)


@get("/t/{table:str}/picture.svg", include_in_schema=False)
async def read_picture(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    table: TablePath,
    *,
    seat: AnySeat = None,
    language: Language = None,
) -> Response[bytes]:
    """Draw the position as a picture."""
    room = (await site.hub.find_for(visitor, table)).room
    view = _started(room).view(find_viewer(room, visitor, seat))
    if room.game.picture is None:
        raise NotFoundError("no_picture", game=room.game.spec.name)
    words = _game_words(room, choose_language(request, language))
    # Drawing takes a while; views are immutable, so a thread can do it.
    return reply(await asyncio.to_thread(room.game.picture, view, words), SVG)


@get("/t/{table:str}/drawing.txt", include_in_schema=False)
async def read_drawing(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    table: TablePath,
    *,
    seat: AnySeat = None,
    language: Language = None,
) -> Response[bytes]:
    """Draw the position in plain text."""
    room = (await site.hub.find_for(visitor, table)).room
    view = _started(room).view(find_viewer(room, visitor, seat))
    words = _game_words(room, choose_language(request, language))
    return reply(await asyncio.to_thread(room.game.render, view, words, TEXT_COLUMNS), TEXT)


@get("/t/{table:str}/choices.json", include_in_schema=False)
async def read_choices(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    table: TablePath,
    *,
    seat: SeatNumber,
    language: Language = None,
) -> Response[bytes]:
    """Describe the legal choices of your seat."""
    room = (await site.hub.find_for(visitor, table)).room
    own = find_viewer(room, visitor, seat)
    assert own is not None, "a seat was named"
    game = _started(room)
    words = _game_words(room, choose_language(request, language))
    items = tuple(
        _say_option(room, own, token, words) for token in seat_view_to_wire(room, own).legal
    )
    return reply_json(Options(len(room.log), game.ply, game.revision, items))


def _say_option(room: Room, seat: Seat, token: str, words: MessageCatalog) -> Option:
    game = room.game
    choice = read_choice(game, token)
    text = game.describe(choice, words.for_advice())
    effect = game.preview(_started(room).view(seat), choice, words)
    shown = text[:1].upper() + text[1:]
    return Option(token, shown, "" if effect in text else effect)


@get("/t/{table:str}/story.json", include_in_schema=False)
async def read_story(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    table: TablePath,
    *,
    limits: RateLimiterDep,
    seat: AnySeat = None,
    after: LineNumber = 0,
    language: Language = None,
) -> Response[bytes]:
    """Narrate the log."""
    player = None if visitor is None else visitor.id
    muted = await site.store.read(lambda connection: read_mutes(connection, player))
    room = (await site.hub.find_for(visitor, table)).room
    viewer = find_viewer(room, visitor, seat)
    if len(room.log) - after > _MAX_FREE_ENTRIES:
        charge_replay(request, site, limits, visitor)
    language_code = choose_language(request, language)
    words = (server_messages(language_code), _game_words(room, language_code))
    items = tuple(narrate_log(room, viewer, after, words, muted=muted))
    revision = 0 if room.table is None else room.table.revision
    return reply_json(Story(len(room.log), revision, items))


@get("/t/{table:str}/ending.json", include_in_schema=False)
async def read_ending(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    table: TablePath,
    *,
    language: Language = None,
) -> Response[bytes]:
    """Describe the ending of the game and the parts of each score."""
    room = (await site.hub.find_for(visitor, table)).room
    language_code = choose_language(request, language)
    player = None if visitor is None else visitor.id
    return reply_json(
        describe_ending(
            room, server_messages(language_code), _game_words(room, language_code), player
        )
    )


def _started(room: Room) -> AnyTable:
    if room.table is None:
        raise IllegalActionError("not_started")
    return room.table


def _game_words(room: Room, language: str) -> MessageCatalog:
    people = name_people(room.places, server_messages(language))
    return load_messages(language, room.game.spec.package).among(people)


ROUTES = [read_picture, read_drawing, read_choices, read_story, read_ending]
