"""Passwords: strength rules, and hashing with Argon2."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from pleasance.server.base.errors import BadRequestError
from pleasance.server.identity.names import skeleton

MIN_PASSWORD_LENGTH = 10
MAX_PASSWORD_LENGTH = 200

HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""Argon2id at 19 MiB: about 30 ms of one core."""

DUMMY_HASH = (
    "$argon2id$v=19$m=19456,t=2,p=1$vcO4/FLS4yzp98+VTHH/KA"
    "$td/6uDBDm35EPo20RDd7BpVmTwJDBCVyfC4JVOx3sXo"
)
"""Verified against if there is no account: timing must not reveal that (user enumeration)."""

_HASHING_THREADS = 4
"""Threads that hash at the same time: each takes 19 MiB."""

_MIN_LENGTH_WITHOUT_NAME = 6
_LEET = str.maketrans("013457$@!", "oleastsai")
_RUNS = ("01234567890123456789", "98765432109876543210", "abcdefghijklmnopqrstuvwxyz")


def check_password(password: str, name: str) -> None:
    """Refuse a password that is short, common or like the name."""
    text = _normalize(password)
    if len(text) < MIN_PASSWORD_LENGTH:
        raise BadRequestError("password_short", least=MIN_PASSWORD_LENGTH)
    if len(text) > MAX_PASSWORD_LENGTH:
        raise BadRequestError("password_long", most=MAX_PASSWORD_LENGTH)
    folded = text.casefold()
    rest = skeleton(folded).replace(skeleton(name), "")
    if len(rest) < _MIN_LENGTH_WITHOUT_NAME:
        raise BadRequestError("password_is_name")
    if _is_common(folded):
        raise BadRequestError("password_common")


async def hash_password(password: str) -> str:
    """Hash a password, in a thread."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads(), HASHER.hash, _normalize(password))


async def verify_password(password: str, known: str | None) -> bool:
    """Check *password* against the hash *known*, as slowly without one (against timing attacks)."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads(), _verify, known, _normalize(password))


def _verify(known: str | None, password: str) -> bool:
    try:
        HASHER.verify(known or DUMMY_HASH, password)
    except (VerificationError, InvalidHashError):
        return False
    return known is not None


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_HASHING_THREADS, "password")


def _normalize(password: str) -> str:
    """Normalize a password to one form for all keyboards (NFKC)."""
    normal = unicodedata.normalize("NFKC", password)
    return normal.encode("utf-8", "replace").decode("utf-8")


def _is_common(text: str) -> bool:
    if any(text in run for run in _RUNS) or _period(text) <= 2:  # noqa: PLR2004 (aaaa, abab)
        return True
    words = {re.sub(r"[\W\d_]", "", text), re.sub(r"[\W\d_]", "", text.translate(_LEET))}
    heads = {re.sub(r"[\W\d_]+$", "", text).translate(_LEET)}
    return any(word[: _period(word)] in _common() or word in _common() for word in words | heads)


def _period(text: str) -> int:
    """Return the number of letters after which *text* repeats.

    >>> [_period(text) for text in ("aaaa", "abab", "passpass", "abc", "")]
    [1, 2, 4, 3, 0]
    """
    return (text + text).find(text, 1) if text else 0


@cache
def _common() -> frozenset[str]:
    text = (files(__package__) / "common_passwords.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
