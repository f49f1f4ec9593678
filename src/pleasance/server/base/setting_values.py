"""Types of setting values, which msgspec checks; a text counts as the value that it spells."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta
from msgspec.inspect import BoolType, FloatType, IntType, LiteralType, Metadata, type_info

from pleasance.core.errors import BadSetupError

_FLAGS = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_WHOLE = re.compile(r"[0-9]{1,18}")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smhd]?)", re.ASCII)
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_MAX_DURATION_S: Final = 10 * 365 * 86_400
_IS_DURATION: Final = {"is_duration": True}

Text = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Delay = Annotated[float, Meta(ge=0, le=_MAX_DURATION_S, extra=_IS_DURATION)]
Timeout = Annotated[float, Meta(ge=1, le=_MAX_DURATION_S, extra=_IS_DURATION)]
IdleTime = Annotated[float, Meta(ge=60, le=_MAX_DURATION_S, extra=_IS_DURATION)]
Retention = Annotated[float, Meta(ge=86_400, le=_MAX_DURATION_S, extra=_IS_DURATION)]
"""Seconds that something is kept; 0 for ever."""


def parse_value(value: object, kind: Any, key: str) -> object:
    """Parse a value of a type; *key* names the setting as the user wrote it.

    A text may spell a number, a flag, or a duration: a number followed by `s`, `m`, `h` or `d`.
    """
    is_text = isinstance(value, str)
    if isinstance(value, str):
        value = _read_text(value.strip(), kind)
    if isinstance(type_info(kind), IntType) and type(value) is not int:
        raise _refuse(kind, key)
    if kind == Retention and value == 0 and value is not False:
        return 0.0
    try:
        return msgspec.convert(value, kind, strict=not is_text)
    except msgspec.ValidationError:
        raise _refuse(kind, key) from None  # the error may quote a secret


def _read_text(text: str, kind: Any) -> object:
    """Read the spellings that msgspec does not know."""
    if kind is bool:
        return _FLAGS.get(text.lower(), text)
    if kind in {Delay, Timeout, IdleTime, Retention} and (
        found := _DURATION.fullmatch(text.lower())
    ):
        return float(found[1]) * _SECONDS[found[2]]
    if isinstance(type_info(kind), IntType) and _WHOLE.fullmatch(text):
        return int(text)
    return text


def _refuse(kind: Any, key: str) -> BadSetupError:
    """Return the refusal of a value that is not of a type."""
    match type_info(kind):
        case BoolType():
            return BadSetupError("setting_flag", key=key)
        case LiteralType(values=known):
            return BadSetupError("setting_choice", key=key, known=", ".join(map(str, known)))
        case IntType(ge=least, le=most):
            return BadSetupError("setting_whole", key=key, least=str(least), most=str(most))
        case FloatType(ge=least, le=most):
            return BadSetupError("setting_number", key=key, least=f"{least:g}", most=f"{most:g}")
        case Metadata(type=FloatType(ge=least)):
            return BadSetupError("setting_duration", key=key, least=f"{least:g}")
        case _:
            return BadSetupError("setting_text", key=key)


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
