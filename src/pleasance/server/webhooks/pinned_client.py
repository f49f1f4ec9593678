"""Calling a webhook: the address that was checked is the one that is called."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import httpcore
import httpx

from pleasance.server.base.errors import ServerError, UnavailableError
from pleasance.server.webhooks.ssrf_guard import Resolve, find_addresses, read_target, resolve_name

PATIENCE = 5.0
"""Seconds to wait for each step of a call; all of it may take three times as long."""

_MOST_ADDRESSES = 3
_MOST_BYTES = 16_384
"""Nobody needs more of an answer: only its status counts."""


class Answer(NamedTuple):
    """What the other side said."""

    status: int
    retry_after: float | None
    """Seconds that it asks us to wait."""

    @property
    def is_good(self) -> bool:
        """Tell whether it has taken the message; a redirect has not."""
        return 200 <= self.status < 300  # noqa: PLR2004  (as RFC 9110 says)


class PinnedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections to addresses that it has looked up and checked itself.

    The name stays in the request and in the TLS handshake, so the certificate must be that of the
    name; but nobody asks the name server a second time.
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
        addresses = await find_addresses(
            host, port, allows_private=self._allows_private, resolve=self._resolve
        )
        failure: Exception | None = None
        for address in addresses[:_MOST_ADDRESSES]:
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
        """Refuse: no webhook is on this computer."""
        raise httpcore.ConnectError(f"no socket {path} for {timeout} s, {socket_options}")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._network.sleep(seconds)


@cache
def usual_trust() -> ssl.SSLContext:
    """Trust the certificates that browsers trust."""
    return httpx.create_ssl_context()


async def call(
    url: str,
    body: bytes,
    headers: dict[str, str],
    *,
    allows_private: bool,
    resolve: Resolve = resolve_name,
    trust: ssl.SSLContext | None = None,
    patience: float = PATIENCE,
) -> Answer:
    """Send *body* to a webhook and give the answer; redirects are not followed."""
    target = read_target(url, allows_private=allows_private)
    # Taken apart once, so that nobody reads the link another way than it was checked.
    place = httpcore.URL(
        scheme=target.scheme, host=target.host, port=target.port, target=target.path
    )
    limits = dict.fromkeys(("connect", "read", "write", "pool"), patience)
    pool = httpcore.AsyncConnectionPool(
        ssl_context=trust or usual_trust(),
        network_backend=PinnedBackend(allows_private=allows_private, resolve=resolve),
        http2=False,
    )
    try:
        async with asyncio.timeout(3 * patience), pool:
            request = pool.stream(
                "POST",
                place,
                headers=list(headers.items()),
                content=body,
                extensions={"timeout": limits},
            )
            async with request as response:
                await _read_some(response)
                return _make_answer(response)
    except ServerError:
        raise
    except (TimeoutError, httpcore.TimeoutException) as error:
        raise UnavailableError("hook_slow") from error
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError) as error:
        raise UnavailableError("hook_unreachable") from error


async def _read_some(response: httpcore.Response) -> None:
    """Read the beginning of an answer, so that the other side sees that we listen."""
    size = 0
    async for part in response.aiter_stream():
        size += len(part)
        if size > _MOST_BYTES:
            return


def _make_answer(response: httpcore.Response) -> Answer:
    """Take from an answer what counts."""
    asked = next((value for name, value in response.headers if name.lower() == b"retry-after"), b"")
    try:
        seconds = float(asked.decode("ascii"))
    except ValueError:
        seconds = -1.0
    return Answer(response.status, seconds if 0 <= seconds < float("inf") else None)
