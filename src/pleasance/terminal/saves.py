"""Games in progress on disk: a log that is written through before a choice counts."""

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
from pleasance.core.fair import Fair
from pleasance.core.files import lock_file, write_whole
from pleasance.core.game import AnyGame
from pleasance.core.tags import at_line
from pleasance.games import find_game
from pleasance.table.entries import Entry, from_json, to_json

HUMAN = "human"
"""The name of a seat where somebody types."""

RUNNING = ".log"
FINISHED = ".done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a saved game is played with."""

    game: str
    rules: str
    options: tuple[str, ...]
    players: tuple[str, ...]
    secret: str
    """The secret of the draws, in hexadecimal digits."""

    nonces: tuple[str | None, ...]
    luck: str
    """The seed of the bots' luck."""

    data: str | None = None
    """The text of the component file, if it is not the house set."""

    def open(self) -> AnyGame:
        """Make the game again; refuse rules that have changed since."""
        game = find_game(self.game).configure(self.options, self.data)
        if game.spec.rules_version != self.rules:
            raise BadSetupError("save_rules", rules=self.rules, ours=game.spec.rules_version)
        return game

    def fair(self) -> Fair:
        """Make the source of the draws again."""
        nonces = tuple(None if nonce is None else bytes.fromhex(nonce) for nonce in self.nonces)
        return Fair(bytes.fromhex(self.secret), nonces)


def saves_folder() -> Path:
    """Name the folder where games in progress are kept."""
    home = os.environ.get("PLEASANCE_HOME")
    return (Path(home) if home else user_data_path("pleasance")) / "games"


def running_games() -> list[Path]:
    """List the games in progress, the newest last."""
    found = ((path.stat(), path) for path in saves_folder().glob(f"*{RUNNING}"))
    # A full disk may have left an empty file: no game was begun there.
    return [path for stat, path in sorted(found, key=lambda each: each[0].st_mtime) if stat.st_size]


class Save:
    """The file of one game in progress; entries are on disk before they count."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file
        lock_file(file, BadFileError("save_open", file=str(path)))

    @classmethod
    def create(cls, setting: Setting) -> Save:
        """Begin the file of a new game."""
        folder = saves_folder()
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{setting.game}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
        path = folder / f"{name}{RUNNING}"
        number = 1
        while path.exists() or path.with_suffix(FINISHED).exists():
            number += 1
            path = folder / f"{name}-{number}{RUNNING}"
        # A secret is in there: nobody else on this machine needs to read it.
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        save = cls(path, os.fdopen(handle, "ab"))
        save._write([json.dumps({"pleasance": 1, **_fields(setting)})])
        return save

    @classmethod
    def reopen(cls, path: Path) -> tuple[Save, Setting, list[Entry]]:
        """Go on with a game; a line that a crash cut short never counted and is dropped."""
        try:
            file = path.open("r+b")
        except FileNotFoundError as error:
            raise BadFileError("file_missing", file=str(path)) from error
        try:
            save = cls(path, file)
            raw = file.read()
            whole = raw[: raw.rfind(b"\n") + 1]
            setting, entries = _parse(whole, path)
            file.truncate(len(whole))
            file.seek(0, os.SEEK_END)
        except BaseException:
            file.close()
            raise
        return save, setting, entries

    def add(self, entries: Iterable[Entry]) -> None:
        """Write entries through to the disk."""
        self._write([to_json(entry) for entry in entries])

    def keep_record(self, text: str) -> Path:
        """Put the record of the game beside its log, all of it or nothing."""
        path = self.path.with_suffix(".txt")
        write_whole(path, text)
        return path

    def finish(self) -> None:
        """Mark the game as over, so that nobody resumes it."""
        self.path = self.path.replace(self.path.with_suffix(FINISHED))

    def drop(self) -> None:
        """Forget a game in which nobody has chosen anything."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _write(self, lines: list[str]) -> None:
        self._file.write("".join(f"{line}\n" for line in lines).encode())
        self._file.flush()
        os.fsync(self._file.fileno())


def _fields(setting: Setting) -> dict[str, Any]:
    return {name: getattr(setting, name) for name in Setting.__slots__}


def _parse(raw: bytes, path: Path) -> tuple[Setting, list[Entry]]:
    """Read a saved game; refuse a file that is none."""
    try:
        first, *rest = raw.decode("utf-8").split("\n")[:-1]
        setting = _read_setting(json.loads(first))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadFileError("save_broken", file=str(path)) from error
    entries = []
    for number, line in enumerate(rest, start=2):
        with at_line(number):
            entries.append(from_json(line))
    return setting, entries


def _read_setting(fields: dict[str, Any]) -> Setting:
    """Read the first line of a saved game; a `ValueError` tells that it is none."""
    if fields.pop("pleasance") != 1 or set(fields) != set(Setting.__slots__):
        raise ValueError(fields)
    for name in ("game", "rules", "secret", "luck"):
        _check(isinstance(fields[name], str), name)
    for name in ("options", "players"):
        _check(all(isinstance(text, str) for text in fields[name]), name)
    _check(fields["data"] is None or isinstance(fields["data"], str), "data")
    _check(HUMAN in fields["players"], "players")
    _check(len(fields["players"]) == len(fields["nonces"]), "nonces")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    setting = Setting(**values)
    setting.fair()
    return setting


def _check(is_sound: object, name: str) -> None:
    """Tell that a field of a saved game does not hold what it should."""
    if not is_sound:
        raise ValueError(name)
