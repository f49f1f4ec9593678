"""Reels for the browser: of a table, as far as one seat may see it, and of any record."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from pleasance.core.errors import BadRecordError
from pleasance.core.game import Over, Seat
from pleasance.core.messages import LANGUAGES, load_words
from pleasance.core.record import parse_record
from pleasance.core.replay import replay
from pleasance.core.tags import fit_game
from pleasance.games import find_game
from pleasance.server.errors import BadRequestError
from pleasance.server.identity.desk import Visitor
from pleasance.server.page.reel import LONGEST, Frame, Raw, Reel, show_frames
from pleasance.server.page.replies import reply_json
from pleasance.server.page.shell import choose_language
from pleasance.server.page.sight import AnySeat, Language, look
from pleasance.server.tables_api import Here, TableName, enter_table
from pleasance.server.views import encode_box

AnyRequest = Request[Any, Any, Any]
FrameNumber = Annotated[int | None, QueryParameter(ge=0, le=100_000)]
FrameCount = Annotated[int, QueryParameter(ge=1, le=LONGEST)]


class WantedReel(Struct, frozen=True, forbid_unknown_fields=True):
    """A record, and which part of it to show with whose eyes."""

    record: Annotated[str, Meta(max_length=200_000)]
    seat: Annotated[int, Meta(ge=0, le=5)] | None = None
    first: Annotated[int, Meta(ge=0, le=100_000)] = 0
    limit: Annotated[int, Meta(ge=1, le=LONGEST)] = LONGEST
    data: Annotated[str, Meta(max_length=100_000)] | None = None
    """The text of the component file that the game was played with, if not the house set."""

    language: str | None = None


class RecordReel(Struct, frozen=True):
    """A part of a recorded game, and what the record says of it."""

    game: str
    seats: int
    options: tuple[str, ...]
    tags: dict[str, str]
    box: Raw
    steps: int
    is_over: bool
    frames: tuple[Frame, ...]


@get("/t/{table:str}/reel.json", include_in_schema=False)
async def read_reel(
    request: AnyRequest,
    site: Here,
    visitor: Visitor,
    table: TableName,
    *,
    seat: AnySeat = None,
    first: FrameNumber = None,
    limit: FrameCount = LONGEST,
    language: Language = None,
) -> Response[bytes]:
    """Show a part of the game at a table, with the eyes of one's own seat or a spectator's.

    Without *first* it is the last moment alone.
    """
    room = (await enter_table(site, visitor, table)).room
    eyes = look(room, visitor, seat)
    if room.table is None:
        return reply_json(Reel(0, 0, ()))
    words = load_words(choose_language(request, language), room.game.spec.package)
    show = show_frames(room.game, tuple(room.table.past()), eyes, words)
    steps, undone = room.table.steps, room.table.undone
    # Pictures of many moments take their time; steps never change, so others may be served.
    start = steps if first is None else first
    frames = await asyncio.to_thread(show, range(start, start + limit))
    return reply_json(Reel(steps, undone, frames))


@post("/page/reels", status_code=200, include_in_schema=False)
async def make_reel(request: AnyRequest, data: JSONBody[WantedReel]) -> Response[bytes]:
    """Show a part of a recorded game; a full record may be seen with anybody's eyes."""
    language = choose_language(request, data.language if data.language in LANGUAGES else None)
    try:
        return reply_json(await asyncio.to_thread(_play_back, data, language))
    except BadRecordError as refusal:  # somebody's own text, not a log of ours
        raise BadRequestError(refusal.code, **refusal.params) from refusal


def _play_back(wanted: WantedReel, language: str) -> RecordReel:
    record = parse_record(wanted.record)
    game = fit_game(find_game(record.tags["Game"]), record, wanted.data)
    played = replay(game, record, is_partial=True)
    seats = int(record.tags["Seats"])
    if wanted.seat is not None and wanted.seat >= seats:
        raise BadRequestError("seat_unknown", seat=wanted.seat + 1, seats=seats)
    seat = None if wanted.seat is None else Seat(wanted.seat)
    show = show_frames(game, played.steps, seat, load_words(language, game.spec.package))
    return RecordReel(
        game=game.spec.name,
        seats=seats,
        options=game.options,
        tags=dict(record.tags),
        box=msgspec.Raw(encode_box(game, seats)),
        steps=len(played.steps),
        is_over=isinstance(game.turn(played.state), Over),
        frames=show(range(wanted.first, wanted.first + wanted.limit)),
    )


ROUTES = [read_reel, make_reel]
