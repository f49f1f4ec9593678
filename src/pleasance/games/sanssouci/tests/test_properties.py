"""Laws that hold in every position of every game."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pleasance.core.bits import bits
from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Choose, Draw, Over, Seat
from pleasance.games.sanssouci import GAME
from pleasance.games.sanssouci.rules.components import Motif
from pleasance.games.sanssouci.rules.garden import (
    CELLS,
    COLUMN,
    EVERYWHERE,
    ROW,
    Cell,
    cell_name,
    mirror,
    neighbors,
    parse_cell,
    promenade,
    reach,
)
from pleasance.games.sanssouci.rules.moves import walks
from pleasance.games.sanssouci.rules.setup import COVERED
from pleasance.games.sanssouci.rules.state import NO_TILE, NOWHERE, Phase, State, noble_row

cells = st.sampled_from(CELLS)
cell_sets = st.integers(0, EVERYWHERE)
seeds = st.integers(0, 2**32)
options = st.sampled_from([(), ("rewards",), ("boars",), ("rewards", "boars")])


def played(options: tuple[str, ...], seats: int, seed: int, plies: int) -> State:
    """Play *plies* random plies of a game."""
    game, rng = GAME.configure(options, None), Random(seed)
    state = game.start(seats)
    for _ in range(plies):
        match game.turn(state):
            case Choose(seats=choosing):
                state = game.play(state, [rng.choice(game.legal(state, seat)) for seat in choosing])
            case Draw():
                state = game.reveal(state, rng.choice(game.chances(state))[0])
            case Over():
                return state
    return state


positions = st.builds(played, options, st.integers(2, 4), seeds, st.integers(0, 450))


@given(cells, cells)
def test_touching_is_mutual(one: Cell, other: Cell) -> None:
    assert (neighbors(1 << one) >> other & 1) == (neighbors(1 << other) >> one & 1)


@given(cells)
def test_a_cell_touches_the_cells_one_step_away(cell: Cell) -> None:
    row, column = divmod(cell, 9)
    steps = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    beside = {r * 9 + c for r, c in steps if 0 <= r < 6 and 0 <= c < 9}
    assert set(bits(neighbors(1 << cell))) == beside


@given(cell_sets)
def test_mirroring_twice_changes_nothing(chosen: int) -> None:
    assert mirror(mirror(chosen)) == chosen


@given(cell_sets)
def test_a_promenade_is_closed_and_holds_row_one(built: int) -> None:
    """S-15: nothing built touches it from outside."""
    built |= ROW[0]
    walked = promenade(built)
    assert walked & ROW[0] == ROW[0]
    assert not walked & ~built
    assert not neighbors(walked) & built & ~walked
    assert promenade(mirror(built)) == mirror(walked)


@given(cell_sets, cells)
def test_reach_is_mutual(ground: int, start: Cell) -> None:
    ground |= 1 << start
    for cell in bits(reach(1 << start, ground)):
        assert reach(1 << cell, ground) >> start & 1


def test_every_cell_name_reads_back() -> None:
    assert all(parse_cell(cell_name(cell)) == cell for cell in CELLS)


@given(positions)
def test_tiles_are_conserved(state: State) -> None:
    """S-5, S-13, S-14: bag, main board, gardens and the tile in hand make up the supply."""
    laid = 0
    for garden in state.gardens:
        if garden.board >= 0:
            printed = state.box.components.gardens[garden.board]
            printed &= ~COVERED if garden.rewards_side >= 0 else -1
            laid += (garden.built & ~printed).bit_count()
    shown = sum(tile != NO_TILE for tile in state.market)
    in_hand = state.phase is Phase.PLACE
    supply = state.box.components.tiles[len(state.gardens)] * 9
    assert sum(state.bag) + shown + laid + in_hand == supply


@given(positions)
def test_cards_are_conserved(state: State) -> None:
    """S-4, S-12, S-17: hand, deck and plays of each seat make up its 18 cards."""
    seats = len(state.gardens)
    for seat in range(seats):
        assert not state.hands[seat] & state.decks[seat]
        held = (state.hands[seat] | state.decks[seat]).bit_count()
        after_first = (seat - state.first) % seats
        plays = (state.turns + seats - 1 - after_first) // seats
        is_in_turn = Phase.TAKE < state.phase < Phase.OVER and seat == state.actor
        assert held == 18 - plays - is_in_turn


@given(positions)
def test_ten_tiles_are_shown_whenever_a_card_is_played(state: State) -> None:
    """S-16."""
    if state.phase is Phase.TAKE:
        assert NO_TILE not in state.market


@given(positions)
def test_missions_are_dealt_once(state: State) -> None:
    """S-10."""
    dealt = [motif for missions in state.missions for motif in bits(missions)]
    assert len(dealt) == len(set(dealt))
    assert all(missions.bit_count() <= 2 for missions in state.missions)


@given(positions)
def test_each_column_has_one_noble_and_it_stands_on_a_motif(state: State) -> None:
    """S-6, S-15: never on a gardener, never on a free cell."""
    for garden in state.gardens:
        for motif in Motif:
            row = noble_row(garden, motif)
            ahead = garden.ahead & COLUMN[motif]
            assert ahead == COLUMN[motif] & ~((1 << 9 * row) - 1)
            if row:
                cell = (row - 1) * 9 + motif
                assert garden.built >> cell & 1
                assert not garden.gardeners >> cell & 1
                assert promenade(garden.built) >> cell & 1


@given(positions)
def test_gardeners_are_built_and_boars_stand_on_free_cells(state: State) -> None:
    """S-14, S-25."""
    for seat, garden in enumerate(state.gardens):
        assert not garden.gardeners & ~garden.built
        is_disturbed = state.phase is Phase.BOAR and seat == state.actor
        if garden.boar != NOWHERE and not is_disturbed:
            assert not garden.built >> garden.boar & 1


@given(positions)
def test_a_score_is_the_sum_of_its_causes_and_never_negative(state: State) -> None:
    """S-18, S-23, S-26."""
    scores = GAME.scores(state)
    assert scores == tuple(sum(item.points for item in seat) for seat in GAME.score_items(state))
    assert min(scores) >= 0


@given(positions)
def test_a_walk_scores_the_row_where_it_ends(state: State) -> None:
    """S-15."""
    if state.phase is Phase.WALK:
        seat = state.actor
        for action in GAME.legal(state, seat):
            gain = sum(GAME.play(state, [action]).gardens[seat].ledger)
            gain -= sum(state.gardens[seat].ledger)
            assert gain == (0 if str(action) == "-" else int(str(action)[-1]))


@given(positions)
def test_nothing_but_what_is_legal_can_be_played(state: State) -> None:
    turn = GAME.turn(state)
    if isinstance(turn, Choose) and len(turn.seats) == 1:
        legal = set(GAME.legal(state, state.actor))
        for action in GAME.space:
            if action not in legal:
                with pytest.raises(IllegalActionError):
                    GAME.play(state, [action])


@given(positions, seeds)
def test_an_imagined_world_has_the_same_view(state: State, seed: int) -> None:
    """S-10, S-17: hidden hands and missions are dealt again, nothing else."""
    for seat in (None, *map(Seat, range(len(state.gardens)))):
        seen = GAME.view(state, seat)
        world = GAME.imagine(seen, Random(seed))
        assert GAME.view(world, seat) == seen
        assert world._replace(hands=(), decks=(), missions=()) == state._replace(
            hands=(), decks=(), missions=()
        )


@given(positions)
def test_the_lowest_walk_is_the_best_paid(state: State) -> None:
    """S-2, S-15: what the greedy player relies on."""
    values = state.box.components.row_values
    for garden in state.gardens:
        if ends := walks(garden):
            lowest = (ends.bit_length() - 1) // 9
            assert max(values[cell // 9] for cell in bits(ends)) == values[lowest]
