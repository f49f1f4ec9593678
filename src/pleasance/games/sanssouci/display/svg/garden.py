"""One garden of a picture: palace, terrace, rows, tiles, nobles and boar."""

from __future__ import annotations

from pleasance.core.game import Seat
from pleasance.core.svg import Markup, element, group, safe_color, signed, translated, use, write
from pleasance.games.sanssouci.display.svg.icons import GOLD, INK, PAPER, draw_palace
from pleasance.games.sanssouci.rules.actions import Boar, Place, Walk
from pleasance.games.sanssouci.rules.components import (
    HEIGHT,
    REWARDS_CELLS,
    REWARDS_ROWS,
    WIDTH,
    Edition,
    Motif,
    motif_letter,
)
from pleasance.games.sanssouci.rules.garden import CELLS, Cell, cell_at, column_of, row_of
from pleasance.games.sanssouci.rules.state import NO_BOARD, Garden, noble_row
from pleasance.games.sanssouci.rules.view import View

CELL = 68
"""The side of a cell, with half of the path around it."""

MARGIN = 34
"""Room for the row numbers at the left and the row values at the right."""

TOP = 144
"""The upper edge of row 1, below palace and terrace."""

GARDEN_WIDTH = WIDTH * CELL + 2 * MARGIN
GARDEN_HEIGHT = TOP + HEIGHT * CELL + 30

_TERRACE = 84
_PLAIN_COLOR = "#cccccc"


def draw_garden(view: View, seat: Seat, edition: Edition) -> Markup:
    """Draw the garden of *seat* on a sheet of GARDEN_WIDTH by GARDEN_HEIGHT."""
    garden = view.gardens[seat]
    cells = [_draw_cell(view, garden, cell) for cell in CELLS]
    figures = [_draw_noble(garden, column) for column in range(WIDTH)]
    return translated(
        MARGIN,
        0,
        draw_palace(),
        _draw_terrace(),
        _draw_ground(edition),
        *cells,
        *_outline_rewards(garden),
        *_ring_legal_cells(view, seat),
        *figures,
        _draw_labels(view, edition),
    )


def corner(cell: Cell) -> tuple[float, float]:
    """Find the upper left corner of a cell, path left out."""
    return column_of(cell) * CELL + 2, TOP + (row_of(cell) - 1) * CELL + 2


def paint_row(edition: Edition, row: int, outline: str) -> Markup:
    """Fill an outline with the color and the pattern of *row*."""
    color = safe_color(edition.rows[row - 1]["color"], _PLAIN_COLOR)
    fill = element("path", d=outline, fill=color, stroke=INK, stroke_opacity=0.55)
    pattern = element("path", d=outline, fill=f"url(#row{row})", opacity=0.45)
    return Markup(fill + pattern)


def _draw_terrace() -> Markup:
    """Draw the gravel before the palace, with a balustrade behind and steps in front."""
    width = WIDTH * CELL
    rails = "".join(f"M{x} {_TERRACE + 5}v9" for x in range(8, width, 9))
    steps = "".join(f"M{x} {TOP - 7}h24M{x - 3} {TOP - 3}h30" for x in range(22, width, CELL))
    return group(
        element("path", d=f"M-6 {_TERRACE}h{width + 12}V{TOP}H-6z", fill="#e9dcbd", stroke="none"),
        element("path", d=rails, stroke_width=3, stroke="#b9a987"),
        element("path", d=f"M-2 {_TERRACE + 4}h{width + 4}M-2 {_TERRACE + 15}h{width + 4}"),
        element("path", d=f"M-6 {TOP - 11}h{width + 12}v11H-6z", fill="#dccba4"),
        element("path", d=steps),
        fill="none",
        stroke=INK,
    )


def _draw_ground(edition: Edition) -> Markup:
    """Draw six rows of nine cells on gravel, each row in its color and pattern."""
    side = CELL - 4
    cell = f"h{side}v{side}h-{side}z"
    gravel = element(
        "path",
        d=f"M-6 {TOP}h{WIDTH * CELL + 12}v{HEIGHT * CELL + 6}H-6z",
        fill="#e9dcbd",
        stroke=INK,
        stroke_width=1.5,
    )
    rows = []
    for row in range(1, HEIGHT + 1):
        places = [corner(cell_at(row, column)) for column in range(WIDTH)]
        rows.append(paint_row(edition, row, "".join(f"M{x:g} {y:g}{cell}" for x, y in places)))
    return Markup(gravel + "".join(rows))


def _draw_cell(view: View, garden: Garden, cell: Cell) -> Markup:
    """Draw the contents of a cell: a motif, a gardener or a pencilled bed; and the boar."""
    x, y = corner(cell)
    boar = use("boar", x + 7, y + 10, 50) if garden.boar == cell else Markup("")
    if garden.gardeners >> cell & 1:
        return Markup(use("plot", x, y, 64) + use("gardener", x + 8, y + 8, 48) + boar)
    if garden.built >> cell & 1:
        motif = f"motif{column_of(cell)}"
        return Markup(use("tile", x, y, 64) + use(motif, x + 10, y + 10, 44) + boar)
    return Markup(use("bed", x, y, 64) + boar + _draw_mark(view, garden, cell))


