"""The gate: what every request passes, and how an app mounts identity.

`Litestar([*ROUTES, …], plugins=[IdentityPlugin(site, Keepers(…))])` is all it takes.
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

from pleasance.server.base.errors import TooManyError
from pleasance.server.http import (
    access_token_api,
    account_api,
    passkey_api,
    personal_data_api,
    session_api,
)
from pleasance.server.identity.authentication import (
    COUNTED,
    AnyConnection,
    IdentitySite,
    count_request,
    provide_visitor,
    provide_you,
    refused_at_the_door,
)
from pleasance.server.identity.origins import check_host, check_origin
from pleasance.server.identity.personal_data import Keepers
from pleasance.server.identity.rate_limits import Limits

ROUTES = [
    *session_api.ROUTES,
    *account_api.ROUTES,
    *passkey_api.ROUTES,
    *access_token_api.ROUTES,
    *personal_data_api.ROUTES,
]
"""What app.py mounts."""

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Gate(ASGIMiddleware):
    """Refuses what comes too often, from pages of other sites, or under a name not ours."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)
    # Those who watch over the server must get through when nobody else does.
    exclude_path_pattern = (r"^/health/(live|ready)/?\Z", r"^/metrics/?\Z")

    def __init__(self, site: IdentitySite) -> None:
        self._site = site

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Let a request or a handshake through, or refuse it."""
        with refused_at_the_door(scope):
            self._check(scope)
        await next_app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        connection: AnyConnection = ASGIConnection(scope)
        settings = self._site.settings
        count_request(connection, self._site)
        check_host(connection.headers, settings)
        if scope.get("method") not in _SAFE:  # a handshake has none
            check_origin(connection.headers, settings)


async def count_lost(_: Exception, scope: Scope) -> None:
    """Count a handshake where nothing is: it fails before it comes to the gate."""
    if scope["type"] == ScopeType.WEBSOCKET and COUNTED not in scope["state"]:
        connection: AnyConnection = ASGIConnection(scope)
        with suppress(TooManyError):  # it is refused anyway
            count_request(connection, connection.app.state.site)


class IdentityPlugin(InitPlugin):
    """Gives an app the gate and the dependencies `you`, `visitor`, `limits` and `keepers`."""

    def __init__(self, site: IdentitySite, keepers: Keepers | None = None) -> None:
        self._site = site
        self._keepers = keepers or Keepers()
        self._limits = Limits(site.clock, site.settings.limits_factor)

    def on_app_init(self, app_config: AppConfig) -> AppConfig:
        """Add to what the app is made from."""

        def provide_limits() -> Limits:
            return self._limits

        def provide_keepers() -> Keepers:
            return self._keepers

        app_config.state.update({"site": self._site, "limits": self._limits})
        app_config.middleware = [Gate(self._site), *app_config.middleware]
        app_config.after_exception = [*app_config.after_exception, count_lost]
        app_config.dependencies = {
            "you": Provide(provide_you),
            "visitor": Provide(provide_visitor),
            "limits": Provide(provide_limits, sync_to_thread=False),
            "keepers": Provide(provide_keepers, sync_to_thread=False),
            **app_config.dependencies,
        }
        return app_config
