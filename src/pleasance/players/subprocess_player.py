"""Players from outside: programs of their own, one JSON line each way, and OpenSpiel's searches.

A program is named by the command that starts it, `exec:python my_bot.py`; see docs/guide/bots.md.
Only who may start programs on this machine anyway may name one: `find_player`, which servers use,
does not know them.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from dataclasses import asdict, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Generic
from zipfile import BadZipFile

from pleasance.core.errors import BadFileError, BadSetupError, PleasanceError
from pleasance.core.game import A, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.core.record import shorten
from pleasance.i18n.catalog import load_words
from pleasance.players import GUESTS, find_player, player_names, with_budget
from pleasance.players.subprocess_io import Program

PROTOCOL = "pleasance-bot"
VERSION = 1
SECONDS = 10.0
"""How long a program may think over one answer, unless its name says otherwise."""

_COLUMNS = 100
_NAME = re.compile(
    r"exec(?:@(?P<seconds>[0-9]{1,4}(?:\.[0-9]{1,6})?)s)?:(?P<command>.*)", re.DOTALL
)
_ARMED = re.compile(r"(?P<kind>[a-z]+)@(?P<path>.+?)(?P<budget>:[0-9.]+s?)?", re.DOTALL)


class OutsideError(PleasanceError):
    """Report a program that does not play as it should."""


def find_entrant(name: str, game: Game[S, A, O, V]) -> Player[V, A]:
    """Find a player by its name, also a program: `exec:COMMAND`, or `exec@2.5s:COMMAND`.

    No shell reads the command; the program is started when it has to choose for the first time.
    `network@FILE` and `master@FILE:0.1s` have other weights than those that ship.
    `openspiel-ismcts:1s` and `openspiel-mcts:400` are searches that others wrote.
    """
    kind, _, budget = with_budget(name).partition(":")
    if kind in GUESTS:
        return _find_guest(kind, budget, game)
    if (armed := _read_armed(name)) is not None:
        return find_player(armed["kind"] + (armed["budget"] or ""), _rearm(armed["path"], game))
    match = _NAME.fullmatch(name)
    if match is None:
        return find_player(name, game)
    command = _split(match["command"])
    return Outside(game, command, float(match["seconds"] or SECONDS))


def _find_guest(kind: str, budget: str, game: Game[S, A, O, V]) -> Player[V, A]:
    """Find a search of OpenSpiel, which need not be installed."""
    try:
        from pleasance.players.openspiel import find_openspiel  # noqa: PLC0415  (need not be there)
    except ImportError as error:
        raise BadSetupError("arena_needs", package="open_spiel", extra="openspiel") from error
    return find_openspiel(kind, budget, game)


def find_weights(name: str) -> tuple[Path, ...]:
    """List the files of weights that the name of a player leads to; most names to none."""
    armed = _read_armed(name)
    if armed is None:
        return ()
    path = Path(armed["path"])
    return tuple(sorted(path.glob("*.npz"))) if path.is_dir() else (path,)


def _read_armed(name: str) -> re.Match[str] | None:
    """Read the name of a player with other weights; `None` if it is another kind of name."""
    armed = _ARMED.fullmatch(name)
    return armed if armed is not None and armed["kind"] in player_names() else None


def _rearm(path: str, game: Game[S, A, O, V]) -> Game[S, A, O, V]:
    """Give a game other networks; refuse what holds none."""
    judges = game.heuristics
    if judges is None or judges.rearm is None:
        raise BadSetupError("player_needs_heuristics", player=f"@{path}", game=game.spec.name)
    try:
        return replace(game, heuristics=judges.rearm(Path(path)))
    except FileNotFoundError as error:
        raise BadFileError("file_missing", file=error.filename or path) from error
    except OSError as error:
        raise BadFileError("file_closed", file=path, reason=str(error.strerror)) from error
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        raise BadFileError("weights_none", file=path, game=game.spec.name) from error


def _split(text: str) -> list[str]:
    """Read a command; refuse one that cannot be started."""
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise BadSetupError("outside_command", command=text) from error
    if not command:
        raise BadSetupError("outside_command", command=text)
    if shutil.which(command[0]) is None:
        raise BadSetupError("outside_missing", program=command[0])
    return command


class Outside(Generic[S, A, O, V]):
    """Asks a program what to choose; the program ends with this process."""

    def __init__(self, game: Game[S, A, O, V], command: list[str], seconds: float) -> None:
        self._game = game
        self._command = command
        self._seconds = seconds
        self._program: Program | None = None
        self._seats = 0
        """For how many seats the program knows the box."""

        self.name = ""
        """What the program calls itself."""

    def __call__(self, view: V, rng: Random) -> A:
        """Let the program choose for the seat that looks."""
        if self._program is None or self._seats != view.seats:
            self._greet(view.seats)
        choices: dict[str, A] = {str(action): action for action in view.legal}
        told = {
            "seat": view.seat,
            "seats": view.seats,
            "legal": list(choices),
            "view": self._show(view),
            "luck": rng.getrandbits(53),
            "seconds": self._seconds,
        }
        token = self._ask(told, "choice")
        if token not in choices:
            legal = shorten(" ".join(choices))
            raise self._end("outside_illegal", token=shorten(token), legal=legal)
        return choices[token]

    def _greet(self, seats: int) -> None:
        """Tell the program what is played; it says its name."""
        game = self._game
        told = {
            "protocol": PROTOCOL,
            "version": VERSION,
            "game": game.spec.name,
            "rules": game.spec.rules_version,
            "options": list(game.options),
            "data": {"name": game.data.name, "sha256": game.data.sha256},
            "seats": seats,
            "box": None if game.wire is None else _plain(game.wire.unpack(seats)),
        }
        self.name = self._ask(told, "name")
        self._seats = seats

    def _show(self, view: V) -> object:
        """Show a view as the game shows it to any client, or as a drawing if it has no such way."""
        if self._game.wire is None:
            words = load_words("en", self._game.spec.package)
            return self._game.draw(view, words, _COLUMNS)
        return _plain(self._game.wire.show(view))

    def _ask(self, told: dict[str, object], entry: str) -> str:
        """Tell the program something and read one entry of its answer."""
        if self._program is None:
            self._program = self._start()
        line = json.dumps(told, ensure_ascii=False).encode() + b"\n"
        try:
            answer = self._program.ask(line, self._seconds)
        except TimeoutError as error:
            raise self._end("outside_silent", seconds=f"{self._seconds:g}") from error
        if not answer:
            raise self._end("outside_ended", status=self._program.wait())
        if not answer.endswith(b"\n"):
            raise self._end("outside_long")
        try:
            found = json.loads(answer)[entry]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise self._garbled(answer, entry) from error
        if not isinstance(found, str):
            raise self._garbled(answer, entry)
        return found

    def _start(self) -> Program:
        try:
            return Program(self._command)
        except OSError as error:
            reason = error.strerror or str(error)
            raise OutsideError(
                "outside_started", program=shlex.join(self._command), reason=reason
            ) from error

    def _garbled(self, answer: bytes, entry: str) -> OutsideError:
        shown = shorten(answer.decode("utf-8", "backslashreplace").strip())
        return self._end("outside_garbled", answer=shown, entry=entry)

    def _end(self, code: str, **params: str | int) -> OutsideError:
        """End the program; make the error that says what it did and what it said last."""
        said = ""
        if self._program is not None:
            said = shorten(self._program.end())
            self._program = None
        program = shlex.join(self._command)
        return OutsideError(code, program=program, said=said or "none", **params)


def _plain(shown: object) -> Any:
    """Turn dataclasses into what JSON can write."""
    assert is_dataclass(shown), shown
    assert not isinstance(shown, type), shown
    return asdict(shown)
