"""Plain-text play: draws the board, lists what may be chosen, reads notation."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from shutil import get_terminal_size
from typing import Any

from pleasance.core.errors import BadSetupError, PleasanceError
from pleasance.core.fair import secret_from_seed
from pleasance.core.game import AnyGame, Seat, Seen, check_seats
from pleasance.core.playout import rng_from_seed
from pleasance.core.record import shorten, write_record
from pleasance.i18n.catalog import Words
from pleasance.players import find_player, needs_kernel
from pleasance.table.entries import ChooseEntry
from pleasance.table.table import Table
from pleasance.terminal.records import name_people, tell_causes, tell_result
from pleasance.terminal.saves import HUMAN, Save, Setting
from pleasance.terminal.warm_up import Rehearsal

_COLUMNS = 100
_NONCE_BYTES = 16

Ask = Callable[[str], str]
"""Asks for a line; raises EOFError when there is no more."""
Tell = Callable[[str], None]


def new_setting(
    game: AnyGame, players: Sequence[str], *, seed: str | None, data: str | None
) -> Setting:
    """Decide what a new game is played with; a *seed* stands for the secret and the bots' luck."""
    check_seats(game, len(players))
    if HUMAN not in players:
        raise BadSetupError("play_no_human", human=HUMAN)
    for name in players:
        if name != HUMAN:
            find_player(name, game)
    secret = secrets.token_bytes(32) if seed is None else secret_from_seed(seed)
    nonces = tuple(
        secrets.token_hex(_NONCE_BYTES) if name == HUMAN and seed is None else None
        for name in players
    )
    return Setting(
        game=game.spec.name,
        rules=game.spec.rules_version,
        options=game.options,
        players=tuple(players),
        secret=secret.hex(),
        nonces=nonces,
        luck=secrets.token_hex(16) if seed is None else seed,
        data=data,
    )


class Quit(Exception):  # noqa: N818  (a wish, not a mistake)
    """Somebody wants to stop for now."""


class Sitting:
    """One game at the terminal, from here to its end or until somebody quits."""

    def __init__(
        self, table: Table[Any, Any, Any, Any], save: Save, setting: Setting, words: Words
    ) -> None:
        self._table = table
        self._save = save
        self._luck = setting.luck
        self._words = words.among(name_people(setting.players, words))
        self._names = setting.players
        self._humans = [Seat(n) for n, name in enumerate(setting.players) if name == HUMAN]
        self._bots = {
            Seat(n): find_player(name, table.game)
            for n, name in enumerate(setting.players)
            if name != HUMAN
        }
        # The picture tells what happened so far, set-up included.
        self._told = dict.fromkeys(self._humans, table.steps)
        slow = {seat: bot for seat, bot in self._bots.items() if needs_kernel(self._names[seat])}
        self._rehearsal = Rehearsal(table.game, slow, len(self._names)) if slow else None
        self._stand_in = find_player("greedy" if table.game.heuristics else "random", table.game)
        self._looking = self._humans[0] if len(self._humans) == 1 else None
        self._notice = ""
        """What was refused; it is said last, where it is read."""

    def run(self, ask: Ask, tell: Tell) -> None:
        """Play on until the game is over; raise `Quit` when somebody wants to stop."""
        tell(self._words("play.welcome"))
        tell(self._words("play.promise", commitment=self._table.fair.commitment))
        while not self._table.is_over:
            for seat in self._table.waiting:
                if seat in self._bots:
                    self._let_choose(seat)
                    break
            else:
                self._ask_seat(self._table.waiting[0], ask, tell)
        self._tell_end(tell)

    def _let_choose(self, seat: Seat) -> None:
        """Let a bot choose by luck that follows from the position, so a resumed game is the same.

        Only while its rules are being compiled a quicker bot chooses in its place.
        """
        table = self._table
        rng = rng_from_seed(self._luck, seat, table.ply)
        is_ready = self._rehearsal is None or self._rehearsal.is_over
        bot = self._bots[seat] if is_ready else self._stand_in
        self._choose(seat, bot(table.view(seat), rng))

    def _choose(self, seat: Seat, choice: object) -> None:
        """Make a choice count: decided by the table, then written through."""
        self._save.add(self._table.choose(seat, choice, self._table.ply))

    def _ask_seat(self, seat: Seat, ask: Ask, tell: Tell) -> None:
        """Show *seat* the table and read commands until it has chosen."""
        words = self._words
        if seat != self._looking:
            self._looking = seat
            clear_screen(tell)
            ask(words("play.hand_over", seat=seat + 1) + " ")
        self._tell_news(seat, tell)
        self._tell_table(seat, tell)
        tell("")
        self._tell_choices(seat, tell)
        if self._notice:
            tell(self._notice)
            self._notice = ""
        ply = self._table.ply
        while self._table.ply == ply and seat in self._table.waiting:
            line = ask(words("play.prompt", seat=seat + 1) + " ")
            self._obey(seat, line.strip(), tell)

    def _obey(self, seat: Seat, line: str, tell: Tell) -> None:
        """Do what a line says: a command, or choices in notation."""
        words = self._words
        match line.lower():
            case "":
                self._tell_choices(seat, tell)
            case "?" | "help":
                example = str(self._table.view(seat).legal[0])
                tell(words("play.help", example=example, game=self._table.game.spec.name))
            case "quit" | "q" | "exit":
                raise Quit
            case "undo":
                self._undo(seat, tell)
            case "board":
                self._tell_table(seat, tell)
            case "record":
                tell(write_record(self._table.record_for(seat)))
            case _:
                self._try_tokens(seat, line.split(), tell)

    def _try_tokens(self, seat: Seat, tokens: list[str], tell: Tell) -> None:
        """Make the choices a line lists; stop at the first that is refused."""
        before = self._table.ply
        for token in tokens:
            if seat not in self._table.waiting:
                self._notice = self._words("play.rest_ignored", token=shorten(token))
                break
            try:
                self._choose(seat, self._spell(seat, token))
            except PleasanceError as refusal:
                self._notice = f"{self._words.error(refusal)} {self._words('play.hint')}"
                break
        if self._table.ply == before and self._notice:
            tell(self._notice)
            self._notice = ""

    def _spell(self, seat: Seat, token: str) -> str:
        """Forgive the wrong case where only one legal choice can be meant."""
        legal = [str(choice) for choice in self._table.view(seat).legal]
        meant = [name for name in legal if name.lower() == token.lower()]
        return meant[0] if token not in legal and len(meant) == 1 else shorten(token)

    def _undo(self, seat: Seat, tell: Tell) -> None:
        """Take back the seat's last choice, if nothing hidden has come out since."""
        try:
            self._save.add(self._table.undo(seat))
        except PleasanceError as refusal:
            tell(self._words.error(refusal))
            return
        tell(self._words("play.undone"))
        self._told = {seat: min(told, self._table.steps) for seat, told in self._told.items()}

    def _tell_table(self, seat: Seat | None, tell: Tell) -> None:
        """Draw what *seat* sees, as wide as the terminal."""
        tell(self._table.game.draw(self._table.view(seat), self._words, columns()))

    def _tell_news(self, seat: Seat, tell: Tell) -> None:
        """Put into words what happened since *seat* looked last."""
        game = self._table.game
        for before, seen, after in self._table.story(seat, self._told[seat]):
            if game.recount is not None:
                sentences = game.recount(before, seen, after, self._words)
            else:
                sentences = tuple(tell_event(game, event, self._words) for event in seen)
            for sentence in sentences:
                tell(sentence[:1].upper() + sentence[1:])
        if self._table.steps > self._told[seat]:
            tell("")
        self._told[seat] = self._table.steps

    def _tell_choices(self, seat: Seat, tell: Tell) -> None:
        """List what *seat* may choose, with what each would do."""
        view = self._table.view(seat)
        tell(self._words("play.choices"))
        shown = [
            f"{choice!s:<6} {self._table.game.preview(view, choice, self._words)}"
            for choice in view.legal
        ]
        for line in in_columns(shown, columns()):
            tell(f"  {line}")

    def _tell_end(self, tell: Tell) -> None:
        """Show the last position, who has won and why; keep the record."""
        game, words = self._table.game, self._words
        seat = self._humans[0] if self._looking is None else self._looking
        self._tell_news(seat, tell)
        self._tell_table(seat, tell)
        tell("")
        state = self._table.final_state()
        tell(tell_result(game, state))
        for line in tell_causes(game, state, self._names):
            tell(line)
        path = self._save.keep_record(write_record(self._table.full_record()))
        self._save.finish()
        tell("")
        tell(words("play.record_kept", file=str(path)))

    def keep_for_later(self) -> str:
        """Keep what the player has seen so far; tell where. A game nobody has begun is dropped."""
        log = self._table.log
        if not any(isinstance(entry, ChooseEntry) and entry.seat in self._humans for entry in log):
            self._save.drop()
            return ""
        return str(self._save.keep_record(write_record(self._table.record_for(self._looking))))


