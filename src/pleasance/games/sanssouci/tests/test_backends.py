"""Compiled code runs without NumPy, refuses short arrays, and computes the same bits everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from random import Random
from typing import Any

import pytest

from conformance import find_configuration, random_game
from pleasance.compiled.arrays import KernelArgumentError, zeros
from pleasance.compiled.export import Backend, use_backend
from pleasance.core.budget import SearchBudget
from pleasance.core.game import Choose
from pleasance.games.sanssouci.bots.network.player import evaluate
from pleasance.games.sanssouci.bots.network.search import search
from pleasance.games.sanssouci.bots.network.storage import read_net
from pleasance.games.sanssouci.bots.planner.rollout import make_workspace, rank
from pleasance.games.sanssouci.heuristics import planner_values
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel import rules, scoring
from pleasance.games.sanssouci.kernel.actions import MAX_CHOICES, OUTCOMES
from pleasance.games.sanssouci.kernel.packing import pack, pack_constants
from pleasance.games.sanssouci.rules.actions import DRAWS
from pleasance.games.sanssouci.rules.view import View

TABLES = (
    "sanssouci-2",
    "sanssouci-2-rewards-boars",
    "sanssouci-3-rewards",
    "sanssouci-4-boars",
    "sanssouci-4",
)


def first_position() -> tuple[Any, Any]:
    """Pack the first position of a game in which a turn begins, with its box."""
    game = random_game(find_configuration("sanssouci-2"), 1)
    state = next(state for state, _ in game if state.phase == at.TAKE)
    return pack_constants(state.box), pack(state)


def test_the_sizes_of_codes_are_those_of_the_rules() -> None:
    assert len(DRAWS) == OUTCOMES


@pytest.mark.slow
def test_a_library_refuses_arrays_that_are_too_short() -> None:
    constants, position = first_position()
    codes, short = zeros("int64", MAX_CHOICES), zeros("int64", 3)
    with use_backend("library"):
        assert rules.legal(constants, position, position[at.ACTOR], codes) > 0
        with pytest.raises(KernelArgumentError, match="codes must be int64"):
            rules.legal(constants, position, 0, short)
        with pytest.raises(KernelArgumentError, match="codes"):
            rules.legal.bind(constants, position, ..., short)
        with pytest.raises(KernelArgumentError, match="state"):
            rules.legal(constants, short, 0, codes)
        with pytest.raises(KernelArgumentError, match="constants"):
            rules.play(short, position, codes)
        with pytest.raises(KernelArgumentError, match="weights"):
            rules.chances(constants, position, short)
        with pytest.raises(KernelArgumentError, match="points"):
            scoring.scores(constants, position, short)
        workspace = make_workspace()._replace(rows=zeros("int64", 8, 10))
        values = zeros("float64", MAX_CHOICES)
        with pytest.raises(KernelArgumentError, match=r"workspace\.rows"):
            rank(constants, position, 0, zeros("uint64", 1), workspace, codes, values)


def views(table: str, first: int, step: int) -> Iterator[View]:
    """Yield views of the seats that choose in some positions of a random game."""
    config = find_configuration(table)
    choices = [
        (state, turn.seats[-1])
        for state, turn in random_game(config, 21)
        if isinstance(turn, Choose)
    ]
    for state, seat in choices[first::step]:
        yield config.game.view(state, seat)


def all_values(view: View, budget: SearchBudget) -> list[dict[Any, float]]:
    """Let the planner, the network and the search value the choices of a view."""
    found = [planner_values(view, Random(1)), evaluate(view, Random(1))]
    return [*map(dict, found), dict(search(view, Random(1), budget))]


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("table", TABLES)
def test_every_backend_computes_the_same_bits(table: str) -> None:
    """Plain Python is slow, so it sees fewer positions and less search."""
    steps: tuple[tuple[Backend, int, int], ...] = (("jit", 7, 32), ("python", 37, 8))
    for backend, step, simulations in steps:
        budget = SearchBudget(simulations=simulations)
        for view in views(table, 3, step):
            with use_backend("library"):
                expected = all_values(view, budget)
            with use_backend(backend):
                assert all_values(view, budget) == expected


@pytest.mark.slow
def test_every_backend_unpacks_the_same_weights() -> None:
    path = files("pleasance.games.sanssouci") / "weights" / "points.npz"
    nets = []
    for backend in ("library", "python"):
        with use_backend(backend), path.open("rb") as file:
            nets.append([bytes(array) for array in read_net(file)])
    assert nets[0] == nets[1]
