"""Reads the values of settings: from a TOML file they have a type, from elsewhere they are text."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import TypeAlias
from urllib.parse import urlsplit

from pleasance.core.errors import BadSetupError

Reader: TypeAlias = Callable[[object, str], object]
"""Reads the value of the setting that whoever wrote it calls by its second argument."""

_FLAGS = {"true": True, "yes": True, "on": True, "1": True} | {
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smhd]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_MOST_SECONDS = 10 * 365 * 86_400


def read_text(value: object, key: str) -> str:
    """Read a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise BadSetupError("setting_text", key=key)
    return value.strip()


def read_flag(value: object, key: str) -> bool:
    """Read yes or no."""
    flag = value if isinstance(value, bool) else _FLAGS.get(str(value).strip().lower())
    if flag is None:
        raise BadSetupError("setting_flag", key=key)
    return flag


def read_whole(least: int, most: int) -> Reader:
    """Make a reader of whole numbers."""

    def read(value: object, key: str) -> int:
        try:
            number = int(value) if isinstance(value, str) else value
        except ValueError:
            number = None
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            raise BadSetupError("setting_whole", key=key, least=str(least), most=str(most))
        return number

    return read


def read_number(least: float, most: float) -> Reader:
    """Make a reader of numbers."""

    def read(value: object, key: str) -> float:
        number = _to_number(value)
        if number is None or not least <= number <= most:
            raise BadSetupError("setting_number", key=key, least=f"{least:g}", most=f"{most:g}")
        return number

    return read


def read_duration(least: float, *, has_never: bool = False) -> Reader:
    """Make a reader of times: seconds, or a number with `s`, `m`, `h` or `d` behind it.

    Where it *has_never*, 0 may be told too: what would be done after that time is never done.
    """

    def read(value: object, key: str) -> float:
        seconds = _to_number(value)
        if isinstance(value, str) and (found := _DURATION.fullmatch(value.strip().lower())):
            seconds = float(found[1]) * _SECONDS[found[2]]
        if seconds == 0 and has_never:
            return seconds
        if seconds is None or not least <= seconds <= _MOST_SECONDS:
            raise BadSetupError("setting_duration", key=key, least=f"{least:g}")
        return seconds

    return read


def read_choice(*known: str) -> Reader:
    """Make a reader of one of a few words."""

    def read(value: object, key: str) -> str:
        if value not in known:
            raise BadSetupError("setting_choice", key=key, known=", ".join(known))
        return str(value)

    return read


def read_database(value: object, key: str) -> str:
    """Read where the database is; the text may hold a password and is never shown."""
    text = value.strip() if isinstance(value, str) else ""
    text = re.sub(r"^postgres://", "postgresql://", text)
    file = text.removeprefix("sqlite:///")
    if (file != text and file) or re.match(r"postgresql(\+psycopg)?://[^/]*/.", text):
        return text
    raise BadSetupError("setting_database", key=key)


def read_address(value: object, key: str) -> str:
    """Read where people find the server: scheme, host and perhaps a port."""
    text = value.strip().rstrip("/") if isinstance(value, str) else ""
    try:
        parts = urlsplit(text)
        _ = parts.port  # looked at, since a wrong one is found only then
    except ValueError:
        raise BadSetupError("setting_address", key=key) from None
    is_whole = parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc
    if not is_whole or parts.path or parts.query or parts.fragment:
        raise BadSetupError("setting_address", key=key)
    return text.lower()


def read_addresses(value: object, key: str) -> tuple[str, ...]:
    """Read a list of addresses, or one text with commas between them."""
    if isinstance(value, str):
        value = [part for part in value.split(",") if part.strip()]
    if not isinstance(value, list | tuple):
        raise BadSetupError("setting_address", key=key)
    return tuple(read_address(part, key) for part in value)


def _to_number(value: object) -> float | None:
    """Read a finite number, or nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
