"""Our own drawings for pictures of Sanssouci: motifs, figures, patterns, the palace."""

from __future__ import annotations

from functools import cache

from pleasance.core.svg import Markup, element, symbols, use
from pleasance.games.sanssouci.rules.components import Motif

INK = "#3a2d22"
PAPER = "#f7efdc"
LAWN = "#eef1d8"
EARTH = "#d2b48c"
GOLD = "#c8901e"
WINE = "#8a2c42"
HEDGE = "#6f9455"
STONE = "#f1ebdd"
SHADE = "#cfc4ae"
WATER = "#5d9fb5"

_INK = f'stroke="{INK}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"'
_MAZE = '<path fill="none" d="M6 44V6h37v37H15V15h19v19H24V24"'
_SPIRAL = (
    '<path fill="none" stroke-linecap="round" d="M22 25a4 4 0 0 1 8 0a8 8 0 0 1-16 0a12 12 0 0 1'
    ' 24 0a16 16 0 0 1-32 0a19.5 19.5 0 0 1 32-14"'
)
_ROSES = ((10, 41), (11, 31), (10, 21), (15, 12), (24, 8), (33, 12), (38, 21), (37, 31), (38, 41))
_BLOOMS = ((22, 25), (29, 31), (15, 30), (17, 15), (31, 14), (38, 27), (32, 39), (17, 40), (6, 26))
_GRAPES = ((16, 24), (24, 24), (32, 24), (20, 31), (28, 31), (16.5, 17.5), (31.5, 17.5), (24, 38))


def _dots(places: tuple[tuple[float, float], ...], radius: float, *colors: str) -> str:
    """Draw dots of one size in changing colors."""
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colors[n % len(colors)]}"/>'
        for n, (x, y) in enumerate(places)
    )


_MOTIFS = {
    Motif.LABYRINTH: f"""
        {_MAZE} stroke="{INK}" stroke-width="7"/>
        {_MAZE} stroke="{HEDGE}" stroke-width="4.2"/>""",
    Motif.STATUE: f"""<g {_INK} fill="{STONE}">
        <path d="M13 32h22v4h-2v7h3v4H12v-4h3v-7h-2z"/>
        <path fill="{SHADE}" stroke="none" d="M27 36h5v7h-5z"/>
        <path d="M12 31c0-7 5-9 9-10v-4h6v4c4 1 9 3 9 10z"/>
        <path d="M17 10c0-5 3-8 7-8s7 3 7 8c0 6-3 9.5-7 9.5S17 16 17 10z"/>
        <path fill="{SHADE}" d="M17 10c0-6 3-8 7-8s7 2 7 8c-1-3-2-4-4-4-2 1-5 1-7 0-1 1-2 2-3 4z"/>
        </g>""",
    Motif.PAVILION: f"""<g {_INK} fill="{STONE}">
        <path d="M4 43h40v4H4z"/>
        <path d="M8 26h5v17H8zM17 26h4v17h-4zM27 26h4v17h-4zM35 26h5v17h-5z"/>
        <path d="M5 21h38v5H5z"/>
        <path fill="#86ab9b" d="M9 21C9 11 16 7 24 7s15 4 15 14z"/>
        <path fill="none" d="M24 7v14M17 8.5C14 12 14 17 14 21M31 8.5c3 3.5 3 8.5 3 12.5"/>
        <path d="M24 7V4"/><circle cx="24" cy="2.7" r="1.8" fill="{GOLD}"/></g>""",
    Motif.TOPIARY: f"""<g {_INK}>
        <path fill="#9a7350" d="M22 28h4v8h-4z"/>
        <circle cx="24" cy="16" r="14" fill="{HEDGE}"/>
        <path fill="none" stroke="#a9c48c" stroke-width="2.2"
            d="M15 13c1-4 4-6 8-6.5M14.5 18.5l.2.8"/>
        <path fill="none" d="M20 22l2-2 2 2M28 15l2-2 2 2M27 25l2-2 2 2M21 14l2-2 2 2"/>
        <path fill="#cf8d5d" d="M12 35h24l-2.5 12h-19z"/><path fill="none" d="M13 39h22"/></g>""",
    Motif.STAIRCASE: f"""<g {_INK}>
        <path fill="{SHADE}" d="M3 46v-8h9v-7h9v-7h9v-7h15v29z"/>
        <path fill="{STONE}" d="M3 38h42v8H3zM12 31h33v3.5H12zM21 24h24v3.5H21z
            M30 17h15v3.5H30z"/>
        <path fill="none" stroke-width="2.4" d="M5 29L33 6.5h12"/>
        <path fill="none" d="M7 28v9M16 21v9M25 13.5v10M34 7v9.5M43 7v9.5"/>
        <circle cx="34" cy="4.5" r="2.6" fill="{GOLD}"/></g>""",
    Motif.FOUNTAIN: f"""<g {_INK}>
        <g fill="none" stroke="{WATER}" stroke-width="2.6">
        <path d="M24 33V6M24 13C19 4 9 8 9 29M24 13c5-9 15-5 15 16"/>
        <path d="M24 21c-3-6-8-3-8 9M24 21c3-6 8-3 8 9"/></g>
        <path fill="{STONE}" d="M4 33h40c0 6-6 9-14 9.5V44h4v3H14v-3h4v-1.5C10 42 4 39 4 33z"/>
        <ellipse cx="24" cy="33" rx="20" ry="3.8" fill="#b7dbe2"/>
        <g fill="{WATER}" stroke="none"><circle cx="24" cy="3.5" r="2.2"/>
        <circle cx="17" cy="5" r="1.5"/><circle cx="31" cy="5" r="1.5"/></g></g>""",
    Motif.ROSE_ARCH: f"""<g {_INK}>
        <path fill="#a9c48c" d="M6 46V23a18 18 0 0 1 36 0v23h-8V23a10 10 0 0 0-20 0v23z"/>
        <path fill="none" stroke-width="1" d="M6 46l8-8-8-8 8-8M14 46l-8-8 8-8-8-8
            M42 46l-8-8 8-8-8-8 M34 46l8-8-8-8 8-8M12 10l6 6M36 10l-6 6"/>
        <g stroke-width="1.2">{_dots(_ROSES, 4, "#cf5d73", "#e9a3ab")}</g></g>""",
    Motif.HERB_SPIRAL: f"""
        {_SPIRAL} stroke="{INK}" stroke-width="6.6"/>
        {_SPIRAL} stroke="#b9c48a" stroke-width="4"/>
        <g stroke="{INK}" stroke-width="1">{_dots(_BLOOMS, 2.9, "#e2b93b", "#b5577a", "#7f78b8")}
        </g>""",
    Motif.VINE: f"""<g {_INK}>
        <path fill="none" stroke="#8a6a48" stroke-width="2.6"
            d="M8 3v43M40 3v43M3 10h42M3 27h42M3 42h42"/>
        <g fill="#7a5596">{_dots(_GRAPES, 4.6, "#7a5596", "#9a78b4")}</g>
        <path fill="{HEDGE}" d="M24 15c-4 0-8-1-10-4 2 0 2-2 1-4 3 1 5 0 6-4 1 2 4 3 6 0 1 4 3 5 6 4
            -1 2-1 4 1 4-2 3-6 4-10 4z"/><path fill="none" d="M24 15V8"/></g>""",
}

