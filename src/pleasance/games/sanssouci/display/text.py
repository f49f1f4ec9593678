"""The plain-text display: a view as text, and choices and draws in words."""

from __future__ import annotations

from itertools import zip_longest
from typing import assert_never

from pleasance.core.bits import bits
from pleasance.core.catalog import Messages, ScoreItem
from pleasance.core.game import Seat
from pleasance.games.sanssouci.display.wording import (
    card_words,
    edition_for,
    garden_title,
    headline,
    name_cell,
    name_motif,
    name_seat,
)
from pleasance.games.sanssouci.rules import actions
from pleasance.games.sanssouci.rules.actions import Action, Outcome
from pleasance.games.sanssouci.rules.components import (
    HEIGHT,
    REWARDS_CELLS,
    WIDTH,
    Card,
    Components,
    Edition,
    Motif,
    board_name,
    card_name,
    motif_letter,
)
from pleasance.games.sanssouci.rules.garden import Cell, cell_at, column_of, row_of
from pleasance.games.sanssouci.rules.moves import belongs
from pleasance.games.sanssouci.rules.state import NO_BOARD, NO_TILE, Garden, noble_row
from pleasance.games.sanssouci.rules.view import View

_GAP = "    "


def render(view: View, words: Messages, width: int) -> str:
    """Draw the main board, all gardens, the own hand and missions."""
    seats = len(view.gardens)
    around = [Seat(((view.seat or 0) + step) % seats) for step in range(seats)]
    blocks = [_draw_main_board(view, words)]
    blocks += [_draw_garden(view, seat, words) for seat in around]
    lines = [headline(view, words), "", *_side_by_side(blocks, width), *_draw_hand(view, words)]
    return "\n".join(line.rstrip() for line in [*lines, *_legend(view, words)])


def _legend(view: View, words: Messages) -> list[str]:
    """Explain the signs that this table uses."""
    more = ["text.legend_boars"] if view.box.has_boars else []
    more += ["text.legend_rewards"] if view.box.has_rewards else []
    return [words("text.legend"), *map(words, more)]


def _side_by_side(blocks: list[list[str]], most: int) -> list[str]:
    """Set blocks beside each other, as many as fit, and the rest below."""
    lines: list[str] = []
    while blocks:
        row = [blocks.pop(0)]
        while blocks and _total_width([*row, blocks[0]]) <= most:
            row.append(blocks.pop(0))
        widths = [max(map(len, block)) for block in row]
        for parts in zip_longest(*row, fillvalue=""):
            padded = [part.ljust(width) for part, width in zip(parts, widths, strict=True)]
            lines.append(_GAP.join(padded))
        lines.append("")
    return lines


def _total_width(blocks: list[list[str]]) -> int:
    """Count the columns that *blocks* take beside each other."""
    return sum(max(map(len, block)) for block in blocks) + len(_GAP) * (len(blocks) - 1)


def _draw_main_board(view: View, words: Messages) -> list[str]:
    """Draw the ten spaces in the row order of the gardens, and the tiles left in the bag."""
    lines = [words("text.main_board"), "", "       l   r", "", ""]
    for row in range(2, HEIGHT + 1):
        shown = (view.market[space] for space in actions.SPACES if actions.space_row(space) == row)
        tiles = ["·" if tile == NO_TILE else motif_letter(Motif(tile)) for tile in shown]
        lines.append("   {}   {}   {}".format(row, *tiles))
    return [*lines, "", words("text.bag", tiles=sum(view.bag))]


def _draw_garden(view: View, seat: Seat, words: Messages) -> list[str]:
    """Draw one garden under its owner's name and points."""
    garden = view.gardens[seat]
    lines = [
        garden_title(view, seat, words),
        "",
        "     " + "  ".join(motif_letter(motif) for motif in Motif),
    ]
    lines.append(" 0  " + "".join(_terrace(garden, column) for column in range(WIDTH)))
    for row in range(1, HEIGHT + 1):
        cells = (_draw_cell(view, garden, cell_at(row, column)) for column in range(WIDTH))
        lines.append(f" {row}  " + "".join(cells))
    cards = words("text.cards_left", cards=view.unplayed[seat].bit_count())
    return [*lines, "", f"    {cards}"]


def _terrace(garden: Garden, column: int) -> str:
    """Draw a noble that has not left the terrace."""
    return f"[{motif_letter(Motif(column))}]" if noble_row(garden, column) == 0 else "   "


def _draw_cell(view: View, garden: Garden, cell: Cell) -> str:
    """Draw the pieces of a cell, in three columns."""
    letter = motif_letter(Motif(column_of(cell)))
    if garden.gardeners >> cell & 1:
        return " @ "
    if garden.built >> cell & 1:
        is_here = noble_row(garden, column_of(cell)) == row_of(cell)
        return f"[{letter}]" if is_here else f" {letter} "
    return f"{_mark(view, garden, cell):^3}"


