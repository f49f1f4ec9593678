"""Endpoints of tables: open and list them, send commands, read logs and records."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Any

from litestar import MediaType, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter
from msgspec import Struct

from pleasance.core.errors import IllegalActionError
from pleasance.core.record import write_record
from pleasance.games import find_game, game_names
from pleasance.players.registry import player_names, takes_budget
from pleasance.server.base.errors import ForbiddenError
from pleasance.server.base.messages import (
    PATTERN_END,
    Accepted,
    Key,
    LogEntryView,
    Snapshot,
    TableInfo,
)
from pleasance.server.base.requests import Command, Say
from pleasance.server.identity.authentication import check_scope
from pleasance.server.identity.dependencies import (
    AnyRequest,
    IdentityDep,
    OptionalIdentityDep,
    RateLimiterDep,
    error_responses,
    rate_limit_address,
)
from pleasance.server.live.client import Client
from pleasance.server.live.connections import read_mutes
from pleasance.server.live.lobby import Listed, list_mine, list_public
from pleasance.server.live.serializers import log_to_wire, table_info_to_wire
from pleasance.server.live.site import SiteDep, TablePath
from pleasance.server.live.table_configs import OpenTable

Limit = Annotated[int, QueryParameter(ge=1, le=100)]
After = Annotated[str | None, QueryParameter(min_length=1, max_length=200)]

_SNAPSHOT = ResponseSpec(Snapshot, generate_examples=False, description="The table, for you")


class GameFacts(Struct, frozen=True):
    """The facts of a game that are needed to open a table."""

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


class CommandRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A command with its idempotency key."""

    key: Key
    command: Command


class LogPage(Struct, frozen=True):
    """A page of a log."""

    items: tuple[LogEntryView, ...]
    next: str | None


@get("/api/games", sync_to_thread=False, responses=error_responses())
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


@get("/api/players/builtin", sync_to_thread=False, responses=error_responses())
def read_bots() -> list[BotFacts]:
    """List the bots that tables accept, the simplest first."""
    return [BotFacts(name, takes_budget(name)) for name in player_names()]


@post("/api/tables", responses=error_responses(401, 409))
async def open_table(
    request: AnyRequest,
    site: SiteDep,
    you: IdentityDep,
    *,
    limits: RateLimiterDep,
    data: JSONBody[OpenTable],
) -> TableInfo:
    """Open a table and become its owner."""
    check_scope(you, "play")
    if data.data is not None or data.opening is not None:  # to read and check it takes its time
        limits.charge("create", you.id)
    live = await site.hub.open(data, you, rate_limit_address(request, site))
    return table_info_to_wire(live.id, live.room)


@get("/api/tables", responses=error_responses())
async def list_tables(
    site: SiteDep,
    *,
    status: Annotated[str, QueryParameter(pattern=r"^(open|running|over)" + PATTERN_END)] = "open",
    game: Annotated[str | None, QueryParameter(min_length=1, max_length=40)] = None,
    after: After = None,
    limit: Limit = 50,
) -> Listed:
    """List public tables, the latest changed first."""
    work = list_public(status=status, game=game, after=after, limit=limit)
    return await site.store.read(work)


@get("/api/me/tables", responses=error_responses(401))
async def list_my_tables(
    site: SiteDep, you: IdentityDep, *, after: After = None, limit: Limit = 50
) -> Listed:
    """List the tables where you have a seat or that you own, the latest changed first."""
    return await site.store.read(list_mine(you.id, after=after, limit=limit))


@get("/api/tables/{table:str}", responses={200: _SNAPSHOT, **error_responses(404)})
async def read_table(
    site: SiteDep, visitor: OptionalIdentityDep, table: TablePath
) -> Response[bytes]:
    """Read a table as you may see it: a snapshot, as over the socket."""
    live = await site.hub.find_for(visitor, table)
    watcher = await _make_watcher(site, visitor)
    return Response(await live.snapshot(watcher), media_type=MediaType.JSON)


@post("/api/tables/{table:str}/commands", status_code=200, responses=error_responses(401, 404, 409))
async def post_command(
    site: SiteDep, you: IdentityDep, table: TablePath, data: JSONBody[CommandRequest]
) -> Accepted:
    """Send a command to a table, as over the socket; a repeated key gets the same response."""
    check_scope(you, "chat" if isinstance(data.command, Say) else "play")
    return await site.hub.execute(table, you, data.key, data.command)


@get("/api/tables/{table:str}/log", responses=error_responses(404))
async def read_log(
    site: SiteDep,
    visitor: OptionalIdentityDep,
    table: TablePath,
    *,
    after: Annotated[int, QueryParameter(ge=0)] = 0,
    limit: Limit = 100,
) -> LogPage:
    """Read the log of a table, as you may see it."""
    live = await site.hub.find_for(visitor, table)
    watcher = await _make_watcher(site, visitor)
    seats = live.room.seats_of(watcher.player)
    entries = tuple(islice(log_to_wire(live.room, after, seats, watcher.muted), limit))
    has_more = bool(entries) and entries[-1].seq < len(live.room.log)
    return LogPage(entries, str(entries[-1].seq) if has_more else None)


@get(
    "/api/tables/{table:str}/record", media_type=MediaType.TEXT, responses=error_responses(404, 409)
)
async def read_record(site: SiteDep, visitor: OptionalIdentityDep, table: TablePath) -> str:
    """Read the record: what you have seen during the game, all of it afterwards."""
    live = await site.hub.find_for(visitor, table)
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


async def _make_watcher(site: SiteDep, visitor: OptionalIdentityDep) -> Client:
    """Make a client that stands for the visitor: its seats and mutes."""
    if visitor is None:
        return Client(None)
    return Client(visitor.id, await site.store.read(lambda c: read_mutes(c, visitor.id)))


ROUTES: list[Any] = [
    read_games,
    read_bots,
    open_table,
    list_tables,
    list_my_tables,
    read_table,
    post_command,
    read_log,
    read_record,
]
