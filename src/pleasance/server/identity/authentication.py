"""Who is asking: found from a cookie or a token, once for each request."""

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

from pleasance.server.base.errors import ForbiddenError, ServerError, SignInError, UnavailableError
from pleasance.server.identity.access_tokens import find_token, touch_token
from pleasance.server.identity.keys import TOKEN_PREFIX
from pleasance.server.identity.origins import COOKIE, OriginSettings
from pleasance.server.identity.rate_limits import Limits, find_address
from pleasance.server.identity.sessions import PROOF_LIFETIME, find_session, touch_session
from pleasance.server.store.store import Store

SCOPES = frozenset({"read", "play", "chat", "account"})
"""What a token can be good for."""

COUNTED = "is_counted"
"""Where the gate notes in the state of a request that it was counted for a player already."""

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_TOUCH_AFTER = 600.0
"""Seconds after which it is written down again that somebody is there."""

_CLOSE = 4000
"""A socket is closed with this and the status that HTTP has for the same refusal."""

AnyConnection: TypeAlias = ASGIConnection[Any, Any, Any, Any]
"""A request or a socket."""


class IdentitySettings(OriginSettings, Protocol):
    """What the settings say about who may come."""

    @property
    def limits_factor(self) -> float:
        """Tell how much larger or smaller all limits are."""

    @property
    def invitation_only(self) -> bool:
        """Tell whether a new guest needs an invitation."""


class IdentitySite(Protocol):
    """What identity needs of the site."""

    @property
    def settings(self) -> IdentitySettings:
        """Give the settings."""

    @property
    def store(self) -> Store:
        """Give the database."""

    @property
    def clock(self) -> Callable[[], float]:
        """Give the clock."""


class Identity(Struct, frozen=True):
    """Somebody we know."""

    id: str
    name: str
    kind: str
    """`guest`, `account` or `bot` (an outside program)."""

    scopes: frozenset[str] | None
    """What the token is good for; `None` for a person with a cookie, who may do everything."""

    language: str
    session: str | None = None
    """Which session the cookie stands for."""

    proved_at: float = 0.0
    """When a password or passkey was last shown."""

    until: float | None = None
    """When the token is over; `None` where it never is."""


async def identify(connection: AnyConnection, site: IdentitySite) -> Identity | None:
    """Find out who asks, from the token or the cookie; the answer is kept for the request."""
    known: dict[str, Any] = connection.scope["state"]
    if "identity" not in known:
        with refused_at_the_door(connection.scope):
            known["identity"] = await _recognize(connection, site)
    found: Identity | None = known["identity"]
    return found


async def _recognize(connection: AnyConnection, site: IdentitySite) -> Identity | None:
    """Find out who asks, and count the request for them unless the gate has done so."""
    secret = find_secret(connection)
    if secret is None:
        return None
    limits: Limits = connection.app.state.limits
    found: Identity | None = None
    try:
        found = await _find(connection, site)
    finally:
        limits.recognize(secret, None if found is None else found.id)
    if found is not None and not connection.scope["state"].get(COUNTED):
        limits.spend("identity", found.id)
    return found


@contextmanager
def refused_at_the_door(scope: Scope) -> Iterator[None]:
    """Turn a refusal into one that a handshake understands, where it is one."""
    try:
        yield
    except ServerError as refusal:
        if scope["type"] != ScopeType.WEBSOCKET:
            raise
        code = _CLOSE + refusal.status
        raise WebSocketException(detail=refusal.code, code=code) from refusal


def allow(you: Identity, scope: str) -> None:
    """Refuse what the token in use is not good for."""
    if you.scopes is not None and scope not in you.scopes:
        raise ForbiddenError("scope_missing", scope=scope)


def need(scope: str) -> Callable[[AnyConnection, BaseRouteHandler], Awaitable[None]]:
    """Make a guard for handlers: somebody known, whose token is good for *scope*."""
    assert scope in SCOPES, f"no scope {scope}"

    async def guard(connection: AnyConnection, handler: BaseRouteHandler) -> None:  # noqa: ARG001 (Litestar gives it)
        you = await identify(connection, connection.app.state.site)
        if you is None:
            raise SignInError("sign_in")
        allow(you, scope)

    return guard


