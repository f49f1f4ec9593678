"""Random secrets and their hashes."""

from __future__ import annotations

import base64
import hashlib
import secrets

ACCESS_TOKEN_PREFIX = "plz_"  # noqa: S105 (a prefix)
"""The prefix of access tokens, by which secret scanners find leaked ones."""

_CODE_BYTES = 10
_GROUP = 4


def new_secret(prefix: str = "") -> str:
    """Make a secret of 256 bits."""
    return prefix + secrets.token_urlsafe(32)


def new_recovery_code() -> str:
    """Make a recovery code of 80 bits that can be copied by hand: `k3fa-…` in four groups."""
    text = base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode("ascii").lower()
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def normalize_recovery_code(text: str) -> str:
    """Normalize a recovery code as typed: capitals, gaps, 0 for o, 1 for l.

    >>> normalize_recovery_code(" K3FA b2cd-0000-1111 ")
    'k3fa-b2cd-oooo-llll'
    """
    text = text.lower().replace("0", "o").replace("1", "l").replace("8", "b")
    code = "".join(letter for letter in text if letter.isalnum())
    return "-".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))


def hash_secret(secret: str) -> str:
    """Hash a random secret; only the hash is stored.

    >>> hash_secret("a")[:8]
    'ca978112'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
