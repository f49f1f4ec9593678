"""The draws and choices before the first turn (S-8 to S-11, S-20)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, assert_never

from pleasance.core.bits import SubsetLookup, mask_of
from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Seat
from pleasance.core.tuples import with_item
from pleasance.games.sanssouci.rules import actions
from pleasance.games.sanssouci.rules.actions import Action, Outcome
from pleasance.games.sanssouci.rules.components import REWARDS_CELLS, Motif
from pleasance.games.sanssouci.rules.garden import BOAR_START
from pleasance.games.sanssouci.rules.state import (
    BARE,
    HAND,
    MISSIONS,
    NO_TILE,
    NOWHERE,
    Box,
    Cards,
    Phase,
    State,
)

T = TypeVar("T")

COVERED = mask_of(REWARDS_CELLS)
"""The cells under a rewards board (S-20)."""

Chances = tuple[tuple[Outcome, int], ...]


def _evenly(kind: type[T]) -> tuple[tuple[T, int], ...]:
    """Give all outcomes of one kind the same weight."""
    return tuple((outcome, 1) for outcome in actions.DRAWS.block(kind))


_FIRST_PLAYERS = _evenly(actions.FirstPlayer)
_GARDEN_BOARDS = SubsetLookup(_evenly(actions.GardenBoard))
_MISSIONS = SubsetLookup(_evenly(actions.Mission))
_REWARDS_BOARDS = SubsetLookup(_evenly(actions.RewardsBoard))
_CARDS = SubsetLookup(_evenly(actions.DrawnCard))
_TILES = tuple(
    tuple(tile for tile in actions.DRAWS.block(actions.TurnedTile) if tile.space == space)
    for space in range(10)
)


def start(box: Box, seats: int) -> State:
    """Lay out the box for *seats* players; the first draw is due (S-8)."""
    return State(
        phase=Phase.FIRST_PLAYER,
        actor=Seat(0),
        turns=0,
        market=(NO_TILE,) * len(_TILES),
        bag=(box.components.tiles[seats],) * len(Motif),
        hands=(0,) * seats,
        decks=(box.components.deck,) * seats,
        gardens=(BARE,) * seats,
        tile=NOWHERE,
        emptied=actions.Space(0),
        missions=(0,) * seats,
        first=Seat(0),
        box=box,
    )


def card_chances(deck: Cards) -> Chances:
    """List the cards of a deck, each as likely as the others (S-10, S-17)."""
    return _CARDS.pick(deck)


def tile_chances(space: actions.Space, bag: tuple[int, ...]) -> Chances:
    """Weight each kind of tile by its number in the bag (S-11, S-16)."""
    weighed = zip(_TILES[space], bag, strict=True)
    return tuple([pair for pair in weighed if pair[1]]) if 0 in bag else tuple(weighed)


def setup_chances(state: State) -> Chances:
    """List the outcomes of the set-up draw that is due, all equally likely (S-8 to S-11, S-20)."""
    gardens = state.gardens
    match state.phase:
        case Phase.FIRST_PLAYER:
            return _FIRST_PLAYERS[: len(gardens)]
        case Phase.GARDEN:
            boards = [garden.board for garden in gardens[: state.actor]]
            used = mask_of(side for board in boards for side in (board & ~1, board | 1))
            return _GARDEN_BOARDS.pick(~used)
        case Phase.MISSION:
            return _MISSIONS.pick(~sum(state.missions))
        case _:
            used = mask_of(garden.rewards_board for garden in gardens[: state.actor])
            return _REWARDS_BOARDS.pick(~used)


def setup_reveal(state: State, outcome: Outcome) -> State:
    """Carry out a set-up draw (S-8 to S-11, S-20)."""
    if (outcome, 1) not in setup_chances(state):
        raise IllegalActionError("not_drawable", outcome=str(outcome))
    match outcome:
        case actions.FirstPlayer(seat):
            return state._replace(phase=Phase.GARDEN, first=seat)
        case actions.GardenBoard():
            return _lay_board(state, outcome)
        case actions.Mission(motif):
            mine = state.missions[state.actor] | 1 << motif
            dealt = state._replace(missions=with_item(state.missions, state.actor, mine))
            return dealt if mine.bit_count() < MISSIONS else _after_missions(dealt)
        case actions.RewardsBoard(board):
            garden = state.gardens[state.actor]._replace(rewards_board=board)
            given = state._replace(gardens=with_item(state.gardens, state.actor, garden))
            return _next_seat(given, Phase.GARDEN, Phase.DEAL)
        case actions.DrawnCard() | actions.TurnedTile():
            raise AssertionError(outcome)
        case _:
            assert_never(outcome)


def _lay_board(state: State, drawn: actions.GardenBoard) -> State:
    """Lay the garden board out; its boar starts in the middle (S-8, S-24)."""
    board = drawn.board * 2 + drawn.side
    garden = BARE._replace(
        board=board,
        built=state.box.components.gardens[board],
        boar=BOAR_START if state.box.has_boars else NOWHERE,
    )
    return state._replace(
        phase=Phase.MISSION, gardens=with_item(state.gardens, state.actor, garden)
    )


def _after_missions(state: State) -> State:
    """Go on to the rewards board or to the next seat."""
    if state.box.has_rewards:
        return state._replace(phase=Phase.REWARDS_BOARD)
    return _next_seat(state, Phase.GARDEN, Phase.DEAL)


def _next_seat(state: State, again: Phase, then: Phase) -> State:
    """Repeat the step for the next seat, or go on to the next step after the last one."""
    following = state.actor + 1
    if following < len(state.gardens):
        return state._replace(phase=again, actor=Seat(following))
    return state._replace(phase=then, actor=Seat(0))


def deal_card(state: State, drawn: actions.DrawnCard) -> State:
    """Give the seat one of its first two cards (S-10)."""
    seat, card = state.actor, 1 << drawn.card
    if not state.decks[seat] & card:
        raise IllegalActionError("not_drawable", outcome=str(drawn))
    dealt = state._replace(
        hands=with_item(state.hands, seat, state.hands[seat] | card),
        decks=with_item(state.decks, seat, state.decks[seat] ^ card),
    )
    if dealt.hands[seat].bit_count() < HAND:
        return dealt
    return _next_seat(dealt, Phase.DEAL, Phase.FILL)


def after_fill(state: State) -> State:
    """Go on to the next space; when all ten are filled, to the sides or the first turn (S-11)."""
    if state.emptied + 1 < len(_TILES):
        return state._replace(emptied=actions.Space(state.emptied + 1))
    if state.box.has_rewards:
        return state._replace(phase=Phase.SIDES)
    return state._replace(phase=Phase.TAKE, actor=state.first)


def choose_sides(state: State, choices: Sequence[Action]) -> State:
    """Cover each garden with the chosen side of its rewards board (S-20)."""
    if len(choices) != len(state.gardens):
        raise IllegalActionError("choices", given=len(choices), seats=len(state.gardens))
    gardens = []
    for garden, choice in zip(state.gardens, choices, strict=True):
        if not isinstance(choice, actions.Side):
            raise IllegalActionError("not_now", action=str(choice), due="side")
        side = garden.rewards_board * 2 + choice.side
        gardens.append(garden._replace(rewards_side=side, built=garden.built & ~COVERED))
    return state._replace(phase=Phase.TAKE, actor=state.first, gardens=tuple(gardens))
