"""Middleware for every request: rate limit, host check and CSRF origin check.

`Litestar([*IDENTITY_ROUTES, …], plugins=[IdentityPlugin(site, PersonalDataSources(…))])` is all
that an app with identity needs.
"""

from __future__ import annotations

from contextlib import suppress

from litestar.config.app import AppConfig
from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.plugins import InitPlugin
from litestar.types import ASGIApp, Receive, Scope, Send

from pleasance.server.base.errors import TooManyRequestsError
from pleasance.server.identity.authentication import (
    CHARGED_TO_PLAYER,
    AnyConnection,
    IdentitySite,
    charge_connection,
    provide_visitor,
    provide_you,
    refusal_as_websocket_close,
)
from pleasance.server.identity.origins import check_host, check_origin
from pleasance.server.identity.personal_data import PersonalDataSources
from pleasance.server.identity.rate_limits import RateLimiter

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class GuardMiddleware(ASGIMiddleware):
    """Refuses requests over the rate limit, from pages of other sites, or for another host name."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)
    # Monitoring must work while all other requests are refused.
    exclude_path_pattern = (r"^/health/(live|ready)/?\Z", r"^/metrics/?\Z")

    def __init__(self, site: IdentitySite) -> None:
        self._site = site

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Check a request or a handshake, then call the next app."""
        with refusal_as_websocket_close(scope):
            self._check(scope)
        await next_app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        connection: AnyConnection = ASGIConnection(scope)
        settings = self._site.settings
        charge_connection(connection, self._site)
        check_host(connection.headers, settings)
        if scope.get("method") not in _SAFE_METHODS:  # a handshake has none
            check_origin(connection.headers, settings)


async def charge_unmatched_handshake(_: Exception, scope: Scope) -> None:
    """Charge a handshake without a route, which fails before it reaches the middleware."""
    if scope["type"] == ScopeType.WEBSOCKET and CHARGED_TO_PLAYER not in scope["state"]:
        connection: AnyConnection = ASGIConnection(scope)
        with suppress(TooManyRequestsError):  # it is refused anyway
            charge_connection(connection, connection.app.state.site)


class IdentityPlugin(InitPlugin):
    """Adds the middleware and the dependencies `you`, `visitor`, `limits` and `sources`."""

    def __init__(self, site: IdentitySite, sources: PersonalDataSources | None = None) -> None:
        self._site = site
        self._sources = sources or PersonalDataSources()
        self._limits = RateLimiter(site.clock, site.settings.limits_factor)

    def on_app_init(self, app_config: AppConfig) -> AppConfig:
        """Add state, middleware and dependencies to the app's configuration."""

        def provide_limits() -> RateLimiter:
            return self._limits

        def provide_sources() -> PersonalDataSources:
            return self._sources

        app_config.state.update({"site": self._site, "limits": self._limits})
        app_config.middleware = [GuardMiddleware(self._site), *app_config.middleware]
        app_config.after_exception = [*app_config.after_exception, charge_unmatched_handshake]
        app_config.dependencies = {
            "you": Provide(provide_you),
            "visitor": Provide(provide_visitor),
            "limits": Provide(provide_limits, sync_to_thread=False),
            "sources": Provide(provide_sources, sync_to_thread=False),
            **app_config.dependencies,
        }
        return app_config
