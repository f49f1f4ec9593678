"""Points: what they are, where they come from, and who has won."""

from __future__ import annotations

from pleasance.core.bits import bits
from pleasance.core.game import Cause, Seat
from pleasance.core.memo import remember_last
from pleasance.games.sanssouci.rules.components import WIDTH, Motif, motif_letter
from pleasance.games.sanssouci.rules.garden import COLUMN, EVERYWHERE, ROW, reach
from pleasance.games.sanssouci.rules.state import (
    NOWHERE,
    Box,
    Columns,
    Garden,
    Phase,
    Source,
    State,
    noble_row,
)

SOURCE_CODES = tuple(source.name.lower() for source in Source)


def complete_rows(garden: Garden) -> tuple[int, ...]:
    """Name the rows, 1 to 6, that are built from end to end (S-18)."""
    return tuple(row for row, cells in enumerate(ROW, start=1) if not cells & ~garden.built)


def complete_columns(garden: Garden) -> tuple[Motif, ...]:
    """Name the columns that are built from top to bottom (S-18)."""
    return tuple(Motif(column) for column in range(WIDTH) if not COLUMN[column] & ~garden.built)


def boar_area(garden: Garden) -> int:
    """Count the free cells around the boar, its own included (S-26)."""
    if garden.boar == NOWHERE:
        return 0
    free = EVERYWHERE & ~garden.built
    return reach(1 << garden.boar, free).bit_count()


def endgame(box: Box, garden: Garden, missions: Columns) -> tuple[Cause, ...]:
    """List what the end brings: rows, columns, missions, then the boar (S-18, S-26)."""
    components = box.components
    causes = [
        Cause("row", bonus, {"row": row})
        for row in complete_rows(garden)
        if (bonus := components.row_bonus[row - 1])
    ]
    causes += [
        Cause("column", components.column_bonus, {"motif": motif_letter(motif)})
        for motif in complete_columns(garden)
    ]
    causes += [
        Cause("mission", noble_row(garden, column), {"motif": motif_letter(Motif(column))})
        for column in bits(missions)
    ]
    if area := boar_area(garden):
        # The boar takes its toll last, and never more than there is.
        total = sum(garden.ledger) + sum(cause.points for cause in causes)
        causes.append(Cause("boar_area", -min(area, total), {"cells": area}))
    return tuple(causes)


def causes(state: State) -> tuple[tuple[Cause, ...], ...]:
    """Explain each seat's score; the points of its causes add up to it."""
    explained = []
    for garden, missions in zip(state.gardens, state.missions, strict=True):
        earned = tuple(
            Cause(code, points)
            for code, points in zip(SOURCE_CODES, garden.ledger, strict=True)
            if points
        )
        if state.phase is Phase.OVER:
            earned += endgame(state.box, garden, missions)
        explained.append(earned)
    return tuple(explained)


@remember_last
def scores(state: State) -> tuple[int, ...]:
    """Count each seat's points, the end scoring included once the game is over (S-18)."""
    if state.phase is not Phase.OVER:
        return tuple(sum(garden.ledger) for garden in state.gardens)
    return tuple(sum(cause.points for cause in seat) for seat in causes(state))


def winners(state: State) -> tuple[Seat, ...]:
    """Name who has the most points and, among those, the most gardeners (S-19)."""
    standing = [
        (points, garden.gardeners.bit_count())
        for points, garden in zip(scores(state), state.gardens, strict=True)
    ]
    best = max(standing)
    return tuple(Seat(seat) for seat, mine in enumerate(standing) if mine == best)


def decided_by(state: State) -> str:
    """Name what separates the winners from the rest (S-19)."""
    points = scores(state)
    if points.count(max(points)) == 1:
        return "points"
    return "gardeners" if len(winners(state)) == 1 else "shared"
