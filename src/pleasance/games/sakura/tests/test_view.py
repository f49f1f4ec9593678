"""A view holds nothing hidden, and imagined worlds look the same to the viewer."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given

from pleasance.core.bits import mask_of
from pleasance.core.game import Draw, Seat
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import View, imagine, view
from pleasance.games.sakura.tests.positions import (
    Configuration,
    board,
    configurations,
    house,
    play_round,
    seeds,
    wander,
)


def viewers(state: State) -> list[Seat | None]:
    return [None, *map(Seat, range(len(state.hands)))]


@pytest.mark.slow
@given(configurations, seeds)
def test_an_imagined_world_looks_the_same_to_the_viewer(
    configuration: Configuration, seed: int
) -> None:
    rng = Random(seed)
    for state in wander(*configuration, rng):
        for seat in viewers(state):
            seen = view(state, seat)
            assert view(imagine(seen, rng), seat) == seen


@pytest.mark.slow
@given(configurations, seeds)
def test_a_private_draw_of_another_card_changes_nobody_elses_view(
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        now = rules.turn(state)
        if not isinstance(now, Draw) or now.to is None:
            continue
        first, *others = [rules.reveal(state, outcome) for outcome, _ in rules.chances(state)]
        for seat in viewers(state):
            if seat != now.to:
                assert all(view(other, seat) == view(first, seat) for other in others[:3])
            elif others:
                assert view(others[0], seat) != view(first, seat)


@pytest.mark.slow
@given(configurations, seeds)
def test_exchanging_hidden_cards_of_one_deck_changes_no_other_view(
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        for other, who_knows in exchange(state):
            for seat in viewers(state):
                assert (view(other, seat) == view(state, seat)) == (seat not in who_knows)


def exchange(state: State) -> Iterator[tuple[State, set[int]]]:
    """Exchange a card of the first hand with one of the second, or of the deck."""
    later = 0
    first, second, *rest = state.hands
    for deck in reversed(state.decks):
        mine, yours, still = (pile & deck & ~later for pile in (first, second, state.deck))
        later |= deck
        if mine and yours:
            both = mine & -mine | yours & -yours
            yield state._replace(hands=(first ^ both, second ^ both, *rest)), {0, 1}
        if mine and still:
            both = mine & -mine | still & -still
            yield state._replace(hands=(first ^ both, second, *rest), deck=state.deck ^ both), {0}


def test_a_view_names_no_hidden_card() -> None:
    state = board("abc|.....E", cards=(8, 17, 39))
    assert view(state, Seat(1)).hand == state.hands[1]
    assert set(View._fields) & {"hands", "deck"} == set()
    assert view(state, None).hand == 0
    assert view(state, None).legal == ()


def test_after_a_rebuild_the_old_cards_are_known_to_be_in_hands() -> None:  # K-6
    # All that is not in the new deck and not seen must be in the hands of the others.
    state = board("abc|.....E", cards=(8, 17, 39))
    state = play_round(state._replace(deck=0, discards=state.deck), (8, 17, 39))
    while isinstance(rules.turn(state), Draw):
        state = rules.reveal(state, rules.chances(state)[0][0])
    seen = view(state, Seat(0))
    assert seen.origins == ((4, 1), (4, 1), (4, 1))
    old = state.decks[0] & ~state.decks[1]
    for seed in range(20):
        world = imagine(seen, Random(seed))
        assert (world.hands[1] & old).bit_count() == (world.hands[2] & old).bit_count() == 4
        assert (world.hands[1] | world.hands[2]) & old == (state.hands[1] | state.hands[2]) & old


def test_worlds_are_imagined_evenly() -> None:  # K-6
    state = rules.start(house(), 2)
    for _ in range(6):
        state = rules.reveal(state, rules.chances(state)[0][0])
    seen, rng = view(state, Seat(0)), Random(1)
    drawn = Counter(imagine(seen, rng).hands[1] for _ in range(5500))
    assert set(drawn) == {1 << card for card in range(6, 61)}
    assert max(drawn.values()) < 150
    assert min(drawn.values()) > 60
    assert mask_of(range(1, 6)) == seen.hand
