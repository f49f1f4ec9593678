"""The library, the just-in-time compiler and plain Python give the same bits, without NumPy."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import TypeAlias

import numpy as np
import pytest

from pleasance.compiled.arrays import KernelArgumentError, zeros
from pleasance.compiled.export import Backend, use_backend
from pleasance.core.budget import SearchBudget
from pleasance.core.game import AnyGame, Choose, Seat
from pleasance.games.sakura.bots.network.search import search
from pleasance.games.sakura.bots.outlook.forecast import forecast
from pleasance.games.sakura.bots.planner import player as planner
from pleasance.games.sakura.kernel import scoring
from pleasance.games.sakura.kernel.actions import CARD_COUNT, MAX_CHOICES
from pleasance.games.sakura.kernel.layout import CONSTANTS_SIZE, MAX_SEATS, SIZE
from pleasance.games.sakura.kernel.packing import pack, pack_constants
from pleasance.games.sakura.kernel.rules import chances, legal, play
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.view import View
from pleasance.games.sakura.tests.positions import CONFIGURATIONS
from pleasance.games.sakura.tests.twins import make_game, random_position, walk
from pleasance.players.registry import make_player

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may

each = pytest.mark.parametrize(("seats", "options"), CONFIGURATIONS)

Values: TypeAlias = Mapping[Choice, float]

COMPILED: tuple[Backend, ...] = ("library", "jit")


def list_views(made: AnyGame, seats: int) -> Iterator[View]:
    """Show views of a random game, and of positions made up, in which a seat chooses."""
    rng = Random(f"backends {seats}")
    for state, _ in walk(made, made.start(seats), rng):
        turn = made.turn(state)
        if isinstance(turn, Choose):
            yield made.view(state, turn.seats[-1])
            yield made.view(random_position(made, seats, rng), Seat(0))


def value_all(view: View, worlds: int) -> tuple[Values, Values]:
    """Value the choices of a view by the planner and by the networks."""
    values = planner.evaluate(view, Random(1), worlds=worlds)
    return values, search(view, Random(2), SearchBudget(simulations=worlds))


@each
def test_all_backends_give_the_same_values(seats: int, options: tuple[str, ...]) -> None:
    found = []
    made = make_game(*options)
    views = list(islice(list_views(made, seats), 1, 60, 5))
    for backend in (*COMPILED, "python"):
        with use_backend(backend):
            found.append([value_all(view, 3) for view in views])
    for other in found[1:]:
        assert other == found[0]  # not even the last bit differs


@each
def test_all_backends_give_the_same_forecast(seats: int, options: tuple[str, ...]) -> None:
    found = []
    made = make_game(*options)
    view = next(islice(list_views(made, seats), 8, None))
    for backend in COMPILED:
        with use_backend(backend):
            found.append(forecast(view, Random(1)))
    assert all(other == found[0] for other in found)


@each
def test_compiled_backends_choose_the_same(seats: int, options: tuple[str, ...]) -> None:
    found = []
    made = make_game(*options)
    views = list(islice(list_views(made, seats), 0, 60, 3))
    for backend in COMPILED:
        with use_backend(backend):
            chooser = make_player("master:8", made)
            choices = [str(chooser(view, Random(3))) for view in views]
            found.append((choices, [value_all(view, 40) for view in views]))
    assert all(other == found[0] for other in found)


@pytest.mark.parametrize("backend", COMPILED)
def test_no_array_may_be_too_short(backend: Backend) -> None:
    made = make_game()
    state = next(iter(walk(made, made.start(4), Random(1))))[0]
    constants, position = pack_constants(state.box), pack(state)
    with use_backend(backend):
        assert legal(constants, position, 0, zeros("int64", MAX_CHOICES)) == 0
        assert legal(constants, position, 0, np.zeros(MAX_CHOICES + 1, dtype=np.int64)) == 0
        for box_size, size, count in (
            (CONSTANTS_SIZE, SIZE, MAX_CHOICES - 1),
            (CONSTANTS_SIZE, SIZE - 1, MAX_CHOICES),
            (CONSTANTS_SIZE - 1, SIZE, MAX_CHOICES),
        ):
            box, codes = zeros("int64", box_size), zeros("int64", count)
            with pytest.raises(KernelArgumentError):
                legal(box, zeros("int64", size), 0, codes)
        for function, length in (
            (chances, CARD_COUNT - 1),
            (play, MAX_SEATS - 1),
            (scoring.scores, MAX_SEATS - 1),
        ):
            with pytest.raises(KernelArgumentError):
                function(constants, position, zeros("int64", length))
        with pytest.raises(KernelArgumentError):
            scoring.shares(constants, position, zeros("float64", MAX_SEATS - 1))


def test_plain_python_follows_the_rules() -> None:
    """Slowly: whole games of all configurations."""
    code = """
from random import Random
from pleasance.games.sakura.tests import test_kernel as tests, twins
from pleasance.games.sakura.tests import test_planner
from pleasance.games.sakura.tests.positions import CONFIGURATIONS
for seats, options in CONFIGURATIONS:
    tests.check_games(twins.make_game(*options), seats, Random(1), games=1)
    test_planner.test_each_choice_is_evaluated_in_the_same_worlds(seats, options)
kernel = twins.get_kernel(twins.make_game())
flat = kernel.pack(twins.make_game().start(4))
kernel.rules.playout(kernel.constants, flat, twins.make_random_state(Random(1)))
"""
    environment = os.environ | {"PLEASANCE_KERNELS": "python"}
    subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment, check=True)


def test_numpys_arrays_do_as_well() -> None:
    """Training and tests hand them over; results are the same."""
    made = make_game()
    state = next(iter(walk(made, made.start(4), Random(1))))[0]
    constants, position = pack_constants(state.box), pack(state)
    weights, others = zeros("int64", CARD_COUNT), np.full(CARD_COUNT, 7, dtype=np.int64)
    chances(constants, position, weights)
    chances(np.array(constants), np.array(position), others)
    assert list(weights) == others.tolist()
