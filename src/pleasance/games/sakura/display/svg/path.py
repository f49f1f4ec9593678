"""Draws the path of Sakura as a scroll: three sweeps, the scenery, and the figures on it."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, sin
from typing import NamedTuple

from pleasance.core.svg import Markup, element, group, safe_color, translated, use, write
from pleasance.games.sakura.display.svg.icons import INK, PAPER, PINK, RED, SAND, WATER
from pleasance.games.sakura.rules.components import Painter, Path, Space
from pleasance.games.sakura.rules.path import FIRST, GATE
from pleasance.games.sakura.rules.view import View

_LEFT, _RIGHT = 130, 1070
_ROWS = (150, 290, 430)
"""The heights of the three sweeps of the path."""

_TURN = (_ROWS[1] - _ROWS[0]) / 2
_STEP = 10
_MAX_DARK_LUMINANCE = 140
"""Colors darker than this, of 255, carry light letters."""

_SHAPES = {
    "circle": "M0-15a15 15 0 1 0 .01 0z",
    "diamond": "M0-18.5L18.5 0 0 18.5-18.5 0z",
    "square": "M-14-14H14V14H-14z",
    "triangle": "M0-19L19 14.5H-19z",
    "pentagon": "M0-17L17-4 10.5 15h-21L-17-4z",
    "star": "M0-20l5.5 12.5 13.5 1.5-10 9 3 14L0 9.5-12 17l3-14-10-9 13.5-1.5z",
}


class Spot(NamedTuple):
    """A place on the paper."""

    x: float
    y: float
    angle: float = 0
    """The direction of the path here, in degrees."""


def draw_path(view: View) -> Markup:
    """Draw the path with its scenery, the Emperor and all painters."""
    path = view.box.paths[len(view.painters)]
    line = _trace()
    gap = (_measure(line) - 16) / (path.sakura[-1] - 0.5)
    spots = [_find(line, (n - 0.5) * gap) for n in range(FIRST, path.sakura[-1] + 1)]
    spots.insert(GATE, Spot(70, _ROWS[0] + 34))
    bridges = _list_bridges(path)
    torii = spots[path.torii]
    parts = [_draw_stream(_find(line, (a + b - 1) / 2 * gap), b - a) for a, b in bridges]
    parts += [_draw_tree(view, spots[space], n) for n, space in enumerate(path.sakura)]
    parts += [_draw_walk(line), use("gate", 22, 84, (96, 84))]
    for a, b in bridges:
        places = range(int((a - 1) * gap) - 2, int(b * gap) + 10, 10)
        parts.append(_draw_bridge([_find(line, place) for place in places]))
    parts += [_draw_space(Space(n), spots[n], path, gap) for n in range(FIRST, len(spots))]
    parts.append(use("torii", torii.x - 36.5, torii.y - 52, (73, 66)))
    return group(*parts, *_draw_figures(view, spots, min(1, gap / 62)))


def _trace() -> list[Spot]:
    """Trace the middle of the path: to the right, back to the left, and to the right again."""
    across = range(_LEFT, _RIGHT + 1, _STEP)
    bends = [n * pi / 22 - pi / 2 for n in range(1, 22)]
    first = [Spot(x, _ROWS[0] + _sway(x)) for x in across]
    turn = [Spot(_RIGHT + _TURN * cos(a), _ROWS[0] + _TURN * (1 + sin(a))) for a in bends]
    second = [Spot(x, _ROWS[1] - _sway(x)) for x in reversed(across)]
    back = [Spot(_LEFT - _TURN * cos(a), _ROWS[1] + _TURN * (1 + sin(a))) for a in bends]
    third = [Spot(x, _ROWS[2] + _sway(x)) for x in across]
    return [*first, *turn, *second, *back, *third]


def _sway(x: float) -> float:
    """Let the path wind a little; both ends of a sweep stay where they are."""
    return 9 * sin(5 * pi * (x - _LEFT) / (_RIGHT - _LEFT))


def _measure(line: list[Spot]) -> float:
    """Measure the length of a line."""
    return sum(hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(line))


def _find(line: list[Spot], distance: float) -> Spot:
    """Find the spot at a *distance* along a line; beyond its end, the end."""
    for a, b in pairwise(line):
        length = hypot(b.x - a.x, b.y - a.y)
        if distance <= length:
            part, angle = distance / length, degrees(atan2(b.y - a.y, b.x - a.x))
            return Spot(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), angle)
        distance -= length
    return line[-1]


def _list_bridges(path: Path) -> list[tuple[int, int]]:
    """List the first and the last space of each bridge; its spaces lie side by side."""
    firsts = [space for space in path.bridges if space - 1 not in path.bridges]
    lasts = [space for space in path.bridges if space + 1 not in path.bridges]
    return list(zip(firsts, lasts, strict=True))


def _draw_stream(spot: Spot, more: int) -> Markup:
    """Draw the water under a bridge that has *more* spaces than one."""
    bank = "M-34-66q14 20 4 40t2 40-6 52h66q12-30 4-52t2-40 0-40z"
    waves = "M-18-44q8-6 16 0t16 0M-22-24q8-6 16 0t16 0M-14 36q8-6 16 0t16 0M-20 52q8-6 16 0t16 0"
    return group(
        element("path", d=bank, fill=WATER, stroke=INK, stroke_width=1.4),
        element("path", d=waves, fill="none", stroke=PAPER, stroke_width=2),
        transform=f"{_stand(spot)} scale({1 + more / 2:g} 1)",
    )


def _draw_tree(view: View, spot: Spot, number: int) -> Markup:
    """Draw a cherry tree between the sweeps, and what it still has to give."""
    base = next((row for row in _ROWS if row >= spot.y - 12), _ROWS[-1])
    x = min(max(spot.x, _LEFT + 55), _RIGHT - 20)
    tree = use("bloom" if number < view.scored else "bud", x - 56, base - 130, (112, 114))
    if number < view.scored:
        return tree
    gifts = [
        translated(
            x + 44 + 25 * place,
            base - 46,
            use("blossom", -13, -13, 26),
            element("circle", r=7, fill=PAPER, stroke=INK, stroke_width=0.8),
            write(str(tokens), 0, 4, 11.5, font_weight="bold", text_anchor="middle", fill=INK),
        )
        for place, tokens in enumerate(view.box.pay[len(view.painters)][number])
    ]
    return Markup(tree + "".join(gifts))


def _draw_walk(line: list[Spot]) -> Markup:
    """Draw the sand of the path."""
    d = _polyline(line)
    return group(
        element("path", d=d, stroke=INK, stroke_width=51),
        element("path", d=d, stroke=SAND, stroke_width=48),
        fill="none",
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def _draw_space(space: Space, spot: Spot, path: Path, gap: float) -> Markup:
    """Draw a stepping stone or a piece of a bridge, with its number."""
    radius = min(18, gap * 0.38)
    number = write(str(space), 0, 3.5, 10, fill=INK, opacity=0.75, text_anchor="middle")
    if space in path.bridges:
        return translated(spot.x, spot.y, number)
    fill, edge = (PINK, 2.4) if space in path.sakura else (PAPER, 1.2)
    stone = element("circle", r=radius, fill=fill, stroke=INK, stroke_width=edge)
    return translated(spot.x, spot.y, stone, number)


def _draw_bridge(line: list[Spot]) -> Markup:
    """Draw a bridge along a line: planks between red rails, with a post at each corner."""
    d = _polyline(line)
    posts = Markup(
        "".join(
            element("path", d="M0-33v12M0 33v-12", transform=_stand(end))
            for end in (line[0], line[-1])
        )
    )
    layers = ((INK, 60), (RED, 57), (INK, 47), ("#d08a55", 45))
    return group(
        *(element("path", d=d, stroke=color, stroke_width=width) for color, width in layers),
        element("path", d=d, stroke=INK, stroke_width=45, stroke_dasharray="1 9", opacity=0.5),
        group(posts, stroke=INK, stroke_width=9, stroke_linecap="round"),
        group(posts, stroke=RED, stroke_width=6, stroke_linecap="round"),
        fill="none",
    )


def _stand(spot: Spot) -> str:
    """Write how a drawing is moved to a spot and turned along the path."""
    return f"translate({spot.x:.1f} {spot.y:.1f}) rotate({spot.angle:.1f})"


def _polyline(line: list[Spot]) -> str:
    """Write a line as the outline of a path."""
    return "M" + "L".join(f"{spot.x:.1f} {spot.y:.1f}" for spot in line)


def _draw_figures(view: View, spots: list[Spot], scale: float) -> list[Markup]:
    """Draw the Emperor and the painters; those in the gate stand side by side."""
    emperor = spots[view.emperor]
    parts = []
    waiting = 0
    for painter, place in enumerate(view.painters):
        spot = spots[place]
        if place == GATE:
            x, y = 38 + waiting % 3 * 33, 176 + waiting // 3 * 38
            waiting += 1
            spot = Spot(x, y)
        look = view.box.painters[painter]
        size = 0.72 if place == GATE else scale
        parts.append((spot.y, translated(spot.x, spot.y - 2, draw_painter(look), scale=size)))
    throne = translated(
        emperor.x - 25 * scale, emperor.y - 46 * scale, use("emperor", 0, 0, (50, 64)), scale=scale
    )
    parts.append((emperor.y, throne))
    return [part for _, part in sorted(parts)]


def draw_painter(look: Painter) -> Markup:
    """Draw a painter around the origin: a robe in color and shape, its letter, a straw hat."""
    color = safe_color(look.color, "#888888")
    light = sum(int(color[n : n + 2], 16) * part for n, part in ((1, 0.3), (3, 0.59), (5, 0.11)))
    drop = {"triangle": 10, "star": 5.5}.get(look.shape, 6)
    size = 13 if look.shape in {"triangle", "star"} else 17
    body = _SHAPES[look.shape]
    return group(
        element("path", d=body, fill=PAPER, stroke=PAPER, stroke_width=6),
        element("path", d="M-7-17a7 7 0 0 0 14 0z", fill="#f0cda6"),
        element("path", d=body, fill=color),
        element("path", d="M-14-18L0-31 14-18q-14 5-28 0z", fill="#dcb86a"),
        write(
            look.letter,
            0,
            drop,
            size,
            fill=PAPER if light < _MAX_DARK_LUMINANCE else INK,
            stroke="none",
            font_weight="bold",
            text_anchor="middle",
        ),
        stroke=INK,
        stroke_width=1.6,
        stroke_linejoin="round",
    )
