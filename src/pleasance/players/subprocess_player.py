"""Subprocess players: external programs that choose over a protocol of JSON lines.

`exec:python my_bot.py` names the command that starts one; see docs/guide/bots.md. Servers use
`registry.make_player`, which does not accept such names: a client must not start programs.
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
from pleasance.i18n.catalog import load_messages
from pleasance.players.line_process import LineProcess
from pleasance.players.registry import make_player, player_names

PROTOCOL = "pleasance-bot"
VERSION = 1
DEFAULT_TIMEOUT_S = 10.0
"""The time for one answer, unless the name of the player sets another."""

_COLUMNS = 100
_EXEC_NAME = re.compile(
    r"exec(?:@(?P<seconds>[0-9]{1,4}(?:\.[0-9]{1,6})?)s)?:(?P<command>.*)", re.DOTALL
)
_WEIGHTS_NAME = re.compile(r"(?P<kind>[a-z]+)@(?P<path>.+?)(?P<budget>:[0-9.]+s?)?", re.DOTALL)


class SubprocessPlayerError(PleasanceError):
    """Reports a program that breaks the protocol."""


def resolve_player(name: str, game: Game[S, A, O, V]) -> Player[V, A]:
    """Make the player of a name, also a program: `exec:COMMAND`, or `exec@2.5s:COMMAND`.

    No shell reads the command; the program starts at its first choice. `network@FILE` and
    `master@FILE:0.1s` load other weights; `openspiel-ismcts:1s` and `openspiel-mcts:400` are
    OpenSpiel's searches.
    """
    if (match := _match_weights_name(name)) is not None:
        kind = match["kind"] + (match["budget"] or "")
        return make_player(kind, _with_weights(match["path"], game))
    match = _EXEC_NAME.fullmatch(name)
    if match is None:
        return make_player(name, game, in_arena=True)
    command = _parse_command(match["command"])
    return SubprocessPlayer(game, command, float(match["seconds"] or DEFAULT_TIMEOUT_S))


def weight_files(name: str) -> tuple[Path, ...]:
    """List the weight files in the name of a player; most names have none."""
    match = _match_weights_name(name)
    if match is None:
        return ()
    path = Path(match["path"])
    return tuple(sorted(path.glob("*.npz"))) if path.is_dir() else (path,)


def _match_weights_name(name: str) -> re.Match[str] | None:
    """Match the name of a player with other weights; `None` for any other name."""
    match = _WEIGHTS_NAME.fullmatch(name)
    return match if match is not None and match["kind"] in player_names() else None


def _with_weights(path: str, game: Game[S, A, O, V]) -> Game[S, A, O, V]:
    """Load other weights into a game; refuse a path without any."""
    heuristics = game.heuristics
    if heuristics is None or heuristics.with_weights is None:
        raise BadSetupError("player_needs_heuristics", player=f"@{path}", game=game.spec.name)
    try:
        return replace(game, heuristics=heuristics.with_weights(Path(path)))
    except FileNotFoundError as error:
        raise BadFileError("file_missing", file=error.filename or path) from error
    except OSError as error:
        raise BadFileError("file_closed", file=path, reason=str(error.strerror)) from error
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        raise BadFileError("weights_none", file=path, game=game.spec.name) from error


def _parse_command(text: str) -> list[str]:
    """Split a command into arguments; refuse one that cannot be started."""
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise BadSetupError("subprocess_command", command=text) from error
    if not command:
        raise BadSetupError("subprocess_command", command=text)
    if shutil.which(command[0]) is None:
        raise BadSetupError("subprocess_missing", program=command[0])
    return command


class SubprocessPlayer(Generic[S, A, O, V]):
    """Lets an external program choose; the program ends with this process."""

    def __init__(self, game: Game[S, A, O, V], command: list[str], seconds: float) -> None:
        self._game = game
        self._command = command
        self._seconds = seconds
        self._process: LineProcess | None = None
        self._seats = 0
        """The number of seats last announced to the program; 0 before the first."""

        self.name = ""
        """The name that the program gave itself."""

    def __call__(self, view: V, rng: Random) -> A:
        """Ask the program for the choice of the looking seat."""
        if self._process is None or self._seats != view.seats:
            self._introduce_game(view.seats)
        choices: dict[str, A] = {str(action): action for action in view.legal}
        message = {
            "seat": view.seat,
            "seats": view.seats,
            "legal": list(choices),
            "view": self._view_to_wire(view),
            "seed": rng.getrandbits(53),
            "seconds": self._seconds,
        }
        token = self._ask(message, "choice")
        if token not in choices:
            legal = shorten(" ".join(choices))
            raise self._stop("subprocess_illegal", token=shorten(token), legal=legal)
        return choices[token]

    def _introduce_game(self, seats: int) -> None:
        """Announce the game to the program and read its name."""
        game = self._game
        message = {
            "protocol": PROTOCOL,
            "version": VERSION,
            "game": game.spec.name,
            "rules": game.spec.rules_version,
            "options": list(game.options),
            "data": {"name": game.data.name, "sha256": game.data.sha256},
            "seats": seats,
            "box": None if game.wire is None else _to_plain(game.wire.box_to_wire(seats)),
        }
        self.name = self._ask(message, "name")
        self._seats = seats

    def _view_to_wire(self, view: V) -> object:
        """Convert a view to its wire form, or to a text drawing where the game has none."""
        if self._game.wire is None:
            words = load_messages("en", self._game.spec.package)
            return self._game.render(view, words, _COLUMNS)
        return _to_plain(self._game.wire.view_to_wire(view))

    def _ask(self, message: dict[str, object], entry: str) -> str:
        """Send a message and read one entry of the answer."""
        if self._process is None:
            self._process = self._start()
        line = json.dumps(message, ensure_ascii=False).encode() + b"\n"
        try:
            answer = self._process.ask(line, self._seconds)
        except TimeoutError as error:
            raise self._stop("subprocess_silent", seconds=f"{self._seconds:g}") from error
        if not answer:
            raise self._stop("subprocess_ended", status=self._process.wait())
        if not answer.endswith(b"\n"):
            raise self._stop("subprocess_long")
        try:
            found = json.loads(answer)[entry]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise self._unreadable_answer(answer, entry) from error
        if not isinstance(found, str):
            raise self._unreadable_answer(answer, entry)
        return found

    def _start(self) -> LineProcess:
        try:
            return LineProcess(self._command)
        except OSError as error:
            reason = error.strerror or str(error)
            raise SubprocessPlayerError(
                "subprocess_started", program=shlex.join(self._command), reason=reason
            ) from error

    def _unreadable_answer(self, answer: bytes, entry: str) -> SubprocessPlayerError:
        wire_value = shorten(answer.decode("utf-8", "backslashreplace").strip())
        return self._stop("subprocess_garbled", answer=wire_value, entry=entry)

    def _stop(self, code: str, **params: str | int) -> SubprocessPlayerError:
        """Kill the program; return the error with its last line on standard error."""
        said = ""
        if self._process is not None:
            said = shorten(self._process.kill())
            self._process = None
        program = shlex.join(self._command)
        return SubprocessPlayerError(code, program=program, said=said or "none", **params)


def _to_plain(wire_value: object) -> Any:
    """Convert a dataclass to plain dictionaries."""
    assert is_dataclass(wire_value), wire_value
    assert not isinstance(wire_value, type), wire_value
    return asdict(wire_value)
