"""Builds SVG text: elements, escaped text and reproducibly formatted numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import ceil, floor
from typing import NewType, TypeAlias

Markup = NewType("Markup", str)
"""Finished SVG text; plain text becomes markup only through `write` or `element`."""

Value: TypeAlias = str | float

SERIF = "Palatino, 'Palatino Linotype', 'Book Antiqua', 'URW Palladio L', Georgia, serif"
SANS = "'Gill Sans', 'Gill Sans MT', 'Segoe UI', 'Noto Sans', 'DejaVu Sans', Arial, sans-serif"

INK, SOFT, FAINT, PAPER = "#22302a", "#68756d", "#dfe5e0", "#ffffff"
"""The colors of charts: text, labels, lines of a scale, background."""

SERIES_COLORS = ("#1f7a4d", "#5b5f97", "#b5543c", "#a37b16", "#3b7ea1", "#7a4d6e")
_MARKERS = (
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "m0-5l5 5-5 5-5-5z",
    "m-3.5-3.5h7v7h-7z",
    "m0-5l5 8.5h-10z",
    "m0 5l5-8.5h-10z",
    "m-1.5-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
)
"""Circle, diamond, square, triangle, turned triangle and plus, around their middles."""

_STEPS = (1, 2, 5, 10, 20)
"""The steps of scales."""

_LETTER_WIDTH = 0.56
"""The width of an average letter, as a part of the font size."""

# The standard library escapes too, but loading that part of it takes longer than drawing.
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_IN_VALUE = _IN_TEXT | str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})

_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def choose_step(low: float, high: float, max_steps: int) -> int:
    """Choose the finest step with which a scale from *low* to *high* has no more than *max_steps*.

    >>> choose_step(31, 72, 7), choose_step(0, 37.2, 8)
    (10, 5)
    """
    return next(
        (step for step in _STEPS if ceil(high / step) - floor(low / step) <= max_steps), _STEPS[-1]
    )


def element(name: str, /, *children: Markup, **attributes: Value) -> Markup:
    """Make an element; an underscore in the name of an attribute stands for a hyphen.

    >>> element("circle", cx=4, r=2.50, stroke_width="a<b")
    '<circle cx="4" r="2.5" stroke-width="a&lt;b"/>'
    """
    names = (key.strip("_").replace("_", "-") for key in attributes)
    pairs = zip(names, attributes.values(), strict=True)
    head = " ".join([name, *(f"{key}={_quote(value)}" for key, value in pairs)])
    inside = "".join(children)
    return Markup(f"<{head}>{inside}</{name}>" if inside else f"<{head}/>")


def group(*children: Markup, **attributes: Value) -> Markup:
    """Group *children* under the same attributes."""
    return element("g", *children, **attributes)


def translated(x: float, y: float, *children: Markup, scale: float = 1) -> Markup:
    """Translate and scale *children*."""
    zoom = "" if scale == 1 else f" scale({write_value(scale)})"
    return group(*children, transform=f"translate({write_value(x)} {write_value(y)}){zoom}")


def write(text: str, x: float, y: float, size: float, **attributes: Value) -> Markup:
    """Write *text* with its baseline at *y*."""
    return element(
        "text",
        Markup(clean(text).translate(_IN_TEXT)),
        x=x,
        y=y,
        font_size=round(size, 1),
        **attributes,
    )


def marker(series: int, x: float, y: float) -> Markup:
    """Draw a point of a chart; every series has its own color and shape."""
    place = series % len(_MARKERS)
    path = f"M{write_value(x)} {write_value(y)}{_MARKERS[place]}"
    return element("path", d=path, fill=SERIES_COLORS[place])


def use(symbol: str, x: float, y: float, size: float | tuple[float, float]) -> Markup:
    """Draw a symbol in a box; one number makes it square."""
    width, height = size if isinstance(size, tuple) else (size, size)
    return element("use", href=f"#{symbol}", x=x, y=y, width=width, height=height)


def symbols(drawings: Mapping[str, tuple[str, str]]) -> Markup:
    """Define symbols, each with its size and its drawing."""
    return Markup(
        "".join(
            element("symbol", Markup(" ".join(drawing.split())), id=name, viewBox=f"0 0 {sheet}")
            for name, (sheet, drawing) in drawings.items()
        )
    )


def document(title: str, story: str, size: tuple[float, float], *parts: Markup) -> str:
    """Make a document; a screen reader reads *title* and *story*."""
    width, height = size
    head = (
        element("title", Markup(clean(title).translate(_IN_TEXT)), id="title"),
        element("desc", Markup(clean(story).translate(_IN_TEXT)), id="story"),
    )
    return element(
        "svg",
        *(Markup(f"\n{part}") for part in (*head, *parts)),
        Markup("\n"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {write_value(width)} {write_value(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby="title story",
        font_family=SANS,
    )


def fit(text: str, width: float, size: float) -> float:
    """Return the font size, at most *size*, at which *text* fits into *width*."""
    return min(size, width / (_LETTER_WIDTH * max(1, len(text))))


def signed(number: int) -> str:
    """Write a number with its sign, the minus as wide as the plus."""
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}")


def safe_color(text: str, otherwise: str) -> str:
    """Accept only a color of the form `#c0ffee`; component files may hold anything."""
    return text if _COLOR.fullmatch(text) else otherwise


def clean(text: str) -> str:
    """Replace characters that XML does not allow."""
    return _NOT_XML.sub("\ufffd", text)


def _quote(value: Value) -> str:
    """Quote the value of an attribute."""
    text = clean(value).translate(_IN_VALUE) if isinstance(value, str) else write_value(value)
    return f'"{text}"'


def write_value(value: Value) -> str:
    """Write a number with two digits after the point at most, and no zeros at its end.

    >>> write_value(2.999), write_value(-0.001), write_value("none")
    ('3', '0', 'none')
    """
    if isinstance(value, str):
        return value
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
