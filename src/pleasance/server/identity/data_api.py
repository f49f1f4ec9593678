"""HTTP for my data: take it along, have it deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from litestar import Response, delete, get
from litestar.params import QueryParameter
from sqlalchemy import Connection

from pleasance.server.errors import ConflictError
from pleasance.server.identity.desk import (
    FORGOTTEN,
    NOTHING,
    AllKeepers,
    AnyRequest,
    Buckets,
    Here,
    You,
    address_of,
    announce,
    give_cookie,
    refusals,
)
from pleasance.server.identity.mydata import Keepers
from pleasance.server.identity.names import skeleton
from pleasance.server.identity.players import find_bots
from pleasance.server.identity.who import check_person, check_proof, need
from pleasance.server.identity.wire import Export

_TAGS = ["identity"]


@get(
    "/api/me/export",
    summary="Take my data along",
    guards=[need("account")],
    responses=refusals(401),
    tags=_TAGS,
)
async def export_me(site: Here, you: You, limits: Buckets, keepers: AllKeepers) -> Response[Export]:
    """Collect everything that is kept about one, as JSON; of secrets, only that they are there."""
    limits.spend("make", you.id)
    data = await site.store.read(lambda connection: keepers.export(connection, you.id))
    headers = {
        "Content-Disposition": f'attachment; filename="pleasance-{you.id}.json"',
        "Cache-Control": "no-store",
    }
    return Response(Export(you.id, site.clock(), data), headers=headers)


@delete(
    "/api/me",
    summary="Delete my data",
    responses=refusals(401, 409) | NOTHING,
    tags=_TAGS,
)
async def delete_me(
    request: AnyRequest,
    *,
    site: Here,
    you: You,
    limits: Buckets,
    keepers: AllKeepers,
    name: Annotated[str, QueryParameter(description="One's own name, to confirm", max_length=200)],
) -> Response[None]:
    """Delete what is kept about one, bots too; records of games remain without the name.

    Seats in running games are given up first.
    """
    check_person(you)
    if you.kind == "account":
        check_proof(you, site.clock())
    if skeleton(name) != skeleton(you.name):
        raise ConflictError("delete_unconfirmed", name=you.name)
    # All logs are looked through; new guests are easily made.
    limits.spend("make", address_of(request, site))
    bots = await site.store.read(lambda connection: find_bots(connection, you.id))
    gone = (you.id, *(bot.id for bot in bots))
    for leave in keepers.leave:
        for player in gone:
            await leave(player)
    await _clear(site, keepers, gone)

    def forget(connection: Connection) -> None:
        for player in keepers.forget(connection, you.id):
            announce(site, connection, player)

    await site.store.write(forget)
    await _clear(site, keepers, gone)  # what was said meanwhile
    await site.store.write(lambda connection: _tell_forgotten(site, connection, gone))
    return give_cookie(request, site, None, None)


async def _clear(site: Here, keepers: Keepers, gone: Sequence[str]) -> None:
    """Take players out of what is large, a little at a time: a server must not stand still."""
    for change in await site.store.read(lambda connection: keepers.search(connection, gone)):
        await site.store.write(change)


def _tell_forgotten(site: Here, connection: Connection, gone: Sequence[str]) -> None:
    for player in gone:
        site.store.publish(connection, f"{FORGOTTEN}{player}")


ROUTES = [export_me, delete_me]
