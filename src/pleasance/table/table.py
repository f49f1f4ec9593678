"""One live game: seats, secret choices, draws, undo and the log."""

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
from pleasance.core.fair_draws import FairDraws, make_tag
from pleasance.core.game import (
    A,
    Choose,
    Draw,
    Game,
    O,
    Over,
    S,
    Seat,
    SeenEvent,
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
    redact_step,
    seat_events,
    seat_tokens,
)
from pleasance.core.tags import make_tags, with_opening
from pleasance.table.entries import (
    ChooseEntry,
    DrawEntry,
    Entry,
    GameEntry,
    TakebackEntry,
    UndoEntry,
)
from pleasance.table.history import GameHistory, Visibility

Clock: TypeAlias = Callable[[], float]
"""Tells the time in seconds since 1970."""


class Table(Generic[S, A, O, V]):
    """One live game; players get views and records, never the state.

    A table follows from its game, its source of draws and its log; the *log* of an earlier table
    continues it. Due draws are made at once, so a table at rest waits for choices or is over; only
    a replica waits for its draws to come from the log. The tokens of an *opening* are replayed
    first; they are part of the record, but not of the log.
    """

    def __init__(
        self,
        game: Game[S, A, O, V],
        fair: FairDraws,
        *,
        opening: Sequence[str] = (),
        log: Sequence[Entry] = (),
        players: Sequence[str] = (),
        clock: Clock = time,
        is_replica: bool = False,
    ) -> None:
        self.game = game
        self.fair = fair
        self.players = tuple(players)
        self._clock = clock
        check_seats(game, self.seats)
        self.opening = tuple(opening)
        self._history = GameHistory(game, fair, self.opening)
        self.apply(log)
        if not is_replica:
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
        """All entries so far; they hold secrets."""
        return tuple(self._history.log)

    @property
    def visibilities(self) -> Sequence[Visibility]:
        """The visibility of each entry of the log."""
        return self._history.visibilities

    @property
    def ply(self) -> int:
        """Count the tokens of the record; secret choices are not among them yet."""
        return self._history.ply

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return isinstance(self._history.turn, Over)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that must choose now."""
        turn, pending = self._history.turn, self._history.pending
        if not isinstance(turn, Choose):
            return ()
        return (
            tuple([seat for seat in turn.seats if seat not in pending]) if pending else turn.seats
        )

    def view(self, seat: Seat | None) -> V:
        """Build what *seat* knows; `None` is a spectator."""
        return self.game.view(self._history.state, seat)

    def choice(self, seat: Seat) -> A | None:
        """Return the secret choice of *seat*, until it is revealed."""
        return self._history.pending.get(seat)

    @property
    def chose(self) -> Collection[Seat]:
        """The seats whose choice is still secret."""
        return self._history.pending.keys()

    def events(self, seat: Seat | None) -> tuple[SeenEvent, ...]:
        """List the events *seat* has seen, one for each token of its record."""
        return tuple(seat_events(self._history.steps, seat))

    def transitions(
        self, seat: Seat | None, since: int = 0
    ) -> Iterator[tuple[V, tuple[SeenEvent, ...], V]]:
        """Iterate over the steps from number *since*: view before, events seen, view after."""
        for step in self._history.steps[since:]:
            before, after = self.game.view(step.before, seat), self.game.view(step.after, seat)
            yield before, redact_step(step, seat), after

    def past_steps(self) -> Sequence[Step[S, A, O]]:
        """List the steps of the record; they hold the full state, so no player may see them."""
        return self._history.steps

    @property
    def given(self) -> int:
        """The number of steps given by the opening."""
        return self._history.given

    @property
    def steps(self) -> int:
        """The number of steps: a draw is one, and so are choices made at the same time."""
        return len(self._history.steps)

    def final_state(self) -> S:
        """Return the full state, once the game is over and nothing is hidden any more."""
        if not self.is_over:
            raise IllegalActionError("record_not_over")
        return self._history.state

    def apply(self, log: Sequence[Entry]) -> None:
        """Apply the next entries of a log."""
        for entry in log:
            try:
                if not isinstance(entry, GameEntry):
                    raise BadRecordError("log_entry")
                self._history.apply_entry(entry)
            except PleasanceError as refusal:
                raise BadRecordError("log_broken", place=len(self._history.log) + 1) from refusal

    def roll_back(self, entries: Sequence[ChooseEntry | DrawEntry]) -> None:
        """Remove the last *entries*, which were never published."""
        self._history.roll_back(entries)

    @property
    def turn(self) -> Turn:
        """The next turn."""
        return self._history.turn

    @property
    def scores(self) -> tuple[int, ...]:
        """The public scores so far."""
        return self.game.scores(self._history.state)

    @property
    def revision(self) -> int:
        """The revision of the record: how often tokens were taken back."""
        return self._history.revision

    def choose(
        self, seat: Seat, choice: A | str, ply: int, *, revision: int | None = None
    ) -> tuple[GameEntry, ...]:
        """Apply a choice made at *ply* and *revision* of the record; return the new entries.

        A stale choice, made for an older position, is refused. The ply alone cannot show that:
        after an undo the record may be as long as before, so remote clients send the revision.
        """
        known = len(self._history.log)
        if revision is not None and revision != self._history.revision:
            raise StaleChoiceError("stale", ply=ply, now=self.ply, reverted="yes")
        self._history.check_turn(seat, ply)
        action = read_choice(self.game, choice) if isinstance(choice, str) else choice
        check_choice(self.game, self._history.state, seat, action)
        token = self.game.space.write(action)
        self._history.take(ChooseEntry(seat, ply, token, self._now()), action)
        self._make_draws()
        return tuple(self._history.log[known:])

    def can_undo(self, seat: Seat) -> bool:
        """Return whether *seat* may undo its last choice: nothing hidden was revealed since."""
        return seat in self._history.pending or seat in self._history.open_choices()

    def undo(self, seat: Seat) -> tuple[GameEntry, ...]:
        """Undo the last choice of *seat*, and later choices of others; return the entry."""
        entry = UndoEntry(seat, self._now())
        self._history.undo(entry)
        return (entry,)

    def last_choice(self, seats: Collection[Seat]) -> int:
        """Find how many tokens the record had when one of *seats* chose last."""
        ply = self._history.last_choice(seats)
        if ply is None:
            raise IllegalActionError("nothing_to_undo")
        return ply

    def take_back(self, ply: int) -> tuple[GameEntry, ...]:
        """Take back, as all agreed, everything since a choice that `last_choice` found."""
        entry = TakebackEntry(ply, self._now())
        self._history.apply_takeback(entry)
        return (entry,)

    def record_for(self, seat: Seat | None) -> Record:
        """Make the record of what *seat* has seen; `None` is a spectator."""
        return self._record(
            seat_tokens(self.game, self._history.steps, seat), is_revealed=self.is_over
        )

    def full_record(self, *, is_owner: bool = False) -> Record:
        """Make the full record with the secret of the draws: after the end, or for the owner."""
        if not is_owner and not self.is_over:
            raise IllegalActionError("record_not_over")
        return self._record(full_tokens(self.game, self._history.steps), is_revealed=True)

    def _now(self) -> float:
        """Read the clock; times in the log never go back."""
        log = self._history.log
        return max(float(self._clock()), log[-1].at if log else 0.0)

    def _facts(self) -> tuple[object, ...]:
        game = self.game
        return (
            game.spec.name,
            game.options,
            game.data,
            self.fair,
            self.players,
            self.opening,
            self._history.log,
            self._history.steps,
            self._history.pending,
        )

    def _make_draws(self) -> None:
        """Make the draws that are due, each with a new index."""
        while isinstance(turn := self._history.turn, Draw):
            index = self._history.last_draw + 1
            outcome = self.fair.draw(index, self.game.chances(self._history.state))
            token = self.game.draws.write(outcome)
            self._history.draw(DrawEntry(index, token, self._now()), turn.to, outcome)

    def _record(self, tokens: tuple[Token, ...], *, is_revealed: bool) -> Record:
        scores = self.game.scores(self._history.state) if self.is_over else None
        tag = str(make_tag(self.fair, self._history.drawn, is_revealed=is_revealed))
        tags = make_tags(self.game, self.seats, players=self.players, scores=scores, fair_tag=tag)
        return Record(with_opening(tags, len(self.opening)), tokens)
