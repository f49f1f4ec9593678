"""The two documents: the lobby at `/` and a table at `/t/…`."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any
from urllib.parse import urlsplit

from litestar import Request, Response, get
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from pleasance.core.errors import BadSetupError, PleasanceError
from pleasance.core.messages import Words, load_words
from pleasance.games import find_game, game_names
from pleasance.players import player_names, takes_budget
from pleasance.server.bots.crew import check_bot
from pleasance.server.errors import ServerError, UnknownError
from pleasance.server.identity.desk import Visitor
from pleasance.server.identity.who import Identity
from pleasance.server.page.files import make_stamp
from pleasance.server.page.replies import HTML, reply
from pleasance.server.page.sharing import find_home, is_only_here
from pleasance.server.page.shell import choose_language, make_document
from pleasance.server.speech import explain, server_words
from pleasance.server.tables_api import Here, enter_table

AnyRequest = Request[Any, Any, Any]
Language = Annotated[str | None, QueryParameter(max_length=10)]

_TABLE = re.compile(r"[a-z0-9]{8,40}")
_BUDGET = "1s"
"""How long a bot thinks that can be told how long."""


class Variant(Struct, frozen=True):
    """An option of a game, in words."""

    name: str
    text: str
    seats: tuple[int, ...]


class Offer(Struct, frozen=True):
    """A game that can be played, as the scripts need to know it."""

    name: str
    title: str
    seats: tuple[int, ...]
    options: tuple[Variant, ...]
    bots: tuple[str, ...]
    cover: str | None


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
    cover = f"/page/{make_stamp()}/covers/{language}/{name}.svg"
    return Offer(
        name=name,
        title=words("title") if "title" in words else name.title(),
        seats=tuple(game.spec.seats),
        options=options,
        bots=_find_bots(name),
        cover=None if game.picture is None else cover,
    )


def _say_option(option: str, words: Words) -> str:
    said = words(key) if (key := f"option.{option}") in words else option
    return said[:1].upper() + said[1:]


def _find_bots(name: str) -> tuple[str, ...]:
    """List the bots that can play a game, the simplest first."""
    game, found = find_game(name), []
    for kind in player_names():
        bot = f"{kind}:{_BUDGET}" if takes_budget(kind) else kind
        try:
            check_bot(bot, game)
        except BadSetupError:
            continue
        found.append(bot)
    return tuple(found)


@get("/", include_in_schema=False)
async def read_lobby(
    request: AnyRequest, visitor: Visitor, *, language: Language = None
) -> Response[bytes]:
    """Show the lobby."""
    tongue = choose_language(request, language)
    facts = {"me": _show_me(visitor), "games": [show_offer(n, tongue) for n in game_names()]}
    title = server_words(tongue)("page.title")
    return reply(make_document("lobby", tongue, title, facts), HTML)


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
        return _show_trouble(refusal, visitor, tongue)
    offer = show_offer(room.plan.game, tongue)
    home = find_home(request, site.settings)
    facts = {
        "me": _show_me(visitor),
        "game": offer,
        "table": table,
        "link": f"{home}/t/{table}",
        "isOnlyHere": is_only_here(urlsplit(home).netloc),
    }
    title = server_words(tongue)("page.table_title", game=offer.title)
    return reply(make_document("table", tongue, title, facts), HTML)


def _show_trouble(
    refusal: PleasanceError, visitor: Identity | None, language: str
) -> Response[bytes]:
    """Say to a person why there is no table to see."""
    status = refusal.status if isinstance(refusal, ServerError) else 400
    said = explain(refusal, language)
    title = server_words(language)("page.title")
    facts = {"me": _show_me(visitor)}
    page = make_document("trouble", language, title, facts, trouble=said)
    return reply(page, HTML, status=status)


def _show_me(visitor: Identity | None) -> Me | None:
    return None if visitor is None else Me(visitor.id, visitor.name, visitor.kind)


ROUTES = [read_lobby, read_table_page]
