"""HTTP for my data: take it along, have it deleted."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get
from litestar.params import QueryParameter

from pleasance.server.base.errors import ConflictError
from pleasance.server.identity.authentication import check_person, check_proof, need
from pleasance.server.identity.dependencies import (
    NOTHING,
    AllKeepers,
    AnyRequest,
    Buckets,
    Here,
    You,
    address_of,
    give_cookie,
    refusals,
)
from pleasance.server.identity.erasure import forget_player
from pleasance.server.identity.messages import Export
from pleasance.server.identity.names import skeleton

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
    await forget_player(site, keepers, you.id)
    return give_cookie(request, site, None, None)


ROUTES = [export_me, delete_me]
