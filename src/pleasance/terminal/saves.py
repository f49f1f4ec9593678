"""Saved games: an append-only log on disk, synced before a choice counts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from platformdirs import user_data_path

from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.core.fair_draws import FairDraws
from pleasance.core.files import lock_file, write_atomically
from pleasance.core.game import AnyGame
from pleasance.core.tags import errors_at_line
from pleasance.games import find_game
from pleasance.table.entries import Entry, from_json, to_json

HUMAN = "human"
"""The player name of a seat at the keyboard."""

RUNNING_SUFFIX = ".log"
FINISHED_SUFFIX = ".done"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameConfig:
    """The configuration of a saved game."""

    game: str
    rules: str
    options: tuple[str, ...]
    players: tuple[str, ...]
    secret: str
    """The secret of the draws, in hexadecimal digits."""

    nonces: tuple[str | None, ...]
    bot_seed: str
    """The seed of the generators of the bots."""

    data: str | None = None
    """The text of the component file; `None` for the standard components."""

    def open(self) -> AnyGame:
        """Configure the game; refuse rules that have changed since."""
        game = find_game(self.game).configure(self.options, self.data)
        if game.spec.rules_version != self.rules:
            raise BadSetupError("save_rules", rules=self.rules, ours=game.spec.rules_version)
        return game

    def fair(self) -> FairDraws:
        """Return the source of the draws."""
        nonces = tuple(None if nonce is None else bytes.fromhex(nonce) for nonce in self.nonces)
        return FairDraws(bytes.fromhex(self.secret), nonces)


def saves_folder() -> Path:
    """Return the folder of saved games."""
    home = os.environ.get("PLEASANCE_HOME")
    return (Path(home) if home else user_data_path("pleasance")) / "games"


def running_games() -> list[Path]:
    """List the games in progress, newest last."""
    found = ((path.stat(), path) for path in saves_folder().glob(f"*{RUNNING_SUFFIX}"))
    # A full disk may leave an empty file.
    return [path for stat, path in sorted(found, key=lambda each: each[0].st_mtime) if stat.st_size]


class Save:
    """The log file of one game in progress; entries are on disk before they count."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file
        lock_file(file, BadFileError("save_open", file=str(path)))

    @classmethod
    def create(cls, config: GameConfig) -> Save:
        """Create the file of a new game."""
        folder = saves_folder()
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{config.game}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
        path = folder / f"{name}{RUNNING_SUFFIX}"
        number = 1
        while path.exists() or path.with_suffix(FINISHED_SUFFIX).exists():
            number += 1
            path = folder / f"{name}-{number}{RUNNING_SUFFIX}"
        # It holds the secret of the draws, so other users must not read it.
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        save = cls(path, os.fdopen(handle, "ab"))
        save._write([json.dumps({"pleasance": 1, **_fields(config)})])
        return save

    @classmethod
    def reopen(cls, path: Path) -> tuple[Save, GameConfig, list[Entry]]:
        """Resume a game; an incomplete last line never counted and is dropped."""
        try:
            file = path.open("r+b")
        except FileNotFoundError as error:
            raise BadFileError("file_missing", file=str(path)) from error
        try:
            save = cls(path, file)
            raw = file.read()
            complete = raw[: raw.rfind(b"\n") + 1]
            config, entries = _parse(complete, path)
            file.truncate(len(complete))
            file.seek(0, os.SEEK_END)
        except BaseException:
            file.close()
            raise
        return save, config, entries

    def append(self, entries: Iterable[Entry]) -> None:
        """Append entries and sync the file."""
        self._write([to_json(entry) for entry in entries])

    def save_record(self, text: str) -> Path:
        """Write the record of the game beside its log, atomically."""
        path = self.path.with_suffix(".txt")
        write_atomically(path, text)
        return path

    def finish(self) -> None:
        """Mark the game as over, so that it is not resumed."""
        self.path = self.path.replace(self.path.with_suffix(FINISHED_SUFFIX))

    def delete(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, lines: list[str]) -> None:
        self._file.write("".join(f"{line}\n" for line in lines).encode())
        self._file.flush()
        os.fsync(self._file.fileno())


def _fields(config: GameConfig) -> dict[str, Any]:
    return {name: getattr(config, name) for name in GameConfig.__slots__}


def _parse(raw: bytes, path: Path) -> tuple[GameConfig, list[Entry]]:
    """Parse a saved game; refuse any other file."""
    try:
        first, *rest = raw.decode("utf-8").split("\n")[:-1]
        config = _read_setting(json.loads(first))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadFileError("save_broken", file=str(path)) from error
    entries = []
    for number, line in enumerate(rest, start=2):
        with errors_at_line(number):
            entries.append(from_json(line))
    return config, entries


def _read_setting(fields: dict[str, Any]) -> GameConfig:
    """Parse the first line of a saved game; raise `ValueError` for any other."""
    if fields.pop("pleasance") != 1 or set(fields) != set(GameConfig.__slots__):
        raise ValueError(fields)
    for name in ("game", "rules", "secret", "bot_seed"):
        _check(isinstance(fields[name], str), name)
    for name in ("options", "players"):
        _check(all(isinstance(text, str) for text in fields[name]), name)
    _check(fields["data"] is None or isinstance(fields["data"], str), "data")
    _check(HUMAN in fields["players"], "players")
    _check(len(fields["players"]) == len(fields["nonces"]), "nonces")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    config = GameConfig(**values)
    config.fair()
    return config


def _check(is_valid: object, name: str) -> None:
    if not is_valid:
        raise ValueError(name)