def tell_event(game: AnyGame, event: Seen, words: Words) -> str:
    """Put one event into words."""
    if event.action is None:
        assert event.seat is not None, event
        return words("event.hidden", seat=event.seat + 1)
    said = game.describe(event.action, words)
    if event.seat is None:
        return words("event.open", what=said)
    return words("event.seat", seat=event.seat + 1, what=said)


def columns() -> int:
    """Tell how wide the terminal is; what is no terminal counts as wide enough."""
    return min(_COLUMNS, get_terminal_size((_COLUMNS, 24)).columns)


def clear_screen(tell: Tell) -> None:
    """Wipe what the last player saw, also from what can be scrolled back to."""
    lines = get_terminal_size((80, 24)).lines
    tell("\x1b[3J\x1b[2J\x1b[H" if sys.stdout.isatty() else "\n" * lines)


def in_columns(items: Sequence[str], most: int) -> Iterator[str]:
    """Set short texts in columns, to be read downwards, at *most* so wide altogether.

    >>> list(in_columns(["a", "b", "c"], 80))
    ['a   b   c']
    """
    if not items:
        return
    width = max(map(len, items)) + 3
    across = max(1, min(len(items), (most - 2) // width))
    height = -(-len(items) // across)
    for row in range(height):
        yield "".join(item.ljust(width) for item in items[row::height]).rstrip()


def ask_for_game(names: Sequence[str], ask: Ask, tell: Tell, words: Words) -> str:
    """Ask which game to play until the answer is one of *names*, its beginning or its number."""
    tell(words("play.which"))
    for number, name in enumerate(names, start=1):
        tell(f"  {number} {name}")
    while True:
        answer = ask("> ").strip().lower()
        if answer in {"quit", "q"}:
            raise Quit
        with suppress(ValueError, IndexError):
            return [*names][range(1, len(names) + 1).index(int(answer))]
        meant = [name for name in names if answer and name.startswith(answer)]
        if len(meant) == 1:
            return meant[0]
        tell(words("play.which_again", games=", ".join(names)))
