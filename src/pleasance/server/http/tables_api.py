"""HTTP for tables: open and list them, do things there, read logs and records."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Any

from litestar import MediaType, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Struct

from pleasance.core.errors import IllegalActionError
from pleasance.core.record import write_record
from pleasance.games import find_game, game_names
from pleasance.players import player_names, takes_budget
from pleasance.server.base.errors import ForbiddenError
from pleasance.server.base.messages import END, Accepted, Key, Line, Snapshot, TableInfo
from pleasance.server.base.requests import Command, Say
from pleasance.server.http.socket import read_mutes
from pleasance.server.identity.authentication import allow
from pleasance.server.identity.dependencies import (
    AnyRequest,
    Buckets,
    Visitor,
    You,
    address_of,
    refusals,
)
from pleasance.server.live.client import Client
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.lobby import Listed, list_mine, list_public
from pleasance.server.live.log_entries import show_lines
from pleasance.server.live.serializers import show_info
from pleasance.server.live.site import Here
from pleasance.server.live.table_configs import OpenTable

TableName = Annotated[str, PathParameter(min_length=8, max_length=40, pattern=r"^[a-z0-9]+" + END)]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]
After = Annotated[str | None, QueryParameter(min_length=1, max_length=200)]

_TAGS = ["tables"]
_SNAPSHOT = ResponseSpec(Snapshot, generate_examples=False, description="The table, for you")


class GameFacts(Struct, frozen=True):
    """What one needs to know to open a table for a game."""

    name: str
    rules: str
    seats: tuple[int, ...]
    options: dict[str, tuple[int, ...]]
    """Each option, and the numbers of seats that may play it."""

    themes: tuple[str, ...]


class BotFacts(Struct, frozen=True):
    """A bot that can sit at a table."""

    name: str
    takes_budget: bool
    """Whether a budget may follow after a colon: `flat:0.2s`, `flat:400`."""


class DoThis(Struct, frozen=True, forbid_unknown_fields=True):
    """A command with the key that makes it happen once."""

    key: Key
    command: Command


class Lines(Struct, frozen=True):
    """A part of a log."""

    items: tuple[Line, ...]
    next: str | None


@get("/api/games", sync_to_thread=False, responses=refusals(), tags=_TAGS)
def read_games() -> list[GameFacts]:
    """List the games there are."""
    return [_show_game(name) for name in game_names()]


def _show_game(name: str) -> GameFacts:
    spec = find_game(name).spec
    return GameFacts(
        name=name,
        rules=spec.rules_version,
        seats=tuple(spec.seats),
        options={option: tuple(seats) for option, seats in spec.options.items()},
        themes=spec.themes,
    )


@get("/api/bots", sync_to_thread=False, responses=refusals(), tags=_TAGS)
def read_bots() -> list[BotFacts]:
    """List the bots that can sit at tables, the simplest first."""
    return [BotFacts(name, takes_budget(name)) for name in player_names()]


@post("/api/tables", responses=refusals(401, 409), tags=_TAGS)
async def open_table(
    request: AnyRequest, site: Here, you: You, *, limits: Buckets, data: JSONBody[OpenTable]
) -> TableInfo:
    """Open a table; whoever opens it owns it."""
    allow(you, "play")
    if data.data is not None or data.opening is not None:  # to read and check it takes its time
        limits.spend("make", you.id)
    live = await site.hub.open(data, you, address_of(request, site))
    return show_info(live.id, live.room)


@get("/api/tables", responses=refusals(), tags=_TAGS)
async def list_tables(
    site: Here,
    *,
    status: Annotated[str, QueryParameter(pattern=r"^(open|running|over)" + END)] = "open",
    game: Annotated[str | None, QueryParameter(min_length=1, max_length=40)] = None,
    after: After = None,
    limit: Limit = 50,
) -> Listed:
    """List public tables, those that changed last first."""
    work = list_public(status=status, game=game, after=after, limit=limit)
    return await site.store.read(work)


@get("/api/me/tables", responses=refusals(401), tags=_TAGS)
async def list_my_tables(site: Here, you: You, *, after: After = None, limit: Limit = 50) -> Listed:
    """List the tables where you sit or that you own, those that changed last first."""
    return await site.store.read(list_mine(you.id, after=after, limit=limit))


@get(
    "/api/tables/{table:str}",
    responses={200: _SNAPSHOT, **refusals(404)},
    tags=_TAGS,
)
async def read_table(site: Here, visitor: Visitor, table: TableName) -> Response[bytes]:
    """Show a table as you see it: a snapshot, as over the socket."""
    live = await enter_table(site, visitor, table)
    watcher = await _make_watcher(site, visitor)
    return Response(await live.snapshot(watcher), media_type=MediaType.JSON)


@post(
    "/api/tables/{table:str}/commands",
    status_code=200,
    responses=refusals(401, 404, 409),
    tags=_TAGS,
)
async def do_this(site: Here, you: You, table: TableName, data: JSONBody[DoThis]) -> Accepted:
    """Do something at a table, as over the socket; the same key again is answered the same."""
    allow(you, "chat" if isinstance(data.command, Say) else "play")
    return await site.hub.do(table, you, data.key, data.command)


@get("/api/tables/{table:str}/log", responses=refusals(404), tags=_TAGS)
async def read_log(
    site: Here,
    visitor: Visitor,
    table: TableName,
    *,
    after: Annotated[int, QueryParameter(ge=0)] = 0,
    limit: Limit = 100,
) -> Lines:
    """Read the log of a table, as you may see it."""
    live = await enter_table(site, visitor, table)
    watcher = await _make_watcher(site, visitor)
    seats = live.room.seats_of(watcher.player)
    lines = tuple(islice(show_lines(live.room, after, seats, watcher.muted), limit))
    is_more = bool(lines) and lines[-1].n < len(live.room.happenings)
    return Lines(lines, str(lines[-1].n) if is_more else None)


@get(
    "/api/tables/{table:str}/record",
    media_type=MediaType.TEXT,
    responses=refusals(404, 409),
    tags=_TAGS,
)
async def read_record(site: Here, visitor: Visitor, table: TableName) -> str:
    """Read the record: what you have seen while the game is on, everything once it is over."""
    live = await enter_table(site, visitor, table)
    room = live.room
    if room.table is None:
        raise IllegalActionError("not_started")
    if room.ending is not None:
        record = room.table.full_record(is_owner=True)
        return write_record(record)
    seats = room.seats_of(None if visitor is None else visitor.id)
    if len(seats) > 1:
        raise ForbiddenError("record_one_seat")
    return write_record(room.table.record_for(seats[0] if seats else None))


async def _make_watcher(site: Here, visitor: Visitor) -> Client:
    """Find out for whom something is shown: by seats, and whose words are left out."""
    if visitor is None:
        return Client(None)
    return Client(visitor.id, await site.store.read(lambda c: read_mutes(c, visitor.id)))


async def enter_table(site: Here, visitor: Visitor, table: str) -> LiveRoom:
    """Find a table; refuse who was sent away for good."""
    live = await site.hub.find(table)
    await live.settle()
    if visitor is not None and visitor.id in live.room.banned:
        raise ForbiddenError("banned")
    return live


ROUTES: list[Any] = [
    read_games,
    read_bots,
    open_table,
    list_tables,
    list_my_tables,
    read_table,
    do_this,
    read_log,
    read_record,
]
