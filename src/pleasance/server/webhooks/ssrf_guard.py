"""SSRF guard: webhooks may call only addresses of the public Internet, in their plain form.

Networks that lead into others (NAT64, 6to4, Teredo, IPv4 written as IPv6) are refused whole: an
IPv4 address can be given as one.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address
from typing import Any, NamedTuple, TypeAlias

import httpx

from pleasance.server.base.errors import BadRequestError, ForbiddenError, TooManyRequestsError

Resolve: TypeAlias = Callable[[str, int], Awaitable[tuple[str, ...]]]
"""Resolves a host and port to addresses."""

PORTS = frozenset({80, 443, 8443})
MAX_URL_LENGTH = 500
"""The number of characters of a URL."""

MAX_CONCURRENT_CALLS = 40
"""The number of concurrent webhook calls; each may wait for a name of its own."""

RESOLVER_THREADS = 2 * MAX_CONCURRENT_CALLS
"""Twice the calls, since the system keeps resolving for about as long again as a call waits."""

_RESOLVE_TIMEOUT_S = 5.0

_UNICAST = IPv6Network("2000::/3")
_REFUSED_IPV4 = tuple(map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24")))
_REFUSED_IPV6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)")
_MAX_PORT = 65_535


class Target(NamedTuple):
    """The parsed URL of a webhook."""

    url: str
    scheme: str
    host: str
    port: int
    path: str


class ResolverBusyError(TooManyRequestsError):
    """No resolver thread was free, which says nothing about the name."""

    def __init__(self) -> None:
        super().__init__("too_many", seconds=int(_RESOLVE_TIMEOUT_S))


def is_public(address: str) -> bool:
    """Return whether an address belongs to one computer of the public Internet.

    >>> is_public("9.9.9.9"), is_public("10.0.0.1"), is_public("::ffff:9.9.9.9")
    (True, False, False)
    """
    found = ip_address(address)
    if isinstance(found, IPv4Address):
        is_refused = any(found in network for network in _REFUSED_IPV4)
    else:
        is_refused = found not in _UNICAST or any(found in network for network in _REFUSED_IPV6)
    return found.is_global and not (is_refused or found.is_multicast or found.is_reserved)


def parse_target(text: str, *, allows_private: bool) -> Target:
    """Parse the URL of a webhook; refuse anything but a plain URL of a web server."""
    is_plain = text.isascii() and text.isprintable() and " " not in text and "\\" not in text
    try:
        url = httpx.URL(text if is_plain and len(text) <= MAX_URL_LENGTH else "")
    except (httpx.InvalidURL, ValueError) as error:
        raise BadRequestError("webhook_url") from error
    # The trailing dot of a fully qualified name is not part of certificates.
    host = url.raw_host.decode("ascii").removesuffix(".")
    if url.userinfo or url.fragment or not _is_host(host):
        raise BadRequestError("webhook_url")
    port = url.port or {"http": 80, "https": 443}.get(url.scheme, 0)
    if url.scheme not in {"http", "https"} or not 0 < port <= _MAX_PORT:
        raise BadRequestError("webhook_url")
    if port not in PORTS and not allows_private:
        raise ForbiddenError("webhook_port", port=port)
    plain = url if host == url.raw_host.decode("ascii") else url.copy_with(host=host)
    return Target(str(plain), url.scheme, host, port, url.raw_path.decode("ascii"))


def _is_host(host: str) -> bool:
    """Return whether a host is a name, or an address in its usual form.

    The system also accepts 2130706433, 0x7f.1 and 0177.0.0.1 as addresses; only attackers write
    them so.
    """
    last = host.rpartition(".")[2]
    if _NAME.fullmatch(host) and last and not _NUMBER.fullmatch(last):
        return True
    try:
        return "%" not in str(ip_address(host))  # a zone id means a link-local address
    except ValueError:
        return False


@cache
def _threads() -> ThreadPoolExecutor:
    """Return the resolver threads, kept apart since a silent name server blocks one for long."""
    return ThreadPoolExecutor(RESOLVER_THREADS, "webhook-names")


class _Lookup:
    """A name lookup in progress, shared by all who wait for it (single flight)."""

    def __init__(self, host: str, port: int) -> None:
        self.has_begun = False
        self.waiter_count = 0
        self.result: Future[list[tuple[Any, ...]]] = _threads().submit(self._run, host, port)

    def _run(self, host: str, port: int) -> list[tuple[Any, ...]]:
        self.has_begun = True
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)

    async def wait(self) -> list[tuple[Any, ...]]:
        """Wait for the result; the last waiter to give up cancels the lookup."""
        self.waiter_count += 1
        result = asyncio.wrap_future(self.result)
        # Retrieved here, since asyncio warns of failures that nothing awaits any more.
        result.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return await asyncio.shield(result)  # others may wait longer
        finally:
            self.waiter_count -= 1
            if not self.waiter_count:
                self.result.cancel()  # has no effect once a thread runs it


_lookups: dict[tuple[asyncio.AbstractEventLoop, str, int], _Lookup] = {}
"""Lookups in progress: each name occupies one thread, however many wait for it."""


async def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """Resolve a name by the system; concurrent callers share one lookup.

    Silent name servers may block all threads; `ResolverBusyError` means that none was free in time.
    """
    key = asyncio.get_running_loop(), host, port
    lookup = _lookups.get(key)
    if lookup is None:
        lookup = _lookups[key] = _Lookup(host, port)
        lookup.result.add_done_callback(lambda _: _lookups.pop(key, None))
    try:
        async with asyncio.timeout(_RESOLVE_TIMEOUT_S):
            found = await lookup.wait()
    except TimeoutError as error:
        if lookup.has_begun:
            raise
        raise ResolverBusyError from error
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


async def resolve_checked(
    host: str, port: int, *, allows_private: bool, resolve: Resolve = resolve_host
) -> tuple[str, ...]:
    """Resolve a host, and refuse it if any of its addresses is not public."""
    try:
        addresses = await resolve(host, port)
    except (OSError, UnicodeError, TimeoutError) as error:
        raise BadRequestError("webhook_unresolved") from error
    if not addresses:
        raise BadRequestError("webhook_unresolved")
    if not allows_private and not all(map(is_public, addresses)):
        raise ForbiddenError("webhook_private")
    return addresses