def check_person(you: Identity) -> None:
    """Refuse a program: only a person with a cookie may do this."""
    if you.scopes is not None:
        raise ForbiddenError("person_needed")


def check_proof(you: Identity, now: float) -> None:
    """Refuse to change the locks of an account for somebody who did not just sign in.

    Whoever finds a browser open should not be able to lock its owner out.
    """
    check_person(you)
    if you.kind != "account":
        raise ForbiddenError("account_needed")
    if now - you.proved_at > PROOF_LIFETIME:
        raise ForbiddenError("sign_in_again")


async def provide_visitor(scope: Scope) -> Identity | None:
    """Provide who asks, or `None`: the dependency `visitor`."""
    connection: AnyConnection = ASGIConnection(scope)
    visitor = await identify(connection, connection.app.state.site)
    if visitor is not None:
        _allow_method(visitor, scope.get("method", "GET"))
    return visitor


async def provide_you(scope: Scope) -> Identity:
    """Provide who asks; refuse strangers: the dependency `you`."""
    you = await provide_visitor(scope)
    if you is None:
        raise SignInError("sign_in")
    return you


def _allow_method(you: Identity, method: object) -> None:
    """Hold tokens to the least they need, even where a handler has no guard of its own."""
    if you.scopes is None:
        return
    if method in _SAFE and not you.scopes & {"read", "account"}:
        raise ForbiddenError("scope_missing", scope="read")
    if method not in _SAFE and not you.scopes - {"read"}:
        raise ForbiddenError("scope_missing", scope="play")


def count_request(connection: AnyConnection, site: IdentitySite) -> None:
    """Count a request for whoever sends it; refuse it where that is too many."""
    limits: Limits = connection.app.state.limits
    peer = connection.client.host if connection.client else None
    trusts_proxy = site.settings.trusts_proxy
    address = find_address(peer, connection.headers, trusts_proxy=trusts_proxy)
    # Noted even where it is refused: the refusal must not be counted in its turn.
    connection.scope["state"][COUNTED] = False
    connection.scope["state"][COUNTED] = limits.knock(address, find_secret(connection))


def find_secret(connection: AnyConnection) -> str | None:
    """Find the token or cookie by which somebody wants to be known."""
    token = _find_token(connection)
    return connection.cookies.get(COOKIE) if token is None else token


def _find_token(connection: AnyConnection) -> str | None:
    kind, _, secret = (connection.headers.get("authorization") or "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else None


async def _find(connection: AnyConnection, site: IdentitySite) -> Identity | None:
    token = _find_token(connection)
    if token is not None:
        return await _find_program(token, site)
    cookie = connection.cookies.get(COOKIE)
    return await _find_person(cookie, site) if cookie else None


async def _find_person(cookie: str, site: IdentitySite) -> Identity | None:
    now = site.clock()
    row = await site.store.read(lambda connection: find_session(connection, cookie, now))
    if row is None:
        return None
    player = row.player
    if now - row.seen_at > _TOUCH_AFTER:
        with suppress(UnavailableError):  # who asks is known all the same
            await site.store.write(lambda c: touch_session(c, row.id, player.id, now))
    return Identity(
        player.id, player.name, player.kind, None, player.language, row.id, row.proved_at
    )


async def _find_program(secret: str, site: IdentitySite) -> Identity:
    now = site.clock()
    if not secret.startswith(TOKEN_PREFIX):
        raise SignInError("token_unknown")
    found = await site.store.read(lambda connection: find_token(connection, secret, now))
    if found is None:
        raise SignInError("token_unknown")
    row, player = found
    if now - (row.used_at or 0.0) > _TOUCH_AFTER:
        with suppress(UnavailableError):  # who asks is known all the same
            await site.store.write(lambda c: touch_token(c, row.id, player.id, now))
    scopes = frozenset(row.scopes.split())
    return Identity(
        player.id, player.name, player.kind, scopes, player.language, until=row.expires_at
    )
