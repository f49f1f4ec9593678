"""Draw which folder imports which, from the code: `make graph`.

Writes docs/pictures/import-graph.svg and exits with 1 when folders or modules import each other in
a circle, or a folder holds too many modules. Imports for type checkers and root modules count.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

import grimp

from pleasance.core.svg import Markup, document, element, group, translated, write
from pleasance.games import game_names

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "pictures" / "import-graph.svg"
PACKAGE = "pleasance"
GAMES = tuple(f"{PACKAGE}.games.{name}" for name in game_names())
PANELS = (PACKAGE, "pleasance.server", *sorted(GAMES, reverse=True))
MAX_MODULES = 20

Edges: TypeAlias = Mapping[str, frozenset[str]]
"""The imports of each module or folder, by full name; every node is a key."""

_PANEL_WIDTH, _GAP, _MARGIN = 620, 40, 28
_BOX_HEIGHT, _ROW_HEIGHT, _TITLE_HEIGHT = 34, 78, 46
_LETTER_WIDTH, _BOX_SPACE, _MIN_BOX_WIDTH, _LANE_WIDTH = 7.6, 18, 68, 8
_INK, _SOFT, _LINE, _FILL, _PAPER = "#22302a", "#68756d", "#8aa394", "#eef4ef", "#ffffff"


@cache
def load_graph() -> grimp.ImportGraph:
    """Read all imports of the package, those for type checkers too; tests are left out."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    for module in [name for name in graph.modules if "tests" in name.split(".")]:
        graph.remove_module(module)
    return graph


def module_edges(graph: grimp.ImportGraph) -> Edges:
    """List the imports between modules."""
    return {
        name: frozenset(graph.find_modules_directly_imported_by(name)) for name in graph.modules
    }


def folder_edges(graph: grimp.ImportGraph, folder: str) -> Edges:
    """List the imports between the direct children of a folder, with all that lies in them."""
    children = graph.find_children(folder)
    owner = {
        module: child for child in children for module in (child, *graph.find_descendants(child))
    }
    found: dict[str, set[str]] = {child: set() for child in children}
    for module, child in owner.items():
        for imported in graph.find_modules_directly_imported_by(module):
            if owner.get(imported, child) != child:
                found[child].add(owner[imported])
    return {child: frozenset(imported) for child, imported in found.items()}


