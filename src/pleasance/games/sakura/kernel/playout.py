"""Whole games at random, round by round."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit
from pleasance.compiled.kernel import OVER, Flat
from pleasance.compiled.rng import Luck, below
from pleasance.games.sakura.kernel.codes import COURT, misses_court, turn
from pleasance.games.sakura.kernel.layout import DECK, HANDS, NUMBER, PLAYED, QUEUE, SEATS
from pleasance.games.sakura.kernel.rules import (
    ALL_DECIDED,
    court_decides,
    find_giver,
    ready_deck,
    resolve,
)
from pleasance.games.sakura.kernel.setup import pick


@jit
def take_random(state: Flat, seat: int, luck: Luck) -> int:
    """Take a card out of a seat's hand, all equally likely."""
    hand = state[HANDS + seat]
    card = pick(hand, below(luck, count_bits(hand)))
    state[HANDS + seat] = hand ^ (1 << card)
    return card


@jit
def take_top(state: Flat, luck: Luck) -> int:
    """Take the top card of the deck (K-6)."""
    deck = ready_deck(state)
    card = pick(deck, below(luck, count_bits(deck)))
    state[DECK] = deck ^ (1 << card)
    return card


@jit
def put_down_court(state: Flat, luck: Luck) -> None:
    """Give the court painter the deck's top card where it has none yet (K-22)."""
    if misses_court(state):
        state[PLAYED + COURT] = take_top(state, luck)


@jit
def put_down_random(box: Flat, state: Flat, seat: int, luck: Luck) -> None:
    """Make one of a seat's choices of cards, all equally likely (K-6, K-23)."""
    state[PLAYED + seat] = take_random(state, seat, luck)
    if seat == find_giver(box, state):
        state[PLAYED + COURT] = take_random(state, seat, luck)


@jit
def random_plan(state: Flat, luck: Luck) -> int:
    """Choose every direction by luck; the court painter goes forward (K-7, K-22)."""
    return below(luck, 4096) & ~court_decides(state)


@jit
def refill(state: Flat, luck: Luck) -> None:
    """Let all draw who must; then the next round begins (K-6)."""
    queue = state[QUEUE]
    while queue:
        for _ in range((queue >> 3) & 31):
            state[HANDS + (queue & 7)] |= 1 << take_top(state, luck)
        queue >>= 8
    state[NUMBER] += state[QUEUE] != 0
    state[QUEUE] = 0


@jit
def random_round(box: Flat, state: Flat, luck: Luck) -> None:
    """Play a whole round at random, without stopping between."""
    for seat in range(state[SEATS]):
        put_down_random(box, state, seat, luck)
    put_down_court(state, luck)
    resolve(box, state, random_plan(state, luck), ALL_DECIDED)
    refill(state, luck)


@jit
def playout(box: Flat, state: Flat, luck: Luck) -> None:
    """Play to the end, all choices and draws at random."""
    refill(state, luck)
    if state[PLAYED]:
        put_down_court(state, luck)
        resolve(box, state, random_plan(state, luck), ALL_DECIDED)
        refill(state, luck)
    while turn(state) != OVER:
        random_round(box, state, luck)


@jit
def playouts(box: Flat, positions: Flat, luck: Luck) -> None:
    """Play many positions to the end, each by its own luck."""
    for game in range(len(positions)):
        playout(box, positions[game], luck[game])
