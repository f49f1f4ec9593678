"""Redaction of secrets in logs, by their names and their patterns.

Unknown objects are hidden too: of a value that is no text, number or plain collection only the
type is shown, so that a message, a view or a request never ends in a log by accident.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath

REDACTED = "[hidden]"

_SECRET_WORDS = frozenset(
    {
        *("authorization", "challenge", "code", "codes", "cookie", "cookies", "credential"),
        *("credentials", "hand", "hands", "headers", "invitation", "key", "legal", "nonce"),
        *("nonces", "params", "parameters", "passkey", "password", "position", "query", "secret"),
        *("secrets", "session", "signature", "state", "token", "tokens", "view", "views"),
    }
)
_SECRET_PATTERNS = (
    (re.compile(r"plz_[\w-]+"), f"plz_{REDACTED}"),
    (re.compile(r"whsec_[\w+/=-]+"), f"whsec_{REDACTED}"),  # the secret of a webhook
    (re.compile(r"(://[^\s/:@]*):[^\s/@]+@"), rf"\1:{REDACTED}@"),  # the password of a database
    (re.compile(r"\$argon2\S+"), REDACTED),
    (re.compile(r"(?i)\b(bearer|basic)\s+\S+"), rf"\1 {REDACTED}"),
    (re.compile(r"(?i)\b((?:set-)?cookie|pleasance)\s*[=:]\s*[^\s;]+"), rf"\1={REDACTED}"),
    (re.compile(r"(/[^\s?\"']*)\?[^\s\"']+"), rf"\1?{REDACTED}"),  # a private link
    (re.compile(r"(/(?:tables|table|t)/)[a-z0-9]{8,40}"), rf"\1{REDACTED}"),
    (re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{32,}(?![0-9A-Za-z])"), REDACTED),  # nonces, hashes
    # Database errors quote all parameters of a statement, secret choices too.
    (
        re.compile(r"(?s)\[parameters: .*?\](?=\s*(?:\n|\(Background|$))"),
        f"[parameters: {REDACTED}]",
    ),
    (
        re.compile(r"(?i)\b(\w*(?:token|secret|password|nonce|cookie)\w*)(['\"]?\s*[=:]\s*)\S+"),
        rf"\1\2{REDACTED}",
    ),
)
_MAX_DEPTH = 4


def redact_text(text: str) -> str:
    """Redact whatever looks like a secret in a text.

    >>> redact_text("GET /t/abc?invitation=spring by plz_7mWq")
    'GET /t/abc?[hidden] by plz_[hidden]'
    """
    for pattern, replacement in _SECRET_PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def is_secret_name(name: str) -> bool:
    """Return whether a field of this name holds a secret.

    >>> [is_secret_name(name) for name in ("recovery_code", "Set-Cookie", "decode_seconds")]
    [True, True, False]
    """
    return not _SECRET_WORDS.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def redact(value: object, depth: int = 0) -> object:
    """Copy *value* with every secret redacted."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, BaseException):
        return redact_text(f"{type(value).__name__}: {value}")
    if isinstance(value, PurePath):
        return redact_text(str(value))
    if depth < _MAX_DEPTH and isinstance(value, Mapping):
        return {
            str(name): REDACTED if is_secret_name(str(name)) else redact(each, depth + 1)
            for name, each in value.items()
        }
    # A struct or a named tuple may hold anything; only plain lists are shown.
    if depth < _MAX_DEPTH and type(value) in {list, tuple, set, frozenset}:
        return [redact(each, depth + 1) for each in value]  # type: ignore[attr-defined]  # a collection
    return f"<{type(value).__name__}>"
