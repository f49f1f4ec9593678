"""Compiled `rules/scoring`: pay at a sakura, closing ranks, and the winners."""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import jit
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.arrays import Constants, Position, SeatNumbers, SeatShares
from pleasance.games.sakura.kernel.path import GATE, count_ahead, count_gate
from pleasance.games.sakura.rules.components import MAX_PAINTERS

SHORT_PATH_PAINTERS = 4
"""With more than these another path and other pay count (K-2, K-19)."""


@jit
def next_sakura(constants: Constants, state: Position) -> int:
    """Find the next sakura to be scored; it always stops the Emperor (K-12)."""
    group = state[at.PAINTERS] > SHORT_PATH_PAINTERS
    return constants[at.SAKURA_SPACES + group * at.SAKURA + state[at.SCORED]]


@jit
def rank_pay(constants: Constants, state: Position, painter: int, in_gate: int) -> int:
    """Look up what a painter's rank is paid at the next sakura (K-19)."""
    place = state[at.PLACES + painter]
    if place == GATE and in_gate > 1:
        return 0
    group = state[at.PAINTERS] > SHORT_PATH_PAINTERS
    pay = at.PAY + (group * at.SAKURA + state[at.SCORED]) * MAX_PAINTERS
    return constants[pay + count_ahead(state, place)]


@jit
def score_sakura(constants: Constants, state: Position) -> None:
    """Pay the ranks at a new sakura; unless it is the last, close them (K-18 to K-21)."""
    if state[at.EMPEROR] != next_sakura(constants, state):
        return
    in_gate = count_gate(state)
    paid = at.PAID + state[at.SCORED] * MAX_PAINTERS
    for painter in range(state[at.PAINTERS]):
        tokens = rank_pay(constants, state, painter, in_gate)
        state[paid + painter] = tokens
        state[at.TOKENS + painter] += tokens
    state[at.SCORED] += 1
    if state[at.SCORED] < at.SAKURA:
        close_ranks(state)


@jit
def close_ranks(state: Position) -> None:
    """Let each painter go right behind the one ahead of it (K-20)."""
    is_lone = count_gate(state) == 1
    first = GATE
    ranks = 0
    for painter in range(state[at.PAINTERS]):
        place = state[at.PLACES + painter]
        first = max(first, place)
        ranks |= count_ahead(state, place) << (3 * painter)
    for painter in range(state[at.PAINTERS]):
        if state[at.PLACES + painter] != GATE or is_lone:
            state[at.PLACES + painter] = max(first - ((ranks >> (3 * painter)) & 7), GATE)


@export()
def scores(_constants: Constants, state: Position, points: SeatNumbers) -> None:
    """Count each seat's tokens; the court painter has no seat (K-21, K-22)."""
    for seat in range(state[at.SEATS]):
        points[seat] = state[at.TOKENS + seat]


@export()
def shares(_constants: Constants, state: Position, won: SeatShares) -> None:
    """Share one victory among the seats with most tokens and, of these, the closest (K-21)."""
    best = -1
    count = 0
    for seat in range(state[at.SEATS]):
        key = victory_key(state, seat)
        count = count + 1 if key == best else 1 if key > best else count
        best = max(best, key)
    for seat in range(state[at.SEATS]):
        won[seat] = 1.0 / count if victory_key(state, seat) == best else 0.0


@jit
def victory_key(state: Position, seat: int) -> int:
    """Weigh a seat's tokens and, below them, how far it has come in one number (K-21)."""
    return state[at.TOKENS + seat] * 128 + state[at.PLACES + seat]
