"""What an arena has played, kept in a folder: one line a match, on disk before it counts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from pleasance.arena.plan import Plan, describe_plan
from pleasance.arena.play import Match, Played, Times
from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.core.files import lock_file

FILE = "matches.jsonl"


def to_object(match: Match) -> dict[str, Any]:
    """Tell a match to a program; seats and players count from 0."""
    return {
        "match": match.number,
        "games": [game._asdict() for game in match.games],
        "times": {
            str(player): [spent.choices, spent.seconds, sorted(spent.counts.items())]
            for player, spent in match.times.items()
        },
    }


def from_object(told: dict[str, Any]) -> Match:
    """Read a match back."""
    games = [
        Played(
            tuple(game["table"]), tuple(game["scores"]), tuple(game["shares"]), game["decisions"]
        )
        for game in told["games"]
    ]
    times = {
        int(player): Times(choices, seconds, dict(map(tuple, counts)))
        for player, (choices, seconds, counts) in told["times"].items()
    }
    return Match(told["match"], tuple(games), times)


class Store:
    """The file of an arena; opening it gives what was played before."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.path = folder / FILE
        self._header = describe_plan(plan)
        self.matches: list[Match] = []
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

    def add(self, match: Match) -> None:
        """Write a match through to the disk."""
        self._write(to_object(match))

    def count(self) -> int:
        """Count the matches on disk."""
        return self.path.read_bytes().count(b"\n") - 1

    def _write(self, told: dict[str, Any]) -> None:
        self._file.write(json.dumps(told, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self) -> None:
        """Read what was played; a line that a crash cut short never counted and is dropped."""
        self._file.seek(0)
        raw = self._file.read()
        whole = raw[: raw.rfind(b"\n") + 1]
        if not whole:
            self._begin(raw)
            return
        first, *lines = whole.split(b"\n")[:-1]
        try:
            header = json.loads(first)
            self.matches = [from_object(json.loads(line)) for line in lines]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadFileError("arena_broken", file=str(self.path)) from error
        self._check(header)
        self._file.truncate(len(whole))  # only now is it known to be ours

    def _begin(self, torn: bytes) -> None:
        """Write the header; what a crash has left of one may be replaced, anything else not."""
        if not json.dumps(self._header, ensure_ascii=False).encode().startswith(torn):
            raise BadFileError("arena_broken", file=str(self.path))
        self._file.truncate(0)
        self._write(self._header)

    def _check(self, header: object) -> None:
        """Refuse matches that were played under another plan."""
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
