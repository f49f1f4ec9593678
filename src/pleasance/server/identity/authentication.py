"""Authentication by session cookie or access token, and the scopes of tokens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeAlias

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.exceptions import WebSocketException
from litestar.handlers import BaseRouteHandler
from litestar.types import Scope
from msgspec import Struct

from pleasance.server.base.errors import (
    ForbiddenError,
    NotAuthenticatedError,
    ServerError,
    UnavailableError,
)
from pleasance.server.identity.access_tokens import find_access_token, touch_access_token
from pleasance.server.identity.keys import ACCESS_TOKEN_PREFIX
from pleasance.server.identity.origins import SESSION_COOKIE, OriginSettings
from pleasance.server.identity.rate_limits import RateLimiter, client_address
from pleasance.server.identity.sessions import RECENT_SIGN_IN_S, find_session, touch_session
from pleasance.server.store.store import Store

SCOPES = frozenset({"read", "play", "chat", "account"})
"""The scopes that an access token can have."""

CHARGED_TO_PLAYER = "is_charged_to_player"
"""Key in the state of a request: whether middleware has charged it to a player's rate limit."""

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_TOUCH_INTERVAL_S = 600.0
"""Seconds after which the last use of a credential is stored again."""

_CLOSE_CODE_BASE = 4000
"""Added to the HTTP status of a refusal, this gives the close code of a socket."""

AnyConnection: TypeAlias = ASGIConnection[Any, Any, Any, Any]
"""A request or a socket."""


class IdentitySettings(OriginSettings, Protocol):
    """The settings that identity reads."""

    @property
    def limits_factor(self) -> float:
        """Return the factor of all rate limits."""

    @property
    def invitation_only(self) -> bool:
        """Return whether a new guest needs an invitation."""


class IdentitySite(Protocol):
    """The part of the site that identity uses."""

    @property
    def settings(self) -> IdentitySettings:
        """Return the settings."""

    @property
    def store(self) -> Store:
        """Return the database."""

    @property
    def clock(self) -> Callable[[], float]:
        """Return the clock."""


class Identity(Struct, frozen=True):
    """An authenticated player."""

    id: str
    name: str
    kind: str
    """`guest`, `account` or `bot` (an outside program)."""

    scopes: frozenset[str] | None
    """The scopes of the access token; `None` for a session, which may do everything."""

    language: str
    session: str | None = None
    """The id of the session."""

    proved_at: float = 0.0
    """The time of the last sign-in by password or passkey."""

    until: float | None = None
    """The expiry of the access token, if it has one."""


async def authenticate(connection: AnyConnection, site: IdentitySite) -> Identity | None:
    """Authenticate by access token or session cookie, once per request."""
    state: dict[str, Any] = connection.scope["state"]
    if "identity" not in state:
        with refusal_as_websocket_close(connection.scope):
            state["identity"] = await _identify_and_charge(connection, site)
    found: Identity | None = state["identity"]
    return found


async def _identify_and_charge(connection: AnyConnection, site: IdentitySite) -> Identity | None:
    """Authenticate, and charge the request to the player unless middleware has done so."""
    secret = find_credential(connection)
    if secret is None:
        return None
    limits: RateLimiter = connection.app.state.limits
    found: Identity | None = None
    try:
        found = await _find_identity(connection, site)
    finally:
        limits.remember_credential(secret, None if found is None else found.id)
    if found is not None and not connection.scope["state"].get(CHARGED_TO_PLAYER):
        limits.charge("identity", found.id)
    return found


@contextmanager
def refusal_as_websocket_close(scope: Scope) -> Iterator[None]:
    """Convert a refusal of a WebSocket handshake into a close code."""
    try:
        yield
    except ServerError as refusal:
        if scope["type"] != ScopeType.WEBSOCKET:
            raise
        code = _CLOSE_CODE_BASE + refusal.status
        raise WebSocketException(detail=refusal.code, code=code) from refusal


def check_scope(you: Identity, scope: str) -> None:
    """Refuse an access token without *scope*."""
    if you.scopes is not None and scope not in you.scopes:
        raise ForbiddenError("scope_missing", scope=scope)


def require_scope(scope: str) -> Callable[[AnyConnection, BaseRouteHandler], Awaitable[None]]:
    """Make a guard for handlers that need an identity with *scope*."""
    assert scope in SCOPES, f"no scope {scope}"

    async def guard(connection: AnyConnection, handler: BaseRouteHandler) -> None:  # noqa: ARG001 (Litestar gives it)
        you = await authenticate(connection, connection.app.state.site)
        if you is None:
            raise NotAuthenticatedError("sign_in")
        check_scope(you, scope)

    return guard


