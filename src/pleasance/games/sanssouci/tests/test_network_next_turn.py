"""The gain of the next turn equals that of laying each tile one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pleasance.compiled.kernel import Kernel
from pleasance.games.sanssouci.bots.network import accumulator as fact
from pleasance.games.sanssouci.bots.network import feature_index as index
from pleasance.games.sanssouci.bots.network.features import extract_garden, extract_market
from pleasance.games.sanssouci.bots.network.model import start_inputs
from pleasance.games.sanssouci.bots.network.next_turn_features import (
    UNITS_PER_POINT,
    compute_tile_gains,
    expected_hidden_gain,
    expected_owner_gain,
)
from pleasance.games.sanssouci.bots.network.search import spread_to_walks
from pleasance.games.sanssouci.bots.network.static_value import static_value
from pleasance.games.sanssouci.bots.network.storage import read_net
from pleasance.games.sanssouci.bots.network.workspace import make_net_workspace
from pleasance.games.sanssouci.kernel import afterstates
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.garden import EVERYWHERE, cross
from pleasance.games.sanssouci.kernel.layout import seat_block
from pleasance.games.sanssouci.tests.test_network import positions
from pleasance.games.sanssouci.training.weights import make_net, make_weights

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may


def look(kernel: Kernel, state: Any, seat: int, *, is_owner: int) -> tuple[Any, Any]:
    """Extract a seat's garden with a full main board: the workspace and the garden."""
    workspace = make_net_workspace(
        make_net(make_weights(np.random.default_rng(1))), kernel.constants
    )
    garden, seats = np.zeros(afterstates.ROW_SIZE, np.int64), state[at.SEATS]
    left = at.ROUNDS - state[at.TURNS] // seats
    start_inputs(workspace, state, seat, is_owner, seats, left)
    extract_market(workspace.inputs, state, seat, state[seat_block(seat) + at.HAND], -1)
    afterstates.copy_garden(state, seat, garden)
    extract_garden(workspace.inputs, kernel.constants, state, garden)
    return workspace, garden


def lay_and_count(kernel: Kernel, state: Any, workspace: Any, garden: Any, cell: int) -> float:
    """Lay the tile of a cell wherever the rules allow; return the largest immediate gain."""
    constants, inputs = kernel.constants, workspace.inputs
    before = static_value(constants, inputs, garden[afterstates.AFTER_POINTS], -1)
    free = EVERYWHERE & ~int(garden[afterstates.AFTER_BUILT])
    is_gardener = not (free >> cell) & 1
    cells = ((free & cross(cell)) or free) if is_gardener else 1 << cell
    best = 0.0 if is_gardener else -np.inf
    for there in range(54):
        if (cells >> there) & 1:
            after = garden.copy()
            after[afterstates.AFTER_BUILT] |= 1 << there
            after[afterstates.AFTER_GARDENERS] |= is_gardener << there
            if inputs[fact.SIDE] >= 0:
                pays = at.REWARDS + (inputs[fact.SIDE] * 54 + there) * 2 + is_gardener
                after[afterstates.AFTER_POINTS] += constants[pays]
            extract_garden(inputs, constants, state, after)
            best = max(
                best, static_value(constants, inputs, after[afterstates.AFTER_POINTS], -1) - before
            )
    extract_garden(inputs, constants, state, garden)
    return best


@pytest.mark.parametrize("is_owner", [0, 1])
@pytest.mark.parametrize("table", ["sanssouci-2", "sanssouci-3-rewards"])
def test_the_gain_of_a_tile_equals_that_of_laying_it(table: str, is_owner: int) -> None:
    kernel, states = positions(table, 8)
    found = 0
    for state in states[2::5]:
        workspace, garden = look(kernel, state, int(state[at.ACTOR]), is_owner=is_owner)
        compute_tile_gains(kernel.constants, workspace.inputs, state)
        gains = workspace.inputs[fact.GAINS : fact.GAINS + at.SPACES]
        for space in range(at.SPACES):
            motif = int(state[at.MARKET + space])
            if motif >= 0:
                cell = 9 * (space // 2) + 9 + motif
                counted = lay_and_count(kernel, state, workspace, garden, cell)
                assert gains[space] / UNITS_PER_POINT == pytest.approx(counted)
                found += counted > 0
    assert found > 10


def test_the_expected_gain_averages_the_cards_that_may_be_drawn() -> None:
    kernel, (state, *_) = positions("sanssouci-2", 8)
    workspace, _ = look(kernel, state, int(state[at.ACTOR]), is_owner=1)
    inputs = workspace.inputs
    inputs[fact.GAINS : fact.GAINS + at.SPACES] = [n * UNITS_PER_POINT for n in range(at.SPACES)]
    rows_2_and_3, rows_5_and_6, any_tile = 9, 18, 19
    inputs[fact.HELD] = 1 << rows_2_and_3  # spaces 0 to 3
    inputs[fact.COMING] = 1 << rows_5_and_6 | 1 << any_tile  # spaces 6 to 9; all spaces
    assert expected_owner_gain(inputs, state) == 9 * UNITS_PER_POINT
    inputs[fact.COMING] = 0
    assert expected_owner_gain(inputs, state) == 3 * UNITS_PER_POINT
    rows_2_and_4 = 10  # spaces 0, 1, 4, 5
    inputs[fact.COMING] = 1 << rows_2_and_3 | 1 << rows_2_and_4 | 1 << any_tile
    assert expected_owner_gain(inputs, state) == (3 + 5 + 9) * UNITS_PER_POINT / 3
    assert expected_hidden_gain(inputs, state) == (5 + 9 + 9) * UNITS_PER_POINT / 3
    bests = inputs[fact.BESTS : fact.BESTS + 3]
    assert list(bests) == [gain * UNITS_PER_POINT for gain in (3, 5, 9)]


def test_an_older_network_gives_newer_features_no_weight(tmp_path: Path) -> None:
    parts = make_weights(np.random.default_rng(1))
    known = parts.pop("words")[: index.HELP]
    parts.pop("shares")
    steps = np.ones((len(known), 1))
    words = np.rint(100 * known).clip(-127, 127).astype(np.int8)
    np.savez(tmp_path / "before.npz", words=words, steps=steps, **parts)
    net = read_net(tmp_path / "before.npz")
    embedding = np.asarray(net.embedding)
    assert embedding[: index.HELP].any()
    assert not embedding[index.HELP :].any()
    assert not any(net.tail[fact.SHARES :])


def test_untried_walks_share_the_correction_of_a_simulated_turn() -> None:
    card, space, gardener, chased, walked = range(5)
    turns = np.full((4, afterstates.ROW_SIZE), -1, dtype=np.int64)
    turns[:, card], turns[:, space] = (3, 3, 3, 4), (5, 5, 6, 6)
    turns[:, gardener], turns[:, chased], turns[:, walked] = -1, -1, (10, 20, 10, 10)
    values = np.array([5.0, 4.5, 4.0, 3.0])
    spread_to_walks(turns, values, len(turns), 0, 2.0)
    spread_to_walks(turns, values, len(turns), 2, 4.4)
    assert values.tolist() == [2.0, 1.5, 4.4, 3.0]
