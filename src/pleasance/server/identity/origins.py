"""Which pages may talk to the server: its own, and those the host has named.

A page of another site can make a browser send requests with our cookie, so whatever changes
something must come from our own pages. And a name of another site can be made to lead to this
computer, so only names we know are answered.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol
from urllib.parse import SplitResult, urlsplit

from pleasance.server.base.errors import ForbiddenError

COOKIE = "pleasance"
"""The name of the cookie."""

_LONGEST_NAME = 253
_PORTS = {"http": 80, "https": 443}


class HeaderMap(Protocol):
    """Headers of a request, found by their names in small letters."""

    def get(self, key: str, /) -> str | None:
        """Find a header."""


class OriginSettings(Protocol):
    """What the settings say about addresses."""

    @property
    def is_https(self) -> bool:
        """Tell whether browsers reach us over HTTPS."""

    @property
    def trusts_proxy(self) -> bool:
        """Tell whether a proxy in front tells who asks."""

    @property
    def origins(self) -> Sequence[str]:
        """List the addresses of pages that may talk to us."""


class Party(NamedTuple):
    """Whom a passkey is made for."""

    origin: str
    domain: str


def check_host(headers: HeaderMap, settings: OriginSettings) -> None:
    """Refuse a request for a name that is not ours: somebody made it lead here.

    A bare address is always ours: a browser uses one only where a person asked for it.
    """
    name = _split(f"//{_find_host(headers, settings)}").hostname or ""
    known = {_split(origin).hostname for origin in settings.origins} or own_names()
    is_ours = name in known or _is_local(name) or _is_address(name)
    if not is_ours or len(name) > _LONGEST_NAME:
        raise ForbiddenError("host_unknown", host=name[:100])


def check_origin(headers: HeaderMap, settings: OriginSettings) -> None:
    """Refuse what a page of another site has sent: a request that changes, or a handshake.

    Programs send neither `Origin` nor our cookie, and need neither.
    """
    origin = headers.get("origin")
    if origin is not None:
        if not _is_ours(origin, headers, settings):
            raise ForbiddenError("cross_site")
        return
    sent_by = headers.get("sec-fetch-site")
    if sent_by != "same-origin" and (sent_by is not None or _has_cookie(headers)):
        raise ForbiddenError("cross_site")


def is_secure(headers: HeaderMap, settings: OriginSettings) -> bool:
    """Tell whether the browser reached us over HTTPS, as far as we know."""
    told = headers.get("x-forwarded-proto") if settings.trusts_proxy else None
    return settings.is_https or (told or "").split(",")[-1].strip().lower() == "https"


def find_party(headers: HeaderMap, settings: OriginSettings) -> Party:
    """Tell whom a passkey is for; refuse where browsers offer none.

    That needs a name, not a bare address, and HTTPS everywhere but on this computer.
    """
    origin = (headers.get("origin") or "").lower()
    parts = _split(origin)
    domain = parts.hostname or ""
    is_safe = parts.scheme == "https" or _is_local(domain)
    is_name = len(domain) <= _LONGEST_NAME and not _is_address(domain)
    if not is_safe or not is_name or not _is_ours(origin, headers, settings):
        raise ForbiddenError("passkey_insecure")
    return Party(origin, domain)


@cache
def own_names() -> frozenset[str | None]:
    """Collect the names of this computer, as its neighbors call it."""
    name = socket.gethostname().lower()
    first = name.split(".")[0]
    return frozenset({name, first, f"{first}.local"})


def _is_ours(origin: str, headers: HeaderMap, settings: OriginSettings) -> bool:
    if origin.lower() in settings.origins:
        return True
    page = _split(origin)
    host = _split(f"//{_find_host(headers, settings)}")
    # Where we do not know of HTTPS, a proxy may still offer it in front of us.
    may_be = {"https"} if is_secure(headers, settings) else {"http", "https"}
    if page.scheme not in may_be or not page.hostname:
        return False
    port = _PORTS[page.scheme]
    return (page.hostname, page.port or port) == (host.hostname, host.port or port)


def _find_host(headers: HeaderMap, settings: OriginSettings) -> str:
    told = headers.get("x-forwarded-host") if settings.trusts_proxy else None
    return (told or "").split(",")[-1].strip() or headers.get("host") or ""


def _has_cookie(headers: HeaderMap) -> bool:
    parts = (headers.get("cookie") or "").split(";")
    return any(part.strip().startswith(f"{COOKIE}=") for part in parts)


def _split(address: str) -> SplitResult:
    """Take an address apart; one that cannot be read has no parts."""
    try:
        parts = urlsplit(address)
        _ = parts.port  # looked at, since a wrong one is found only then
    except ValueError:
        return urlsplit("")
    return parts


def _is_local(name: str) -> bool:
    return name == "localhost" or name.endswith(".localhost")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
