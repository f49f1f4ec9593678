"""Endpoints of playback: segments of a table as one seat may see it, and of any record."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from pleasance.core.game import Over
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.server.base.translate import server_messages
from pleasance.server.base.view_codec import encode_box
from pleasance.server.identity.dependencies import (
    OptionalIdentityDep,
    RateLimiterDep,
    charge_replay,
)
from pleasance.server.live.site import SiteDep, TablePath
from pleasance.server.page.document import choose_language
from pleasance.server.page.playback import MAX_FRAMES, Frame, GameSegment, Raw, frame_builder
from pleasance.server.page.player_names import name_people, name_recorded
from pleasance.server.page.record_input import (
    BoxText,
    RecordText,
    SeatIndex,
    StepNumber,
    play_again,
)
from pleasance.server.page.responses import reply_json
from pleasance.server.page.results import Ending, describe_result
from pleasance.server.page.table_api import AnySeat, Language, find_viewer

AnyRequest = Request[Any, Any, Any]
FrameNumber = Annotated[int | None, QueryParameter(ge=0, le=100_000)]
FrameCount = Annotated[int, QueryParameter(ge=1, le=MAX_FRAMES)]

_MAX_FREE_FRAMES = 10
"""Frames that a request may ask for without a rate limit charge."""


class RecordSegmentRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A record, the segment to show and the seat to look from."""

    record: RecordText
    seat: SeatIndex | None = None
    first: StepNumber = 0
    limit: Annotated[int, Meta(ge=1, le=MAX_FRAMES)] = MAX_FRAMES
    data: BoxText | None = None
    """The text of the game's component file; `null` for the house set."""

    language: str | None = None


class RecordSegment(Struct, frozen=True):
    """A segment of a recorded game, with the facts of the record."""

    game: str
    seats: int
    options: tuple[str, ...]
    tags: dict[str, str]
    box: Raw
    steps: int
    is_over: bool
    scores: tuple[tuple[int, ...], ...]
    """The public scores at the start and after each step."""

    ending: Ending | None
    """The ending of a finished game."""

    frames: tuple[Frame, ...]


@get("/t/{table:str}/playback.json", include_in_schema=False)
async def read_playback(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    table: TablePath,
    *,
    limits: RateLimiterDep,
    seat: AnySeat = None,
    first: FrameNumber = None,
    limit: FrameCount = MAX_FRAMES,
    language: Language = None,
) -> Response[bytes]:
    """Read a segment of the game at a table, as your own seat or a spectator saw it.

    Without *first* it is the last moment only.
    """
    room = (await site.hub.find_for(visitor, table)).room
    viewer = find_viewer(room, visitor, seat)
    if room.table is None:
        return reply_json(GameSegment(0, 0, ()))
    language_code = choose_language(request, language)
    people = name_people(room.places, server_messages(language_code))
    words = load_messages(language_code, room.game.spec.package).among(people)
    show = frame_builder(room.game, tuple(room.table.past_steps()), viewer, words)
    steps, revision = room.table.steps, room.table.revision
    # Many frames take a while; steps are immutable, so a thread can build them.
    start = steps if first is None else first
    if min(start + limit, steps + 1) - start > _MAX_FREE_FRAMES:
        charge_replay(request, site, limits, visitor)
    frames = await asyncio.to_thread(show, range(start, start + limit))
    return reply_json(GameSegment(steps, revision, frames))


@post("/page/playbacks", status_code=200, include_in_schema=False)
async def make_playback(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    *,
    limits: RateLimiterDep,
    data: JSONBody[RecordSegmentRequest],
) -> Response[bytes]:
    """Build a segment of a recorded game; a full record may be seen from any seat."""
    charge_replay(request, site, limits, visitor)
    language = choose_language(request, data.language if data.language in LANGUAGES else None)
    return reply_json(await asyncio.to_thread(_play_back, data, language))


def _play_back(wanted: RecordSegmentRequest, language: str) -> RecordSegment:
    played = play_again(wanted.record, wanted.data)
    game, steps = played.game, played.replayed.steps
    own = server_messages(language)
    people = name_recorded(played.record.tags, played.seats, own)
    words = load_messages(language, game.spec.package).among(people)
    states = (game.start(played.seats), *(step.after for step in steps))
    show = frame_builder(game, steps, played.seat(wanted.seat), words)
    is_over = isinstance(game.turn(played.replayed.state), Over)
    called = people or [own("page.player", seat=seat + 1) for seat in range(played.seats)]
    return RecordSegment(
        game=game.spec.name,
        seats=played.seats,
        options=game.options,
        tags=dict(played.record.tags),
        box=msgspec.Raw(encode_box(game, played.seats)),
        steps=len(steps),
        is_over=is_over,
        scores=tuple(map(tuple, map(game.scores, states))),
        ending=describe_result(game, played.replayed.state, called, (own, words))
        if is_over
        else None,
        frames=show(range(wanted.first, wanted.first + wanted.limit)),
    )


ROUTES = [read_playback, make_playback]
