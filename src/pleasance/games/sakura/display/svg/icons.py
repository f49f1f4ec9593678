"""Our own drawings for pictures of Sakura: trees, gates, bridges, figures, signs of actions."""

from __future__ import annotations

from functools import cache

from pleasance.core.svg import Markup, element, symbols

INK = "#2c2a33"
PAPER = "#f4e8cf"
SAND = "#ead9b0"
RED = "#c23a2b"
GOLD = "#d9a62e"
PINK = "#eba9b4"
INDIGO = "#3d5a80"
WATER = "#86b2c4"
GREEN = "#c5cf9f"

_INK = f'stroke="{INK}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"'

_TRUNK = f"""<path {_INK} fill="#6d4c3d" d="M47 110c6-14 5-24 1-34-5-9-14-14-22-19 9 2 17 4 23
    10-1-10-5-19
    -12-27 9 6 15 14 18 25 3-12 9-21 20-28-8 10-12 19-13 31 7-7 14-10 24-12-10 6-19 13-22 23-3 9-2
    19 5
    31z"/>"""
_CLOUDS = (
    (25, 54, 19), (42, 30, 22), (68, 28, 21), (88, 50, 19), (56, 52, 22), (16, 40, 12),
    (94, 34, 11), (30, 36, 17), (78, 62, 14), (36, 64, 13),
)  # fmt: skip
_BUDS = (
    (25, 57), (37, 40), (75, 37), (86, 54), (48, 54), (62, 60), (70, 50), (33, 50), (44, 46),
    (66, 72), (80, 57), (58, 46), (20, 55), (40, 67), (72, 42),
)  # fmt: skip
_PETALS = (
    (22, 46), (38, 22), (52, 40), (70, 20), (84, 44), (64, 54), (34, 56), (46, 62), (90, 58),
    (16, 60), (76, 34), (28, 32), (56, 26), (44, 44), (10, 84), (96, 88), (74, 98), (30, 96),
)  # fmt: skip


def _crown() -> str:
    """Draw a crown in blossom: dark edges first, so that the clouds melt into one."""
    edge = "".join(f'<circle cx="{x}" cy="{y}" r="{r + 1.6:g}"/>' for x, y, r in _CLOUDS)
    cloud = "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in _CLOUDS)
    light = "".join(f'<circle cx="{x - 3}" cy="{y - 4}" r="{r - 7}"/>' for x, y, r in _CLOUDS)
    petals = "".join(
        f'<path d="M{x} {y}q3-5 6 0q-3 4-6 0z" stroke="#b9586c" stroke-width=".8"/>'
        for x, y in _PETALS
    )
    return (
        f'<g fill="#a5485c">{edge}</g><g fill="{PINK}">{cloud}</g>'
        f'<g fill="#f6cdd2">{light}</g><g fill="#fff4f2">{petals}</g>'
    )


def _twigs() -> str:
    """Draw a crown in bud."""
    buds = "".join(f'<circle cx="{x}" cy="{y}" r="2.8"/>' for x, y in _BUDS)
    return (
        '<path fill="none" stroke="#6d4c3d" stroke-width="2" stroke-linecap="round" d="M26 57l-8-3'
        "M37 40l-2-9M75 37l5-9M86 54l9-1M49 67l-4-14M62 60l-3-14M70 50l1-9M44 74l-6-8M66 72l14-4"
        f'M33 50l-9-4"/><g fill="#d9758a" stroke="{INK}" stroke-width=".9">{buds}</g>'
    )


_TORII = f"""<g {_INK} fill="{RED}"><path d="M13 18h7l-1 46h-8zM60 18h-7l1 46h8z"/>
    <path d="M6 25h61v6H6z"/><path d="M33 14h7v12h-7z"/>
    <path d="M1 8q36 8 71 0l-3 8q-33 6-65 0z"/><path fill="{INK}" d="M0 3q36 9 73 0l-1 6q-36 8-71
    0z"/>
    <path fill="{INK}" d="M9 59h12v6H9zM52 59h12v6H52z"/></g>"""
_GATE = f"""<g {_INK}><path fill="{PAPER}" d="M12 40h76v46H12z"/>
    <path fill="{PAPER}" d="M2 58h10v28H2zM88 58h10v28H88z"/>
    <path fill="#5b6470" d="M0 54h14v5H0zM86 54h14v5H86z"/>
    <path fill="#4d3a30" d="M32 46h36v40H32z"/>
    <path fill="{RED}" d="M14 38h8v48h-8zM78 38h8v48h-8zM26 44h6v42h-6zM68 44h6v42h-6zM12
    38h76v7H12z"/>
    <path fill="#5b6470" d="M2 40c8-4 14-12 16-22h64c2 10 8 18 16 22-32-4-64-4-96 0z"/>
    <path fill="none" stroke="{PAPER}" stroke-width="1" d="M22 34l6-14M34 33l3-13M46 32l1-12M57
    32l-2
        -12M68 33l-4-13M79 34l-6-14"/>
    <path fill="#3f4752" d="M14 18c2-4 3-6 2-9h68c-1 3 0 5 2 9z"/></g>"""
