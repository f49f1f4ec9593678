"""Endpoints of records: the chances of all draws, and pictures."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, post
from litestar.params import JSONBody
from msgspec import Struct

from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.server.base.errors import NotFoundError
from pleasance.server.base.translate import server_messages
from pleasance.server.identity.dependencies import (
    OptionalIdentityDep,
    RateLimiterDep,
    charge_replay,
)
from pleasance.server.live.site import SiteDep
from pleasance.server.page.document import choose_language
from pleasance.server.page.player_names import name_recorded
from pleasance.server.page.record_input import (
    BoxText,
    RecordText,
    SeatIndex,
    StepNumber,
    play_again,
)
from pleasance.server.page.responses import SVG, reply, reply_json

AnyRequest = Request[Any, Any, Any]


class WantedDraws(Struct, frozen=True, forbid_unknown_fields=True):
    """A record whose draws are to be verified."""

    record: RecordText
    data: BoxText | None = None


class DrawFacts(Struct, frozen=True):
    """A draw with all possible outcomes: enough to verify it without the rules."""

    token: str
    outcomes: tuple[tuple[str, int], ...]
    """Each token with its weight, in the order that docs/fairness.md fixes."""


class Draws(Struct, frozen=True):
    """All draws of a record."""

    items: tuple[DrawFacts, ...]


class WantedPicture(Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a record, and the seat whose view is drawn."""

    record: RecordText
    step: StepNumber
    seat: SeatIndex | None = None
    data: BoxText | None = None
    language: str | None = None


@post("/page/draws", status_code=200, include_in_schema=False)
async def list_draw_chances(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    *,
    limits: RateLimiterDep,
    data: JSONBody[WantedDraws],
) -> Response[bytes]:
    """List for each draw of a full record the possible outcomes and their weights."""
    charge_replay(request, site, limits, visitor)
    played = await asyncio.to_thread(play_again, data.record, data.data)
    items = (
        DrawFacts(drawn.token, tuple((str(outcome), weight) for outcome, weight in drawn.chances))
        for drawn in played.draws
    )
    return reply_json(Draws(tuple(items)))


@post("/page/pictures", status_code=200, include_in_schema=False)
async def draw_picture(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    *,
    limits: RateLimiterDep,
    data: JSONBody[WantedPicture],
) -> Response[bytes]:
    """Draw a moment of a recorded game."""
    charge_replay(request, site, limits, visitor)
    language = choose_language(request, data.language if data.language in LANGUAGES else None)
    return reply(await asyncio.to_thread(_draw, data, language), SVG)


def _draw(wanted: WantedPicture, language: str) -> str:
    played = play_again(wanted.record, wanted.data)
    game, steps = played.game, played.replayed.steps
    if game.picture is None:
        raise NotFoundError("no_picture", game=game.spec.name)
    number = min(wanted.step, len(steps))
    state = steps[number - 1].after if number else game.start(played.seats)
    view = game.view(state, played.seat(wanted.seat))
    people = name_recorded(played.record.tags, played.seats, server_messages(language))
    return game.picture(view, load_messages(language, game.spec.package).among(people))


ROUTES = [list_draw_chances, draw_picture]
