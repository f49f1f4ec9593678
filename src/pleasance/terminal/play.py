"""Plain-text play: draws the board, lists the legal choices, reads notation."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from shutil import get_terminal_size
from typing import Any

from pleasance.core.errors import BadSetupError, PleasanceError
from pleasance.core.fair_draws import secret_from_seed
from pleasance.core.game import AnyGame, Seat, check_seats
from pleasance.core.playout import rng_from_seed
from pleasance.core.record import shorten, write_record
from pleasance.i18n.catalog import MessageCatalog, describe_event
from pleasance.players.registry import make_player
from pleasance.table.entries import ChooseEntry
from pleasance.table.table import Table
from pleasance.terminal.records import describe_result, describe_scores, name_seats
from pleasance.terminal.saves import HUMAN, GameConfig, Save

_MAX_WIDTH = 100
_NONCE_BYTES = 16

Prompt = Callable[[str], str]
"""Reads a line after a prompt; raises `EOFError` at the end of the input."""
Write = Callable[[str], None]


def new_game_config(
    game: AnyGame, players: Sequence[str], *, seed: str | None, data: str | None
) -> GameConfig:
    """Configure a new game; a *seed* determines the secret and the seed of the bots."""
    check_seats(game, len(players))
    if HUMAN not in players:
        raise BadSetupError("play_no_human", human=HUMAN)
    for name in players:
        if name != HUMAN:
            make_player(name, game)
    secret = secrets.token_bytes(32) if seed is None else secret_from_seed(seed)
    nonces = tuple(
        secrets.token_hex(_NONCE_BYTES) if name == HUMAN and seed is None else None
        for name in players
    )
    return GameConfig(
        game=game.spec.name,
        rules=game.spec.rules_version,
        options=game.options,
        players=tuple(players),
        secret=secret.hex(),
        nonces=nonces,
        bot_seed=secrets.token_hex(16) if seed is None else seed,
        data=data,
    )


class Quit(Exception):  # noqa: N818  (a command, not an error)
    """Leaves the game, to be resumed later."""


class TerminalGame:
    """One game at the terminal, until its end or `Quit`."""

    def __init__(
        self,
        table: Table[Any, Any, Any, Any],
        save: Save,
        config: GameConfig,
        words: MessageCatalog,
    ) -> None:
        self._table = table
        self._save = save
        self._bot_seed = config.bot_seed
        self._words = words.among(name_seats(config.players, words))
        self._players = config.players
        self._humans = [Seat(n) for n, name in enumerate(config.players) if name == HUMAN]
        self._bots = {
            Seat(n): make_player(name, table.game)
            for n, name in enumerate(config.players)
            if name != HUMAN
        }
        # The board shows the set-up, so it is not narrated.
        self._seen_steps = dict.fromkeys(self._humans, table.steps)
        self._viewer = self._humans[0] if len(self._humans) == 1 else None
        self._notice = ""
        """The last refusal; it is written last, where it is read."""

    def run(self, prompt: Prompt, write: Write) -> None:
        """Play until the game is over; raise `Quit` on that command."""
        write(self._words("play.welcome"))
        write(self._words("play.promise", commitment=self._table.fair.commitment))
        while not self._table.is_over:
            for seat in self._table.waiting:
                if seat in self._bots:
                    self._let_bot_choose(seat)
                    break
            else:
                self._prompt_seat(self._table.waiting[0], prompt, write)
        self._show_result(write)

    def _let_bot_choose(self, seat: Seat) -> None:
        """Let a bot choose, seeded by the position, so that a resumed game goes on alike."""
        table = self._table
        rng = rng_from_seed(self._bot_seed, seat, table.ply)
        self._choose(seat, self._bots[seat](table.view(seat), rng))

    def _choose(self, seat: Seat, choice: object) -> None:
        """Apply a choice and save its log entries."""
        self._save.append(self._table.choose(seat, choice, self._table.ply))

    def _prompt_seat(self, seat: Seat, prompt: Prompt, write: Write) -> None:
        """Show *seat* its view and read commands until it has chosen."""
        words = self._words
        if seat != self._viewer:
            self._viewer = seat
            clear_screen(write)
            prompt(words("play.hand_over", seat=seat + 1) + " ")
        self._narrate_events(seat, write)
        self._show_board(seat, write)
        write("")
        self._show_choices(seat, write)
        if self._notice:
            write(self._notice)
            self._notice = ""
        ply = self._table.ply
        while self._table.ply == ply and seat in self._table.waiting:
            line = prompt(words("play.prompt", seat=seat + 1) + " ")
            self._execute(seat, line.strip(), write)

    def _execute(self, seat: Seat, line: str, write: Write) -> None:
        """Execute a command, or choices in notation."""
        words = self._words
        match line.lower():
            case "":
                self._show_choices(seat, write)
            case "?" | "help":
                example = str(self._table.view(seat).legal[0])
                write(words("play.help", example=example, game=self._table.game.spec.name))
            case "quit" | "q" | "exit":
                raise Quit
            case "undo":
                self._undo(seat, write)
            case "board":
                self._show_board(seat, write)
            case "record":
                write(write_record(self._table.record_for(seat)))
            case _:
                self._choose_all(seat, line.split(), write)

    def _choose_all(self, seat: Seat, tokens: list[str], write: Write) -> None:
        """Make the choices of a line; stop at the first that is refused."""
        before = self._table.ply
        for token in tokens:
            if seat not in self._table.waiting:
                self._notice = self._words("play.rest_ignored", token=shorten(token))
                break
            try:
                self._choose(seat, self._normalize_token(seat, token))
            except PleasanceError as refusal:
                self._notice = f"{self._words.error(refusal)} {self._words('play.hint')}"
                break
        if self._table.ply == before and self._notice:
            write(self._notice)
            self._notice = ""

    def _normalize_token(self, seat: Seat, token: str) -> str:
        """Correct the case of a token if that makes it one legal choice."""
        legal = [str(choice) for choice in self._table.view(seat).legal]
        meant = [name for name in legal if name.lower() == token.lower()]
        return meant[0] if token not in legal and len(meant) == 1 else shorten(token)

    def _undo(self, seat: Seat, write: Write) -> None:
        """Take back the seat's last choice, unless a draw has been revealed since."""
        try:
            self._save.append(self._table.undo(seat))
        except PleasanceError as refusal:
            write(self._words.error(refusal))
            return
        write(self._words("play.undone"))
        self._seen_steps = {
            seat: min(steps, self._table.steps) for seat, steps in self._seen_steps.items()
        }

    def _show_board(self, seat: Seat | None, write: Write) -> None:
        """Draw the view of *seat* as wide as the terminal."""
        write(self._table.game.render(self._table.view(seat), self._words, terminal_width()))

    def _narrate_events(self, seat: Seat, write: Write) -> None:
        """Narrate the events since *seat* last looked."""
        game = self._table.game
        for before, seen, after in self._table.transitions(seat, self._seen_steps[seat]):
            if game.narrate is not None:
                sentences = game.narrate(before, seen, after, self._words)
            else:
                sentences = tuple(describe_event(game, event, self._words) for event in seen)
            for sentence in sentences:
                write(sentence[:1].upper() + sentence[1:])
        if self._table.steps > self._seen_steps[seat]:
            write("")
        self._seen_steps[seat] = self._table.steps

    def _show_choices(self, seat: Seat, write: Write) -> None:
        """List the legal choices of *seat* with a preview of each."""
        view = self._table.view(seat)
        write(self._words("play.choices"))
        shown = [
            f"{choice!s:<6} {self._table.game.preview(view, choice, self._words)}"
            for choice in view.legal
        ]
        for line in in_columns(shown, terminal_width()):
            write(f"  {line}")

    def _show_result(self, write: Write) -> None:
        """Show the final position and the scores; save the record."""
        game, words = self._table.game, self._words
        seat = self._humans[0] if self._viewer is None else self._viewer
        self._narrate_events(seat, write)
        self._show_board(seat, write)
        write("")
        state = self._table.final_state()
        write(describe_result(game, state))
        for line in describe_scores(game, state, self._players):
            write(line)
        path = self._save.save_record(write_record(self._table.full_record()))
        self._save.finish()
        write("")
        write(words("play.record_kept", file=str(path)))

    def suspend(self) -> str:
        """Save the record so far and return its path; delete a game without a human choice."""
        log = self._table.log
        if not any(isinstance(entry, ChooseEntry) and entry.seat in self._humans for entry in log):
            self._save.delete()
            return ""
        return str(self._save.save_record(write_record(self._table.record_for(self._viewer))))


