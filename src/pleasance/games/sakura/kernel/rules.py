"""Compiled `rules/rules`: turns, legal codes, playing codes, and the draws that are due.

The modules of this folder repeat those of `rules/` for speed, name by name; tests compare both,
position by position. Positions are changed in place: to keep one, copy the array.
"""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import count_bits, jit, lowest_bit
from pleasance.compiled.kernel import ALL, DRAW, OVER
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.actions import CARD_COUNT, CODE_BACK, CODE_FORWARD, CODE_PAIR
from pleasance.games.sakura.kernel.arrays import (
    CardNumbers,
    Codes,
    Constants,
    Position,
    SeatNumbers,
)
from pleasance.games.sakura.kernel.moves import (
    decided_directions,
    list_unresolved,
    painter_of,
    resolve_cards,
)
from pleasance.games.sakura.kernel.path import NO_PAINTER
from pleasance.games.sakura.kernel.scoring import SHORT_PATH_PAINTERS, score_sakura
from pleasance.games.sakura.rules.state import ALL_CARDS

COURT_PAINTER = 2

MIN_PAINTERS = 3

MIN_SEATS = 2

ONE_DRAW = 8
"""One draw of a seat in a queue of draws."""

FULL_QUEUES = tuple(
    sum((ONE_DRAW + seat) << 8 * seat for seat in range(seats)) for seats in range(at.MAX_SEATS + 1)
)
"""Each seat draws once, by the number of seats."""


@export("train")
def start(constants: Constants, state: Position, seats: int) -> None:
    """Put the Emperor on the torii and all painters in the gate; deal the hands (K-5, K-22)."""
    for place in range(at.SIZE):
        state[place] = 0
    seats = min(max(seats, MIN_SEATS), at.MAX_SEATS)
    painters = max(seats, MIN_PAINTERS)
    state[at.EMPEROR] = constants[at.TORII + (painters > SHORT_PATH_PAINTERS)]
    state[at.SEATS] = seats
    state[at.PAINTERS] = painters
    for painter in range(painters):
        state[at.TOKENS + painter] = constants[at.START_TOKENS]
    for seat in range(seats):
        state[at.QUEUE] |= (ONE_DRAW * constants[at.HAND_SIZE] + seat) << (8 * seat)
    state[at.DECK] = ALL_CARDS
    state[at.DECKS] = ALL_CARDS
    state[at.DECK_COUNT] = 1


@jit
def misses_court(state: Position) -> bool:
    """Check whether only the court painter's card is missing on the table (K-22)."""
    return state[at.PLAYED] != 0 and state[at.PLAYED + state[at.PAINTERS] - 1] == 0


@export()
def turn(state: Position) -> int:
    """Return the seat that chooses alone, or `ALL`, `DRAW` or `OVER`."""
    if state[at.QUEUE] or misses_court(state):
        return DRAW
    if state[at.PLAYED]:
        return find_owner(state)
    return OVER if state[at.SCORED] == at.SAKURA else ALL


@export()
def legal(constants: Constants, state: Position, seat: int, codes: Codes) -> int:
    """List the codes that *seat* may choose, in order."""
    now = turn(state)
    if now == seat:
        codes[0] = CODE_FORWARD
        codes[1] = CODE_BACK
        return 2
    if now != ALL:
        return 0
    hand = state[at.HANDS + seat]
    if seat == find_giver(constants, state):
        return list_pairs(hand, codes)
    count = 0
    while hand:
        codes[count] = lowest_bit(hand) - 1
        hand &= hand - 1
        count += 1
    return count


@jit
def list_pairs(hand: int, codes: Codes) -> int:
    """List all ways to play a card of *hand* and another one for the court painter (K-23)."""
    count = 0
    owns = hand
    while owns:
        own = lowest_bit(owns)
        owns &= owns - 1
        courts = hand & ~(1 << own)
        while courts:
            codes[count] = CODE_PAIR + (own - 1) * CARD_COUNT + lowest_bit(courts) - 1
            courts &= courts - 1
            count += 1
    return count


@export()
def play(constants: Constants, state: Position, codes: SeatNumbers) -> None:
    """Carry out the cards that all have chosen, or the direction that one has (K-6, K-7)."""
    if state[at.PLAYED]:
        owner = find_owner(state)
        bit = 1 << (2 * owner + (state[at.DONE] & 1))
        directions = bit if codes[owner] == CODE_BACK else 0
        resolve_round(constants, state, directions, bit | decided_directions(state))
        return
    for seat in range(state[at.SEATS]):
        put_down(state, seat, codes[seat])
    if not misses_court(state):
        resolve_round(constants, state, 0, decided_directions(state))