_GARDENER = f"""<g {_INK}>
    <path fill="none" stroke="#7b5a3a" stroke-width="2.6" d="M41 7v40"/>
    <path fill="none" stroke-width="2.2" d="M35 9h12M35 9V4.5M39 9V4.5M43 9V4.5M47 9V4.5"/>
    <path fill="#4f7a9e" d="M7 47c0-13 5-19 15-20 10 1 15 7 15 20z"/>
    <path fill="{PAPER}" d="M15 33l2-6 5 3 5-3 2 6v14H15z"/>
    <path fill="#ecc39c" d="M15 15c0 8 3 12.5 7 12.5S29 23 29 15z"/>
    <path fill="#ecc39c" d="M36 31a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z"/>
    <path fill="none" d="M19 23q3 2.5 6 0M19 18.5v1M25 18.5v1"/>
    <path fill="#e5bf58" d="M2 15c4-4 8-4 11-4C14 4 17 1.5 22 1.5S30 4 31 11c3 0 7 0 11 4-13 3-27
        3-40 0z"/>
    <path fill="none" stroke="{WINE}" stroke-width="2.8" d="M13.5 11.3c6 1.5 11 1.5 17 0"/></g>"""

_FIGURE = (
    "M20 16c-4 0-6 2-6 4l2 5C8 30 3 42 2 57q18 5 36 0C37 42 32 30 24 25l2-5c0-2-2-4-6-4z"
    "M13.5 11C12 3 16 1 20 1s8 2 6.5 10c.6 3 0 5-1.5 6.5h-10C13.5 16 12.9 14 13.5 11z"
)
_NOBLE = f"""
    <path d="{_FIGURE}" fill="{PAPER}" stroke="{PAPER}" stroke-width="6"/>
    <g {_INK}><path fill="{WINE}" d="M16 25C8 30 3 42 2 57q18 5 36 0C37 42 32 30 24 25z"/>
    <path fill="#b5576a" stroke="none" d="M17.5 26.5C12 32 9 42 8 57l-5-1C4 43 8 32 16 26z"/>
    <path fill="#c97b88" d="M20 16c-4 0-6 2-6 4l2 6q4 2 8 0l2-6c0-2-2-4-6-4z"/>
    <path fill="#ecc39c" d="M15 10h10c0 5-2 7.5-5 7.5S15 15 15 10z"/>
    <path fill="#fbf8f1" d="M13.5 12C11 3 16 1 20 1s9 2 6.5 11l-1.7 4c.7-3-.3-6-1.8-7-2 1-4 1-6 0
        -1.5 1-2.5 4-1.8 7z"/></g>"""

