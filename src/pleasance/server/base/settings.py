"""What a server can be told: by a file, by the environment, on the command line.

Each tells more exactly than the one before it, and all call a setting by the same name: `port` in
the file, `PLEASANCE_PORT` in the environment.
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
    Reader,
    read_address,
    read_addresses,
    read_choice,
    read_database,
    read_duration,
    read_flag,
    read_number,
    read_text,
    read_whole,
)

_PREFIX = "PLEASANCE_"
_NOT_OURS = {"PLEASANCE_HOME", "PLEASANCE_LANGUAGE", "PLEASANCE_SETTINGS"}
LEVELS = ("debug", "info", "warning", "error")


def home_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Name the folder where the program keeps what is yours."""
    home = environment.get("PLEASANCE_HOME")
    return Path(home) if home else user_data_path("pleasance")


def default_database() -> str:
    """Name the database of somebody who names none: one file in the data folder."""
    return f"sqlite:///{home_folder() / 'pleasance.db'}"


def default_processes() -> int:
    """Leave one core to the sockets and the others to the bots."""
    has_affinity = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return max(1, cores - 1)


def default_format() -> Literal["text", "json"]:
    """Write logs for people where a person looks on, else for programs."""
    return "text" if sys.stderr.isatty() else "json"


def default_level() -> str:
    """Do not scroll the link away where a person looks on."""
    return "warning" if sys.stderr.isatty() else "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one server depends on; docs/guide/hosting.md explains each."""

    database: str = field(default_factory=default_database)
    host: str = "127.0.0.1"
    port: int = 8040
    is_https: bool = False
    """Whether browsers reach us over HTTPS, so that cookies may be kept to it."""

    trusts_proxy: bool = False
    """Whether a proxy in front tells who asks."""

    origins: tuple[str, ...] = ()
    """Addresses of pages besides our own that may talk to us."""

    public_url: str | None = None
    """Where people find the server, if not where it listens."""

    bot_processes: int = field(default_factory=default_processes)
    limits_factor: float = 1.0
    """Multiplies what each address and player may ask for; 0 lifts all limits."""

    heartbeat: float = 30.0
    """Seconds after which a silent client is thought to be gone."""

    open_tables: int = 20
    """How many tables one player may have open where no game has begun; 0 for any number."""

    open_tables_address: int = 100
    """How many such tables may have been opened from one address; 0 for any number."""

    absence: float = 300.0
    """Seconds until a bot stands in for somebody who is gone."""

    archive_after: float = 30 * 86_400.0
    """Seconds after which a table where nothing happens is put away."""

    forget_guests_after: float = 90 * 86_400.0
    """Seconds after which a guest who left nothing behind is removed; 0 removes nobody."""

    queue_bot_after: float = 20.0
    """Seconds until who waits for an opponent is offered a bot."""

    hook_allows_private: bool = False
    """Whether webhooks may call addresses of the own network."""

    invitation_only: bool = False
    """Whether a new guest needs an invitation."""

    log_format: Literal["text", "json"] = field(default_factory=default_format)
    log_level: str = field(default_factory=default_level)
    metrics_token: str | None = field(default=None, repr=False)
    """What a program must show to read the metrics; without one, only this computer may."""


READERS: Mapping[str, Reader] = {
    "database": read_database,
    "host": read_text,
    "port": read_whole(0, 65_535),
    "is_https": read_flag,
    "trusts_proxy": read_flag,
    "origins": read_addresses,
    "public_url": read_address,
    "bot_processes": read_whole(0, 1024),
    "limits_factor": read_number(0, 1_000_000),
    "heartbeat": read_duration(1),
    "open_tables": read_whole(0, 1_000_000),
    "open_tables_address": read_whole(0, 1_000_000),
    "absence": read_duration(1),
    "archive_after": read_duration(60),
    "forget_guests_after": read_duration(86_400, has_never=True),
    "queue_bot_after": read_duration(0),
    "hook_allows_private": read_flag,
    "invitation_only": read_flag,
    "log_format": read_choice("text", "json"),
    "log_level": read_choice(*LEVELS),
    "metrics_token": read_text,
}
"""How the value of each setting is read."""


def gather_settings(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    given: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """Collect what was told, where it was told most exactly; what nobody told is left out.

    *given* are the options of the command line; `None` means that one was left out.
    """
    named = environment.get("PLEASANCE_SETTINGS")
    path = file or (Path(named) if named else None)
    found = _read_file(path) if path else {}
    found |= _read_environment(environment)
    for name, value in (given or {}).items():
        if value is not None:
            found[name] = READERS[name](value, f"--{name}")
    return _conclude(found)


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    given: Mapping[str, object] | None = None,
) -> Settings:
    """Load the settings: defaults, then the file, then the environment, then *given*."""
    return Settings(**gather_settings(file, environment, given))


def _conclude(found: dict[str, Any]) -> dict[str, Any]:
    """Draw what follows from the public address, where nothing else was told."""
    if address := found.get("public_url"):
        found.setdefault("is_https", address.startswith("https:"))
        found["origins"] = tuple(dict.fromkeys((*found.get("origins", ()), address)))
    return found


def _read_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Read every variable that is meant for us; an empty one counts as none."""
    return {
        (name := _check_name(key.removeprefix(_PREFIX).lower(), key)): READERS[name](text, key)
        for key, text in sorted(environment.items())
        if key.startswith(_PREFIX)
        and key not in _NOT_OURS
        and not key.startswith("PLEASANCE_TEST_")
        and text
    }


def _read_file(path: Path) -> dict[str, Any]:
    """Read a TOML file of settings."""
    text = ""
    try:
        text = path.read_text(encoding="utf-8-sig")
        told = tomllib.loads(text)
    except FileNotFoundError as error:
        raise BadFileError("file_missing", file=str(path)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadFileError("file_closed", file=str(path), reason=reason) from error
    except (ValueError, RecursionError) as error:
        # The reason may quote a secret of the file; the place will do.
        found = re.search(r"at line (\d+)", str(error))
        line = found[1] if found else str(1 + text.count("\n"))
        raise BadSetupError("settings_broken", file=str(path), place=line) from error
    return {
        name: READERS[_check_name(name, f"{path}: {name}")](value, f"{path}: {name}")
        for name, value in told.items()
    }


def _check_name(name: str, key: str) -> str:
    """Refuse a setting that is not there, and name the ones it may have been meant for."""
    if name not in READERS:
        near = get_close_matches(name, READERS) or READERS
        raise BadSetupError("setting_unknown", key=key, known=", ".join(near))
    return name
