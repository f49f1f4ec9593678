"""The compiled twin by numbers: legal codes, playing a code, weights of outcomes, scores."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit, lowest_bit
from pleasance.compiled.kernel import ALL, DRAW, OVER, Flat, Shares
from pleasance.compiled.rng import Luck, below
from pleasance.games.sakura.kernel.layout import (
    DECK,
    DISCARDS,
    DONE,
    HANDS,
    NUMBER,
    PAINTERS,
    PLACES,
    PLAYED,
    QUEUE,
    SAKURA,
    SCORED,
    SEATS,
    TOKENS,
)
from pleasance.games.sakura.kernel.rules import (
    ONE_DRAW,
    court_decides,
    find_giver,
    find_owner,
    list_unresolved,
    ready_deck,
    resolve,
)
from pleasance.games.sakura.kernel.setup import pick

# Where the codes of each kind of choice begin.
CODE_PAIR, CODE_FORWARD, CODE_BACK = 60, 3660, 3661
CARDS = 60
COURT = 2
MOST_CHOICES = 72
"""Two of nine cards, in any order (K-23)."""


@jit
def misses_court(state: Flat) -> bool:
    """Tell whether only the court painter's card is missing on the table (K-22)."""
    return state[PLAYED] != 0 and state[PLAYED + state[PAINTERS] - 1] == 0


@jit
def turn(state: Flat) -> int:
    """Tell the seat that chooses alone, or that all choose, chance decides, or it is over."""
    if state[QUEUE] or misses_court(state):
        return DRAW
    if state[PLAYED]:
        return find_owner(state, lowest_bit(list_unresolved(state)))
    return OVER if state[SCORED] == SAKURA else ALL


@jit
def legal(box: Flat, state: Flat, seat: int, codes: Flat) -> int:
    """List the codes that *seat* may choose, in order."""
    now = turn(state)
    if now == seat:
        codes[0] = CODE_FORWARD
        codes[1] = CODE_BACK
        return 2
    if now != ALL:
        return 0
    hand = state[HANDS + seat]
    if seat == find_giver(box, state):
        return list_pairs(hand, codes)
    count = 0
    while hand:
        codes[count] = lowest_bit(hand) - 1
        hand &= hand - 1
        count += 1
    return count


@jit
def list_pairs(hand: int, codes: Flat) -> int:
    """List all ways to play a card of *hand* and another one for the court painter (K-23)."""
    count = 0
    owns = hand
    while owns:
        own = lowest_bit(owns)
        owns &= owns - 1
        courts = hand & ~(1 << own)
        while courts:
            codes[count] = CODE_PAIR + (own - 1) * CARDS + lowest_bit(courts) - 1
            courts &= courts - 1
            count += 1
    return count


@jit
def put_down(state: Flat, seat: int, code: int) -> None:
    """Put the card of a choice on the table, or both of them (K-6, K-23)."""
    own = code + 1
    if code >= CODE_PAIR:
        own = (code - CODE_PAIR) // CARDS + 1
        court = (code - CODE_PAIR) % CARDS + 1
        state[PLAYED + COURT] = court
        state[HANDS + seat] &= ~(1 << court)
    state[PLAYED + seat] = own
    state[HANDS + seat] &= ~(1 << own)


@jit
def play(box: Flat, state: Flat, codes: Flat) -> None:
    """Carry out the cards that all have chosen, or the direction that one has (K-6, K-7)."""
    if state[PLAYED]:
        owner = find_owner(state, lowest_bit(list_unresolved(state)))
        bit = 1 << (2 * owner + (state[DONE] & 1))
        plan = bit if codes[owner] == CODE_BACK else 0
        resolve(box, state, plan, bit | court_decides(state))
        return
    for seat in range(state[SEATS]):
        put_down(state, seat, codes[seat])
    if not misses_court(state):
        resolve(box, state, 0, court_decides(state))


@jit
def chances(_box: Flat, state: Flat, weights: Flat) -> None:
    """Weigh the cards that can be drawn; an empty deck is rebuilt from the discards (K-6)."""
    weights[:] = 0
    if turn(state) != DRAW:
        return
    cards = state[DECK] or state[DISCARDS]
    while cards:
        weights[lowest_bit(cards) - 1] = 1
        cards &= cards - 1


@jit
def reveal(box: Flat, state: Flat, code: int) -> None:
    """Take a drawn card into a hand, or let the court painter play it (K-6, K-22)."""
    ready_deck(state)
    card = code + 1
    state[DECK] ^= 1 << card
    if not state[QUEUE]:
        state[PLAYED + COURT] = card
        resolve(box, state, 0, court_decides(state))
        return
    state[HANDS + (state[QUEUE] & 7)] |= 1 << card
    if (state[QUEUE] >> 3) & 31 == 1:
        state[QUEUE] >>= 8
    else:
        state[QUEUE] -= ONE_DRAW
    if not state[QUEUE]:
        state[NUMBER] += 1


@jit
def draw(box: Flat, state: Flat, luck: Luck) -> None:
    """Make the draw that is due by luck."""
    cards = ready_deck(state)
    reveal(box, state, pick(cards, below(luck, count_bits(cards))) - 1)


@jit
def scores(_box: Flat, state: Flat, points: Flat) -> None:
    """Count each seat's tokens; the court painter has no seat (K-21, K-22)."""
    for seat in range(state[SEATS]):
        points[seat] = state[TOKENS + seat]


@jit
def shares(_box: Flat, state: Flat, won: Shares) -> None:
    """Share one victory among those with most tokens who stand closest to the Emperor (K-21)."""
    best = -1
    count = 0
    for seat in range(state[SEATS]):
        standing = stand(state, seat)
        count = count + 1 if standing == best else 1 if standing > best else count
        best = max(best, standing)
    for seat in range(state[SEATS]):
        won[seat] = 1.0 / count if stand(state, seat) == best else 0.0


@jit
def stand(state: Flat, seat: int) -> int:
    """Weigh a seat's tokens and, below them, how far it has come in one number (K-21)."""
    return state[TOKENS + seat] * 128 + state[PLACES + seat]
