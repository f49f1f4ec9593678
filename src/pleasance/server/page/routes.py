"""Pages: one document for the whole app, the games it offers, and message pages for errors."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any
from urllib.parse import urlsplit

from litestar import Request, Response, get
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from pleasance import __version__
from pleasance.core.data import load_builtin_components
from pleasance.core.errors import PleasanceError
from pleasance.games import find_game, game_names
from pleasance.i18n.catalog import MessageCatalog, load_messages
from pleasance.players.registry import TABLE_PLAYERS
from pleasance.server.base.errors import NotFoundError, ServerError
from pleasance.server.base.translate import error_message, server_messages
from pleasance.server.identity.authentication import Identity
from pleasance.server.identity.dependencies import OptionalIdentityDep
from pleasance.server.live.site import Site, SiteDep
from pleasance.server.page.document import choose_language, make_document, make_message_page
from pleasance.server.page.invite_links import find_public_url, is_loopback
from pleasance.server.page.responses import HTML, TEXT, reply, reply_json

AnyRequest = Request[Any, Any, Any]
Language = Annotated[str | None, QueryParameter(max_length=10)]

_PLACES = ["/", "/learn", "/learn/{rest:path}", "/replay", "/ratings", "/you"]
"""The entry points of the app, besides a table."""

_TABLE = re.compile(r"[a-z0-9]{8,40}")


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
    """The kind of game, in a sentence or two; may be empty."""

    seats: tuple[int, ...]
    options: tuple[Variant, ...]
    levels: tuple[str, ...]
    """The bots that are made for people, the weakest first."""

    bots: tuple[str, ...]
    """All bots, those first."""

    themes: tuple[str, ...]
    seat_colors: tuple[str, ...]
    """The color of each seat's pieces, if the game has such."""


class Offers(Struct, frozen=True):
    """All games there are."""

    items: tuple[Offer, ...]


class Me(Struct, frozen=True):
    """The visitor of the page."""

    id: str
    name: str
    kind: str


@cache
def show_offer(name: str, language: str) -> Offer:
    """Show a game in one language."""
    game = find_game(name)
    words = load_messages(language, game.spec.package)
    fitting = [player for player in TABLE_PLAYERS if player.fits(game)]
    levels = tuple(one.named(one.rated_budget) for one in fitting if one.is_for_people)
    others = (one.named(one.offered_budget) for one in fitting)
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
        levels=levels,
        bots=tuple(dict.fromkeys((*levels, *others))),
        themes=game.spec.themes,
        seat_colors=() if game.wire is None else game.wire.seat_colors,
    )


def _say_option(option: str, words: MessageCatalog) -> str:
    said = words(key) if (key := f"option.{option}") in words else option
    return said[:1].upper() + said[1:]


@get(_PLACES, include_in_schema=False)
async def read_app(
    request: AnyRequest, site: SiteDep, visitor: OptionalIdentityDep, *, language: Language = None
) -> Response[bytes]:
    """Serve the app at any of its entry points."""
    language_code = choose_language(request, language)
    title = server_messages(language_code)("page.title")
    return _make_app_page(request, site, visitor, language=language_code, title=title)


@get("/t/{table:str}", include_in_schema=False)
async def read_table_page(
    request: AnyRequest,
    site: SiteDep,
    visitor: OptionalIdentityDep,
    table: FromPath[str],
    *,
    language: Language = None,
) -> Response[bytes]:
    """Serve the page of a table."""
    language_code = choose_language(request, language)
    try:
        if not _TABLE.fullmatch(table):
            raise NotFoundError("no_table")
        room = (await site.hub.find_for(visitor, table)).room
    except PleasanceError as refusal:
        return _make_error_page(refusal, language_code)
    game = show_offer(room.config.game, language_code).title
    title = server_messages(language_code)("page.table_title", game=game)
    return _make_app_page(request, site, visitor, language=language_code, title=title)


@get("/page/games.json", include_in_schema=False)
async def read_games(request: AnyRequest, *, language: Language = None) -> Response[bytes]:
    """List all games in one language, for an app whose language was changed."""
    language_code = choose_language(request, language)
    return reply_json(Offers(tuple(show_offer(name, language_code) for name in game_names())))


@get("/page/boxes/{game:str}", sync_to_thread=False, include_in_schema=False)
def read_component_file(game: FromPath[str]) -> Response[bytes]:
    """Read the house component file of a game, as a template for your own."""
    return reply(load_builtin_components(find_game(game).spec.package), TEXT)


def _make_app_page(
    request: AnyRequest, site: Site, visitor: Identity | None, *, language: str, title: str
) -> Response[bytes]:
    home = find_public_url(request, site.settings)
    facts = {
        "language": language,
        "version": __version__,
        "me": None if visitor is None else Me(visitor.id, visitor.name, visitor.kind),
        "games": [show_offer(name, language) for name in game_names()],
        "home": home,
        "isOnlyHere": is_loopback(urlsplit(home).netloc),
    }
    page = make_document(language, title, facts)
    if page is None:
        said = server_messages(language)("page.not_built")
        return reply(make_message_page(language, title, said), HTML, status=503)
    return reply(page, HTML)


def _make_error_page(refusal: PleasanceError, language: str) -> Response[bytes]:
    """Make a page that explains why a table cannot be shown."""
    status = refusal.status if isinstance(refusal, ServerError) else 400
    title = server_messages(language)("page.title")
    return reply(
        make_message_page(language, title, error_message(refusal, language)), HTML, status=status
    )


ROUTES = [read_app, read_table_page, read_games, read_component_file]
