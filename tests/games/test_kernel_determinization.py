"""The compiled twin deals what a seat cannot see as the rules imagine it, early and late."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from conformance import Configuration, find_configuration, random_game
from conformance.kernels import every_configuration_with_kernel, load_kernel
from pleasance.compiled.rng import make_rng_state
from pleasance.core.game import Choose, Seat

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may

WORLDS = 2500

LIMIT = 4.9
"""Standard deviations that hardly ever come up by chance in all the cells of this file together."""

Deal = Callable[[], Any]
"""Deals one more world, as a state."""


def count(deal: Deal) -> NDArray[np.float64]:
    """Count how often each card lies in each hand, and each mission with each seat."""
    worlds = [deal() for _ in range(WORLDS)]
    sets = np.array([(*world.hands, *getattr(world, "missions", ())) for world in worlds])
    bits = [np.count_nonzero(sets >> bit & 1, axis=0) for bit in range(64)]
    return np.stack(bits, axis=1).ravel().astype(np.float64)


def find_gap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the largest difference between two counts in standard deviations."""
    part = (one + other) / (2 * WORLDS)
    spread = np.sqrt(2 * WORLDS * part * (1 - part))
    return float(np.max(np.abs(one - other)[spread > 0] / spread[spread > 0], initial=0.0))


def find_moments(config: Configuration) -> Iterator[Any]:
    """Find the first choice of a random game, one in the middle, and one near the end."""
    found = [state for state, turn in random_game(config, 21) if isinstance(turn, Choose)]
    yield from (found[0], found[len(found) // 2], found[-2])


def deal_by_twin(config: Configuration, state: Any, seat: Seat) -> Deal:
    kernel, rng_state = load_kernel(config), make_rng_state("deal")
    view = config.game.view(state, seat)

    def deal() -> Any:
        world = kernel.pack_view(view)
        kernel.rules.deal(kernel.constants, world, rng_state)
        return kernel.unpack(world)

    return deal


def deal_by_rules(config: Configuration, state: Any, seat: Seat) -> Deal:
    view, rng = config.game.view(state, seat), Random(5)
    return lambda: config.game.imagine(view, rng)


@every_configuration_with_kernel
def test_the_twin_deals_as_the_rules_imagine(config: Configuration) -> None:
    """Every hidden card and mission of every seat, at three moments of a game."""
    for state in find_moments(config):
        counted = [count(by(config, state, Seat(0))) for by in (deal_by_twin, deal_by_rules)]
        assert counted[0].sum() == counted[1].sum()
        assert find_gap(*counted) < LIMIT


@pytest.mark.parametrize("name", ["sakura-2", "sakura-4", "sakura-6"])
def test_moments_include_decks_that_were_made_anew(name: str) -> None:
    assert len(list(find_moments(find_configuration(name)))[-1].decks) > 1


def test_hidden_missions_and_cards_come_as_often_as_they_should() -> None:
    """At the first choice chances can be told: two of 18 cards, two of seven missions."""
    config = find_configuration("sanssouci-2")
    counted = count(deal_by_twin(config, next(find_moments(config)), Seat(0))).reshape(4, 64)
    for row, part, kinds in ((counted[1], 2 / 18, 18), (counted[3], 2 / 7, 7)):
        possible = row[row > 0]
        assert len(possible) == kinds
        spread = np.sqrt(WORLDS * part * (1 - part))
        assert np.abs(possible - WORLDS * part).max() < LIMIT * spread


@pytest.mark.parametrize("name", ["sanssouci-2", "sakura-3"])
def test_a_card_dealt_half_as_often_as_it_should_be_is_found(name: str) -> None:
    """So the limit is not too wide to find anything."""
    config = find_configuration(name)
    state = next(find_moments(config))
    fair, rng = deal_by_rules(config, state, Seat(0)), Random(6)
    hand = fair().hands[1]
    rare = hand & -hand

    def cheat() -> Any:
        while (world := fair()).hands[1] & rare and rng.random() < 0.5:
            pass
        return world

    honest = count(deal_by_rules(config, state, Seat(0)))
    assert find_gap(honest, count(deal_by_twin(config, state, Seat(0)))) < LIMIT
    assert find_gap(honest, count(cheat)) > LIMIT
