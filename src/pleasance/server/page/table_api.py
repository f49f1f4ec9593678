"""What one seat sees, for the page: the picture, what may be chosen, the story, the end.

The rule is that of the socket: everybody may look with the eyes of their own seats, or as a
spectator; nobody with those of another seat.
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
from pleasance.i18n.catalog import Words, load_words
from pleasance.server.base.errors import ForbiddenError, UnknownError
from pleasance.server.base.translate import server_words
from pleasance.server.base.view_codec import COLUMNS
from pleasance.server.http.socket import read_mutes
from pleasance.server.http.tables_api import TableName, enter_table
from pleasance.server.identity.authentication import Identity
from pleasance.server.identity.dependencies import Buckets, Visitor, spend_replay
from pleasance.server.live.serializers import show_view
from pleasance.server.live.site import Here
from pleasance.server.page.document import choose_language
from pleasance.server.page.log_in_words import Told, tell_story
from pleasance.server.page.player_names import name_people
from pleasance.server.page.responses import SVG, TEXT, reply, reply_json
from pleasance.server.page.results import tell_ending
from pleasance.table.room import AnyTable, Room

AnyRequest = Request[Any, Any, Any]
SeatNumber = Annotated[int, QueryParameter(ge=0, le=5)]
AnySeat = Annotated[int | None, QueryParameter(ge=0, le=5)]
Language = Annotated[str | None, QueryParameter(max_length=10)]
LineNumber = Annotated[int, QueryParameter(ge=0)]

_MANY = 50
"""So many lines take a while to tell, and everybody else waits; whoever follows asks for few."""


class Option(Struct, frozen=True):
    """Something that may be chosen, in words."""

    token: str
    text: str
    effect: str
    """What it would do at once; empty where *text* says so already."""


class Options(Struct, frozen=True):
    """What a seat may choose in one position."""

    seq: int
    ply: int
    undone: int
    items: tuple[Option, ...]


class Story(Struct, frozen=True):
    """A part of the log in words."""

    seq: int
    """The last line it takes in."""

    undone: int
    items: tuple[Told, ...]


def look(room: Room, visitor: Identity | None, seat: int | None) -> Seat | None:
    """Name the seat to look from; refuse another's."""
    if seat is None:
        return None
    own = room.seats_of(None if visitor is None else visitor.id)
    if seat not in own:
        raise ForbiddenError("not_your_seat")
    return Seat(seat)


@get("/t/{table:str}/picture.svg", include_in_schema=False)
async def read_picture(
    request: AnyRequest,
    site: Here,
    visitor: Visitor,
    table: TableName,
    *,
    seat: AnySeat = None,
    language: Language = None,
) -> Response[bytes]:
    """Draw the position as a picture."""
    room = (await enter_table(site, visitor, table)).room
    view = _started(room).view(look(room, visitor, seat))
    if room.game.picture is None:
        raise UnknownError("no_picture", game=room.game.spec.name)
    words = _game_words(room, choose_language(request, language))
    # A picture takes some time to draw; a view never changes, so others may be served meanwhile.
    return reply(await asyncio.to_thread(room.game.picture, view, words), SVG)


@get("/t/{table:str}/drawing.txt", include_in_schema=False)
async def read_drawing(
    request: AnyRequest,
    site: Here,
    visitor: Visitor,
    table: TableName,
    *,
    seat: AnySeat = None,
    language: Language = None,
) -> Response[bytes]:
    """Draw the position in plain text."""
    room = (await enter_table(site, visitor, table)).room
    view = _started(room).view(look(room, visitor, seat))
    words = _game_words(room, choose_language(request, language))
    return reply(await asyncio.to_thread(room.game.draw, view, words, COLUMNS), TEXT)


@get("/t/{table:str}/choices.json", include_in_schema=False)
async def read_choices(
    request: AnyRequest,
    site: Here,
    visitor: Visitor,
    table: TableName,
    *,
    seat: SeatNumber,
    language: Language = None,
) -> Response[bytes]:
    """Say in words what one's seat may choose."""
    room = (await enter_table(site, visitor, table)).room
    own = look(room, visitor, seat)
    assert own is not None, "a seat was named"
    game = _started(room)
    words = _game_words(room, choose_language(request, language))
    items = tuple(_say_option(room, own, token, words) for token in show_view(room, own).legal)
    return reply_json(Options(len(room.happenings), game.ply, game.undone, items))


def _say_option(room: Room, seat: Seat, token: str, words: Words) -> Option:
    game = room.game
    choice = read_choice(game, token)
    text = game.describe(choice, words.for_advice())
    effect = game.preview(_started(room).view(seat), choice, words)
    shown = text[:1].upper() + text[1:]
    return Option(token, shown, "" if effect in text else effect)


@get("/t/{table:str}/story.json", include_in_schema=False)
async def read_story(
    request: AnyRequest,
    site: Here,
    visitor: Visitor,
    table: TableName,
    *,
    limits: Buckets,
    seat: AnySeat = None,
    after: LineNumber = 0,
    language: Language = None,
) -> Response[bytes]:
    """Tell what has happened, in words."""
    player = None if visitor is None else visitor.id
    muted = await site.store.read(lambda connection: read_mutes(connection, player))
    room = (await enter_table(site, visitor, table)).room
    eyes = look(room, visitor, seat)
    if len(room.happenings) - after > _MANY:
        spend_replay(request, site, limits, visitor)
    tongue = choose_language(request, language)
    words = (server_words(tongue), _game_words(room, tongue))
    items = tuple(tell_story(room, eyes, after, words, muted=muted))
    undone = 0 if room.table is None else room.table.undone
    return reply_json(Story(len(room.happenings), undone, items))


@get("/t/{table:str}/ending.json", include_in_schema=False)
async def read_ending(
    request: AnyRequest,
    site: Here,
    visitor: Visitor,
    table: TableName,
    *,
    language: Language = None,
) -> Response[bytes]:
    """Tell how the game ended and what each score is made of."""
    room = (await enter_table(site, visitor, table)).room
    tongue = choose_language(request, language)
    player = None if visitor is None else visitor.id
    return reply_json(tell_ending(room, server_words(tongue), _game_words(room, tongue), player))


def _started(room: Room) -> AnyTable:
    if room.table is None:
        raise IllegalActionError("not_started")
    return room.table


def _game_words(room: Room, language: str) -> Words:
    people = name_people(room.places, server_words(language))
    return load_words(language, room.game.spec.package).among(people)


ROUTES = [read_picture, read_drawing, read_choices, read_story, read_ending]
