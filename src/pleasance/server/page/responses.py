"""Responses of the page, each with a content security policy (CSP) and cache headers."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response
from msgspec import Struct

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The CSP: no content from other sites, no inline scripts."""

HTML, SVG, TEXT, JSON = "text/html", "image/svg+xml", "text/plain", "application/json"
FOREVER = "public, max-age=31536000, immutable"
NEVER = "no-store"


def reply(
    body: str | bytes, media_type: str, *, status: int = 200, cache: str = NEVER
) -> Response[bytes]:
    """Answer with *body*; nothing is cached unless *cache* says so."""
    content = body.encode() if isinstance(body, str) else body
    headers = {
        "Cache-Control": cache,
        "Content-Security-Policy": POLICY,
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(content, media_type=media_type, status_code=status, headers=headers)


def reply_json(body: Struct) -> Response[bytes]:
    """Answer with JSON."""
    return reply(msgspec.json.encode(body), JSON)


def embed(facts: Any) -> str:
    r"""Encode *facts* as JSON that is safe inside an HTML script element.

    >>> embed({"name": "</script>"})
    '{"name":"\\u003c/script>"}'
    """
    return msgspec.json.encode(facts).decode().replace("<", "\\u003c")
