"""What a game tells searches about good play: the same as its planner, and fair to all seats."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from conformance import CONFIGURATIONS, Configuration, find_configuration, walk
from pleasance.compiled.kernel import Guide, Kernel
from pleasance.compiled.rng import make_luck
from pleasance.core.game import Choose, Seat
from pleasance.players import find_player
from pleasance.players.determinization import Worlds

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may

GUIDED = [config for config in CONFIGURATIONS if config.game.kernel is not None]
every_guide = pytest.mark.parametrize("config", [pytest.param(c, id=c.name) for c in GUIDED])


def load(config: Configuration) -> tuple[Kernel, Guide]:
    """Load the twin of a configuration and its guide."""
    assert config.game.kernel is not None
    kernel = config.game.kernel()
    assert isinstance(kernel, Kernel)
    assert kernel.guide is not None
    return kernel, kernel.guide


def choices(config: Configuration, seed: int, every: int) -> list[tuple[Any, Seat]]:
    """List positions of a random game where somebody chooses, with the first who does."""
    found = [
        (state, turn.seats[0]) for state, turn in walk(config, seed) if isinstance(turn, Choose)
    ]
    return found[::every]


@every_guide
def test_a_guide_ranks_all_that_is_legal_and_nothing_else(config: Configuration) -> None:
    kernel, guide = load(config)
    desk, luck = guide.make_desk(), make_luck("rank")
    codes = np.zeros(kernel.most_choices, dtype=np.int64)
    worths = np.zeros(kernel.most_choices)
    for state, seat in choices(config, 5, 7):
        flat = kernel.pack(state)
        count = guide.rank(kernel.box, flat, seat, luck, desk, codes, worths)
        legal = [config.game.space.code(choice) for choice in config.game.legal(state, seat)]
        assert codes[:count].tolist() == legal
        assert np.isfinite(worths[:count]).all()
        assert np.array_equal(flat, kernel.pack(state)), "ranking changes nothing"


def test_the_guide_of_sanssouci_judges_as_its_planner_does() -> None:
    config = find_configuration("sanssouci-2-rewards-boars")
    kernel, guide = load(config)
    heuristics = config.game.heuristics
    assert heuristics is not None
    assert heuristics.plan is not None
    desk, luck = guide.make_desk(), make_luck("plan")
    codes = np.zeros(kernel.most_choices, dtype=np.int64)
    worths = np.zeros(kernel.most_choices)
    for state, seat in choices(config, 6, 3)[1:]:
        count = guide.rank(kernel.box, kernel.pack(state), seat, luck, desk, codes, worths)
        plan = heuristics.plan(config.game.view(state, seat), Random(1))
        due = [plan[config.game.space.actions[code]] for code in codes[:count]]
        assert worths[:count].tolist() == pytest.approx(due)


@every_guide
def test_a_guide_shares_out_by_its_luck_alone(config: Configuration) -> None:
    kernel, guide = load(config)
    desk = guide.make_desk()
    for play_on in (guide.playout, guide.foresee):
        for state, _ in choices(config, 7, 9):
            told = []
            for _ in range(2):
                shares = np.zeros(8)
                play_on(kernel.box, kernel.pack(state), make_luck("shares"), desk, shares)
                told.append(shares[: config.seats].tolist())
            assert told[0] == told[1]
            assert all(0 <= share <= 1 for share in told[0])


@pytest.mark.parametrize("name", ["flat:40", "ismcts:40"])
@pytest.mark.parametrize("game", ["sanssouci-2", "sakura-3"])
def test_without_a_guide_a_search_plays_on_at_random(game: str, name: str) -> None:
    config = find_configuration(game)
    kernel, _ = load(config)
    bare = replace(config.game, kernel=lambda: replace(kernel, guide=None), heuristics=None)
    player = find_player(name, bare)
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
    worlds = Worlds(kernel, config.game.view(state, seat), Random(2))
    worlds.deal()
    worlds.chosen[1] = worlds.guess(1)
    worlds.keep()
    before = (worlds.position.tolist(), worlds.chosen.tolist(), worlds.luck.tolist())
    worlds.chosen[0] = worlds.legal(0)[0]
    worlds.play()
    worlds.draw_on()
    worlds.chosen[:] = 3660
    worlds.go_back()
    assert (worlds.position.tolist(), worlds.chosen.tolist(), worlds.luck.tolist()) == before
