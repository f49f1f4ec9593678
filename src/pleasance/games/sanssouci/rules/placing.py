"""The placing of a tile: the cell's reward or penalty, then the boar (S-27)."""

from __future__ import annotations

from pleasance.core.tuples import with_item
from pleasance.games.sanssouci.rules.garden import Cell
from pleasance.games.sanssouci.rules.moves import boar_steps
from pleasance.games.sanssouci.rules.state import (
    BOAR,
    NO_BOARD,
    NOWHERE,
    WALK,
    Box,
    Garden,
    Phase,
    Source,
)


def lay(box: Box, garden: Garden, cell: Cell, *, is_gardener: bool) -> tuple[Garden, Phase]:
    """Lay a tile; then the reward or penalty of the cell, then the boar (S-27)."""
    built, gardeners, ledger = garden.built | 1 << cell, garden.gardeners, garden.ledger
    if is_gardener:
        gardeners |= 1 << cell
    if garden.rewards_side != NO_BOARD:
        pay = box.components.rewards[garden.rewards_side][cell][is_gardener]
        ledger = _enter_reward(ledger, pay, is_gardener=is_gardener)
    result = Garden(built, gardeners, garden.ahead, garden.boar, ledger, *garden[5:])
    return _disturb_boar(box, result) if garden.boar == cell else (result, WALK)


def _enter_reward(ledger: tuple[int, ...], pay: int, *, is_gardener: bool) -> tuple[int, ...]:
    """Enter what a cell pays or costs; a score never falls below 0 (S-21 to S-23)."""
    if pay < 0:
        return enter_points(ledger, Source.PENALTY, -min(-pay, sum(ledger)))
    return enter_points(ledger, Source.GARDENER_BONUS if is_gardener else Source.MOTIF_BONUS, pay)


def _disturb_boar(box: Box, garden: Garden) -> tuple[Garden, Phase]:
    """Pay for the boar; it must step aside, or is removed for more if it cannot (S-25)."""
    pay = box.components.boar_disturbed
    if boar_steps(garden):
        return garden._replace(ledger=enter_points(garden.ledger, Source.BOAR, pay)), BOAR
    pay += box.components.boar_removed
    ledger = enter_points(garden.ledger, Source.BOAR, pay)
    return garden._replace(ledger=ledger, boar=NOWHERE), WALK


def enter_points(ledger: tuple[int, ...], source: Source, points: int) -> tuple[int, ...]:
    """Enter *points* in a ledger."""
    return with_item(ledger, source, ledger[source] + points)
