"""Dependency injection for handlers, and their common responses."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, SkipValidation
from sqlalchemy import Connection

from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base.errors import ForbiddenError
from pleasance.server.base.messages import PATTERN_END
from pleasance.server.identity.accounts import count_sign_in_methods
from pleasance.server.identity.authentication import AnyConnection, Identity, IdentitySite
from pleasance.server.identity.messages import Account, Me, Refusal
from pleasance.server.identity.origins import SESSION_COOKIE, find_relying_party, is_secure
from pleasance.server.identity.personal_data import PersonalDataSources
from pleasance.server.identity.players import PlayerRow, find_player
from pleasance.server.identity.rate_limits import RateLimiter, client_address
from pleasance.server.identity.sessions import RECENT_SIGN_IN_S, SESSION_LIFETIME_S
from pleasance.server.store.topics import IDENTITY_PREFIX

AnyRequest: TypeAlias = Request[Any, Any, Any]

# We make the dependencies; only input from outside is validated.
IdentitySiteDep: TypeAlias = NamedDependency[SkipValidation[IdentitySite]]
IdentityDep: TypeAlias = NamedDependency[SkipValidation[Identity]]
OptionalIdentityDep: TypeAlias = NamedDependency[SkipValidation[Identity | None]]
RateLimiterDep: TypeAlias = NamedDependency[SkipValidation[RateLimiter]]
PersonalDataDep: TypeAlias = NamedDependency[SkipValidation[PersonalDataSources]]

PathId: TypeAlias = Annotated[
    str, PathParameter(min_length=1, max_length=40, pattern=r"^[a-z0-9]+" + PATTERN_END)
]
"""An id in a path."""

_STATUS_DESCRIPTIONS = {
    400: "The request cannot be read or breaks a rule",
    401: "Not signed in, or the credentials are not valid",
    403: "Not allowed to this player or token",
    404: "Not found",
    409: "Conflicts with the current state",
    413: "The body is too large",
    429: "Rate limit exceeded; `Retry-After` says when to retry",
    503: "Temporarily unavailable",
}


NO_CONTENT = {204: ResponseSpec(None, description="Done; no content")}
"""Describes a response without a body."""


def error_responses(*statuses: int) -> dict[int, ResponseSpec]:
    """Describe the error responses of a handler, with those that every handler may give."""
    return {
        # Generated examples would differ after each start.
        status: ResponseSpec(
            Refusal, generate_examples=False, description=_STATUS_DESCRIPTIONS[status]
        )
        for status in sorted({400, 403, 413, 429, 503, *statuses})
    }


def rate_limit_address(request: AnyRequest, site: IdentitySite) -> str:
    """Return the address that a request is charged to."""
    peer = request.client.host if request.client else None
    return client_address(peer, request.headers, trusts_proxy=site.settings.trusts_proxy)


def can_use_passkeys(request: AnyRequest, site: IdentitySite) -> bool:
    """Return whether passkeys work for the origin of the page."""
    scheme = "https" if is_secure(request.headers, site.settings) else "http"
    host = request.headers.get("host") or ""
    # A GET request has no Origin header.
    origin = request.headers.get("origin") or f"{scheme}://{host}"
    try:
        find_relying_party({"host": host, "origin": origin}, site.settings)
    except ForbiddenError:
        return False
    return True


def find_language(connection: AnyConnection) -> str:
    """Choose the language of a response: the player's own, or the browser's first supported one."""
    identity = connection.scope["state"].get("identity")
    if isinstance(identity, Identity):
        return identity.language
    for part in (connection.headers.get("accept-language") or "").split(","):
        language = part.split(";")[0].strip().lower()[:2]
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


async def make_me(request: AnyRequest, site: IdentitySite, you: Identity) -> Me:
    """Describe an identity for its client."""
    methods = await site.store.read(lambda connection: count_sign_in_methods(connection, you.id))
    is_proved = site.clock() - you.proved_at <= RECENT_SIGN_IN_S
    return Me(
        id=you.id,
        name=you.name,
        kind=you.kind,
        language=you.language,
        scopes=None if you.scopes is None else tuple(sorted(you.scopes)),
        account=Account(*methods, is_proved=is_proved) if you.kind == "account" else None,
        can_use_passkeys=can_use_passkeys(request, site),
    )


async def read_me(request: AnyRequest, site: IdentitySite, player: str) -> Me:
    """Describe the identity of a player who has just signed in."""

    def find(connection: Connection) -> PlayerRow:
        row = find_player(connection, player)
        assert row is not None, f"no player {player}"
        return row

    row = await site.store.read(find)
    now = site.clock()
    you = Identity(row.id, row.name, row.kind, None, row.language, proved_at=now)
    return await make_me(request, site, you)


def charge_replay(
    request: AnyRequest, site: IdentitySite, limits: RateLimiter, visitor: Identity | None
) -> None:
    """Charge an expensive replay to the player, or to the address of an anonymous client."""
    limits.charge("replay", rate_limit_address(request, site) if visitor is None else visitor.id)


def respond_with_cookie(
    request: AnyRequest, site: IdentitySite, body: Any, secret: str | None
) -> Response[Any]:
    """Respond with *body* and a session cookie with *secret*; `None` deletes the cookie."""
    cookie = Cookie(
        key=SESSION_COOKIE,
        value=secret or "",
        max_age=int(SESSION_LIFETIME_S) if secret else 0,
        path="/",
        httponly=True,
        samesite="lax",
        secure=is_secure(request.headers, site.settings),
    )
    # An identity must not be stored in a cache.
    return Response(body, cookies=[cookie], headers={"Cache-Control": "no-store"})


def publish_identity_change(site: IdentitySite, connection: Connection, player: str) -> None:
    """Publish that the name or the credentials of *player* have changed."""
    site.store.publish(connection, f"{IDENTITY_PREFIX}{player}")