def find_cycle(edges: Edges) -> list[str] | None:
    """Return the nodes of one circle, or `None`."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return None


def find_faults(graph: grimp.ImportGraph) -> Iterator[str]:
    """Describe each circle of modules or folders, and each folder with too many modules."""
    folders = sorted(name for name in graph.modules if graph.find_children(name))
    levels = [("modules", module_edges(graph))]
    levels += [(f"inside {folder}", folder_edges(graph, folder)) for folder in folders]
    for place, edges in levels:
        if cycle := find_cycle(edges):
            yield f"{place}: import circle {' -> '.join(cycle)}"
    for folder, count in sorted(count_modules(graph).items()):
        if count > MAX_MODULES:
            yield f"{folder} has {count} modules, more than {MAX_MODULES}"


def count_modules(graph: grimp.ImportGraph) -> Counter[str]:
    """Count the modules that lie directly in each folder."""
    single = (name for name in graph.modules if not graph.find_children(name))
    return Counter(name.rpartition(".")[0] for name in single)


def reduce_edges(edges: Edges) -> Edges:
    """Leave out every arrow that follows from a longer way."""

    @cache
    def below(node: str) -> frozenset[str]:
        return edges[node].union(*(below(child) for child in edges[node]))

    return {
        node: frozenset(
            child
            for child in children
            if not any(child in below(other) for other in children - {child})
        )
        for node, children in edges.items()
    }


class Lane(NamedTuple):
    """Room for an arrow that passes a row of boxes."""

    source: str
    target: str
    row: int


Node: TypeAlias = str | Lane


class Layout(NamedTuple):
    """Rows of boxes and lanes from top to bottom, and the arrows as chains of neighbors."""

    rows: list[list[Node]]
    chains: list[list[Node]]


def lay_out(edges: Edges) -> Layout:
    """Put every importer above what it imports, with few crossings (Sugiyama's method)."""
    height: dict[str, int] = {}
    for node in TopologicalSorter(edges).static_order():
        height[node] = 1 + max((height[child] for child in edges[node]), default=-1)
    top = max(height.values())
    rows: list[list[Node]] = [[] for _ in range(top + 1)]
    for node in sorted(edges):
        rows[top - height[node]].append(node)
    chains: list[list[Node]] = []
    for source, targets in sorted(edges.items()):
        for target in sorted(targets):
            first, last = top - height[source], top - height[target]
            lanes = [Lane(source, target, row) for row in range(first + 1, last)]
            for lane in lanes:
                rows[lane.row].append(lane)
            chains.append([source, *lanes, target])
    _order_rows(rows, chains)
    return Layout(rows, chains)


def _order_rows(rows: list[list[Node]], chains: Sequence[Sequence[Node]]) -> None:
    """Sort each row by the mean place of its neighbors, downwards and upwards by turns."""
    neighbors: dict[Node, list[Node]] = {}
    for chain in chains:
        for upper, lower in pairwise(chain):
            neighbors.setdefault(upper, []).append(lower)
            neighbors.setdefault(lower, []).append(upper)
    for sweep in range(12):
        for row in rows if sweep % 2 else reversed(rows):
            places = {
                node: place / max(1, len(other) - 1)
                for other in rows
                for place, node in enumerate(other)
            }
            means = {
                node: sum(places[other] for other in neighbors.get(node, [node]))
                / len(neighbors.get(node, [node]))
                for node in row
            }
            row.sort(key=lambda node: (means[node], str(node)))


def draw(graph: grimp.ImportGraph) -> str:
    """Draw all panels side by side, two in a row."""
    panels = [draw_panel(graph, folder) for folder in PANELS]
    parts: list[Markup] = []
    y = float(_MARGIN)
    for start in range(0, len(panels), 2):
        pair = panels[start : start + 2]
        parts += [
            translated(_MARGIN + place * (_PANEL_WIDTH + _GAP), y, panel)
            for place, (panel, _) in enumerate(pair)
        ]
        y += max(height for _, height in pair) + _GAP
    note = "An arrow points to what is imported; arrows that follow from others are left out."
    width = 2 * _PANEL_WIDTH + _GAP + 2 * _MARGIN
    return document(
        "Which folder imports which",
        note,
        (width, y + 20),
        element("rect", width=width, height=y + 20, fill=_PAPER),
        *parts,
        write(note, _MARGIN, y, 13, fill=_SOFT),
    )


def draw_panel(graph: grimp.ImportGraph, folder: str) -> tuple[Markup, float]:
    """Draw the children of one folder; return the drawing and its height."""
    layout = lay_out(reduce_edges(folder_edges(graph, folder)))
    places = _place(layout.rows)
    arrows = [_draw_arrow([places[node] for node in chain]) for chain in layout.chains]
    boxes = [
        _draw_box(graph, node, *places[node])
        for row in layout.rows
        for node in row
        if isinstance(node, str)
    ]
    title = write(folder, 0, 18, 17, fill=_INK, font_weight="bold")
    return group(title, *arrows, *boxes), _TITLE_HEIGHT + len(layout.rows) * _ROW_HEIGHT


def _place(rows: Sequence[Sequence[Node]]) -> dict[Node, tuple[float, float]]:
    """Center each row; return the middle of the upper edge of every box and lane."""
    places: dict[Node, tuple[float, float]] = {}
    for number, row in enumerate(rows):
        widths = [_width(node) for node in row]
        space = min(60.0, (_PANEL_WIDTH - sum(widths)) / (len(row) + 1))
        x = (_PANEL_WIDTH - sum(widths) - space * (len(row) - 1)) / 2
        for node, width in zip(row, widths, strict=True):
            places[node] = (x + width / 2, _TITLE_HEIGHT + number * _ROW_HEIGHT)
            x += width + space
    return places


def _width(node: Node) -> float:
    if isinstance(node, Lane):
        return _LANE_WIDTH
    return max(_MIN_BOX_WIDTH, len(node.rpartition(".")[2]) * _LETTER_WIDTH + _BOX_SPACE)


def _draw_arrow(points: Sequence[tuple[float, float]]) -> Markup:
    """Draw a smooth line from the first box through lanes to the last one."""
    (x, y), *rest = points
    path = f"M{x:.0f} {y + _BOX_HEIGHT:.0f}"
    y += _BOX_HEIGHT
    for place, (to_x, to_y) in enumerate(rest):
        middle = (y + to_y) / 2
        path += f"C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y:.0f}"
        x, y = to_x, to_y
        if place < len(rest) - 1:
            y += _BOX_HEIGHT
            path += f"V{y:.0f}"
    tip = f"M{x - 4:.0f} {y - 7:.0f}L{x:.0f} {y:.0f}L{x + 4:.0f} {y - 7:.0f}"
    return element("path", d=path + tip, fill="none", stroke=_LINE, stroke_width=1.4)


def _draw_box(graph: grimp.ImportGraph, node: str, x: float, y: float) -> Markup:
    """Draw a folder with the number of its modules, or a single module."""
    width = _width(node)
    count = sum(not graph.find_children(name) for name in graph.find_descendants(node))
    label = f"{count} modules" if count > 1 else "1 module"
    return group(
        element(
            "rect", x=x - width / 2, y=y, width=width, height=_BOX_HEIGHT, rx=6,
            fill=_FILL, stroke=_LINE,
        ),
        write(node.rpartition(".")[2], x, y + 16, 13, fill=_INK, text_anchor="middle"),
        write(label if count else "module", x, y + 28, 9, fill=_SOFT, text_anchor="middle"),
    )  # fmt: skip


def main() -> int:
    """Write the picture; list what is wrong."""
    graph = load_graph()
    faults = list(find_faults(graph))
    print(*faults, sep="\n", end="\n" if faults else "")
    if not any("circle" in fault for fault in faults):
        PICTURE.write_text(draw(graph), encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
