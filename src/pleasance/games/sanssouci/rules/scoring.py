"""The scoring: points by source, the end scoring, and the winners."""

from __future__ import annotations

from pleasance.core.bits import bits
from pleasance.core.catalog import ScoreItem
from pleasance.core.game import Seat
from pleasance.core.identity_cache import cache_last
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


def endgame(box: Box, garden: Garden, missions: Columns) -> tuple[ScoreItem, ...]:
    """List the items of the end scoring: rows, columns, missions, then the boar (S-18, S-26)."""
    components = box.components
    score_items = [
        ScoreItem("row", bonus, {"row": row})
        for row in complete_rows(garden)
        if (bonus := components.row_bonus[row - 1])
    ]
    score_items += [
        ScoreItem("column", components.column_bonus, {"motif": motif_letter(motif)})
        for motif in complete_columns(garden)
    ]
    score_items += [
        ScoreItem("mission", noble_row(garden, column), {"motif": motif_letter(Motif(column))})
        for column in bits(missions)
    ]
    if area := boar_area(garden):
        # The boar takes its toll last, and never more than there is.
        total = sum(garden.ledger) + sum(item.points for item in score_items)
        score_items.append(ScoreItem("boar_area", -min(area, total), {"cells": area}))
    return tuple(score_items)


def score_items(state: State) -> tuple[tuple[ScoreItem, ...], ...]:
    """List the items of each seat's score; their points add up to it."""
    explained = []
    for garden, missions in zip(state.gardens, state.missions, strict=True):
        earned = tuple(
            ScoreItem(code, points)
            for code, points in zip(SOURCE_CODES, garden.ledger, strict=True)
            if points
        )
        if state.phase is Phase.OVER:
            earned += endgame(state.box, garden, missions)
        explained.append(earned)
    return tuple(explained)


@cache_last
def scores(state: State) -> tuple[int, ...]:
    """Count each seat's points, the end scoring included once the game is over (S-18)."""
    if state.phase is not Phase.OVER:
        return tuple(sum(garden.ledger) for garden in state.gardens)
    return tuple(sum(item.points for item in seat) for seat in score_items(state))


def winners(state: State) -> tuple[Seat, ...]:
    """Name the seats with the most points and, among those, the most gardeners (S-19)."""
    standing = [
        (points, garden.gardeners.bit_count())
        for points, garden in zip(scores(state), state.gardens, strict=True)
    ]
    best = max(standing)
    return tuple(Seat(seat) for seat, mine in enumerate(standing) if mine == best)


def decided_by(state: State) -> str:
    """Name the criterion that separates the winners from the rest (S-19)."""
    points = scores(state)
    if points.count(max(points)) == 1:
        return "points"
    return "gardeners" if len(winners(state)) == 1 else "shared"
