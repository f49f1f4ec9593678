"""The compiled twin plays the same game as the rules."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random
from typing import cast

import numpy as np
import pytest

from pleasance.compiled.arrays import copy_of
from pleasance.compiled.jit import nth_bit, nth_bit_branchless
from pleasance.compiled.kernel import OVER, Kernel
from pleasance.compiled.rng import make_rng_state
from pleasance.core.bits import bits, mask_of
from pleasance.core.game import AnyGame, Choose, Over, Seat
from pleasance.games.sakura import GAME
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.layout import NUMBER, PAINTERS
from pleasance.games.sakura.kernel.rules import start
from pleasance.games.sakura.rules.path import GATE
from pleasance.games.sakura.rules.state import ALL_CARDS, State
from pleasance.games.sakura.rules.view import imagine, view
from pleasance.games.sakura.tests import twins
from pleasance.games.sakura.tests.positions import CONFIGURATIONS

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may

each = pytest.mark.parametrize(("seats", "options"), CONFIGURATIONS)

LONG_PATHS = (
    ("sakura = [16, 26, 36]", "sakura = [16, 70, 99]"),
    ("sakura = [20, 32, 44]", "sakura = [20, 70, 99]"),
    ("hand = 5", "hand = 9"),
    ("disgrace = 3", "disgrace = 9"),
)
"""As long a path, as large hands and as far back as a box may have."""

SHORT_PATHS = (
    ("sakura = [16, 26, 36]", "sakura = [7, 8, 31]"),
    ("sakura = [20, 32, 44]", "sakura = [9, 10, 39]"),
    ("bridges = [5, 11, 21, 31]", "bridges = [5, 11, 21, 30]"),
    ("13, 14, 15, 25, 26, 27, 37, 38, 39]", "13, 14, 15, 25, 26, 27, 36, 37, 38]"),
    ("hand = 5", "hand = 2"),
    ("tokens = 5", "tokens = 0"),
    ("disgrace = 3", "disgrace = 1"),
)
"""Sakura side by side, hardly any cards, no tokens."""


def check_games(made: AnyGame, seats: int, rng: Random, *, games: int) -> None:
    """Play whole games with both twins."""
    for _ in range(games):
        for state, flat in twins.walk(made, made.start(seats), rng):
            twins.compare(made, state, flat)
            if rng.random() < 0.04:
                check_deal(made, state, rng)


def check_deal(made: AnyGame, state: State, rng: Random) -> None:
    """Deal what each seat does not know: it must see no difference."""
    kernel = twins.get_kernel(made)
    for seat in (None, *map(Seat, range(len(state.hands)))):
        seen = view(state, seat)
        flat = kernel.pack_view(seen)
        kernel.rules.deal(kernel.constants, flat, twins.make_random_state(rng))
        world = kernel.unpack(flat)
        assert view(world, seat) == seen
        assert np.array_equal(kernel.pack(world), flat)
    flat = kernel.pack(state)
    kernel.rules.deal(kernel.constants, flat, twins.make_random_state(rng))
    assert kernel.unpack(flat) == state, "nothing was left to be dealt"


def check_rounds(made: AnyGame, seats: int, rng: Random, *, rounds: int) -> None:
    """Play single rounds from made-up positions with both twins (K-9 to K-20)."""
    for _ in range(rounds):
        met = twins.random_position(made, seats, rng)
        for state, flat in twins.walk(made, met, rng):
            twins.compare(made, state, flat)
            if state.number > met.number:
                break


@each
def test_games_are_the_same(seats: int, options: tuple[str, ...]) -> None:
    check_games(twins.make_game(*options), seats, Random(seats), games=3)


@pytest.mark.slow
@each
def test_many_games_are_the_same(seats: int, options: tuple[str, ...]) -> None:
    check_games(twins.make_game(*options), seats, Random(f"many {seats}"), games=60)


@each
@pytest.mark.parametrize("changes", [LONG_PATHS, SHORT_PATHS])
def test_games_with_other_boxes_are_the_same(
    seats: int, options: tuple[str, ...], changes: tuple[tuple[str, str], ...]
) -> None:
    made = twins.make_game(*options, changes=changes)
    rng = Random(seats)
    check_rounds(made, seats, rng, rounds=30)
    for state, flat in twins.walk(made, made.start(seats), rng):
        if len(state.decks) > at.MAX_DECKS:
            break
        twins.compare(made, state, flat)


@each
def test_rounds_from_anywhere_are_the_same(seats: int, options: tuple[str, ...]) -> None:
    check_rounds(twins.make_game(*options), seats, Random(seats), rounds=100)


@pytest.mark.slow
@each
def test_many_rounds_from_anywhere_are_the_same(seats: int, options: tuple[str, ...]) -> None:
    check_rounds(twins.make_game(*options), seats, Random(f"many {seats}"), rounds=600)
    check_rounds(twins.make_game(*options, changes=LONG_PATHS), seats, Random(seats), rounds=300)


@each
def test_the_start_is_the_same(seats: int, options: tuple[str, ...]) -> None:
    made, kernel, _ = twins.open_twins(seats, options)
    flat = np.full(kernel.size, 7, dtype=np.int64)
    start(kernel.constants, flat, seats)
    twins.compare(made, made.start(seats), flat)


def test_a_card_is_picked_by_its_place() -> None:
    rng = Random(5)
    for cards in [ALL_CARDS, *(rng.getrandbits(60) << 1 | 2 for _ in range(50))]:
        for place, card in enumerate(bits(cards)):
            assert nth_bit_branchless(cards, place) == card == nth_bit(cards, place)


def test_with_too_many_decks_the_oldest_are_taken_as_one() -> None:  # K-6
    made = twins.make_game(changes=(*LONG_PATHS, ("E+2/", "E-1/")))
    kernel = twins.get_kernel(made)
    rng = Random(3)
    most = 0
    for state, flat in twins.walk(made, made.start(6), rng):
        most = max(most, len(state.decks))
        extra = max(len(state.decks) - at.MAX_DECKS, 0)
        oldest = mask_of(card for deck in state.decks[: extra + 1] for card in bits(deck))
        joined = state._replace(decks=(oldest, *state.decks[extra + 1 :]))
        twins.compare(made, joined, flat)
        assert np.array_equal(kernel.pack(state), flat)
        if rng.random() < 0.1:
            dealt = kernel.pack_view(view(state, Seat(2)))
            kernel.rules.deal(kernel.constants, dealt, twins.make_random_state(rng))
            assert view(kernel.unpack(dealt), Seat(2)) == view(joined, Seat(2))
    assert most > at.MAX_DECKS + 2


def late_view(seats: int, options: tuple[str, ...]) -> tuple[AnyGame, State]:
    """Find a position after the deck was rebuilt, in which hands hold cards of both decks."""
    made = twins.make_game(*options)
    for seed in range(1000):
        for state, _ in twins.walk(made, made.start(seats), Random(seed)):
            origins = np.array(view(state, None).origins)
            if made.turn(state) != Over() and len(state.decks) > 1 and origins.all(axis=1).any():
                return made, state
    raise AssertionError


@pytest.mark.parametrize(("seats", "options"), [(3, ()), (6, ()), (2, ("tactical",))])
def test_every_hidden_card_is_dealt_as_often_as_the_draws_would(
    seats: int, options: tuple[str, ...]
) -> None:
    made, state = late_view(seats, options)
    kernel = twins.get_kernel(made)
    seen = view(state, Seat(0))
    packed = kernel.pack_view(seen)
    deals = 3000
    rng_state = make_rng_state("deal")
    rng = Random(1)
    compiled: Counter[tuple[int, int]] = Counter()
    imagined: Counter[tuple[int, int]] = Counter()
    for _ in range(deals):
        flat = copy_of(packed)
        kernel.rules.deal(kernel.constants, flat, rng_state)
        for counter, world in ((compiled, kernel.unpack(flat)), (imagined, imagine(seen, rng))):
            piles = (*world.hands, world.deck)
            counter.update((pile, card) for pile, cards in enumerate(piles) for card in bits(cards))
    assert compiled.keys() == imagined.keys()
    later = 0
    for number in reversed(range(len(seen.decks))):
        unseen = seen.decks[number] & ~later & ~seen.hand & ~seen.discards
        later |= seen.decks[number]
        for seat, card in product(range(1, seats), bits(unseen)):
            chance = seen.origins[seat][number] / unseen.bit_count()
            spread = (deals * chance * (1 - chance)) ** 0.5
            assert abs(compiled[seat, card] - deals * chance) <= 5 * spread


@each
def test_playouts_from_anywhere_end_the_game(seats: int, options: tuple[str, ...]) -> None:
    made, kernel, rng = twins.open_twins(seats, options)
    for state, flat in twins.walk(made, made.start(seats), rng):
        ended = copy_of(flat)
        kernel.rules.playout(kernel.constants, ended, twins.make_random_state(rng))
        assert kernel.rules.turn(ended) == OVER
        end = kernel.unpack(ended)
        twins.compare(made, end, ended)
        assert sum((*end.hands, end.deck, end.discards)) == ALL_CARDS  # K-3
        assert end.decks[: len(state.decks)] == state.decks
        on_path = [place for place in end.painters if place != GATE]
        assert len(set(on_path)) == len(on_path)
        assert max(end.painters) < end.emperor == end.box.paths[seats].sakura[-1]


def test_many_playouts_have_each_its_own_luck() -> None:
    kernel = twins.get_kernel(twins.make_game())
    first = kernel.pack(twins.make_game().start(4))
    rng_state = np.array([make_rng_state(str(number)) for number in range(5)])
    together = np.array([first] * 5)
    kernel.rules.playouts(kernel.constants, together, rng_state.copy())
    for flat, own in zip(together, rng_state, strict=True):
        alone = copy_of(first)
        kernel.rules.playout(kernel.constants, alone, own)
        assert np.array_equal(alone, flat)


@pytest.mark.slow
@each
def test_playouts_are_random_games(seats: int, options: tuple[str, ...]) -> None:
    """The same averages as random games by the rules: rounds, disgraces, tokens."""
    made, kernel, rng = twins.open_twins(seats, options)
    rng_state = make_rng_state("averages")
    facts: tuple[list[list[int]], list[list[int]]] = ([], [])
    for number in range(6000):
        flat = kernel.pack(made.start(seats))
        kernel.rules.playout(kernel.constants, flat, rng_state)
        ends = [kernel.unpack(flat)]
        if number < 600:
            state = made.start(seats)
            while not isinstance(made.turn(state), Over):
                state = _wander(made, state, rng)
            ends.append(state)
        for end, rows in zip(ends, facts, strict=False):
            lost = [ledger[1] for ledger in end.ledgers]
            rows.append([end.number, *lost, *(sum(ledger) for ledger in end.ledgers)])
    means = [np.mean(rows, axis=0) for rows in facts]
    spread = np.std(facts[1], axis=0) * (1 / 600 + 1 / 6000) ** 0.5
    assert (abs(means[0] - means[1]) < 4.5 * spread).all()


def _wander(made: AnyGame, state: State, rng: Random) -> State:
    """Take a random step by the rules."""
    now = made.turn(state)
    if isinstance(now, Choose):
        choices = [rng.choice(made.legal(state, seat)) for seat in now.seats]
        played: State = made.play(state, choices)
        return played
    revealed: State = made.reveal(state, rng.choice(made.chances(state))[0])
    return revealed


@pytest.mark.parametrize("seats", GAME.spec.seats)
def test_every_card_counts_but_those_that_a_sakura_cuts_off(seats: int) -> None:
    """K-18: cards that come after the one that brings the Emperor to a sakura are discarded."""
    assert GAME.kernel is not None
    kernel = cast("Kernel", GAME.kernel())
    assert kernel.throughput_unit is not None
    cuts = []
    for number in range(30):
        position, rng_state = kernel.pack(GAME.start(seats)), make_rng_state(str(number))
        played = copy_of(position)
        kernel.rules.playout(kernel.constants, played, copy_of(rng_state))
        cards = kernel.throughput_unit.count_playout(kernel.constants, position, rng_state)
        assert np.array_equal(position, played)
        painters, rounds = int(position[PAINTERS]), int(position[NUMBER])
        cuts.append(painters * rounds - cards)
        assert 0 <= cuts[-1] <= 3 * (painters - 1)
    assert any(cuts)