_BOAR = f"""<g {_INK}><path fill="#6b513c" d="M3 30c1-3 5-5 8-6 2-7 9-11 17-11 9 0 16 5 16 12 0 4
    -1 7-3 9v9h-4.5L35 36c-5 1.5-10 1.5-14 .5L20 43h-4.5L14 35c-4 0-8-1-11-2.5z"/>
    <path fill="#4e3a2b" d="M15 17l6-5 6-1-1-4 4 4 2-4 2 5 4-3 1 5 4-1c0 3-2 5-5 5-9-2-16-1-23-1z"/>
    <path fill="#8a6a50" d="M12 22l0-8 6 5z"/><path fill="none" d="M44 24q4-1 3-6"/>
    <circle cx="11" cy="26.5" r="1.3" fill="{PAPER}" stroke="none"/>
    <path fill="#fffdf5" stroke-width="1" d="M6 32.5c-2-3-1-6 0-7.5 0 3 1 4 4 6z"/></g>"""

_COIN = f"""<circle cx="16" cy="16" r="14" fill="#f3d27a" stroke="{INK}" stroke-width="1.5"/>
    <circle cx="16" cy="16" r="11" fill="none" stroke="{GOLD}" stroke-width="1.2"/>"""
_THORN = f"""<path d="M16 1L31 16 16 31 1 16z" fill="{WINE}" stroke="{INK}" stroke-width="1.5"/>
    <path d="M16 4L28 16M16 28L4 16" fill="none" stroke="{PAPER}" stroke-opacity=".6"/>"""
_HAT = f"""<path {_INK} fill="#e5bf58" d="M1 17c3-3 6-3 8-3C10 7 12 4 16 4s6 3 7 10c2 0 5 0 8 3
    -10 3-20 3-30 0z"/>
    <path fill="none" stroke="{WINE}" stroke-width="2.4" d="M9.5 14c4 1.3 9 1.3 13 0"/>"""
_BED = f"""<path fill="{PAPER}" fill-opacity=".5" d="M0 0h64v64H0z"/>
    <g fill="none" stroke="{INK}" stroke-opacity=".5" stroke-dasharray="3.5 2.5">
    <path d="M8 8h48v48H8zM8 8l13 13M56 8L43 21M8 56l13-13M56 56L43 43M32 8v13M32 56V43M8 32h13
    M56 32H43"/><circle cx="32" cy="32" r="11"/></g>"""
_TILE = f"""<path d="M6.5 3.5h55v58h-58v-55z" fill="{INK}" fill-opacity=".25" stroke="none"/>
    <rect x="5" y="5" width="54" height="54" rx="4" fill="{LAWN}" {_INK}/>
    <rect x="7.6" y="7.6" width="48.8" height="48.8" rx="2.5" fill="none" stroke="{HEDGE}"
    stroke-width="1.6" stroke-dasharray="1.5 1.5"/>"""
_PLOT = f"""<rect x="5" y="5" width="54" height="54" rx="4" fill="{EARTH}" stroke="{INK}"
    stroke-width="1.5"/><path fill="none" stroke="#a98556" stroke-width="1.4"
    d="M8 14q6-3 12 0t12 0 12 0 12 0M8 26q6-3 12 0t12 0 12 0 12 0M8 38q6-3 12 0t12 0 12 0 12 0M8 50
    q6-3 12 0t12 0 12 0 12 0"/>"""
_RING = f"""<rect x="1.5" y="1.5" width="61" height="61" rx="5" fill="none" stroke="#fff6d8"
    stroke-width="3"/><rect x="1.5" y="1.5" width="61" height="61" rx="5" fill="none"
    stroke="{GOLD}" stroke-width="3" stroke-dasharray="9 5"/>"""
_ROSE = f"""<g stroke="{INK}" stroke-linejoin="round" fill="none">
    <circle cx="50" cy="54" r="31"/><circle cx="50" cy="54" r="28" stroke-dasharray="1 3.4"/>
    <path fill="{PAPER}"
        d="M50 54L34 38l12 4zM50 54l16-16-4 12zM50 54l16 16-12-4zM50 54L34 70l4-12z"/>
    <path fill="{PAPER}" d="M50 14l7 33-7 7zM90 54l-33 7-7-7zM50 94l-7-33 7-7zM10 54l33-7 7 7z"/>
    <path fill="{WINE}" d="M50 14l-7 33 7 7zM90 54l-33-7-7 7zM50 94l7-33-7-7zM10 54l33 7 7-7z"/>
    <path fill="{GOLD}" d="M50 1c3 4 5 4 5 7s-3 3-4 1l1 4h-4l1-4c-1 2-4 2-4-1s2-3 5-7z"/></g>"""
