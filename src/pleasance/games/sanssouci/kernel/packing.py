"""Conversion of positions and boxes to the kernel's flat arrays, and back."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pleasance.compiled.kernel import IntArray
from pleasance.core.data import load_builtin_components
from pleasance.core.game import Seat
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.rules.actions import Space
from pleasance.games.sanssouci.rules.components import read_components
from pleasance.games.sanssouci.rules.garden import Cell
from pleasance.games.sanssouci.rules.state import Box, Garden, Phase, State
from pleasance.games.sanssouci.rules.view import View


@lru_cache(maxsize=16)
def pack_constants(box: Box) -> IntArray:
    """Pack the facts of a box that the rules look up."""
    components = box.components
    flat = np.zeros(at.CONSTANTS_SIZE, dtype=np.int64)
    flat[at.HAS_REWARDS] = box.has_rewards
    flat[at.HAS_BOARS] = box.has_boars
    flat[at.CARDS] = components.deck
    flat[at.TILES : at.COLUMN_BONUS] = [components.tiles[seats] for seats in (2, 3, 4)]
    flat[at.COLUMN_BONUS] = components.column_bonus
    flat[at.BOAR_DISTURBED] = components.boar_disturbed
    flat[at.BOAR_REMOVED] = components.boar_removed
    flat[at.ROW_VALUES : at.ROW_BONUS] = components.row_values
    flat[at.ROW_BONUS : at.GARDENS] = components.row_bonus
    flat[at.GARDENS : at.REWARDS] = components.gardens
    flat[at.REWARDS :] = np.array(components.rewards, dtype=np.int64).ravel()
    flat.setflags(write=False)
    return flat


@lru_cache(maxsize=4)
def house_constants(options: tuple[str, ...]) -> IntArray:
    """Pack the house set with some expansions."""
    house = read_components(load_builtin_components("pleasance.games.sanssouci"), is_builtin=True)
    return pack_constants(
        Box(house, has_rewards="rewards" in options, has_boars="boars" in options)
    )


def pack(state: State) -> IntArray:
    """Pack a position."""
    flat = np.zeros(at.SIZE, dtype=np.int64)
    shared = (state.phase, state.actor, state.turns, len(state.gardens), state.first)
    flat[: at.MARKET] = (*shared, state.tile, state.emptied)
    flat[at.MARKET : at.BAG] = state.market
    flat[at.BAG : at.BLOCK] = state.bag
    hidden = zip(state.hands, state.decks, state.missions, strict=True)
    for seat, ((hand, deck, missions), garden) in enumerate(
        zip(hidden, state.gardens, strict=True)
    ):
        start = at.BLOCK + seat * at.BLOCK_SIZE
        built, gardeners, ahead, boar, ledger, *boards = garden
        block = (hand, deck, missions, built, gardeners, ahead, boar, *ledger, *boards, 0, 0)
        flat[start : start + at.BLOCK_SIZE] = block
    return flat


def pack_view(view: View) -> IntArray:
    """Pack a view; hidden cards and missions are counted, to be dealt by `imagine`."""
    seats = range(len(view.gardens))
    hands = tuple(view.hand if seat == view.seat else 0 for seat in seats)
    state = State(
        phase=view.phase,
        actor=view.actor,
        turns=view.turns,
        market=view.market,
        bag=view.bag,
        hands=hands,
        decks=tuple(view.unplayed[seat] ^ hands[seat] for seat in seats),
        gardens=view.gardens,
        tile=view.tile,
        emptied=view.emptied,
        missions=view.missions,
        first=view.first,
        box=view.box,
    )
    flat = pack(state)
    for seat in seats:
        start = at.BLOCK + seat * at.BLOCK_SIZE
        flat[start + at.HIDDEN_CARDS] = 0 if seat == view.seat else view.hand_sizes[seat]
        known = view.missions[seat].bit_count()
        flat[start + at.HIDDEN_MISSIONS] = view.mission_counts[seat] - known
    return flat


def hide(flat: IntArray, seat: Seat) -> IntArray:
    """Copy a position without the facts hidden from *seat*, as if its view had been packed."""
    hidden: IntArray = flat.copy()
    for other in range(flat[at.SEATS]):
        block = hidden[at.BLOCK + other * at.BLOCK_SIZE :][: at.BLOCK_SIZE]
        if other != seat:
            block[at.HIDDEN_CARDS] = int(block[at.HAND]).bit_count()
            block[at.HIDDEN_MISSIONS] = int(block[at.MISSIONS]).bit_count()
            block[at.DECK] |= block[at.HAND]
            block[at.HAND] = block[at.MISSIONS] = 0
    return hidden


def unpack(flat: IntArray, box: Box) -> State:
    """Unpack a position."""
    numbers = [int(number) for number in flat]
    seats = numbers[at.SEATS]
    starts = [at.BLOCK + seat * at.BLOCK_SIZE for seat in range(seats)]
    return State(
        phase=Phase(numbers[at.PHASE]),
        actor=Seat(numbers[at.ACTOR]),
        turns=numbers[at.TURNS],
        market=tuple(numbers[at.MARKET : at.BAG]),
        bag=tuple(numbers[at.BAG : at.BLOCK]),
        hands=tuple(numbers[start + at.HAND] for start in starts),
        decks=tuple(numbers[start + at.DECK] for start in starts),
        gardens=tuple(_unpack_garden(numbers[start : start + at.BLOCK_SIZE]) for start in starts),
        tile=Cell(numbers[at.TILE]),
        emptied=Space(numbers[at.EMPTIED]),
        missions=tuple(numbers[start + at.MISSIONS] for start in starts),
        first=Seat(numbers[at.FIRST]),
        box=box,
    )


def _unpack_garden(block: list[int]) -> Garden:
    """Unpack a garden from the block of its seat."""
    return Garden(
        built=block[at.BUILT],
        gardeners=block[at.GARDENERS],
        ahead=block[at.AHEAD],
        boar=Cell(block[at.BOAR]),
        ledger=tuple(block[at.LEDGER : at.BOARD]),
        board=block[at.BOARD],
        rewards_board=block[at.REWARDS_BOARD],
        rewards_side=block[at.REWARDS_SIDE],
    )
