"""Keeps secrets out of the logs: hides what is named like one or looks like one.

What nobody foresaw is hidden too: of a value that is no text, number or plain collection only the
name of its type is shown, so that a message, a view or a request never ends in a log by accident.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath

HIDDEN = "[hidden]"

_SECRET_WORDS = frozenset(
    {
        *("authorization", "challenge", "code", "codes", "cookie", "cookies", "credential"),
        *("credentials", "hand", "hands", "headers", "invitation", "key", "legal", "nonce"),
        *("nonces", "params", "parameters", "passkey", "password", "position", "query", "secret"),
        *("secrets", "session", "signature", "state", "token", "tokens", "view", "views"),
    }
)
_SHAPES = (
    (re.compile(r"plz_[\w-]+"), f"plz_{HIDDEN}"),
    (re.compile(r"(://[^\s/:@]*):[^\s/@]+@"), rf"\1:{HIDDEN}@"),  # the password of a database
    (re.compile(r"\$argon2\S+"), HIDDEN),
    (re.compile(r"(?i)\b(bearer|basic)\s+\S+"), rf"\1 {HIDDEN}"),
    (re.compile(r"(?i)\b((?:set-)?cookie|pleasance)\s*[=:]\s*[^\s;]+"), rf"\1={HIDDEN}"),
    (re.compile(r"(/[^\s?\"']*)\?[^\s\"']+"), rf"\1?{HIDDEN}"),  # a private link
    (re.compile(r"(/(?:tables|table|t)/)[a-z0-9]{8,40}"), rf"\1{HIDDEN}"),
    (re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{32,}(?![0-9A-Za-z])"), HIDDEN),  # nonces, hashes
    # The database tells what it was asked with: everything, secret choices too.
    (re.compile(r"(?s)\[parameters: .*?\](?=\s*(?:\n|\(Background|$))"), f"[parameters: {HIDDEN}]"),
    (
        re.compile(r"(?i)\b(\w*(?:token|secret|password|nonce|cookie)\w*)(['\"]?\s*[=:]\s*)\S+"),
        rf"\1\2{HIDDEN}",
    ),
)
_DEEPEST = 4


def scrub_text(text: str) -> str:
    """Hide what looks like a secret in a text.

    >>> scrub_text("GET /t/abc?invitation=spring by plz_7mWq")
    'GET /t/abc?[hidden] by plz_[hidden]'
    """
    for shape, instead in _SHAPES:
        text = shape.sub(instead, text)
    return text


def is_secret(name: str) -> bool:
    """Tell whether something of this name should not be shown.

    >>> is_secret("recovery_code"), is_secret("Set-Cookie"), is_secret("decode_seconds")
    (True, True, False)
    """
    return not _SECRET_WORDS.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def scrub(value: object, depth: int = 0) -> object:
    """Copy *value* with every secret in it hidden."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return scrub_text(value)
    if isinstance(value, BaseException):
        return scrub_text(f"{type(value).__name__}: {value}")
    if isinstance(value, PurePath):
        return scrub_text(str(value))
    if depth < _DEEPEST and isinstance(value, Mapping):
        return {
            str(name): HIDDEN if is_secret(str(name)) else scrub(each, depth + 1)
            for name, each in value.items()
        }
    # A struct or a named tuple may hold anything; only plain lists are shown.
    if depth < _DEEPEST and type(value) in {list, tuple, set, frozenset}:
        return [scrub(each, depth + 1) for each in value]  # type: ignore[attr-defined]  # a collection
    return f"<{type(value).__name__}>"