def terminal_width() -> int:
    """Return the width of the terminal, at most 100; without a terminal, 100."""
    return min(_MAX_WIDTH, get_terminal_size((_MAX_WIDTH, 24)).columns)


def clear_screen(write: Write) -> None:
    """Clear the screen and its scrollback, so that the next player cannot read them."""
    lines = get_terminal_size((80, 24)).lines
    write("\x1b[3J\x1b[2J\x1b[H" if sys.stdout.isatty() else "\n" * lines)


def in_columns(items: Sequence[str], max_width: int) -> Iterator[str]:
    """Arrange short texts in columns, read downwards, *max_width* wide in total.

    >>> list(in_columns(["a", "b", "c"], 80))
    ['a   b   c']
    """
    if not items:
        return
    width = max(map(len, items)) + 3
    across = max(1, min(len(items), (max_width - 2) // width))
    height = -(-len(items) // across)
    for row in range(height):
        yield "".join(item.ljust(width) for item in items[row::height]).rstrip()


def choose_game(names: Sequence[str], prompt: Prompt, write: Write, words: MessageCatalog) -> str:
    """Prompt for a game until the answer is one of *names*, its beginning or its number."""
    write(words("play.which"))
    for number, name in enumerate(names, start=1):
        write(f"  {number} {name}")
    while True:
        answer = prompt("> ").strip().lower()
        if answer in {"quit", "q"}:
            raise Quit
        with suppress(ValueError, IndexError):
            return [*names][range(1, len(names) + 1).index(int(answer))]
        meant = [name for name in names if answer and name.startswith(answer)]
        if len(meant) == 1:
            return meant[0]
        write(words("play.which_again", games=", ".join(names)))
