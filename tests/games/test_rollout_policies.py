"""Rollout policies choose as the game's planner does, and treat all seats alike."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from conformance import Configuration, find_configuration, random_game
from conformance.kernels import every_configuration_with_kernel, load_kernel
from pleasance.compiled.kernel import Kernel, RolloutPolicy
from pleasance.compiled.rng import make_rng_state
from pleasance.core.game import Choose, Seat
from pleasance.players.determinization import DeterminizedSearch
from pleasance.players.registry import make_player

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may


def load(config: Configuration) -> tuple[Kernel, RolloutPolicy]:
    """Load the twin of a configuration and its guide."""
    kernel = load_kernel(config)
    assert kernel.rollout_policy is not None
    return kernel, kernel.rollout_policy


def choices(config: Configuration, seed: int, every: int) -> list[tuple[Any, Seat]]:
    """List the decision points of a random game with the first seat to choose."""
    found = [
        (state, turn.seats[0])
        for state, turn in random_game(config, seed)
        if isinstance(turn, Choose)
    ]
    return found[::every]


@every_configuration_with_kernel
def test_a_guide_ranks_all_that_is_legal_and_nothing_else(config: Configuration) -> None:
    kernel, policy = load(config)
    workspace, rng_state = policy.make_workspace(), make_rng_state("rank")
    codes = np.zeros(kernel.max_choices, dtype=np.int64)
    values = np.zeros(kernel.max_choices)
    for state, seat in choices(config, 5, 7):
        flat = kernel.pack(state)
        count = policy.rank(kernel.constants, flat, seat, rng_state, workspace, codes, values)
        legal = [config.game.space.code(choice) for choice in config.game.legal(state, seat)]
        assert codes[:count].tolist() == legal
        assert np.isfinite(values[:count]).all()
        assert np.array_equal(flat, kernel.pack(state)), "ranking changes nothing"


def test_the_guide_of_sanssouci_judges_as_its_planner_does() -> None:
    config = find_configuration("sanssouci-2-rewards-boars")
    kernel, policy = load(config)
    heuristics = config.game.heuristics
    assert heuristics is not None
    assert heuristics.planner_values is not None
    workspace, rng_state = policy.make_workspace(), make_rng_state("plan")
    codes = np.zeros(kernel.max_choices, dtype=np.int64)
    values = np.zeros(kernel.max_choices)
    for state, seat in choices(config, 6, 3)[1:]:
        count = policy.rank(
            kernel.constants, kernel.pack(state), seat, rng_state, workspace, codes, values
        )
        plan = heuristics.planner_values(config.game.view(state, seat), Random(1))
        due = [plan[config.game.space.actions[code]] for code in codes[:count]]
        assert values[:count].tolist() == pytest.approx(due)


@every_configuration_with_kernel
def test_a_guide_shares_out_by_its_luck_alone(config: Configuration) -> None:
    kernel, policy = load(config)
    workspace = policy.make_workspace()
    for play_to_end in (policy.playout, policy.truncated_rollout):
        for state, _ in choices(config, 7, 9):
            told = []
            for _ in range(2):
                shares = np.zeros(8)
                rng_state = make_rng_state("shares")
                play_to_end(kernel.constants, kernel.pack(state), rng_state, workspace, shares)
                told.append(shares[: config.seats].tolist())
            assert told[0] == told[1]
            assert all(0 <= share <= 1 for share in told[0])


@pytest.mark.parametrize("name", ["flat:40", "ismcts:40"])
@pytest.mark.parametrize("game", ["sanssouci-2", "sakura-3"])
def test_without_a_guide_a_search_plays_on_at_random(game: str, name: str) -> None:
    config = find_configuration(game)
    kernel, _ = load(config)
    bare = replace(
        config.game, kernel=lambda: replace(kernel, rollout_policy=None), heuristics=None
    )
    player = make_player(name, bare)
    for state, seat in choices(config, 8, 12):
        view = config.game.view(state, seat)
        choice = player(view, Random(4))
        assert choice in view.legal
        assert player(view, Random(4)) == choice


def test_going_back_brings_back_what_the_others_chose() -> None:
    """A tree below one choice must not leave other choices of the others to the next one."""
    config = find_configuration("sakura-2")
    kernel, _ = load(config)
    state, seat = choices(config, 9, 1)[0]
    search = DeterminizedSearch(kernel, config.game.view(state, seat), Random(2))
    search.deal_world()
    search.chosen[1] = search.predict_choice(1)
    search.save()
    before = [list(array) for array in (search.position, search.chosen, search.rng_state)]
    search.chosen[0] = search.legal(0)[0]
    search.play()
    search.resolve_draws()
    search.chosen[:] = [3660] * len(search.chosen)
    search.restore()
    after = [list(array) for array in (search.position, search.chosen, search.rng_state)]
    assert after == before
