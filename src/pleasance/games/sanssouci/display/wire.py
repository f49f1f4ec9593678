"""Serializers of views and box facts to the wire types."""

from __future__ import annotations

from functools import lru_cache
from typing import get_args

from pleasance.core.bits import SubsetLookup
from pleasance.core.catalog import ScoreItem
from pleasance.core.svg import safe_color
from pleasance.games.sanssouci.display.wire_types import (
    SanssouciBoard,
    SanssouciBox,
    SanssouciEdition,
    SanssouciGarden,
    SanssouciMark,
    SanssouciPhase,
    SanssouciRewards,
    SanssouciScoreItem,
    SanssouciSpace,
    SanssouciView,
)
from pleasance.games.sanssouci.rules.actions import SPACES, Space, space_name
from pleasance.games.sanssouci.rules.components import (
    CARDS,
    REWARDS_CELLS,
    WIDTH,
    Edition,
    Motif,
    board_name,
    card_name,
    motif_letter,
)
from pleasance.games.sanssouci.rules.garden import CELLS, cell_name
from pleasance.games.sanssouci.rules.moves import belongs
from pleasance.games.sanssouci.rules.scoring import SOURCE_CODES, endgame
from pleasance.games.sanssouci.rules.state import (
    HAND,
    NO_BOARD,
    NOWHERE,
    OVER,
    PLACE,
    ROUNDS,
    SIDES,
    Box,
    Cards,
    Garden,
    noble_row,
)
from pleasance.games.sanssouci.rules.view import View

_PHASES: tuple[SanssouciPhase, ...] = get_args(SanssouciPhase)
_CELL_NAMES = tuple(map(cell_name, CELLS))
_CELLS = SubsetLookup(_CELL_NAMES, width=WIDTH)
_CARDS = SubsetLookup([card_name(card) for card in CARDS], width=10)
_LETTERS = tuple(map(motif_letter, Motif))
_MISSIONS = tuple(map(SubsetLookup(_LETTERS, width=WIDTH).pick, range(1 << WIDTH)))
"""The letters of each possible set of missions."""

_SPACE_NAMES = tuple(map(space_name, SPACES))
_PLAIN_COLOR = "#cccccc"


def _space_tiles(space: Space) -> tuple[SanssouciSpace, ...]:
    """List the possible contents of a space: each motif, and at the index of `NO_TILE` nothing."""
    name = space_name(space)
    tiles = (
        SanssouciSpace(name, motif_letter(motif), cell_name(belongs(space, motif)))
        for motif in Motif
    )
    return (*tiles, SanssouciSpace(name, None, None))


_TILES = tuple(map(_space_tiles, SPACES))


