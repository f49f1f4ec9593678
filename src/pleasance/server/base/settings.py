"""Server settings, from a file, the environment and the command line.

Each source overrides the one before it, and all use the same names: `port` in the file,
`PLEASANCE_PORT` in the environment.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints

from msgspec import Meta
from platformdirs import user_data_path

from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.server.base.setting_values import (
    Count,
    Delay,
    IdleTime,
    Retention,
    Text,
    Timeout,
    parse_database_url,
    parse_origin,
    parse_origins,
    parse_value,
)

_PREFIX = "PLEASANCE_"
_OTHER_VARIABLES = {
    f"{_PREFIX}{name}" for name in ("GAMES", "HOME", "KERNELS", "LANGUAGE", "SETTINGS")
}

LogFormat: TypeAlias = Literal["text", "json"]
LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]


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


def default_format() -> LogFormat:
    """Return `text` on a terminal, else `json`."""
    return "text" if sys.stderr.isatty() else "json"


def default_level() -> LogLevel:
    """Return `warning` on a terminal, so that logs do not scroll the link away."""
    return "warning" if sys.stderr.isatty() else "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Settings of one server; docs/guide/hosting.md explains each."""

    database: str = field(default_factory=default_database)
    host: Text = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8040
    is_https: bool = False
    """Whether browsers reach us over HTTPS, so that cookies are `Secure`."""

    trusts_proxy: bool = False
    """Whether to trust the forwarding headers of a proxy in front."""

    origins: tuple[str, ...] = ()
    """Origins besides our own whose pages may send requests."""

    public_url: str | None = None
    """The public URL of the server, if it differs from where it listens."""

    bot_processes: Annotated[int, Meta(ge=0, le=1024)] = field(default_factory=default_processes)
    limits_factor: Annotated[float, Meta(ge=0, le=1_000_000)] = 1.0
    """Factor of all rate limits; 0 lifts them."""

    heartbeat: Timeout = 30.0
    """Seconds after which a silent client counts as disconnected."""

    open_tables: Count = 20
    """The most tables without a game that one player may have open; 0 for any number."""

    open_tables_address: Count = 100
    """The most such tables opened from one address; 0 for any number."""

    absence: Timeout = 300.0
    """Seconds until a bot stands in for a disconnected player."""

    archive_after: IdleTime = 30 * 86_400.0
    """Seconds after which an idle table is archived."""

    forget_guests_after: Retention = 90 * 86_400.0
    """Seconds after which a guest without data is removed; 0 keeps all."""

    queue_bot_after: Delay = 20.0
    """Seconds until a waiting player is offered a bot."""

    webhook_allows_private: bool = False
    """Whether webhooks may call private addresses."""

    invitation_only: bool = False
    """Whether a new guest needs an invitation."""

    log_format: LogFormat = field(default_factory=default_format)
    log_level: LogLevel = field(default_factory=default_level)
    metrics_token: Text | None = field(default=None, repr=False)
    """The bearer token for the metrics; without one, only this computer may read them."""


SETTING_TYPES: Mapping[str, Any] = get_type_hints(ServerSettings, include_extras=True)
"""The type of each setting."""

_PARSERS: Mapping[str, Callable[[object, str], object]] = {
    "database": parse_database_url,
    "origins": parse_origins,
    "public_url": parse_origin,
}
"""The parsers of settings whose type does not say enough."""


def parse_setting(name: str, value: object, key: str) -> object:
    """Parse the value of a setting; *key* names it as the user wrote it."""
    if parser := _PARSERS.get(name):
        return parser(value, key)
    return parse_value(value, SETTING_TYPES[name], key)


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
            values[name] = parse_setting(name, value, f"--{name}")
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
        (name := _check_name(key.removeprefix(_PREFIX).lower(), key)): parse_setting(
            name, text, key
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
        name: parse_setting(_check_name(name, f"{path}: {name}"), value, f"{path}: {name}")
        for name, value in values.items()
    }


def _check_name(name: str, key: str) -> str:
    """Refuse an unknown setting and name similar ones."""
    if name not in SETTING_TYPES:
        near = get_close_matches(name, SETTING_TYPES) or SETTING_TYPES
        raise BadSetupError("setting_unknown", key=key, known=", ".join(near))
    return name
