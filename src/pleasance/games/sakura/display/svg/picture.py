"""Draws a view as a picture: an SVG document that stands alone."""

from __future__ import annotations

from collections.abc import Iterator

from pleasance.core.bits import bits
from pleasance.core.catalog import Messages
from pleasance.core.svg import SERIF, Markup, document, element, fit, group, translated, write
from pleasance.games.sakura.display.svg.cards import CARD_WIDTH, TABLE_WIDTH, draw_card, draw_table
from pleasance.games.sakura.display.svg.icons import GREEN, INK, PAPER, RED, definitions
from pleasance.games.sakura.display.svg.path import draw_path
from pleasance.games.sakura.display.wording import headline, name_painter
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.view import View

_WIDTH, _HEIGHT = 1200, 720
_CARDS_TOP = 506
"""The top of the cards below the scroll."""

_HAND_WIDTH = 586
_HILLS = (
    "M12 236q150-60 330-24t330-6 300 10 216-30v150q-200 40-420 8t-420 20-336-10z",
    "M12 380q200-50 420-14t400-10 356-20v150H12z",
)
_MOUNTAIN = "M690 118c40-14 70-50 100-70l14 6 12-8 12 8 10-4c30 26 60 54 110 68z"
_SNOW = "M764 68l26-20 14 6 12-8 12 8 10-4 24 20-14 6-10-8-12 10-12-8-14 10-12-10-12 6z"
_MISTS = (
    (640, 118, 190),
    (12, 240, 150),
    (1000, 92, 188),
    (560, 352, 130),
    (12, 486, 250),
    (930, 488, 258),
)


def picture(view: View, words: Messages) -> str:
    """Draw the path, the figures, the own hand and all tokens as an SVG document."""
    head = headline(view, words)
    return document(
        words("title"),
        " ".join((f"{head}.", *_story(view, words))),
        (_WIDTH, _HEIGHT),
        definitions(),
        _draw_paper(),
        _draw_title(words("title"), head),
        draw_path(view),
        _draw_frame(),
        *_draw_hand(view, words),
        translated(_table_left(view), _CARDS_TOP, draw_table(view, words)),
    )


def _story(view: View, words: Messages) -> Iterator[str]:
    """Describe where each figure stands and how many tokens it has."""
    yield words("picture.emperor", space=view.emperor)
    for painter, (place, ledger) in enumerate(zip(view.painters, view.ledgers, strict=True)):
        name = name_painter(view, painter, words)
        tokens = words("text.tokens", tokens=sum(ledger))
        yield f"{name}: {words('text.place', space=place)}, {tokens}."


def _draw_paper() -> Markup:
    """Draw the scroll: paper, a sky that fades, a far mountain, hills, and mist over them."""
    mists = (
        element("path", d=f"M{x} {y}h{width}m-40 13h{width - 60}m-30 13h{width - 90}")
        for x, y, width in _MISTS
    )
    return group(
        element("rect", width=_WIDTH, height=_HEIGHT, fill=PAPER),
        element("rect", x=12, y=12, width=_WIDTH - 24, height=110, fill="url(#sky)"),
        element("path", d=_MOUNTAIN, fill="#8fa6b3"),
        element("path", d=_SNOW, fill="#fbf7ee"),
        *(element("path", d=hill, fill=GREEN, opacity=0.6) for hill in _HILLS),
        group(*mists, stroke="#fbf5e6", stroke_width=13, stroke_linecap="round", fill="none"),
    )


def _draw_frame() -> Markup:
    """Draw the lower part of the sheet, for the cards, and the frame around all."""
    return group(
        element("path", d=f"M12 486h{_WIDTH - 24}v222H12z", fill="#efe0c2", stroke="none"),
        element("path", d=f"M12 486h{_WIDTH - 24}", stroke_width=1.4),
        element("rect", width=_WIDTH, height=_HEIGHT, stroke=PAPER, stroke_width=24),
        element("rect", x=7, y=7, width=_WIDTH - 14, height=_HEIGHT - 14),
        element("rect", x=12, y=12, width=_WIDTH - 24, height=_HEIGHT - 24, stroke_width=3),
        fill="none",
        stroke=INK,
        stroke_width=1.2,
    )


def _draw_title(title: str, head: str) -> Markup:
    """Draw the red seal with the game's name, and how far the game is."""
    return group(
        element("rect", x=26, y=24, width=128, height=44, rx=3, fill=RED, stroke=INK),
        element("rect", x=30, y=28, width=120, height=36, rx=2, fill="none", stroke=PAPER),
        write(
            title, 90, 56, fit(title, 110, 28), text_anchor="middle", font_family=SERIF, fill=PAPER
        ),
        element("rect", x=166, y=32, width=470, height=28, rx=14, fill=PAPER, opacity=0.85),
        write(head, 180, 51, fit(head, 446, 15), fill=INK, font_style="italic"),
    )


def _draw_hand(view: View, words: Messages) -> Iterator[Markup]:
    """Draw the cards of the viewing seat side by side; many of them overlap."""
    cards = [Card(card) for card in bits(view.hand)]
    step = min(CARD_WIDTH + 8, (_HAND_WIDTH - CARD_WIDTH) / max(1, len(cards) - 1))
    for place, card in enumerate(cards):
        yield translated(26 + place * step, _CARDS_TOP, draw_card(view, card, words))


def _table_left(view: View) -> float:
    """Find the place of the table: beside the hand, or in the middle where there is none."""
    return _WIDTH - TABLE_WIDTH - 22 if view.hand else (_WIDTH - TABLE_WIDTH) / 2
