"""HTTP client that prevents DNS rebinding: it connects to the addresses that it has checked."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import httpcore
import httpx

from pleasance.server.base.errors import ServerError, UnavailableError
from pleasance.server.webhooks.ssrf_guard import (
    Resolve,
    parse_target,
    resolve_checked,
    resolve_host,
)

TIMEOUT_S = 5.0
"""The timeout of each step of a call; the whole call may take three times as long."""

_MAX_ADDRESSES = 3
_MAX_RESPONSE_BYTES = 16_384
"""How much of a response is read, since only its status counts."""


class WebhookResponse(NamedTuple):
    """The response of a webhook."""

    status: int
    retry_after: float | None
    """The seconds to wait that it asks for."""

    @property
    def is_success(self) -> bool:
        """Return whether it accepted the message; a redirect does not."""
        return 200 <= self.status < 300  # noqa: PLR2004  (as RFC 9110 says)


class PinnedBackend(httpcore.AsyncNetworkBackend):
    """Resolves a host once, checks its addresses, and connects to one of them.

    The name stays in the request and in the TLS handshake, so the certificate must match it. Since
    the name is not resolved a second time, DNS rebinding cannot swap the address after the check.
    """

    def __init__(self, *, allows_private: bool, resolve: Resolve) -> None:
        self._allows_private = allows_private
        self._resolve = resolve
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(  # noqa: PLR0917  (httpcore calls it so)
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to one of the addresses of *host*, if all are public."""
        addresses = await resolve_checked(
            host, port, allows_private=self._allows_private, resolve=self._resolve
        )
        failure: Exception | None = None
        for address in addresses[:_MAX_ADDRESSES]:
            try:
                return await self._network.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore.ConnectError("no address")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Refuse Unix sockets: webhooks are called over TCP."""
        raise httpcore.ConnectError(f"no socket {path} for {timeout} s, {socket_options}")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._network.sleep(seconds)


@cache
def default_ssl_context() -> ssl.SSLContext:
    """Trust the certificate authorities that browsers trust."""
    return httpx.create_ssl_context()


async def post(
    url: str,
    body: bytes,
    headers: dict[str, str],
    *,
    allows_private: bool,
    resolve: Resolve = resolve_host,
    ssl_context: ssl.SSLContext | None = None,
    timeout_s: float = TIMEOUT_S,
) -> WebhookResponse:
    """Post *body* to a webhook; redirects are not followed."""
    target = parse_target(url, allows_private=allows_private)
    # Parsed only once, so that the URL that is called cannot differ from the one that was checked.
    parsed = httpcore.URL(
        scheme=target.scheme, host=target.host, port=target.port, target=target.path
    )
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), timeout_s)
    pool = httpcore.AsyncConnectionPool(
        ssl_context=ssl_context or default_ssl_context(),
        network_backend=PinnedBackend(allows_private=allows_private, resolve=resolve),
        http2=False,
    )
    try:
        async with asyncio.timeout(3 * timeout_s), pool:
            request = pool.stream(
                "POST",
                parsed,
                headers=list(headers.items()),
                content=body,
                extensions={"timeout": timeouts},
            )
            async with request as response:
                await _read_beginning(response)
                return WebhookResponse(response.status, _parse_retry_after(response))
    except ServerError:
        raise
    except (TimeoutError, httpcore.TimeoutException) as error:
        raise UnavailableError("webhook_slow") from error
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError) as error:
        raise UnavailableError("webhook_unreachable") from error


async def _read_beginning(response: httpcore.Response) -> None:
    """Read the beginning of a response, so that the server does not see a dropped connection."""
    size = 0
    async for part in response.aiter_stream():
        size += len(part)
        if size > _MAX_RESPONSE_BYTES:
            return


def _parse_retry_after(response: httpcore.Response) -> float | None:
    """Parse the header `Retry-After` if it holds seconds."""
    values = (value for name, value in response.headers if name.lower() == b"retry-after")
    try:
        seconds = float(next(values, b"").decode("ascii"))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None
