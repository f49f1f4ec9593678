"""Reels for the browser: of a table, as far as one seat may see it, and of any record."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from pleasance.core.game import Over
from pleasance.i18n.catalog import LANGUAGES, load_words
from pleasance.server.base.translate import server_words
from pleasance.server.base.view_codec import encode_box
from pleasance.server.http.tables_api import TableName, enter_table
from pleasance.server.identity.dependencies import Buckets, Visitor, spend_replay
from pleasance.server.live.site import Here
from pleasance.server.page.document import choose_language
from pleasance.server.page.playback import LONGEST, Frame, Raw, Reel, show_frames
from pleasance.server.page.player_names import name_people, name_recorded
from pleasance.server.page.record_input import (
    BoxText,
    RecordText,
    SeatIndex,
    StepNumber,
    play_again,
    refusing,
)
from pleasance.server.page.responses import reply_json
from pleasance.server.page.results import Ending, conclude
from pleasance.server.page.table_api import AnySeat, Language, look

AnyRequest = Request[Any, Any, Any]
FrameNumber = Annotated[int | None, QueryParameter(ge=0, le=100_000)]
FrameCount = Annotated[int, QueryParameter(ge=1, le=LONGEST)]

_FEW = 10
"""So many frames cost little: whoever follows a table is shown those that are new."""


class WantedReel(Struct, frozen=True, forbid_unknown_fields=True):
    """A record, and which part of it to show with whose eyes."""

    record: RecordText
    seat: SeatIndex | None = None
    first: StepNumber = 0
    limit: Annotated[int, Meta(ge=1, le=LONGEST)] = LONGEST
    data: BoxText | None = None
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
    scores: tuple[tuple[int, ...], ...]
    """What everybody could count at the start and after each step of the whole."""

    ending: Ending | None
    """How it came out, where it was played to the end."""

    frames: tuple[Frame, ...]


@get("/t/{table:str}/reel.json", include_in_schema=False)
async def read_reel(
    request: AnyRequest,
    site: Here,
    visitor: Visitor,
    table: TableName,
    *,
    limits: Buckets,
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
    tongue = choose_language(request, language)
    people = name_people(room.places, server_words(tongue))
    words = load_words(tongue, room.game.spec.package).among(people)
    show = show_frames(room.game, tuple(room.table.past()), eyes, words)
    steps, undone = room.table.steps, room.table.undone
    # Pictures of many moments take their time; steps never change, so others may be served.
    start = steps if first is None else first
    if min(start + limit, steps + 1) - start > _FEW:
        spend_replay(request, site, limits, visitor)
    frames = await asyncio.to_thread(show, range(start, start + limit))
    return reply_json(Reel(steps, undone, frames))


@post("/page/reels", status_code=200, include_in_schema=False)
async def make_reel(
    request: AnyRequest,
    site: Here,
    visitor: Visitor,
    *,
    limits: Buckets,
    data: JSONBody[WantedReel],
) -> Response[bytes]:
    """Show a part of a recorded game; a full record may be seen with anybody's eyes."""
    spend_replay(request, site, limits, visitor)
    language = choose_language(request, data.language if data.language in LANGUAGES else None)
    return reply_json(await asyncio.to_thread(refusing, lambda: _play_back(data, language)))


def _play_back(wanted: WantedReel, language: str) -> RecordReel:
    played = play_again(wanted.record, wanted.data)
    game, steps = played.game, played.course.steps
    own = server_words(language)
    people = name_recorded(played.record.tags, played.seats, own)
    words = load_words(language, game.spec.package).among(people)
    states = (game.start(played.seats), *(step.after for step in steps))
    show = show_frames(game, steps, played.seat(wanted.seat), words)
    is_over = isinstance(game.turn(played.course.state), Over)
    called = people or [own("page.player", seat=seat + 1) for seat in range(played.seats)]
    return RecordReel(
        game=game.spec.name,
        seats=played.seats,
        options=game.options,
        tags=dict(played.record.tags),
        box=msgspec.Raw(encode_box(game, played.seats)),
        steps=len(steps),
        is_over=is_over,
        scores=tuple(map(tuple, map(game.scores, states))),
        ending=conclude(game, played.course.state, called, (own, words)) if is_over else None,
        frames=show(range(wanted.first, wanted.first + wanted.limit)),
    )


ROUTES = [read_reel, make_reel]