def _draw_mark(view: View, garden: Garden, cell: Cell) -> Markup:
    """Draw the reward of a free cell: a coin for a motif, a hat for a gardener, a thorn costs."""
    if garden.rewards_side == NO_BOARD:
        return Markup("")
    motif, gardener = view.box.components.rewards[garden.rewards_side][cell]
    x, y = corner(cell)
    if garden.boar == cell:
        return translated(x + 35, y + 35, _draw_pay(motif, gardener), scale=0.62)
    return translated(x + 10, y + 10, _draw_pay(motif, gardener))


def _draw_pay(motif: int, gardener: int) -> Markup:
    """Draw a mark of the rewards board on a sheet of 44 by 44."""
    if motif == gardener:
        return draw_badge("coin" if motif > 0 else "thorn", motif) if motif else Markup("")
    if not gardener:
        return draw_badge("coin" if motif > 0 else "thorn", motif)
    hat = group(
        use("hat", 2, -2, 40),
        write(signed(gardener), 22, 41, 19, fill=INK),
        font_weight="bold",
        text_anchor="middle",
    )
    if not motif:
        return hat
    half = translated(0, 0, draw_badge("coin" if motif > 0 else "thorn", motif), scale=0.55)
    return Markup(half + translated(18, 16, hat, scale=0.62))


def draw_badge(kind: str, points: int) -> Markup:
    """Draw a coin or a thorn with points on it, on a sheet of 44 by 44."""
    color = INK if kind == "coin" else PAPER
    text = write(
        signed(points),
        22,
        28,
        18 if kind == "coin" else 16,
        fill=color,
        font_weight="bold",
        text_anchor="middle",
    )
    return Markup(use(kind, 2, 2, 40) + text)


def _outline_rewards(garden: Garden) -> list[Markup]:
    """Draw the edge of the rewards board."""
    if garden.rewards_side == NO_BOARD:
        return []
    rights = "".join(f"H{(last + 1) * CELL}V{TOP + row * CELL}" for row, _, last in REWARDS_ROWS)
    lefts = "".join(
        f"H{first * CELL}V{TOP + (row - 1) * CELL}" for row, first, _ in reversed(REWARDS_ROWS)
    )
    x, y = corner(Cell(REWARDS_CELLS[0]))
    edge = f"M{x - 2:g} {y - 2:g}{rights}{lefts}z"
    wide = element("path", d=edge, fill="none", stroke=PAPER, stroke_width=6)
    return [wide, element("path", d=edge, fill="none", stroke=GOLD, stroke_width=3)]


def _ring_legal_cells(view: View, seat: Seat) -> list[Markup]:
    """Ring the cells that a legal choice of the viewing seat names."""
    if seat != view.seat:
        return []
    live = {choice.cell for choice in view.legal if isinstance(choice, Place | Boar | Walk)}
    return [use("ring", *corner(cell), 64) for cell in sorted(live)]


def _draw_noble(garden: Garden, column: int) -> Markup:
    """Draw the noble of a column on the terrace or on its cell, with the column's letter."""
    row = noble_row(garden, column)
    x, y = column * CELL + 16.0, _TERRACE + 0.0
    if row:
        left, top = corner(cell_at(row, column))
        x, y = left + 28, top + 7
    letter = write(
        motif_letter(Motif(column)),
        x + 18,
        y + 47,
        18,
        fill=PAPER,
        text_anchor="middle",
        font_weight="bold",
    )
    return Markup(use("noble", x, y, (36, 54)) + letter)


def _draw_labels(view: View, edition: Edition) -> Markup:
    """Write row numbers at the left, row values at the right, column letters below."""
    parts = []
    for row, value in enumerate(view.box.components.row_values, start=1):
        y = TOP + (row - 1) * CELL + 14
        right = WIDTH * CELL + 6
        parts.append(paint_row(edition, row, f"M-6 {y}h-22q-5 0-5 5v30q0 5 5 5h22z"))
        parts.append(_plaque(str(row), -19, y + 20))
        parts.append(paint_row(edition, row, f"M{right} {y}h22q5 0 5 5v30q0 5-5 5h-22z"))
        parts.append(_plaque(f"+{value}", right + 13, y + 20))
    for motif in Motif:
        x, y = motif * CELL + CELL / 2, TOP + HEIGHT * CELL + 22
        parts.append(write(motif_letter(motif), x, y, 19, fill=INK, font_style="italic"))
    return group(*parts, text_anchor="middle", font_weight="bold")


def _plaque(text: str, x: float, y: float) -> Markup:
    """Write a number on a small round plaque, so that no pattern disturbs it."""
    plate = element("ellipse", cx=x, cy=y, rx=11.5, ry=12, fill=PAPER, stroke=INK)
    size = 17 if len(text) == 1 else 13
    return Markup(plate + write(text, x, y + size * 0.36, size, fill=INK))
