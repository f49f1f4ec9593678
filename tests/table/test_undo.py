"""Undo goes back until something hidden comes out; the log only grows, and restores the table."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance import (
    CONFIGURATIONS,
    Configuration,
)
from conformance.tables import AnyTable, choose_at_random, random_opening, start_table
from pleasance.core.errors import IllegalActionError, StaleChoiceError
from pleasance.core.fair_draws import FairDraws, secret_from_seed
from pleasance.core.game import Choose, Seat
from pleasance.games import find_game
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.table.entries import ChooseEntry, DrawEntry, Entry, UndoEntry, from_json, to_json
from pleasance.table.table import Table


class Model:
    """A second model of undo: which seat may take back which step, since when."""

    def __init__(self, table: AnyTable) -> None:
        self.table = table
        self.secret: set[Seat] = set()
        self.open: list[tuple[Seat, object]] = []

    def look(self) -> object:
        """Remember what everybody sees."""
        table = self.table
        seats = [*map(Seat, range(table.seats)), None]
        return table.ply, [table.view(seat) for seat in seats], table.full_record(is_owner=True)

    def choose(self, rng: Random) -> None:
        before, ply, turn = self.look(), self.table.ply, self.table.view(None).turn
        entry, *draws = choose_at_random(self.table, rng)
        assert isinstance(entry, ChooseEntry)
        assert entry.ply == ply
        assert isinstance(turn, Choose)
        if self.table.ply == ply:
            self.secret.add(entry.seat)
        elif draws or self.table.is_over or len(turn.seats) > 1:
            self.secret, self.open = set(), []
        else:
            self.open.append((entry.seat, before))

    def undo(self, seat: Seat) -> None:
        before, may = self.look(), self.may_undo(seat)
        if not may:
            with pytest.raises(IllegalActionError, match="undo"):
                self.table.undo(seat)
            assert self.look() == before
            return
        assert self.table.undo(seat) == (UndoEntry(seat, 0.0),)
        if seat in self.secret:
            self.secret.remove(seat)
            assert self.look() == before
        else:
            while self.open[-1][0] != seat:
                self.open.pop()
            assert self.look() == self.open.pop()[1]
            self.secret = set()

    def may_undo(self, seat: Seat) -> bool:
        return seat in self.secret or seat in {chooser for chooser, _ in self.open}

    def check(self, log: tuple[Entry, ...]) -> None:
        table = self.table
        assert table.log[: len(log)] == log
        indexes = [entry.index for entry in table.log if isinstance(entry, DrawEntry)]
        assert all(earlier < later for earlier, later in pairwise([0, *indexes]))
        for seat in map(Seat, range(table.seats)):
            assert table.can_undo(seat) == self.may_undo(seat)
            assert (table.choice(seat) is not None) == (seat in self.secret)


acts = st.lists(st.integers(0, 11), max_size=50)


parts = st.sampled_from([0.0, 0.0, 0.3, 0.6, 0.95])
"""How much of the game was given; most games begin at the beginning."""


@pytest.mark.slow
@settings(max_examples=60)
@given(st.sampled_from(CONFIGURATIONS), st.integers(0, 999), parts, acts)
def test_undo_goes_back_as_long_as_nothing_hidden_came_out(
    config: Configuration, seed: int, part: float, acts: list[int]
) -> None:
    opening = random_opening(config, seed, part)
    table, rng = start_table(config, seed, opening=opening), Random(seed)
    model = Model(table)
    for act in acts:
        log = table.log
        if act < config.seats:
            model.undo(Seat(act))
        elif not table.is_over:
            model.choose(rng)
        model.check(log)
        assert table.full_record(is_owner=True).texts()[: len(opening)] == opening
    check_restored(config, seed, table)


def check_restored(config: Configuration, seed: int, table: AnyTable) -> None:
    """Cut the log after every entry; draws that are due come out as they did."""
    log, opening = table.log, table.opening
    assert start_table(config, seed, log, opening) == table
    assert tuple(from_json(to_json(entry)) for entry in log) == log
    places = range(len(log)) if len(log) < 60 else range(0, len(log), 7)
    for place in places:
        restored = start_table(config, seed, log[:place], opening)
        end = place
        while end < len(log) and isinstance(log[end], DrawEntry):
            end += 1
        assert restored.log == log[:end]
        assert restored == start_table(config, seed, log[:end], opening)


def test_a_choice_for_a_position_that_was_taken_back_is_stale() -> None:
    """The record has as many tokens as before, but other ones: the ply alone would not tell."""
    table = Table(find_game("sanssouci"), FairDraws(secret_from_seed("stale"), (None, None)))
    (seat,) = table.waiting
    ply, revision = table.ply, table.revision
    table.choose(seat, table.view(seat).legal[0], ply, revision=revision)
    table.undo(seat)
    assert table.ply == ply
    with pytest.raises(StaleChoiceError) as refusal:
        table.choose(seat, table.view(seat).legal[0], ply, revision=revision)
    assert refusal.value.params == {"ply": ply, "now": ply, "reverted": "yes"}
    for language in LANGUAGES:
        assert str(ply) not in load_messages(language).error(refusal.value), "it is the same ply"
    table.choose(seat, table.view(seat).legal[0], ply, revision=table.revision)
