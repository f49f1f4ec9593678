"""The store of played matches: one JSON line for each match, synced before it counts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from pleasance.arena.duplicate_match import DuplicateMatch, GameResult, MoveTimes
from pleasance.arena.plan import Plan, plan_to_json
from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.core.files import lock_file

FILE = "matches.jsonl"


def match_to_json(match: DuplicateMatch) -> dict[str, Any]:
    """Convert a match to JSON; seats and players count from 0."""
    return {
        "match": match.number,
        "games": [game._asdict() for game in match.games],
        "times": {
            str(player): [spent.choices, spent.seconds, sorted(spent.counts.items())]
            for player, spent in match.times.items()
        },
    }


def match_from_json(data: dict[str, Any]) -> DuplicateMatch:
    """Convert JSON to a match."""
    games = [
        GameResult(
            tuple(game["table"]), tuple(game["scores"]), tuple(game["shares"]), game["decisions"]
        )
        for game in data["games"]
    ]
    times = {
        int(player): MoveTimes(choices, seconds, dict(map(tuple, counts)))
        for player, (choices, seconds, counts) in data["times"].items()
    }
    return DuplicateMatch(data["match"], tuple(games), times)


class MatchStore:
    """The match file of an arena; opening it reads the matches played before."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.path = folder / FILE
        self._header = plan_to_json(plan)
        self.matches: list[DuplicateMatch] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = self.path.open("a+b")
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadFileError("file_closed", file=str(self.path), reason=reason) from error

    def __enter__(self) -> Self:
        try:
            lock_file(self._file, BadFileError("arena_open", file=str(self.path)))
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, match: DuplicateMatch) -> None:
        """Append a match and sync the file."""
        self._write(match_to_json(match))

    def count(self) -> int:
        """Count the matches on disk."""
        return self.path.read_bytes().count(b"\n") - 1

    def _write(self, data: dict[str, Any]) -> None:
        self._file.write(json.dumps(data, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self) -> None:
        """Read the stored matches; drop a last line that a crash cut short."""
        self._file.seek(0)
        raw = self._file.read()
        complete = raw[: raw.rfind(b"\n") + 1]
        if not complete:
            self._begin(raw)
            return
        first, *lines = complete.split(b"\n")[:-1]
        try:
            header = json.loads(first)
            self.matches = [match_from_json(json.loads(line)) for line in lines]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadFileError("arena_broken", file=str(self.path)) from error
        self._check(header)
        self._file.truncate(len(complete))  # safe now: the file is ours

    def _begin(self, partial: bytes) -> None:
        """Write the header, replacing only an incomplete one."""
        if not json.dumps(self._header, ensure_ascii=False).encode().startswith(partial):
            raise BadFileError("arena_broken", file=str(self.path))
        self._file.truncate(0)
        self._write(self._header)

    def _check(self, header: object) -> None:
        """Refuse matches of another plan."""
        if not isinstance(header, dict) or header.get("arena") != self._header["arena"]:
            raise BadFileError("arena_broken", file=str(self.path))
        for name, ours in self._header.items():
            if header.get(name) != ours:
                raise BadSetupError(
                    "arena_other",
                    file=str(self.path),
                    what=name,
                    theirs=_show(header.get(name)),
                    ours=_show(ours),
                )


def _show(value: object) -> str:
    """Write a setting on one line."""
    return ",".join(map(str, value)) or "-" if isinstance(value, list) else str(value)
