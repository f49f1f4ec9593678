"""Random secrets, and the hashes that are kept of them."""

from __future__ import annotations

import base64
import hashlib
import secrets

TOKEN_PREFIX = "plz_"  # noqa: S105 (how a token begins, no token)
"""How every API token begins, so that a leaked one is found by a search."""

_CODE_BYTES = 10
_GROUP = 4


def new_secret(prefix: str = "") -> str:
    """Make up a secret of 256 bits."""
    return prefix + secrets.token_urlsafe(32)


def new_code() -> str:
    """Make up a recovery code of 80 bits that can be copied by hand: `k3fa-…` in four groups."""
    text = base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode("ascii").lower()
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def plain_code(text: str) -> str:
    """Read a recovery code however it was typed: capitals, gaps, 0 for o, 1 for l.

    >>> plain_code(" K3FA b2cd-0000-1111 ")
    'k3fa-b2cd-oooo-llll'
    """
    known = text.lower().replace("0", "o").replace("1", "l").replace("8", "b")
    kept = "".join(letter for letter in known if letter.isalnum())
    return "-".join(kept[start : start + _GROUP] for start in range(0, len(kept), _GROUP))


def digest(secret: str) -> str:
    """Hash a random secret; only this is kept.

    >>> digest("a")[:8]
    'ca978112'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
