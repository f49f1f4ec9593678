"""Packs positions, views and boxes into flat arrays for compiled code, and unpacks positions."""

from __future__ import annotations

from functools import lru_cache

from pleasance.compiled.arrays import zeros
from pleasance.core.game import Seat
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.layout import Constants, Position
from pleasance.games.sanssouci.rules.actions import Space
from pleasance.games.sanssouci.rules.garden import Cell
from pleasance.games.sanssouci.rules.state import Box, Garden, Phase, State, open_box
from pleasance.games.sanssouci.rules.view import View, state_from_view


@lru_cache(maxsize=16)
def pack_constants(box: Box) -> Constants:
    """Pack the facts of a box that the rules look up."""
    components = box.components
    constants = zeros("int64", at.CONSTANTS_SIZE)
    constants[at.HAS_REWARDS] = box.has_rewards
    constants[at.HAS_BOARS] = box.has_boars
    constants[at.CARDS] = components.deck
    constants[at.TILES : at.COLUMN_BONUS] = [components.tiles[seats] for seats in (2, 3, 4)]
    constants[at.COLUMN_BONUS] = components.column_bonus
    constants[at.BOAR_DISTURBED] = components.boar_disturbed
    constants[at.BOAR_REMOVED] = components.boar_removed
    constants[at.ROW_VALUES : at.ROW_BONUS] = components.row_values
    constants[at.ROW_BONUS : at.GARDENS] = components.row_bonus
    constants[at.GARDENS : at.REWARDS] = components.gardens
    constants[at.REWARDS :] = [pay for side in components.rewards for cell in side for pay in cell]
    return constants


@lru_cache(maxsize=4)
def house_constants(options: tuple[str, ...]) -> Constants:
    """Pack the house set with some expansions."""
    return pack_constants(open_box("pleasance.games.sanssouci", options, None))


def pack(state: State) -> Position:
    """Pack a position."""
    position = zeros("int64", at.SIZE)
    shared = (state.phase, state.actor, state.turns, len(state.gardens), state.first)
    position[: at.MARKET] = (*shared, state.tile, state.emptied)
    position[at.MARKET : at.BAG] = state.market
    position[at.BAG : at.BLOCK] = state.bag
    hidden = zip(state.hands, state.decks, state.missions, strict=True)
    blocks = zip(hidden, state.gardens, strict=True)
    for seat, ((hand, deck, missions), garden) in enumerate(blocks):
        start = at.BLOCK + seat * at.BLOCK_SIZE
        built, gardeners, ahead, boar, ledger, *boards = garden
        block = (hand, deck, missions, built, gardeners, ahead, boar, *ledger, *boards, 0, 0)
        position[start : start + at.BLOCK_SIZE] = block
    return position


def pack_view(view: View) -> Position:
    """Pack a view; hidden cards and missions are counted, to be dealt by `imagine`."""
    seats = range(len(view.gardens))
    hands = tuple(view.hand if seat == view.seat else 0 for seat in seats)
    position = pack(state_from_view(view, hands, view.missions))
    for seat in seats:
        start = at.BLOCK + seat * at.BLOCK_SIZE
        position[start + at.HIDDEN_CARDS] = 0 if seat == view.seat else view.hand_sizes[seat]
        known = view.missions[seat].bit_count()
        position[start + at.HIDDEN_MISSIONS] = view.mission_counts[seat] - known
    return position


def unpack(position: Position, box: Box) -> State:
    """Unpack a position."""
    numbers = [int(number) for number in position]
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
