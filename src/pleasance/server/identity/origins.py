"""CSRF protection by origin check, and protection against DNS rebinding by host check.

A page of another site can make a browser send requests with our cookie, so requests that change
something must come from our own pages. A foreign host name can be made to resolve to this computer,
so only known host names are answered.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol
from urllib.parse import SplitResult, urlsplit

from pleasance.server.base.errors import ForbiddenError

SESSION_COOKIE = "pleasance"

_MAX_HOST_LENGTH = 253
_DEFAULT_PORTS = {"http": 80, "https": 443}


class HeaderMap(Protocol):
    """Headers of a request, by lower-case name."""

    def get(self, key: str, /) -> str | None:
        """Return a header."""


class OriginSettings(Protocol):
    """The settings that the checks read."""

    @property
    def is_https(self) -> bool:
        """Return whether browsers reach us over HTTPS."""

    @property
    def trusts_proxy(self) -> bool:
        """Return whether to trust the forwarding headers of a proxy."""

    @property
    def origins(self) -> Sequence[str]:
        """Return the origins whose pages may send requests."""


class RelyingParty(NamedTuple):
    """The relying party of a passkey (WebAuthn)."""

    origin: str
    domain: str


def check_host(headers: HeaderMap, settings: OriginSettings) -> None:
    """Refuse a request for an unknown host name (DNS rebinding).

    An IP address is always accepted: an attacker's page cannot use one as its own host name.
    """
    name = _split(f"//{_find_host(headers, settings)}").hostname or ""
    known = {_split(origin).hostname for origin in settings.origins} or own_host_names()
    is_ours = name in known or _is_local(name) or _is_address(name)
    if not is_ours or len(name) > _MAX_HOST_LENGTH:
        raise ForbiddenError("host_unknown", host=name[:100])


def check_origin(headers: HeaderMap, settings: OriginSettings) -> None:
    """Refuse an unsafe request or a handshake from a page of another site (CSRF).

    Programs send neither `Origin` nor our cookie, and need neither.
    """
    origin = headers.get("origin")
    if origin is not None:
        if not _is_same_origin(origin, headers, settings):
            raise ForbiddenError("cross_site")
        return
    fetch_site = headers.get("sec-fetch-site")
    if fetch_site != "same-origin" and (fetch_site is not None or _has_cookie(headers)):
        raise ForbiddenError("cross_site")


def is_secure(headers: HeaderMap, settings: OriginSettings) -> bool:
    """Return whether the browser is known to use HTTPS."""
    forwarded = headers.get("x-forwarded-proto") if settings.trusts_proxy else None
    return settings.is_https or (forwarded or "").split(",")[-1].strip().lower() == "https"


def find_relying_party(headers: HeaderMap, settings: OriginSettings) -> RelyingParty:
    """Return the relying party for passkeys; refuse where browsers offer none.

    Passkeys need a host name, not an IP address, and HTTPS except on localhost.
    """
    origin = (headers.get("origin") or "").lower()
    parts = _split(origin)
    domain = parts.hostname or ""
    is_secure_context = parts.scheme == "https" or _is_local(domain)
    is_name = len(domain) <= _MAX_HOST_LENGTH and not _is_address(domain)
    if not is_secure_context or not is_name or not _is_same_origin(origin, headers, settings):
        raise ForbiddenError("passkey_insecure")
    return RelyingParty(origin, domain)


@cache
def own_host_names() -> frozenset[str | None]:
    """Collect the names of this computer in the local network."""
    name = socket.gethostname().lower()
    first = name.split(".")[0]
    return frozenset({name, first, f"{first}.local"})


def _is_same_origin(origin: str, headers: HeaderMap, settings: OriginSettings) -> bool:
    if origin.lower() in settings.origins:
        return True
    page = _split(origin)
    host = _split(f"//{_find_host(headers, settings)}")
    # Without known HTTPS, a proxy in front may still offer it.
    schemes = {"https"} if is_secure(headers, settings) else {"http", "https"}
    if page.scheme not in schemes or not page.hostname:
        return False
    port = _DEFAULT_PORTS[page.scheme]
    return (page.hostname, page.port or port) == (host.hostname, host.port or port)


def _find_host(headers: HeaderMap, settings: OriginSettings) -> str:
    forwarded = headers.get("x-forwarded-host") if settings.trusts_proxy else None
    return (forwarded or "").split(",")[-1].strip() or headers.get("host") or ""


def _has_cookie(headers: HeaderMap) -> bool:
    parts = (headers.get("cookie") or "").split(";")
    return any(part.strip().startswith(f"{SESSION_COOKIE}=") for part in parts)


def _split(url: str) -> SplitResult:
    """Split a URL; an invalid one has no parts."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for a bad port
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
