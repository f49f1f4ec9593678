"""Pagination cursors: opaque texts that clients send back to get the next page."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import msgspec

from pleasance.server.base.errors import BadRequestError


def encode_cursor(*values: float | str) -> str:
    """Encode the sort key of the last row of a page.

    >>> decode_cursor(encode_cursor(2.5, "abc"), float, str)
    (2.5, 'abc')
    """
    return urlsafe_b64encode(msgspec.json.encode(values)).decode("ascii").rstrip("=")


def decode_cursor(text: str, *kinds: Any) -> tuple[Any, ...]:
    """Decode a cursor of values of these *kinds*; refuse one that we did not encode."""
    try:
        data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        values: tuple[Any, ...] = msgspec.json.decode(data, type=tuple[kinds])  # type: ignore[valid-type]  # the kinds come at run time
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadRequestError("cursor") from error
    if any(isinstance(value, str) and "\0" in value for value in values):
        raise BadRequestError("cursor")  # PostgreSQL stores no NUL character
    return values