def view_to_wire(view: View) -> SanssouciView:
    """Serialize a view, field by field."""
    turns = view.turns
    return SanssouciView(
        seat=view.seat,
        phase=_PHASES[view.phase],
        actor=view.actor,
        first=view.first,
        round=0 if view.phase <= SIDES else min(turns // len(view.gardens) + 1, ROUNDS),
        turns=turns,
        market=_market_to_wire(view.market),
        bag=view.bag,
        gardens=tuple([_garden_to_wire(garden) for garden in view.gardens]),
        tile=_CELL_NAMES[view.tile] if view.phase is PLACE else None,
        emptied=_SPACE_NAMES[view.emptied],
        hand=_list_cards(view.hand),
        hand_sizes=view.hand_sizes,
        unplayed=tuple([_list_cards(cards) for cards in view.unplayed]),
        missions=tuple([_MISSIONS[missions] for missions in view.missions]),
        mission_counts=view.mission_counts,
        scores=view.scores,
        score_items=_score_items(view),
    )


def private_to_wire(view: View) -> dict[str, object]:
    """Serialize the fields that only the seat knows: its hand, and its missions until the end."""
    return {
        "seat": view.seat,
        "hand": _list_cards(view.hand),
        "missions": tuple([_MISSIONS[missions] for missions in view.missions]),
    }


@lru_cache(maxsize=1 << 12)
def _list_cards(cards: Cards) -> tuple[str, ...]:
    """List the cards of a set."""
    return _CARDS.pick(cards)


@lru_cache(maxsize=1 << 10)
def _market_to_wire(market: tuple[int, ...]) -> tuple[SanssouciSpace, ...]:
    """Serialize the main board; all seats see the same."""
    return tuple([tiles[tile] for tiles, tile in zip(_TILES, market, strict=True)])


@lru_cache(maxsize=1 << 12)
def _garden_to_wire(garden: Garden) -> SanssouciGarden:
    """Serialize a garden; all seats see the same, and it changes only in its owner's turn."""
    side = garden.rewards_side
    return SanssouciGarden(
        board=None if garden.board == NO_BOARD else board_name(garden.board),
        built=_CELLS.pick(garden.built),
        gardeners=_CELLS.pick(garden.gardeners),
        nobles=tuple([noble_row(garden, column) for column in range(WIDTH)]),
        boar=None if garden.boar == NOWHERE else _CELL_NAMES[garden.boar],
        rewards_board=None if garden.rewards_board == NO_BOARD else garden.rewards_board + 1,
        rewards_side=None if side == NO_BOARD else board_name(side),
    )


def _score_items(view: View) -> tuple[tuple[SanssouciScoreItem, ...], ...]:
    """List the items of each score; after the game also those of the end scoring (S-18)."""
    if view.phase is not OVER:
        return tuple([_ledger_to_wire(garden.ledger) for garden in view.gardens])
    return tuple(
        _ledger_to_wire(garden.ledger)
        + tuple(map(_item_to_wire, endgame(view.box, garden, missions)))
        for garden, missions in zip(view.gardens, view.missions, strict=True)
    )


@lru_cache(maxsize=1 << 10)
def _ledger_to_wire(ledger: tuple[int, ...]) -> tuple[SanssouciScoreItem, ...]:
    """Serialize the points before the end scoring, by source."""
    sources = zip(SOURCE_CODES, ledger, strict=True)
    return tuple(SanssouciScoreItem(code, points, {}) for code, points in sources if points)


def _item_to_wire(item: ScoreItem) -> SanssouciScoreItem:
    return SanssouciScoreItem(item.code, item.points, dict(item.params))


def box_to_wire(box: Box, seats: int) -> SanssouciBox:
    """Serialize the facts that never change during a game for *seats* players."""
    components = box.components
    sides = range(len(components.gardens))
    return SanssouciBox(
        seats=seats,
        rounds=ROUNDS,
        hand=HAND,
        has_rewards=box.has_rewards,
        has_boars=box.has_boars,
        motifs=_LETTERS,
        row_values=components.row_values,
        row_bonus=components.row_bonus,
        column_bonus=components.column_bonus,
        spaces=_SPACE_NAMES,
        cards=_CARDS.pick(components.deck),
        tiles=components.tiles[seats],
        gardens=tuple(
            SanssouciBoard(board_name(side), _CELLS.pick(components.gardens[side]))
            for side in sides
        ),
        rewards_cells=tuple(_CELL_NAMES[cell] for cell in REWARDS_CELLS),
        rewards=tuple(_rewards_to_wire(box, side) for side in sides) if box.has_rewards else (),
        boar_disturbed=components.boar_disturbed,
        boar_removed=components.boar_removed,
        editions=tuple(map(_edition_to_wire, components.editions)),
    )


def _rewards_to_wire(box: Box, side: int) -> SanssouciRewards:
    """Serialize the rewards of a side's cells, blank ones left out (S-20)."""
    marks = (
        SanssouciMark(name, motif, gardener)
        for name, (motif, gardener) in zip(_CELL_NAMES, box.components.rewards[side], strict=True)
        if motif or gardener
    )
    return SanssouciRewards(board_name(side), tuple(marks))


def _edition_to_wire(edition: Edition) -> SanssouciEdition:
    """Serialize the names of an edition and its colors, if they are valid."""
    names = [{code: text for code, text in row.items() if code != "color"} for row in edition.rows]
    return SanssouciEdition(
        name=edition.name,
        title=edition.title,
        motifs=edition.motifs,
        rows=tuple(names),
        colors=tuple(safe_color(row["color"], _PLAIN_COLOR) for row in edition.rows),
    )
