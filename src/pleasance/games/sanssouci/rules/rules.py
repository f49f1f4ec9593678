"""The rules of Sanssouci: what is due, what is legal, and what each step of a turn does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import assert_never

from pleasance.core.bits import SubsetLookup
from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Choose, Draw, Over, Seat, Turn
from pleasance.core.tuples import with_item
from pleasance.games.sanssouci.rules.actions import (
    SPACE,
    SPACES,
    Action,
    Boar,
    DrawnCard,
    Outcome,
    Place,
    Side,
    Stay,
    Take,
    TurnedTile,
    Walk,
)
from pleasance.games.sanssouci.rules.components import CARDS, WIDTH, Card
from pleasance.games.sanssouci.rules.garden import DOWN_TO, Cell
from pleasance.games.sanssouci.rules.moves import (
    Spaces,
    belongs,
    boar_steps,
    gardener_cells,
    spaces_for,
    walks,
)
from pleasance.games.sanssouci.rules.placing import enter_points, lay
from pleasance.games.sanssouci.rules.refusals import refusal
from pleasance.games.sanssouci.rules.setup import (
    Chances,
    after_fill,
    card_chances,
    choose_sides,
    deal_card,
    setup_chances,
    setup_reveal,
    tile_chances,
)
from pleasance.games.sanssouci.rules.state import (
    BOAR,
    CARD,
    DEAL,
    FILL,
    NO_TILE,
    OVER,
    PLACE,
    REFILL,
    ROUNDS,
    SIDES,
    TAKE,
    WALK,
    WALKS,
    Cards,
    Garden,
    Phase,
    State,
)

_SEATS = tuple(Seat(seat) for seat in range(4))
_CHOOSE = tuple(Choose((seat,)) for seat in _SEATS)
_TOGETHER = tuple(Choose(_SEATS[:seats]) for seats in range(5))
_PRIVATE = tuple(Draw(seat) for seat in _SEATS)

_HELD = SubsetLookup(CARDS)
_TAKES = SPACE.block(Take)
_PLACES = SubsetLookup(SPACE.block(Place))
_WALKS = SubsetLookup(SPACE.block(Walk))
_BOARS = SubsetLookup(SPACE.block(Boar))
_SIDES = SPACE.block(Side)
_STAY = SPACE.block(Stay)


def _turns(phase: Phase) -> tuple[Turn, ...]:
    """List the turn of *phase*, by actor."""
    match phase:
        case Phase.TAKE | Phase.PLACE | Phase.BOAR | Phase.WALK:
            return _CHOOSE
        case Phase.MISSION | Phase.DEAL | Phase.CARD:
            return _PRIVATE
        case Phase.OVER:
            return (Over(),) * len(_SEATS)
        case _:
            return (Draw(None),) * len(_SEATS)


_TURNS = tuple(_turns(phase) for phase in Phase)


def turn(state: State) -> Turn:
    """Return the seats that choose or draw next, and the seat that sees it."""
    if state.phase is SIDES:
        return _TOGETHER[len(state.gardens)]
    return _TURNS[state.phase][state.actor]


def number(state: State) -> int:
    """Count the turn that is going on; 0 during set-up."""
    if state.phase <= SIDES:
        return 0
    return state.turns + (state.phase is not OVER)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """List the legal choices of *seat*."""
    phase = state.phase
    if phase is SIDES:
        return _SIDES
    if seat != state.actor:
        return ()
    garden = state.gardens[seat]
    if phase is WALK:
        return _WALKS.pick(walks(garden)) + _STAY
    if phase is TAKE:
        return _legal_takes(state.hands[seat], state.market)
    if phase is PLACE:
        return _PLACES.pick(gardener_cells(garden, state.tile))
    if phase is BOAR:
        return _BOARS.pick(boar_steps(garden))
    return ()


def _legal_takes(hand: Cards, market: tuple[int, ...]) -> tuple[Action, ...]:
    """List each card in hand with each tile it may take (S-12)."""
    takes: tuple[Action, ...] = ()
    for card in _HELD.pick(hand):
        takes += _takes(card, spaces_for(card, market))
    return takes


@cache
def _takes(card: Card, spaces: Spaces) -> tuple[Action, ...]:
    """List what *card* may take: few sets of spaces ever come up, and each comes up often."""
    return tuple(_TAKES[card * len(SPACES) + space] for space in SPACES if spaces >> space & 1)


def play(state: State, choices: Sequence[Action]) -> State:
    """Carry out a choice: card and tile, gardener, boar, walk (S-12 to S-15, S-25)."""
    if state.phase is SIDES:
        return choose_sides(state, choices)
    action = _only(choices)
    match action:
        case Take():
            return _take_tile(state, action)
        case Walk(cell):
            return _walk_noble(state, cell)
        case Stay():
            return _let_nobles_stay(state)
        case Place(cell):
            return _lay_gardener(state, cell)
        case Boar(cell):
            return _chase_boar(state, cell)
        case Side():
            raise refusal(state, action)
        case _:
            assert_never(action)


def _only(choices: Sequence[Action]) -> Action:
    """Take the one choice of the one seat that chooses."""
    if len(choices) != 1:
        raise IllegalActionError("choices", given=len(choices), seats=1)
    return choices[0]


def _take_tile(state: State, take: Take) -> State:
    """Play the card and take the tile; lay it where it belongs if that is free (S-12, S-13)."""
    seat, card, space = state.actor, take.card, take.space
    hand, market = state.hands[seat], state.market
    may_take = hand >> card & 1 and spaces_for(card, market) >> space & 1
    if state.phase is not TAKE or not may_take:
        raise refusal(state, take)
    cell = belongs(space, market[space])
    gardens, phase = state.gardens, PLACE
    garden = gardens[seat]
    if not garden.built >> cell & 1:
        garden, phase = lay(state.box, garden, cell, is_gardener=False)
        gardens = with_item(gardens, seat, garden)
    hands = with_item(state.hands, seat, hand ^ 1 << card)
    market = with_item(market, space, NO_TILE)
    turns, bag, decks = state.turns, state.bag, state.decks
    return State(phase, seat, turns, market, bag, hands, decks, gardens, cell, space, *state[10:])


def _lay_gardener(state: State, cell: Cell) -> State:
    """Lay the tile as a gardener in the row or column where it belongs (S-14)."""
    garden = state.gardens[state.actor]
    if state.phase is not PLACE or not gardener_cells(garden, state.tile) >> cell & 1:
        raise refusal(state, Place(cell))
    garden, phase = lay(state.box, garden, cell, is_gardener=True)
    return state._replace(phase=phase, gardens=with_item(state.gardens, state.actor, garden))


def _chase_boar(state: State, cell: Cell) -> State:
    """Let the boar step to a free cell beside it (S-25)."""
    garden = state.gardens[state.actor]
    if state.phase is not BOAR or not boar_steps(garden) >> cell & 1:
        raise refusal(state, Boar(cell))
    gardens = with_item(state.gardens, state.actor, garden._replace(boar=cell))
    return state._replace(phase=WALK, gardens=gardens)


def _walk_noble(state: State, cell: Cell) -> State:
    """Let a noble walk to a lower row of its column; it scores that row's value (S-15)."""
    seat = state.actor
    garden = state.gardens[seat]
    if state.phase is not WALK or not walks(garden) >> cell & 1:
        raise refusal(state, Walk(cell))
    value = state.box.components.row_values[cell // WIDTH]
    ledger = enter_points(garden.ledger, WALKS, value)
    ahead = garden.ahead & ~DOWN_TO[cell]
    walked = Garden(garden.built, garden.gardeners, ahead, garden.boar, ledger, *garden[5:])
    gardens = with_item(state.gardens, seat, walked)
    phase, actor, turns = _after_walk(state)
    market, bag, hands, decks = state[3:7]
    return State(phase, actor, turns, market, bag, hands, decks, gardens, *state[8:])


def _let_nobles_stay(state: State) -> State:
    """Let no noble walk (S-15)."""
    if state.phase is not WALK:
        raise refusal(state, Stay())
    phase, actor, turns = _after_walk(state)
    return State(phase, actor, turns, *state[3:])


def _after_walk(state: State) -> tuple[Phase, Seat, int]:
    """Refill the main board while the bag lasts (S-16)."""
    return (REFILL, state.actor, state.turns) if any(state.bag) else _after_refill(state)


def _after_refill(state: State) -> tuple[Phase, Seat, int]:
    """Draw a card while the seat's deck lasts (S-17)."""
    return (CARD, state.actor, state.turns) if state.decks[state.actor] else _next_turn(state)


def _next_turn(state: State) -> tuple[Phase, Seat, int]:
    """Hand on to the left; after 18 rounds the game ends (S-18)."""
    seats = len(state.gardens)
    turns = state.turns + 1
    phase = TAKE if turns < ROUNDS * seats else OVER
    return phase, _SEATS[(state.actor + 1) % seats], turns


def chances(state: State) -> Chances:
    """List the outcomes of the draw that is due, with whole-number weights."""
    phase = state.phase
    if phase is REFILL or phase is FILL:
        return tile_chances(state.emptied, state.bag)
    if phase is CARD or phase is DEAL:
        return card_chances(state.decks[state.actor])
    return setup_chances(state) if phase < SIDES else ()


def reveal(state: State, outcome: Outcome) -> State:
    """Carry out a draw (S-8 to S-11, S-16, S-17)."""
    phase = state.phase
    if phase is REFILL or phase is FILL:
        if isinstance(outcome, TurnedTile):
            return _turn_tile(state, outcome)
    elif phase is CARD or phase is DEAL:
        if isinstance(outcome, DrawnCard):
            return _draw_card(state, outcome) if phase is CARD else deal_card(state, outcome)
    elif phase < DEAL:
        return setup_reveal(state, outcome)
    raise IllegalActionError("not_drawable", outcome=str(outcome))


def _turn_tile(state: State, tile: TurnedTile) -> State:
    """Turn a tile up on the emptied space (S-11, S-16)."""
    space, motif = tile.space, tile.motif
    left = state.bag[motif]
    if space != state.emptied or not left:
        raise IllegalActionError("not_drawable", outcome=str(tile))
    market = with_item(state.market, space, motif)
    bag = with_item(state.bag, motif, left - 1)
    if state.phase is FILL:
        return after_fill(state._replace(market=market, bag=bag))
    phase, actor, turns = _after_refill(state)
    return State(phase, actor, turns, market, bag, *state[5:])


def _draw_card(state: State, drawn: DrawnCard) -> State:
    """Take a card from the own deck and end the turn (S-17)."""
    seat, bit = state.actor, 1 << drawn.card
    if not state.decks[seat] & bit:
        raise IllegalActionError("not_drawable", outcome=str(drawn))
    hands = with_item(state.hands, seat, state.hands[seat] | bit)
    decks = with_item(state.decks, seat, state.decks[seat] ^ bit)
    phase, actor, turns = _next_turn(state)
    return State(phase, actor, turns, state.market, state.bag, hands, decks, *state[7:])