_SACK = f"""<g {_INK}><path fill="#c9a877" d="M13 17C3 25 1 46 10 46h28c9 0 7-21-3-29z"/>
    <path fill="#b08f5f" d="M13 17c-3-5-4-9-2-13 4 3 6-1 9 0s4 2 8 0 5 3 9 0c2 4 1 8-2 13z"/>
    <path fill="none" stroke="{WINE}" stroke-width="3" d="M12.5 17.5q11 3 23 0"/></g>"""
_WINDOW = f"""<path d="M2 30V9a5 5 0 0 1 10 0v21z" fill="#7d93a0" stroke="{INK}"/>
    <path d="M7 4v26M2 13h10M2 21h10" stroke="{PAPER}" stroke-width="1" fill="none"/>"""

_PATTERNS = (
    (8, ""),
    (9, f'<circle cx="4.5" cy="4.5" r="1.4" fill="{INK}"/>'),
    (8, f'<path d="M-2 6l8-8M0 8l8-8M2 10l8-8" stroke="{INK}" fill="none"/>'),
    (12, f'<path d="M0 6q3-4 6 0t6 0" stroke="{INK}" stroke-width="1.3" fill="none"/>'),
    (10, f'<path d="M0 0h5v5H0zM5 5h5v5H5z" fill="{INK}" fill-opacity=".6"/>'),
    (8, f'<path d="M0 0l8 8M8 0L0 8" stroke="{INK}" fill="none"/>'),
)
"""Plain, dots, diagonals, waves, checks, crosshatch: one for each row, from row 1 down."""


@cache
def definitions() -> Markup:
    """Define all symbols, and the patterns `row1` to `row6`."""
    drawings = {f"motif{motif:d}": ("48 48", art) for motif, art in _MOTIFS.items()}
    drawings |= {"gardener": ("48 48", _GARDENER), "boar": ("48 48", _BOAR)}
    drawings |= {"noble": ("40 60", _NOBLE), "sack": ("48 48", _SACK), "window": ("14 31", _WINDOW)}
    drawings |= {"coin": ("32 32", _COIN), "thorn": ("32 32", _THORN), "hat": ("32 32", _HAT)}
    drawings |= {"rose": ("100 100", _ROSE)}
    cells = {"bed": _BED, "tile": _TILE, "plot": _PLOT, "ring": _RING}
    drawings |= {name: ("64 64", art) for name, art in cells.items()}
    patterns = (
        element(
            "pattern",
            Markup(art),
            id=f"row{row}",
            width=size,
            height=size,
            patternUnits="userSpaceOnUse",
        )
        for row, (size, art) in enumerate(_PATTERNS, start=1)
    )
    return element("defs", symbols(drawings), *patterns)


@cache
def draw_palace() -> Markup:
    """Draw the front of the palace on a sheet of 612 by 84."""
    wall, roof, trim = "#f0d891", "#8aa596", "#d9b768"
    parts = f"""<g {_INK}>
        <path fill="{roof}" d="M14 38l10-12h564l10 12z"/>
        <path fill="{wall}" d="M10 40h592v44H10z"/>
        <path fill="{STONE}" d="M6 36h600v5H6zM10 78h592v6H10z"/>
        <path fill="#7f9f92" d="M252 30c0-18 26-27 54-27s54 9 54 27z"/>
        <path fill="none" d="M306 3v27M279 7c-9 7-10 16-10 23M333 7c9 7 10 16 10 23"/>
        <path fill="{wall}" d="M246 36h120v48H246z"/><path fill="{STONE}" d="M242 29h128v8H242z"/>
        <path fill="{trim}" d="M251 39h6v39h-6zM355 39h6v39h-6zM283 39h5v39h-5zM324 39h5v39h-5z
            M12 42h6v36h-6zM594 42h6v36h-6zM118 42h5v36h-5zM491 42h5v36h-5z"/>
        <circle cx="306" cy="2.5" r="2.5" fill="{GOLD}"/>"""
    urns = [40, 84, 128, 172, 216, 396, 440, 484, 528, 572]
    vases = "".join(f'<path fill="{STONE}" d="M{x - 4} 26h8l-2-6h-4zM{x} 20v-3"/>' for x in urns)
    windows = [*range(26, 236, 25), *range(374, 590, 25)]
    return Markup(
        " ".join((parts + vases + "</g>").split())
        + "".join(use("window", x, 45, (14, 31)) for x in windows)
        + "".join(use("window", x, 42, (16, 35)) for x in (262, 298, 334))
    )