_EMPEROR = f"""
    <path d="M22 1h8v10c5 2 6 9 3 13 9 5 12 18 13 37H3C4 42 7 29 16 24c-3-4-2-11 3-13z"
    fill="{PAPER}"
        stroke="{PAPER}" stroke-width="6" stroke-linejoin="round"/>
    <g {_INK}><path fill="{GOLD}" d="M25 23C10 24 5 40 4 61h42C45 40 40 24 25 23z"/>
    <path fill="#6b3f7d" d="M25 23c-4 8-5 24-5 38h10c0-14-1-30-5-38z"/>
    <path fill="{PAPER}" d="M19 23l6 8 6-8-6 2z"/>
    <path fill="#f0cda6" d="M17.5 15c0 6 3 10 7.5 10s7.5-4 7.5-10z"/>
    <path fill="{INK}" d="M15.5 15c1-4 4-5 9.5-5s8.5 1 9.5 5q-9.5-2-19 0zM27 10V1q3-1 4 1v9z"/>
    <path fill="none" d="M22 18v1M28 18v1M25 22v2.5"/>
    <path fill="none" stroke="{PAPER}" d="M9 44a4 4 0 1 0 8 0a4 4 0 1 0-8 0M33 44a4 4 0 1 0 8 0a4
    4 0 1 0
        -8 0"/></g>"""
_BRUSH = f"""<g {_INK}><path fill="#b98a52" d="M30 3l5 4-17 19-5-4z"/><path fill="{PAPER}"
    d="M13 22l5 4-3 4-6-5z"/><path fill="{INK}" d="M9 25l6 5c-3 5-8 6-13 6 4-3 4-7 7-11z"/></g>"""
_FOLK = "m-8 0a8 8 0 0 1 16 0v6h-16zm2-4l6-8 6 8z"
_BLOSSOM = f"""<g fill="#f3b3bf" stroke="#a5485c" stroke-width="1.3"><circle cx="12" cy="6" r="5"/>
    <circle cx="18" cy="10.5" r="5"/><circle cx="15.7" cy="17.5" r="5"/>
    <circle cx="8.3" cy="17.5" r="5"/><circle cx="6" cy="10.5" r="5"/></g>
    <circle cx="12" cy="12" r="5.5" fill="#f3b3bf"/>
    <circle cx="12" cy="12" r="2.6" fill="{GOLD}"/>"""


def _folk(x: float, *, is_main: bool) -> str:
    """Draw one of three painters in a row, filled where the action is about it."""
    fill = RED if is_main else PAPER
    return f'<path {_INK} fill="{fill}" d="M{x} 28{_FOLK}"/>'


def _three(main: int) -> str:
    """Draw three painters in a row; one of them is main, or with -1 none."""
    return "".join(_folk(9 + 17 * n, is_main=n == main) for n in range(3))


_LEAP = f"""{_folk(9, is_main=True)}{_folk(30, is_main=False)}<path fill="none" stroke="{RED}"
    stroke-width="2.6" d="M10 12C18-1 40-1 47 20"/><path fill="{RED}" d="M41 18l12-2-4 11z"/>"""
_COUNT = f"""{_folk(26, is_main=False)}{_folk(43, is_main=False)}<path fill="none" stroke="{RED}"
    stroke-width="2.6" d="M3 14h12M9 8v12"/><path {_INK} fill="none" d="M17 33h34"/>"""
_CARD_BACK = f"""<rect x="1" y="1" width="18" height="26" rx="3" fill="{INDIGO}" {_INK}/>
    <path fill="none" stroke="{PAPER}" d="M4 21q3-5 6 0t6 0M4 15q3-5 6 0t6 0M4 9q3-5 6 0t6 0"/>"""


@cache
def definitions() -> Markup:
    """Define all symbols, and the fading color at the edges of the scroll."""
    drawings = {
        "bud": ("110 112", _TRUNK + _twigs()),
        "bloom": ("110 112", _TRUNK + _crown()),
        "torii": ("73 66", _TORII),
        "gate": ("100 88", _GATE),
        "emperor": ("50 64", _EMPEROR),
        "walk": ("38 38", _BRUSH),
        "closest": ("54 38", _three(2)),
        "furthest": ("54 38", _three(0)),
        "leap": ("54 38", _LEAP),
        "count": ("54 38", _COUNT),
        "blossom": ("24 24", _BLOSSOM),
        "back": ("20 28", _CARD_BACK),
    }
    stops = (
        element("stop", offset=0, stop_color=INDIGO, stop_opacity=0.75),
        element("stop", offset=1, stop_color=INDIGO, stop_opacity=0),
    )
    fade = element("linearGradient", *stops, id="sky", x1=0, y1=0, x2=0, y2=1)
    return element("defs", symbols(drawings), fade)
