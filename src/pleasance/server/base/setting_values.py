"""Parsers of setting values: typed in a TOML file, text elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import TypeAlias
from urllib.parse import urlsplit

from pleasance.core.errors import BadSetupError

SettingParser: TypeAlias = Callable[[object, str], object]
"""Parses a value; its second argument names the setting as the user wrote it."""

_FLAGS = {"true": True, "yes": True, "on": True, "1": True} | {
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smhd]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_MAX_DURATION_S = 10 * 365 * 86_400


def parse_text(value: object, key: str) -> str:
    """Parse a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise BadSetupError("setting_text", key=key)
    return value.strip()


def parse_flag(value: object, key: str) -> bool:
    """Parse yes or no."""
    flag = value if isinstance(value, bool) else _FLAGS.get(str(value).strip().lower())
    if flag is None:
        raise BadSetupError("setting_flag", key=key)
    return flag


def integer_parser(least: int, most: int) -> SettingParser:
    """Make a parser of integers."""

    def parse(value: object, key: str) -> int:
        try:
            number = int(value) if isinstance(value, str) else value
        except ValueError:
            number = None
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            raise BadSetupError("setting_whole", key=key, least=str(least), most=str(most))
        return number

    return parse


def number_parser(least: float, most: float) -> SettingParser:
    """Make a parser of numbers."""

    def parse(value: object, key: str) -> float:
        number = _to_number(value)
        if number is None or not least <= number <= most:
            raise BadSetupError("setting_number", key=key, least=f"{least:g}", most=f"{most:g}")
        return number

    return parse


def duration_parser(least: float, *, has_never: bool = False) -> SettingParser:
    """Make a parser of durations: seconds, or a number followed by `s`, `m`, `h` or `d`.

    With *has_never* 0 is allowed and means never.
    """

    def parse(value: object, key: str) -> float:
        seconds = _to_number(value)
        if isinstance(value, str) and (found := _DURATION.fullmatch(value.strip().lower())):
            seconds = float(found[1]) * _SECONDS[found[2]]
        if seconds == 0 and has_never:
            return seconds
        if seconds is None or not least <= seconds <= _MAX_DURATION_S:
            raise BadSetupError("setting_duration", key=key, least=f"{least:g}")
        return seconds

    return parse


def choice_parser(*known: str) -> SettingParser:
    """Make a parser of one of a few words."""

    def parse(value: object, key: str) -> str:
        if value not in known:
            raise BadSetupError("setting_choice", key=key, known=", ".join(known))
        return str(value)

    return parse


def parse_database_url(value: object, key: str) -> str:
    """Parse a database URL; it may hold a password and is never shown."""
    text = value.strip() if isinstance(value, str) else ""
    text = re.sub(r"^postgres://", "postgresql://", text)
    file = text.removeprefix("sqlite:///")
    if (file != text and file) or re.match(r"postgresql(\+psycopg)?://[^/]*/.", text):
        return text
    raise BadSetupError("setting_database", key=key)


def parse_origin(value: object, key: str) -> str:
    """Parse an origin: scheme, host and perhaps a port."""
    text = value.strip().rstrip("/") if isinstance(value, str) else ""
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises for a bad port
    except ValueError:
        raise BadSetupError("setting_address", key=key) from None
    is_origin = parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc
    if not is_origin or parts.path or parts.query or parts.fragment:
        raise BadSetupError("setting_address", key=key)
    return text.lower()


def parse_origins(value: object, key: str) -> tuple[str, ...]:
    """Parse a list of origins, or one text separated by commas."""
    if isinstance(value, str):
        value = [part for part in value.split(",") if part.strip()]
    if not isinstance(value, list | tuple):
        raise BadSetupError("setting_address", key=key)
    return tuple(parse_origin(part, key) for part in value)


def _to_number(value: object) -> float | None:
    """Convert to a finite number, else `None`."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
