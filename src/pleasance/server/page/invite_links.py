"""Invite links: the public URL of a table, and its QR code."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import segno
from litestar import Request, Response, get

from pleasance.server.base.links import IPV4_WILDCARD, find_addresses, format_url
from pleasance.server.base.settings import ServerSettings
from pleasance.server.identity.dependencies import OptionalIdentityDep
from pleasance.server.identity.origins import is_secure
from pleasance.server.live.site import SiteDep, TablePath
from pleasance.server.page.responses import SVG, reply

_INK, _PAPER = "#2b2620", "#ffffff"


def find_public_url(request: Request[Any, Any, Any], settings: ServerSettings) -> str:
    """Find the URL of this server for other machines.

    The host of a request is not enough: on the server's own machine it is 127.0.0.1.
    """
    if settings.public_url:
        return settings.public_url.rstrip("/")
    scheme = "https" if is_secure(request.headers, settings) else "http"
    host = request.headers.get("host") or "127.0.0.1"
    if is_loopback(host) and settings.host == IPV4_WILDCARD:
        port = urlsplit(f"//{host}").port or 80
        return next((format_url(name, port) for name in find_addresses()), f"{scheme}://{host}")
    return f"{scheme}://{host}"


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback address.

    >>> is_loopback("localhost:8040"), is_loopback("192.168.1.5:8040")
    (True, False)
    """
    name = urlsplit(f"//{host}").hostname or ""
    return name == "localhost" or name.startswith("127.") or name == "::1"


@get("/t/{table:str}/qr.svg", include_in_schema=False)
async def read_code(
    request: Request[Any, Any, Any], site: SiteDep, visitor: OptionalIdentityDep, table: TablePath
) -> Response[bytes]:
    """Draw the invite link of a table as a QR code."""
    await site.hub.find_for(visitor, table)
    link = f"{find_public_url(request, site.settings)}/t/{table}"
    image = BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(image, kind="svg", dark=_INK, light=_PAPER, border=3, scale=4, xmldecl=False)
    return reply(image.getvalue(), SVG)


ROUTES = [read_code]