def _mark(view: View, garden: Garden, cell: Cell) -> str:
    """Write the reward of a free cell, or a dot; the boar hides no reward."""
    pay = "·"
    if garden.rewards_side != NO_BOARD:
        pay = _write_reward(view.box.components.rewards[garden.rewards_side][cell])
    if garden.boar != cell:
        return pay
    return "(%)" if pay == "·" else f"%{pay}"


def _write_reward(pay: tuple[int, int]) -> str:
    """Write the reward of a cell: a motif +1, a gardener +G, a penalty -2; or a dot."""
    motif, gardener = pay
    if motif == gardener:
        return f"{motif:+d}" if motif else "·"
    return f"+{motif}" if motif else "+G"


def _draw_hand(view: View, words: Messages) -> list[str]:
    """List the own hand and missions in words."""
    if view.seat is None:
        return []
    edition = edition_for(view.box.components, words)
    hand = [
        f"{card_name(Card(card))} ({card_words(Card(card), edition, words)})"
        for card in bits(view.hand)
    ]
    missions = [
        f"{motif_letter(Motif(column))} ({name_motif(column, edition, words)})"
        for column in bits(view.missions[view.seat])
    ]
    lines = [words("text.hand", cards=", ".join(hand))] if hand else []
    return lines + ([words("text.missions", missions=", ".join(missions))] if missions else [])


def describe(components: Components, action: Action | Outcome | ScoreItem, words: Messages) -> str:
    """Put a choice, an outcome or a score item into words."""
    edition = edition_for(components, words)
    if isinstance(action, ScoreItem):
        return _describe_item(action, edition, words)
    if isinstance(action, Action):
        return _describe_choice(action, edition, words)
    return _describe_outcome(action, edition, words)


def _describe_item(item: ScoreItem, edition: Edition, words: Messages) -> str:
    """Put a score item into words: a column or mission is named by its motif."""
    if "motif" not in item.params:
        return words.score_item(item)
    named = {motif_letter(motif): name_motif(motif, edition, words) for motif in Motif}
    return words.score_item(item, motif=named[str(item.params["motif"])])


def _describe_choice(action: Action, edition: Edition, words: Messages) -> str:
    """Put a choice into words."""
    match action:
        case actions.Take(card, space):
            named = card_words(card, edition, words)
            side = "left" if space % 2 == 0 else "right"
            return words("action.take", card=named, side=side, row=actions.space_row(space))
        case actions.Place(cell):
            return words("action.place", **name_cell(cell, edition, words))
        case actions.Walk(cell):
            return words("action.walk", **name_cell(cell, edition, words))
        case actions.Stay():
            return words("action.stay")
        case actions.Side(side):
            return words("action.side", side=side.name)
        case actions.Boar(cell):
            return words("action.boar", **name_cell(cell, edition, words))
        case _:
            assert_never(action)


def _describe_outcome(outcome: Outcome, edition: Edition, words: Messages) -> str:
    """Put a draw into words."""
    match outcome:
        case actions.FirstPlayer(seat):
            key = "draw.first_person" if words.people else "draw.first_player"
            return words(key, who=name_seat(seat, words), seat=seat + 1)
        case actions.GardenBoard(board, side):
            return words("draw.garden_board", board=board_name(board * 2 + side))
        case actions.Mission(motif):
            return words("draw.mission", motif=name_motif(motif, edition, words))
        case actions.RewardsBoard(board):
            return words("draw.rewards_board", board=board + 1)
        case actions.DrawnCard(card):
            return words("draw.card", card=card_words(card, edition, words))
        case actions.TurnedTile(space, motif):
            name = name_motif(motif, edition, words)
            return words("draw.tile", motif=name, row=actions.space_row(space))
        case _:
            assert_never(outcome)


def preview(view: View, action: Action, words: Messages) -> str:
    """Describe the immediate result of a legal choice."""
    components = view.box.components
    match action:
        case actions.Take(_, space):
            return _preview_take(view, space, words)
        case actions.Walk(cell):
            return words("preview.walk", points=components.row_values[row_of(cell) - 1])
        case actions.Side(side) if view.seat is not None:
            return _write_rewards(components, view.gardens[view.seat].rewards_board * 2 + side)
        case _:
            return describe(components, action, words)


def _preview_take(view: View, space: actions.Space, words: Messages) -> str:
    """Name the cell where the tile of *space* would go in the actor's garden."""
    motif = Motif(view.market[space])
    cell = belongs(space, motif)
    is_taken = view.gardens[view.actor].built >> cell & 1
    key = "preview.gardener" if is_taken else "preview.tile"
    return words(key, **name_cell(cell, edition_for(view.box.components, words), words))


def _write_rewards(components: Components, side: int) -> str:
    """Write the rewards of a board's side, row by row."""
    pays = [_write_reward(components.rewards[side][cell]) for cell in REWARDS_CELLS]
    rows = (pays[:1], pays[1:4], pays[4:9], pays[9:])
    return "  ".join(f"{row}: {' '.join(cells)}" for row, cells in enumerate(rows, start=3))
