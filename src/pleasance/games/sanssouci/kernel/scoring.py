"""Compiled `rules/scoring`: points, the end scoring, and the winners."""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import count_bits, jit
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.garden import COLUMN_A, EVERYWHERE, FIRST_ROW, reach
from pleasance.games.sanssouci.kernel.layout import Constants, Points, Position, Shares, seat_block


@jit
def points_of(state: Position, block: int) -> int:
    """Count the points that a garden has brought so far."""
    points = 0
    for source in range(5):
        points += state[block + at.LEDGER + source]
    return points


@export()
def scores(constants: Constants, state: Position, points: Points) -> None:
    """Count each seat's points, the end scoring included once the game is over (S-18)."""
    for seat in range(state[at.SEATS]):
        block = seat_block(seat)
        points[seat] = points_of(state, block)
        if state[at.PHASE] == at.OVER:
            points[seat] += endgame(constants, state, block, points[seat])


@jit
def endgame(constants: Constants, state: Position, block: int, points: int) -> int:
    """Count what the end brings: rows, columns, missions, then the boar (S-18, S-26)."""
    free = EVERYWHERE & ~state[block + at.BUILT]
    bonus = 0
    for row in range(6):
        if not free & (FIRST_ROW << (at.MOTIFS * row)):
            bonus += constants[at.ROW_BONUS + row]
    for column in range(at.MOTIFS):
        if not free & (COLUMN_A << column):
            bonus += constants[at.COLUMN_BONUS]
        if (state[block + at.MISSIONS] >> column) & 1:
            bonus += 6 - count_bits(state[block + at.AHEAD] & (COLUMN_A << column))
    if state[block + at.BOAR] >= 0:
        bonus -= min(boar_area(free, state[block + at.BOAR]), points + bonus)
    return bonus


@jit
def boar_area(free: int, boar: int) -> int:
    """Count the free cells around the boar, its own included (S-26)."""
    return count_bits(reach(1 << boar, free))


@export()
def shares(constants: Constants, state: Position, won: Shares) -> None:
    """Share one victory among those with most points and, of these, most gardeners (S-19)."""
    best = -1
    count = 0
    for seat in range(state[at.SEATS]):
        key = victory_key(constants, state, seat)
        count = count + 1 if key == best else 1 if key > best else count
        best = max(best, key)
    for seat in range(state[at.SEATS]):
        won[seat] = 1.0 / count if victory_key(constants, state, seat) == best else 0.0


@jit
def victory_key(constants: Constants, state: Position, seat: int) -> int:
    """Weigh a seat's points and, below them, its gardeners in one number (S-19)."""
    block = seat_block(seat)
    points = points_of(state, block)
    if state[at.PHASE] == at.OVER:
        points += endgame(constants, state, block, points)
    return points * 64 + count_bits(state[block + at.GARDENERS])
