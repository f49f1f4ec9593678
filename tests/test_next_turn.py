"""What the next turn can bring: counted tile by tile, as laying each of them would show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conformance import find_configuration, walk
from pleasance.compiled.kernel import Kernel
from pleasance.core.game import Choose
from pleasance.games.sanssouci.bots.network import feature_index as say
from pleasance.games.sanssouci.bots.network.accumulator import (
    BESTS,
    COMING,
    GAINS,
    HELD,
    SHARES,
    SIDE,
    make_net,
    split_net,
)
from pleasance.games.sanssouci.bots.network.features import see_garden, see_market
from pleasance.games.sanssouci.bots.network.model import begin_look, make_bureau, show_garden
from pleasance.games.sanssouci.bots.network.next_turn_features import (
    UNIT,
    expect_other,
    expect_own,
    weigh_tiles,
)
from pleasance.games.sanssouci.bots.network.player import share_finds
from pleasance.games.sanssouci.bots.network.static_value import take_stock
from pleasance.games.sanssouci.bots.network.storage import read_net
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    AFTER_BUILT,
    AFTER_GARDENERS,
    AFTER_POINTS,
    ROW_SIZE,
)
from pleasance.games.sanssouci.kernel.rules import (
    EVERYWHERE,
    ROUNDS,
    SPACES,
    TAKE,
    cross,
    seat_block,
)

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may


def look(kernel: Kernel, state: Any, seat: int, *, knows: int) -> tuple[Any, Any]:
    """Look at a seat's garden with nothing taken from the main board: a bureau and the garden."""
    bureau, garden = make_bureau(make_net(np.random.default_rng(1))), np.zeros(ROW_SIZE, np.int64)
    seats = state[at.SEATS]
    begin_look(bureau, kernel.box, state, seat, knows, seats, ROUNDS - state[at.TURNS] // seats)
    see_market(bureau.sheet, state, seat, state[seat_block(seat) + at.HAND], -1)
    show_garden(state, seat, garden)
    see_garden(bureau.sheet, kernel.box, state, garden)
    return bureau, garden


def lay_and_count(kernel: Kernel, state: Any, bureau: Any, garden: Any, cell: int) -> float:
    """Lay the tile of a cell wherever the rules allow; tell the most that this brings at once."""
    box, sheet = kernel.box, bureau.sheet
    before = take_stock(box, sheet, garden[AFTER_POINTS], -1)
    free = EVERYWHERE & ~int(garden[AFTER_BUILT])
    is_gardener = not (free >> cell) & 1
    cells = ((free & cross(cell)) or free) if is_gardener else 1 << cell
    best = 0.0 if is_gardener else -np.inf
    for there in range(54):
        if (cells >> there) & 1:
            after = garden.copy()
            after[AFTER_BUILT] |= 1 << there
            after[AFTER_GARDENERS] |= is_gardener << there
            if sheet[SIDE] >= 0:
                pays = at.REWARDS + (sheet[SIDE] * 54 + there) * 2 + is_gardener
                after[AFTER_POINTS] += box[pays]
            see_garden(sheet, box, state, after)
            best = max(best, take_stock(box, sheet, after[AFTER_POINTS], -1) - before)
    see_garden(sheet, box, state, garden)
    return best


@pytest.mark.parametrize("knows", [0, 1])
@pytest.mark.parametrize("table", ["sanssouci-2", "sanssouci-3-rewards"])
def test_each_tile_brings_what_laying_it_brings(table: str, knows: int) -> None:
    config = find_configuration(table)
    assert config.game.kernel is not None
    kernel: Any = config.game.kernel()
    packed = [kernel.pack(state) for state, turn in walk(config, 8) if isinstance(turn, Choose)]
    found = 0
    for state in [state for state in packed if state[at.PHASE] == TAKE][2::5]:
        bureau, garden = look(kernel, state, int(state[at.ACTOR]), knows=knows)
        weigh_tiles(kernel.box, bureau.sheet, state)
        gains = bureau.sheet[GAINS : GAINS + SPACES].copy()
        for space in range(SPACES):
            motif = int(state[at.MARKET + space])
            if motif >= 0:
                cell = 9 * (space // 2) + 9 + motif
                counted = lay_and_count(kernel, state, bureau, garden, cell)
                assert gains[space] / UNIT == pytest.approx(counted)
                found += counted > 0
    assert found > 10


def test_the_mean_is_taken_over_the_cards_that_may_come() -> None:
    config = find_configuration("sanssouci-2")
    assert config.game.kernel is not None
    kernel: Any = config.game.kernel()
    states = [kernel.pack(state) for state, turn in walk(config, 8) if isinstance(turn, Choose)]
    state = next(state for state in states if state[at.PHASE] == TAKE)
    bureau, _ = look(kernel, state, int(state[at.ACTOR]), knows=1)
    sheet = bureau.sheet
    sheet[GAINS : GAINS + SPACES] = np.arange(SPACES) * UNIT
    rows_2_and_3, rows_5_and_6, any_tile = 9, 18, 19
    sheet[HELD] = 1 << rows_2_and_3  # spaces 0 to 3
    sheet[COMING] = 1 << rows_5_and_6 | 1 << any_tile  # spaces 6 to 9; all spaces
    assert expect_own(sheet, state) == 9 * UNIT
    sheet[COMING] = 0
    assert expect_own(sheet, state) == 3 * UNIT
    sheet[COMING] = 1 << rows_2_and_3 | 1 << 10 | 1 << any_tile  # rows 2 and 4: spaces 0, 1, 4, 5
    assert expect_own(sheet, state) == (3 + 5 + 9) * UNIT / 3
    assert expect_other(sheet, state) == (5 + 9 + 9) * UNIT / 3
    assert list(sheet[BESTS : BESTS + 3]) == [3 * UNIT, 5 * UNIT, 9 * UNIT]


def test_a_network_of_before_gives_later_words_no_weight(tmp_path: Path) -> None:
    parts = split_net(make_net(np.random.default_rng(1)))
    known = parts.pop("words")[: say.HELP]
    parts.pop("shares")
    steps = np.ones((len(known), 1))
    np.savez(tmp_path / "before.npz", words=np.rint(100 * known), steps=steps, **parts)
    net = read_net(tmp_path / "before.npz")
    assert net.words[: say.HELP].any()
    assert not net.words[say.HELP :].any()
    assert not net.tail[SHARES:].any()


def test_walks_that_were_not_tried_share_in_what_was_found() -> None:
    card, space, gardener, chased, walked = range(5)
    turns = np.full((4, ROW_SIZE), -1, dtype=np.int64)
    turns[:, card], turns[:, space] = (3, 3, 3, 4), (5, 5, 6, 6)
    turns[:, gardener], turns[:, chased], turns[:, walked] = -1, -1, (10, 20, 10, 10)
    values, found = np.array([5.0, 4.5, 4.0, 3.0]), np.array([2.0, 4.5, 4.4, 3.0])
    share_finds(turns, values, found, [0, 2])
    assert found.tolist() == [2.0, 1.5, 4.4, 3.0]