def check_person(you: Identity) -> None:
    """Refuse an access token: only a session may do this."""
    if you.scopes is not None:
        raise ForbiddenError("person_needed")


def check_recent_sign_in(you: Identity, now: float) -> None:
    """Require a recent sign-in before sign-in methods of an account change.

    A stranger at an unattended browser must not be able to lock its owner out.
    """
    check_person(you)
    if you.kind != "account":
        raise ForbiddenError("account_needed")
    if now - you.proved_at > RECENT_SIGN_IN_S:
        raise ForbiddenError("sign_in_again")


async def provide_visitor(scope: Scope) -> Identity | None:
    """Provide the dependency `visitor`: the identity, or `None` for an anonymous request."""
    connection: AnyConnection = ASGIConnection(scope)
    visitor = await authenticate(connection, connection.app.state.site)
    if visitor is not None:
        _check_method_scope(visitor, scope.get("method", "GET"))
    return visitor


async def provide_you(scope: Scope) -> Identity:
    """Provide the dependency `you`: the identity; refuse an anonymous request."""
    you = await provide_visitor(scope)
    if you is None:
        raise NotAuthenticatedError("sign_in")
    return you


def _check_method_scope(you: Identity, method: object) -> None:
    """Require a minimal scope by HTTP method, also for handlers without a guard."""
    if you.scopes is None:
        return
    if method in _SAFE_METHODS and not you.scopes & {"read", "account"}:
        raise ForbiddenError("scope_missing", scope="read")
    if method not in _SAFE_METHODS and not you.scopes - {"read"}:
        raise ForbiddenError("scope_missing", scope="play")


def charge_connection(connection: AnyConnection, site: IdentitySite) -> None:
    """Charge a request to the rate limits of its player or address; refuse one over the limit."""
    limits: RateLimiter = connection.app.state.limits
    peer = connection.client.host if connection.client else None
    trusts_proxy = site.settings.trusts_proxy
    address = client_address(peer, connection.headers, trusts_proxy=trusts_proxy)
    # Stored even if it is refused: the refusal must not be charged again.
    state = connection.scope["state"]
    state[CHARGED_TO_PLAYER] = False
    state[CHARGED_TO_PLAYER] = limits.charge_request(address, find_credential(connection))


def find_credential(connection: AnyConnection) -> str | None:
    """Return the access token or session cookie of a request, unverified."""
    token = _bearer_token(connection)
    return connection.cookies.get(SESSION_COOKIE) if token is None else token


def _bearer_token(connection: AnyConnection) -> str | None:
    kind, _, secret = (connection.headers.get("authorization") or "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else None


async def _find_identity(connection: AnyConnection, site: IdentitySite) -> Identity | None:
    token = _bearer_token(connection)
    if token is not None:
        return await _find_by_access_token(token, site)
    cookie = connection.cookies.get(SESSION_COOKIE)
    return await _find_by_session(cookie, site) if cookie else None


async def _find_by_session(cookie: str, site: IdentitySite) -> Identity | None:
    now = site.clock()
    row = await site.store.read(lambda connection: find_session(connection, cookie, now))
    if row is None:
        return None
    player = row.player
    if now - row.seen_at > _TOUCH_INTERVAL_S:
        with suppress(UnavailableError):  # the credential is valid all the same
            await site.store.write(lambda c: touch_session(c, row.id, player.id, now))
    return Identity(
        player.id, player.name, player.kind, None, player.language, row.id, row.proved_at
    )


async def _find_by_access_token(secret: str, site: IdentitySite) -> Identity:
    now = site.clock()
    if not secret.startswith(ACCESS_TOKEN_PREFIX):
        raise NotAuthenticatedError("token_unknown")
    found = await site.store.read(lambda connection: find_access_token(connection, secret, now))
    if found is None:
        raise NotAuthenticatedError("token_unknown")
    row, player = found
    if now - (row.used_at or 0.0) > _TOUCH_INTERVAL_S:
        with suppress(UnavailableError):  # the credential is valid all the same
            await site.store.write(lambda c: touch_access_token(c, row.id, player.id, now))
    scopes = frozenset(row.scopes.split())
    return Identity(
        player.id, player.name, player.kind, scopes, player.language, until=row.expires_at
    )
