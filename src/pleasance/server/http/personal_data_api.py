"""HTTP API for personal data: export and erasure (GDPR)."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get
from litestar.params import QueryParameter

from pleasance.server.base.errors import ConflictError
from pleasance.server.identity.authentication import (
    check_person,
    check_recent_sign_in,
    require_scope,
)
from pleasance.server.identity.dependencies import (
    NO_CONTENT,
    AnyRequest,
    IdentityDep,
    IdentitySiteDep,
    PersonalDataDep,
    RateLimiterDep,
    error_responses,
    rate_limit_address,
    respond_with_cookie,
)
from pleasance.server.identity.erasure import erase_player
from pleasance.server.identity.messages import PersonalDataExport
from pleasance.server.identity.names import skeleton


@get(
    "/api/me/export",
    summary="Export my data",
    guards=[require_scope("account")],
    responses=error_responses(401),
)
async def export_me(
    site: IdentitySiteDep, you: IdentityDep, limits: RateLimiterDep, sources: PersonalDataDep
) -> Response[PersonalDataExport]:
    """Export your personal data as JSON; secrets are listed but not shown."""
    limits.charge("create", you.id)
    data = await site.store.read(lambda connection: sources.export(connection, you.id))
    headers = {
        "Content-Disposition": f'attachment; filename="pleasance-{you.id}.json"',
        "Cache-Control": "no-store",
    }
    return Response(PersonalDataExport(you.id, site.clock(), data), headers=headers)


@delete("/api/me", summary="Delete my data", responses=error_responses(401, 409) | NO_CONTENT)
async def delete_me(
    request: AnyRequest,
    *,
    site: IdentitySiteDep,
    you: IdentityDep,
    limits: RateLimiterDep,
    sources: PersonalDataDep,
    name: Annotated[str, QueryParameter(description="One's own name, to confirm", max_length=200)],
) -> Response[None]:
    """Erase your personal data and your bots; records of games remain without the name.

    Seats in running games are given up first.
    """
    check_person(you)
    if you.kind == "account":
        check_recent_sign_in(you, site.clock())
    if skeleton(name) != skeleton(you.name):
        raise ConflictError("delete_unconfirmed", name=you.name)
    # All logs are looked through; new guests are easily made.
    limits.charge("create", rate_limit_address(request, site))
    await erase_player(site, sources, you.id)
    return respond_with_cookie(request, site, None, None)


ROUTES = [export_me, delete_me]
