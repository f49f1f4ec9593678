"""A table: seats, secret choices, draws, undo and the log of one live game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from time import time
from typing import Generic, TypeAlias

from pleasance.core.errors import (
    BadRecordError,
    IllegalActionError,
    PleasanceError,
    StaleChoiceError,
)
from pleasance.core.fair import Fair, make_tag
from pleasance.core.game import (
    A,
    Choose,
    Draw,
    Game,
    O,
    Over,
    S,
    Seat,
    Seen,
    Turn,
    V,
    check_seats,
)
from pleasance.core.record import Record, Token
from pleasance.core.steps import (
    Step,
    check_choice,
    full_tokens,
    read_choice,
    seat_events,
    seat_tokens,
    see_step,
)
from pleasance.core.tags import make_tags, with_opening
from pleasance.table.entries import BackEntry, ChooseEntry, DrawEntry, Entry, GameEntry, UndoEntry
from pleasance.table.history import Course, Sight

Clock: TypeAlias = Callable[[], float]
"""Tells the time in seconds since 1970."""


class Table(Generic[S, A, O, V]):
    """One live game; whoever sits at it sees views and records, never the state.

    A table follows from its game, its source of draws and its log: give the *log* of an earlier
    one to go on with it. Draws that are due are made at once, so that a table at rest waits for
    choices or is over; only a table that *is_following* waits for its draws to come from the log.
    The tokens of an *opening* are carried out before anybody chooses; they are part of the record,
    but not of the log.
    """

    def __init__(
        self,
        game: Game[S, A, O, V],
        fair: Fair,
        *,
        opening: Sequence[str] = (),
        log: Sequence[Entry] = (),
        players: Sequence[str] = (),
        clock: Clock = time,
        is_following: bool = False,
    ) -> None:
        self.game = game
        self.fair = fair
        self.players = tuple(players)
        self._clock = clock
        check_seats(game, self.seats)
        self.opening = tuple(opening)
        self._course = Course(game, fair, self.opening)
        self.follow(log)
        if not is_following:
            self._make_draws()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]  # a table changes

    @property
    def seats(self) -> int:
        """Count the seats."""
        return len(self.fair.nonces)

    @property
    def log(self) -> tuple[GameEntry, ...]:
        """Give all entries so far; they tell secrets."""
        return tuple(self._course.log)

    @property
    def sights(self) -> Sequence[Sight]:
        """Tell for each entry of the log who may read it."""
        return self._course.sights

    @property
    def ply(self) -> int:
        """Count the tokens of the record; secret choices are not among them yet."""
        return self._course.ply

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return isinstance(self._course.turn, Over)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Name the seats that must choose now."""
        turn, pending = self._course.turn, self._course.pending
        if not isinstance(turn, Choose):
            return ()
        return (
            tuple([seat for seat in turn.seats if seat not in pending]) if pending else turn.seats
        )

    def view(self, seat: Seat | None) -> V:
        """Show what *seat* knows; `None` is a spectator."""
        return self.game.view(self._course.state, seat)

    def choice(self, seat: Seat) -> A | None:
        """Remind *seat* of its own secret choice, while it is one."""
        return self._course.pending.get(seat)

    @property
    def chose(self) -> Collection[Seat]:
        """Name the seats whose choice is still secret."""
        return self._course.pending.keys()

    def events(self, seat: Seat | None) -> tuple[Seen, ...]:
        """Tell what *seat* has seen happen, one event for each token of its record."""
        return tuple(seat_events(self._course.steps, seat))

    def story(self, seat: Seat | None, since: int = 0) -> Iterator[tuple[V, tuple[Seen, ...], V]]:
        """Go through the steps *since* so many: the view before, what was seen, the view after."""
        for step in self._course.steps[since:]:
            before, after = self.game.view(step.before, seat), self.game.view(step.after, seat)
            yield before, see_step(step, seat), after

    def past(self) -> Sequence[Step[S, A, O]]:
        """List the steps that stand; they hold the whole truth, so nobody else is shown them."""
        return self._course.steps

    @property
    def given(self) -> int:
        """Count the steps that were given with the opening."""
        return self._course.given

    @property
    def steps(self) -> int:
        """Count the steps: a draw is one, and so are choices made at the same time."""
        return len(self._course.steps)

    def final_state(self) -> S:
        """Show the whole truth, once the game is over and nothing is hidden any more."""
        if not self.is_over:
            raise IllegalActionError("record_not_over")
        return self._course.state

    def follow(self, log: Sequence[Entry]) -> None:
        """Do again what a log tells that goes on from here."""
        for entry in log:
            try:
                self._course.redo(entry)
            except PleasanceError as refusal:
                raise BadRecordError("log_broken", place=len(self._course.log) + 1) from refusal

    def forget(self, entries: Sequence[ChooseEntry | DrawEntry]) -> None:
        """Be as before the last *entries*, which nobody has heard of."""
        self._course.forget(entries)

    @property
    def turn(self) -> Turn:
        """Tell what happens next."""
        return self._course.turn

    @property
    def scores(self) -> tuple[int, ...]:
        """Count what everybody can count so far."""
        return self.game.scores(self._course.state)

    @property
    def undone(self) -> int:
        """Count how often tokens of the record were taken back."""
        return self._course.undone

    def choose(
        self, seat: Seat, choice: A | str, ply: int, *, undone: int | None = None
    ) -> tuple[GameEntry, ...]:
        """Take a choice that *seat* made when the record had *ply* tokens; give the new entries.

        After an undo the record may have as many tokens as before and be another one: who chooses
        from afar tells also how often it had seen tokens *undone*.
        """
        known = len(self._course.log)
        if undone is not None and undone != self._course.undone:
            raise StaleChoiceError("stale", ply=ply, now=self.ply)
        self._course.check_turn(seat, ply)
        action = read_choice(self.game, choice) if isinstance(choice, str) else choice
        check_choice(self.game, self._course.state, seat, action)
        token = self.game.space.write(action)
        self._course.take(ChooseEntry(seat, ply, token, self._now()), action)
        self._make_draws()
        return tuple(self._course.log[known:])

    def can_undo(self, seat: Seat) -> bool:
        """Tell whether *seat* may take back its last choice: nothing hidden has come out since."""
        return seat in self._course.pending or seat in self._course.open_choices()

    def undo(self, seat: Seat) -> tuple[GameEntry, ...]:
        """Take back the last choice of *seat*, and what others chose after it; give the entry."""
        entry = UndoEntry(seat, self._now())
        self._course.take_back(entry)
        return (entry,)

    def last_choice(self, seats: Collection[Seat]) -> int:
        """Tell how many tokens the record had when one of *seats* chose last."""
        ply = self._course.last_choice(seats)
        if ply is None:
            raise IllegalActionError("nothing_to_undo")
        return ply

    def go_back(self, ply: int) -> tuple[GameEntry, ...]:
        """Go back to a choice that `last_choice` found, whatever came out since; all agreed."""
        entry = BackEntry(ply, self._now())
        self._course.go_back(entry)
        return (entry,)

    def record_for(self, seat: Seat | None) -> Record:
        """Write down what *seat* has seen; `None` is a spectator."""
        return self._record(
            seat_tokens(self.game, self._course.steps, seat), is_revealed=self.is_over
        )

    def full_record(self, *, is_owner: bool = False) -> Record:
        """Write down all, with the secret of the draws: at the end, or for who owns it anyway."""
        if not is_owner and not self.is_over:
            raise IllegalActionError("record_not_over")
        return self._record(full_tokens(self.game, self._course.steps), is_revealed=True)

    def _now(self) -> float:
        """Tell the time; in the log it never goes back."""
        log = self._course.log
        return max(float(self._clock()), log[-1].at if log else 0.0)

    def _facts(self) -> tuple[object, ...]:
        game = self.game
        box = (game.spec.name, game.options, game.data)
        return (
            *box,
            self.fair,
            self.players,
            self.opening,
            self._course.log,
            self._course.steps,
            self._course.pending,
        )

    def _make_draws(self) -> None:
        """Make the draws that are due, each with a new index."""
        while isinstance(turn := self._course.turn, Draw):
            index = self._course.last_draw + 1
            outcome = self.fair.draw(index, self.game.chances(self._course.state))
            token = self.game.draws.write(outcome)
            self._course.draw(DrawEntry(index, token, self._now()), turn.to, outcome)

    def _record(self, tokens: tuple[Token, ...], *, is_revealed: bool) -> Record:
        scores = self.game.scores(self._course.state) if self.is_over else None
        tag = str(make_tag(self.fair, self._course.drawn, is_revealed=is_revealed))
        tags = make_tags(self.game, self.seats, players=self.players, scores=scores, fair=tag)
        return Record(with_opening(tags, len(self.opening)), tokens)
