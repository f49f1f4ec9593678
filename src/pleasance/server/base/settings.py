"""Server settings, from a file, the environment and the command line.

Each source overrides the one before it, and all use the same names: `port` in the file,
`PLEASANCE_PORT` in the environment.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_data_path

from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.server.base.setting_values import (
    SettingParser,
    choice_parser,
    duration_parser,
    integer_parser,
    number_parser,
    parse_database_url,
    parse_flag,
    parse_origin,
    parse_origins,
    parse_text,
)

_PREFIX = "PLEASANCE_"
_OTHER_VARIABLES = {f"{_PREFIX}{name}" for name in ("HOME", "KERNELS", "LANGUAGE", "SETTINGS")}
LOG_LEVELS = ("debug", "info", "warning", "error")


def home_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of user data."""
    home = environment.get("PLEASANCE_HOME")
    return Path(home) if home else user_data_path("pleasance")


def default_database() -> str:
    """Return the URL of the default database: one file in the data folder."""
    return f"sqlite:///{home_folder() / 'pleasance.db'}"


def default_processes() -> int:
    """Return the number of bot processes: all cores but one, which is left to the sockets."""
    has_affinity = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return max(1, cores - 1)


def default_format() -> Literal["text", "json"]:
    """Return `text` on a terminal, else `json`."""
    return "text" if sys.stderr.isatty() else "json"


def default_level() -> str:
    """Return `warning` on a terminal, so that logs do not scroll the link away."""
    return "warning" if sys.stderr.isatty() else "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Settings of one server; docs/guide/hosting.md explains each."""

    database: str = field(default_factory=default_database)
    host: str = "127.0.0.1"
    port: int = 8040
    is_https: bool = False
    """Whether browsers reach us over HTTPS, so that cookies are `Secure`."""

    trusts_proxy: bool = False
    """Whether to trust the forwarding headers of a proxy in front."""

    origins: tuple[str, ...] = ()
    """Origins besides our own whose pages may send requests."""

    public_url: str | None = None
    """The public URL of the server, if it differs from where it listens."""

    bot_processes: int = field(default_factory=default_processes)
    limits_factor: float = 1.0
    """Factor of all rate limits; 0 lifts them."""

    heartbeat: float = 30.0
    """Seconds after which a silent client counts as disconnected."""

    open_tables: int = 20
    """The most tables without a game that one player may have open; 0 for any number."""

    open_tables_address: int = 100
    """The most such tables opened from one address; 0 for any number."""

    absence: float = 300.0
    """Seconds until a bot stands in for a disconnected player."""

    archive_after: float = 30 * 86_400.0
    """Seconds after which an idle table is archived."""

    forget_guests_after: float = 90 * 86_400.0
    """Seconds after which a guest without data is removed; 0 keeps all."""

    queue_bot_after: float = 20.0
    """Seconds until a waiting player is offered a bot."""

    webhook_allows_private: bool = False
    """Whether webhooks may call private addresses."""

    invitation_only: bool = False
    """Whether a new guest needs an invitation."""

    log_format: Literal["text", "json"] = field(default_factory=default_format)
    log_level: str = field(default_factory=default_level)
    metrics_token: str | None = field(default=None, repr=False)
    """The bearer token for the metrics; without one, only this computer may read them."""


SETTING_PARSERS: Mapping[str, SettingParser] = {
    "database": parse_database_url,
    "host": parse_text,
    "port": integer_parser(0, 65_535),
    "is_https": parse_flag,
    "trusts_proxy": parse_flag,
    "origins": parse_origins,
    "public_url": parse_origin,
    "bot_processes": integer_parser(0, 1024),
    "limits_factor": number_parser(0, 1_000_000),
    "heartbeat": duration_parser(1),
    "open_tables": integer_parser(0, 1_000_000),
    "open_tables_address": integer_parser(0, 1_000_000),
    "absence": duration_parser(1),
    "archive_after": duration_parser(60),
    "forget_guests_after": duration_parser(86_400, has_never=True),
    "queue_bot_after": duration_parser(0),
    "webhook_allows_private": parse_flag,
    "invitation_only": parse_flag,
    "log_format": choice_parser("text", "json"),
    "log_level": choice_parser(*LOG_LEVELS),
    "metrics_token": parse_text,
}
"""The parser of each setting."""


def merge_settings(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    given: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """Merge the given settings by precedence, without defaults.

    *given* are the options of the command line; `None` means that one was left out.
    """
    default_file = environment.get("PLEASANCE_SETTINGS")
    path = file or (Path(default_file) if default_file else None)
    values = _read_file(path) if path else {}
    values |= _read_environment(environment)
    for name, value in (given or {}).items():
        if value is not None:
            values[name] = SETTING_PARSERS[name](value, f"--{name}")
    return _apply_public_url(values)


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    given: Mapping[str, object] | None = None,
) -> ServerSettings:
    """Load the settings: defaults, then the file, then the environment, then *given*."""
    return ServerSettings(**merge_settings(file, environment, given))


def _apply_public_url(values: dict[str, Any]) -> dict[str, Any]:
    """Derive `is_https` and `origins` from the public URL."""
    if url := values.get("public_url"):
        values.setdefault("is_https", url.startswith("https:"))
        values["origins"] = tuple(dict.fromkeys((*values.get("origins", ()), url)))
    return values


def _read_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Read all variables with our prefix; an empty one counts as unset."""
    return {
        (name := _check_name(key.removeprefix(_PREFIX).lower(), key)): SETTING_PARSERS[name](
            text, key
        )
        for key, text in sorted(environment.items())
        if key.startswith(_PREFIX)
        and key not in _OTHER_VARIABLES
        and not key.startswith("PLEASANCE_TEST_")
        and text
    }


def _read_file(path: Path) -> dict[str, Any]:
    """Read a TOML file of settings."""
    text = ""
    try:
        text = path.read_text(encoding="utf-8-sig")
        values = tomllib.loads(text)
    except FileNotFoundError as error:
        raise BadFileError("file_missing", file=str(path)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadFileError("file_closed", file=str(path), reason=reason) from error
    except (ValueError, RecursionError) as error:
        # The reason may quote a secret of the file; the line number is enough.
        found = re.search(r"at line (\d+)", str(error))
        line = found[1] if found else str(1 + text.count("\n"))
        raise BadSetupError("settings_broken", file=str(path), place=line) from error
    return {
        name: SETTING_PARSERS[_check_name(name, f"{path}: {name}")](value, f"{path}: {name}")
        for name, value in values.items()
    }


def _check_name(name: str, key: str) -> str:
    """Refuse an unknown setting and name similar ones."""
    if name not in SETTING_PARSERS:
        near = get_close_matches(name, SETTING_PARSERS) or SETTING_PARSERS
        raise BadSetupError("setting_unknown", key=key, known=", ".join(near))
    return name
