"""Which addresses a webhook may call: those of the public Internet, in their plain form.

Networks that lead into others (NAT64, 6to4, Teredo, IPv4 written as IPv6) are refused whole: who
wants an IPv4 address can name it as one.
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

from pleasance.server.base.errors import BadRequestError, ForbiddenError, TooManyError

Resolve: TypeAlias = Callable[[str, int], Awaitable[tuple[str, ...]]]
"""Finds the addresses of a name."""

PORTS = frozenset({80, 443, 8443})
LONGEST = 500
"""The most characters of a link."""

MOST_AT_ONCE = 40
"""How many webhooks are called at the same time; each may wait for a name of its own."""

THREADS = 2 * MOST_AT_ONCE
"""How many names are looked up at once: the system asks on for about as long again as we wait."""

_PATIENCE = 5.0

_UNICAST = IPv6Network("2000::/3")
_CLOSED_4 = tuple(map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24")))
_CLOSED_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)")
_LAST_PORT = 65_535


class Target(NamedTuple):
    """Where a webhook leads."""

    url: str
    scheme: str
    host: str
    port: int
    path: str


class NoThreadError(TooManyError):
    """Tell that a name was not even asked for: it may be as good as any."""

    def __init__(self) -> None:
        super().__init__("too_many", seconds=int(_PATIENCE))


def is_public(address: str) -> bool:
    """Tell whether an address belongs to one computer of the public Internet.

    >>> is_public("9.9.9.9"), is_public("10.0.0.1"), is_public("::ffff:9.9.9.9")
    (True, False, False)
    """
    found = ip_address(address)
    if isinstance(found, IPv4Address):
        is_closed = any(found in network for network in _CLOSED_4)
    else:
        is_closed = found not in _UNICAST or any(found in network for network in _CLOSED_6)
    return found.is_global and not (is_closed or found.is_multicast or found.is_reserved)


def read_target(text: str, *, allows_private: bool) -> Target:
    """Read the link of a webhook; refuse what is no plain link to a web server."""
    is_plain = text.isascii() and text.isprintable() and " " not in text and "\\" not in text
    try:
        url = httpx.URL(text if is_plain and len(text) <= LONGEST else "")
    except (httpx.InvalidURL, ValueError) as error:
        raise BadRequestError("hook_url") from error
    # Only name servers need to be told by a dot where a name ends; certificates know none.
    host = url.raw_host.decode("ascii").removesuffix(".")
    if url.userinfo or url.fragment or not _is_host(host):
        raise BadRequestError("hook_url")
    port = url.port or {"http": 80, "https": 443}.get(url.scheme, 0)
    if url.scheme not in {"http", "https"} or not 0 < port <= _LAST_PORT:
        raise BadRequestError("hook_url")
    if port not in PORTS and not allows_private:
        raise ForbiddenError("hook_port", port=port)
    plain = url if host == url.raw_host.decode("ascii") else url.copy_with(host=host)
    return Target(str(plain), url.scheme, host, port, url.raw_path.decode("ascii"))


def _is_host(host: str) -> bool:
    """Tell whether a host is a name, or an address in its usual form.

    The system also takes 2130706433, 0x7f.1 and 0177.0.0.1 for addresses; nobody means well who
    writes them so.
    """
    last = host.rpartition(".")[2]
    if _NAME.fullmatch(host) and last and not _NUMBER.fullmatch(last):
        return True
    try:
        return "%" not in str(ip_address(host))  # a zone leads nowhere outside this computer
    except ValueError:
        return False


@cache
def _threads() -> ThreadPoolExecutor:
    """Keep threads for this alone: a name server that never answers holds one up for long."""
    return ThreadPoolExecutor(THREADS, "hook-names")


class _Lookup:
    """A name that is looked up, and how many wait for it."""

    def __init__(self, host: str, port: int) -> None:
        self.has_begun = False
        self.waiting = 0
        self.asked: Future[list[tuple[Any, ...]]] = _threads().submit(self._ask, host, port)

    def _ask(self, host: str, port: int) -> list[tuple[Any, ...]]:
        self.has_begun = True
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)

    async def answer(self) -> list[tuple[Any, ...]]:
        """Wait for the answer; whoever gives up last takes the question back."""
        self.waiting += 1
        answer = asyncio.wrap_future(self.asked)
        # Nobody may be left to hear of a failure, which asyncio would then complain about.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return await asyncio.shield(answer)  # others may have more patience
        finally:
            self.waiting -= 1
            if not self.waiting:
                self.asked.cancel()  # does nothing once a thread is at it


_lookups: dict[tuple[asyncio.AbstractEventLoop, str, int], _Lookup] = {}
"""Names that are being looked up: however many ask for one, it holds up one thread."""


async def resolve_name(host: str, port: int) -> tuple[str, ...]:
    """Ask the system for the addresses of a name; all who ask at the same time get one answer.

    Names that are never answered may hold up all threads: who gets none in time is told so.
    """
    key = asyncio.get_running_loop(), host, port
    lookup = _lookups.get(key)
    if lookup is None:
        lookup = _lookups[key] = _Lookup(host, port)
        lookup.asked.add_done_callback(lambda _: _lookups.pop(key, None))
    try:
        async with asyncio.timeout(_PATIENCE):
            found = await lookup.answer()
    except TimeoutError as error:
        if lookup.has_begun:
            raise
        raise NoThreadError from error
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


async def find_addresses(
    host: str, port: int, *, allows_private: bool, resolve: Resolve = resolve_name
) -> tuple[str, ...]:
    """Find where a name leads; refuse it if any of its addresses is not public."""
    try:
        addresses = await resolve(host, port)
    except (OSError, UnicodeError, TimeoutError) as error:
        raise BadRequestError("hook_unresolved") from error
    if not addresses:
        raise BadRequestError("hook_unresolved")
    if not allows_private and not all(map(is_public, addresses)):
        raise ForbiddenError("hook_private")
    return addresses
