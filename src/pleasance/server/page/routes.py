"""The way in: one document for the whole app, and one for what cannot be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any
from urllib.parse import urlsplit

from litestar import Request, Response, get
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from pleasance import __version__
from pleasance.core.errors import BadSetupError, PleasanceError
from pleasance.core.levels import LEVELS
from pleasance.games import find_game, game_names
from pleasance.i18n.catalog import Words, load_words
from pleasance.players import player_names, takes_budget
from pleasance.server.base.errors import ServerError, UnknownError
from pleasance.server.base.translate import explain, server_words
from pleasance.server.bots.pool import check_bot
from pleasance.server.http.tables_api import enter_table
from pleasance.server.identity.authentication import Identity
from pleasance.server.identity.dependencies import Visitor
from pleasance.server.live.site import Here, Site
from pleasance.server.page.document import choose_language, make_document, make_plain
from pleasance.server.page.invite_links import find_home, is_only_here
from pleasance.server.page.responses import HTML, reply, reply_json

AnyRequest = Request[Any, Any, Any]
Language = Annotated[str | None, QueryParameter(max_length=10)]

_PLACES = ["/", "/learn", "/learn/{rest:path}", "/replay", "/ratings", "/you"]
"""Where in the app one can begin, besides a table."""

_TABLE = re.compile(r"[a-z0-9]{8,40}")
_LEVELS = (*LEVELS, "master:0.2s")
"""The bots that are made for people, the weakest first."""

_BUDGETS = {"master": "2s"}
_BUDGET = "1s"
"""How long another bot thinks that can be told how long."""


class Variant(Struct, frozen=True):
    """An option of a game, in words."""

    name: str
    text: str
    seats: tuple[int, ...]


class Offer(Struct, frozen=True):
    """A game that can be played, as the scripts need to know it."""

    name: str
    title: str
    blurb: str
    """What kind of game it is, in a sentence or two; may be empty."""

    seats: tuple[int, ...]
    options: tuple[Variant, ...]
    levels: tuple[str, ...]
    """The bots that are made for people, the weakest first."""

    bots: tuple[str, ...]
    """All bots, those first."""

    themes: tuple[str, ...]


class Offers(Struct, frozen=True):
    """All games there are."""

    items: tuple[Offer, ...]


class Me(Struct, frozen=True):
    """Who looks at the page."""

    id: str
    name: str
    kind: str


@cache
def show_offer(name: str, language: str) -> Offer:
    """Show a game in one language."""
    game = find_game(name)
    words = load_words(language, game.spec.package)
    options = tuple(
        Variant(option, _say_option(option, words), tuple(seats))
        for option, seats in game.spec.options.items()
    )
    return Offer(
        name=name,
        title=words("title") if "title" in words else name.title(),
        blurb=words("blurb") if "blurb" in words else "",
        seats=tuple(game.spec.seats),
        options=options,
        levels=tuple(_find_bots(name, _LEVELS)),
        bots=tuple(_find_bots(name, _LEVELS + _list_others())),
        themes=game.spec.themes,
    )


def _say_option(option: str, words: Words) -> str:
    said = words(key) if (key := f"option.{option}") in words else option
    return said[:1].upper() + said[1:]


def _list_others() -> tuple[str, ...]:
    """Name the bots that are no levels, the simplest first."""
    return tuple(
        f"{kind}:{_BUDGETS.get(kind, _BUDGET)}" if takes_budget(kind) else kind
        for kind in player_names()
        if kind not in LEVELS
    )


def _find_bots(name: str, bots: tuple[str, ...]) -> Iterator[str]:
    """List those of some bots that can play a game."""
    game = find_game(name)
    for bot in bots:
        try:
            check_bot(bot, game)
        except BadSetupError:
            continue
        yield bot


@get(_PLACES, include_in_schema=False)
async def read_app(
    request: AnyRequest, site: Here, visitor: Visitor, *, language: Language = None
) -> Response[bytes]:
    """Show the app, wherever in it one begins."""
    tongue = choose_language(request, language)
    title = server_words(tongue)("page.title")
    return _show(request, site, visitor, language=tongue, title=title)


@get("/t/{table:str}", include_in_schema=False)
async def read_table_page(
    request: AnyRequest,
    site: Here,
    visitor: Visitor,
    table: FromPath[str],
    *,
    language: Language = None,
) -> Response[bytes]:
    """Show a table."""
    tongue = choose_language(request, language)
    try:
        if not _TABLE.fullmatch(table):
            raise UnknownError("no_table")
        room = (await enter_table(site, visitor, table)).room
    except PleasanceError as refusal:
        return _show_trouble(refusal, tongue)
    game = show_offer(room.plan.game, tongue).title
    title = server_words(tongue)("page.table_title", game=game)
    return _show(request, site, visitor, language=tongue, title=title)


@get("/page/games.json", include_in_schema=False)
async def read_games(request: AnyRequest, *, language: Language = None) -> Response[bytes]:
    """Tell of all games in one language, for an app that changes its own."""
    tongue = choose_language(request, language)
    return reply_json(Offers(tuple(show_offer(name, tongue) for name in game_names())))


def _show(
    request: AnyRequest, site: Site, visitor: Identity | None, *, language: str, title: str
) -> Response[bytes]:
    home = find_home(request, site.settings)
    facts = {
        "language": language,
        "version": __version__,
        "me": None if visitor is None else Me(visitor.id, visitor.name, visitor.kind),
        "games": [show_offer(name, language) for name in game_names()],
        "home": home,
        "isOnlyHere": is_only_here(urlsplit(home).netloc),
    }
    page = make_document(language, title, facts)
    if page is None:
        said = server_words(language)("page.not_built")
        return reply(make_plain(language, title, said), HTML, status=503)
    return reply(page, HTML)


def _show_trouble(refusal: PleasanceError, language: str) -> Response[bytes]:
    """Say to a person why there is no table to see."""
    status = refusal.status if isinstance(refusal, ServerError) else 400
    title = server_words(language)("page.title")
    return reply(make_plain(language, title, explain(refusal, language)), HTML, status=status)


ROUTES = [read_app, read_table_page, read_games]
