"""What the handlers of identity share: what they are given, and what they give back."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, SkipValidation
from sqlalchemy import Connection

from pleasance.server.base.errors import ForbiddenError
from pleasance.server.base.messages import END
from pleasance.server.identity.accounts import count_locks
from pleasance.server.identity.authentication import Identity, IdentitySite
from pleasance.server.identity.messages import Account, Me, Refusal
from pleasance.server.identity.origins import COOKIE, find_party, is_secure
from pleasance.server.identity.personal_data import Keepers
from pleasance.server.identity.players import PlayerRow, find_player
from pleasance.server.identity.rate_limits import Limits, find_address
from pleasance.server.identity.sessions import LIFETIME, PROOF_LIFETIME

AnyRequest: TypeAlias = Request[Any, Any, Any]

# Dependencies are made by us; only what comes from outside is checked.
Here: TypeAlias = NamedDependency[SkipValidation[IdentitySite]]
You: TypeAlias = NamedDependency[SkipValidation[Identity]]
Visitor: TypeAlias = NamedDependency[SkipValidation[Identity | None]]
Buckets: TypeAlias = NamedDependency[SkipValidation[Limits]]
AllKeepers: TypeAlias = NamedDependency[SkipValidation[Keepers]]

PathId: TypeAlias = Annotated[
    str, PathParameter(min_length=1, max_length=40, pattern=r"^[a-z0-9]+" + END)
]
"""The name of something in an address."""

_REASONS = {
    400: "Cannot be read, or breaks a rule",
    401: "Not signed in, or what was shown opens nothing",
    403: "Not allowed",
    404: "Not there",
    409: "Does not fit how things are now",
    429: "Too often; `Retry-After` says when to come again",
    503: "A part is missing just now",
}


NOTHING = {204: ResponseSpec(None, description="Done; there is nothing to say")}
"""Describes an answer that has no body but may have a cookie."""


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """Describe how a handler may refuse; every one may do so with 400, 403, 429 and 503."""
    return {
        # Made-up examples would be others after each start.
        status: ResponseSpec(Refusal, generate_examples=False, description=_REASONS[status])
        for status in sorted({400, 403, 429, 503, *statuses})
    }


def address_of(request: AnyRequest, site: IdentitySite) -> str:
    """Tell whose limits a request counts for."""
    peer = request.client.host if request.client else None
    return find_address(peer, request.headers, trusts_proxy=site.settings.trusts_proxy)


def has_party(request: AnyRequest, site: IdentitySite) -> bool:
    """Tell whether passkeys work where the page comes from."""
    scheme = "https" if is_secure(request.headers, site.settings) else "http"
    host = request.headers.get("host") or ""
    # A request that only reads names no origin.
    origin = request.headers.get("origin") or f"{scheme}://{host}"
    try:
        find_party({"host": host, "origin": origin}, site.settings)
    except ForbiddenError:
        return False
    return True


async def make_me(request: AnyRequest, site: IdentitySite, you: Identity) -> Me:
    """Tell somebody who they are."""
    locks = await site.store.read(lambda connection: count_locks(connection, you.id))
    is_proved = site.clock() - you.proved_at <= PROOF_LIFETIME
    return Me(
        id=you.id,
        name=you.name,
        kind=you.kind,
        language=you.language,
        scopes=None if you.scopes is None else tuple(sorted(you.scopes)),
        account=Account(*locks, is_proved=is_proved) if you.kind == "account" else None,
        can_use_passkeys=has_party(request, site),
    )


async def read_me(request: AnyRequest, site: IdentitySite, player: str) -> Me:
    """Tell somebody who they are who has signed in just now."""

    def find(connection: Connection) -> PlayerRow:
        row = find_player(connection, player)
        assert row is not None, f"no player {player}"
        return row

    row = await site.store.read(find)
    now = site.clock()
    you = Identity(row.id, row.name, row.kind, None, row.language, proved_at=now)
    return await make_me(request, site, you)


def spend_replay(
    request: AnyRequest, site: IdentitySite, limits: Limits, visitor: Identity | None
) -> None:
    """Count what takes a while to play again, for the player or the address of a stranger."""
    limits.spend("replay", address_of(request, site) if visitor is None else visitor.id)


def give_cookie(
    request: AnyRequest, site: IdentitySite, body: Any, secret: str | None
) -> Response[Any]:
    """Answer with *body* and the cookie that holds *secret*; `None` takes the cookie away."""
    cookie = Cookie(
        key=COOKIE,
        value=secret or "",
        max_age=int(LIFETIME) if secret else 0,
        path="/",
        httponly=True,
        samesite="lax",
        secure=is_secure(request.headers, site.settings),
    )
    # Who one is must not be found later in a cache.
    return Response(body, cookies=[cookie], headers={"Cache-Control": "no-store"})


def announce(site: IdentitySite, connection: Connection, player: str) -> None:
    """Tell all processes that *player* has another name, or fewer ways in: look again."""
    site.store.publish(connection, f"identity:{player}")
