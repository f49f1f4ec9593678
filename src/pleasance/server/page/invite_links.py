"""The link to a table: where others reach it, and as a code for phones."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import segno
from litestar import Request, Response, get

from pleasance.server.base.links import EVERYWHERE, find_addresses, make_link
from pleasance.server.base.settings import Settings
from pleasance.server.http.tables_api import TableName, enter_table
from pleasance.server.identity.dependencies import Visitor
from pleasance.server.identity.origins import is_secure
from pleasance.server.live.site import Here
from pleasance.server.page.responses import SVG, reply

_INK, _PAPER = "#2b2620", "#ffffff"


def find_home(request: Request[Any, Any, Any], settings: Settings) -> str:
    """Find the address of this server that others can open.

    Whoever sits at the server itself calls it 127.0.0.1, which is of no use to anybody else.
    """
    if settings.public_url:
        return settings.public_url.rstrip("/")
    scheme = "https" if is_secure(request.headers, settings) else "http"
    host = request.headers.get("host") or "127.0.0.1"
    if is_only_here(host) and settings.host == EVERYWHERE:
        port = urlsplit(f"//{host}").port or 80
        return next((make_link(name, port) for name in find_addresses()), f"{scheme}://{host}")
    return f"{scheme}://{host}"


def is_only_here(host: str) -> bool:
    """Tell whether a host leads everybody to their own computer.

    >>> is_only_here("localhost:8040"), is_only_here("192.168.1.5:8040")
    (True, False)
    """
    name = urlsplit(f"//{host}").hostname or ""
    return name == "localhost" or name.startswith("127.") or name == "::1"


@get("/t/{table:str}/qr.svg", include_in_schema=False)
async def read_code(
    request: Request[Any, Any, Any], site: Here, visitor: Visitor, table: TableName
) -> Response[bytes]:
    """Draw the link to a table as a QR code."""
    await enter_table(site, visitor, table)
    link = f"{find_home(request, site.settings)}/t/{table}"
    drawn = BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(drawn, kind="svg", dark=_INK, light=_PAPER, border=3, scale=4, xmldecl=False)
    return reply(drawn.getvalue(), SVG)


ROUTES = [read_code]