@jit
def put_down(state: Position, seat: int, code: int) -> None:
    """Put the card of a choice on the table, or both of them (K-6, K-23)."""
    own = code + 1
    if code >= CODE_PAIR:
        own = (code - CODE_PAIR) // CARD_COUNT + 1
        court = (code - CODE_PAIR) % CARD_COUNT + 1
        state[at.PLAYED + COURT_PAINTER] = court
        state[at.HANDS + seat] &= ~(1 << court)
    state[at.PLAYED + seat] = own
    state[at.HANDS + seat] &= ~(1 << own)


@export()
def chances(_constants: Constants, state: Position, weights: CardNumbers) -> None:
    """Weight the cards that can be drawn; an empty deck is rebuilt from the discards (K-6)."""
    for card in range(CARD_COUNT):
        weights[card] = 0
    if turn(state) != DRAW:
        return
    cards = state[at.DECK] or state[at.DISCARDS]
    while cards:
        weights[lowest_bit(cards) - 1] = 1
        cards &= cards - 1


@export()
def reveal(constants: Constants, state: Position, code: int) -> None:
    """Take a drawn card into a hand, or let the court painter play it (K-6, K-22)."""
    refill_deck(state)
    card = code + 1
    state[at.DECK] ^= 1 << card
    if not state[at.QUEUE]:
        state[at.PLAYED + COURT_PAINTER] = card
        resolve_round(constants, state, 0, decided_directions(state))
        return
    state[at.HANDS + (state[at.QUEUE] & 7)] |= 1 << card
    if (state[at.QUEUE] >> 3) & 31 == 1:
        state[at.QUEUE] >>= 8
    else:
        state[at.QUEUE] -= ONE_DRAW
    if not state[at.QUEUE]:
        state[at.NUMBER] += 1


@jit
def resolve_round(constants: Constants, state: Position, directions: int, decided: int) -> None:
    """Carry out the cards on the table and, where no direction is missing, end the round."""
    if resolve_cards(constants, state, directions, decided):
        end_round(constants, state)


@jit
def end_round(constants: Constants, state: Position) -> None:
    """Score where the Emperor has stopped for it, discard all cards (K-18), and queue the draws."""
    score_sakura(constants, state)
    state[at.DISCARDS] |= take_table(state)
    state[at.DONE] = 0
    if state[at.SCORED] < at.SAKURA:
        state[at.QUEUE] = list_draws(constants, state)


@jit
def take_table(state: Position) -> int:
    """Take all cards off the table."""
    cards = 0
    for painter in range(state[at.PAINTERS]):
        cards |= 1 << state[at.PLAYED + painter]
        state[at.PLAYED + painter] = 0
    return cards


@jit
def list_draws(constants: Constants, state: Position) -> int:
    """Let all draw in seat order; who has played two cards draws one more (K-6, K-23)."""
    queue = FULL_QUEUES[state[at.SEATS]]
    if constants[at.IS_TACTICAL]:
        first, second = count_bits(state[at.HANDS]), count_bits(state[at.HANDS + 1])
        if first < second:
            queue |= ONE_DRAW << 16
        elif second < first:
            queue += ONE_DRAW << 8
    return queue


@jit
def find_giver(constants: Constants, state: Position) -> int:
    """Find who plays a card for the court painter: the player further from the Emperor (K-23)."""
    first, second = state[at.PLACES], state[at.PLACES + 1]
    if not constants[at.IS_TACTICAL] or first == second:
        return NO_PAINTER
    return 0 if first < second else 1


@jit
def find_owner(state: Position) -> int:
    """Find the painter whose card is being carried out (K-6)."""
    return painter_of(state, lowest_bit(list_unresolved(state)))


@jit
def refill_deck(state: Position) -> int:
    """Return the cards that can be drawn; make a new deck of the discards if it is empty (K-6)."""
    if not state[at.DECK]:
        if state[at.DECK_COUNT] == at.MAX_DECKS:
            merge_oldest_decks(state)
        state[at.DECKS + state[at.DECK_COUNT]] = state[at.DISCARDS]
        state[at.DECK_COUNT] += 1
        state[at.DECK] = state[at.DISCARDS]
        state[at.DISCARDS] = 0
    return state[at.DECK]


@jit
def merge_oldest_decks(state: Position) -> None:
    """Take the two oldest decks as one."""
    state[at.DECKS + 1] |= state[at.DECKS]
    for deck in range(1, state[at.DECK_COUNT]):
        state[at.DECKS + deck - 1] = state[at.DECKS + deck]
    state[at.DECK_COUNT] -= 1
