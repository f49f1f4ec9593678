"""Cursors: where a list goes on, as a text that clients hand back unread."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import msgspec

from pleasance.server.base.errors import BadRequestError


def write_cursor(*values: float | str) -> str:
    """Write down the last line that was shown.

    >>> read_cursor(write_cursor(2.5, "abc"), float, str)
    (2.5, 'abc')
    """
    return urlsafe_b64encode(msgspec.json.encode(values)).decode("ascii").rstrip("=")


def read_cursor(text: str, *kinds: Any) -> tuple[Any, ...]:
    """Read a cursor of values of these *kinds*; refuse one that we did not write."""
    try:
        packed = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        found: tuple[Any, ...] = msgspec.json.decode(packed, type=tuple[kinds])  # type: ignore[valid-type]  # the kinds come at run time
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadRequestError("cursor") from error
    if any(isinstance(value, str) and "\0" in value for value in found):
        raise BadRequestError("cursor")  # PostgreSQL keeps no such text
    return found
