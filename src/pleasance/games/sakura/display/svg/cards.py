"""Draws the papers of a picture of Sakura: cards with their actions, and who has what."""

from __future__ import annotations

from textwrap import wrap

from pleasance.core.catalog import Messages
from pleasance.core.svg import SERIF, Markup, element, fit, group, signed, translated, use, write
from pleasance.games.sakura.display.svg.icons import GOLD, INK, RED
from pleasance.games.sakura.display.svg.path import draw_painter
from pleasance.games.sakura.display.wording import name_painter, say_action
from pleasance.games.sakura.rules.components import Card, CardAction, Move
from pleasance.games.sakura.rules.view import View

CARD_WIDTH = 110
TABLE_WIDTH = 550

_SHEET = "#fffaf0"
_FIELDS = ((40, "#dfe6c4"), (114, "#f6dcdd"))
"""The heights of the garden action and the painter action of a card, and their colors."""

_SYMBOLS = {Move.EMPEROR: ("emperor", 30), Move.WALK: ("walk", 34)}
"""Signs that are narrower than the others, with their width."""

_MAX_LARGE_LINES = 2
_MAX_BLOSSOMS = 11
_ROW = 45
"""The height of a line of the table, where there is room for it."""

_TABLE_HEIGHT = 194


def draw_card(view: View, card: Card, words: Messages) -> Markup:
    """Draw a card: its number large, the garden action above, the painter action below."""
    parts = [
        element("rect", x=3, y=4, width=110, height=190, rx=7, opacity=0.2),
        element("rect", width=110, height=190, rx=7, fill=_SHEET, stroke=INK, stroke_width=1.6),
        element("path", d="M84 8h17v24H84z", fill=RED),
        use("blossom", 85, 12.5, 15),
        write(str(card), 8, 33, 32, font_family=SERIF, font_weight="bold"),
    ]
    for action, (y, color) in zip(view.box.faces[card], _FIELDS, strict=True):
        parts.append(element("rect", x=5, y=y, width=100, height=71, rx=4, fill=color))
        parts.append(translated(12, y + 3, _draw_action(action)))
        parts.append(translated(55, y + 52, _say(say_action(action, words))))
    return group(*parts, fill=INK)


def _say(text: str) -> Markup:
    """Write a sentence in two or three short lines."""
    widest = 20 if len(wrap(text, 20)) <= _MAX_LARGE_LINES else 23
    count = len(wrap(text, widest))
    narrowest = next(width for width in range(8, widest + 1) if len(wrap(text, width)) <= count)
    lines = wrap(text, narrowest)
    size = 10.8 if len(lines) <= _MAX_LARGE_LINES else 9.4
    rows = [write(line, 0, n * size * 1.12, fit(line, 96, size)) for n, line in enumerate(lines)]
    return group(*rows, text_anchor="middle")


def _draw_action(action: CardAction) -> Markup:
    """Draw the sign of an action on a sheet of 86 by 38, with its steps beside it."""
    name, width = _SYMBOLS.get(action.move, (action.move.name.lower(), 54))
    if not action.steps:
        return use(name, 16, 0, (54, 38))
    steps = f"±{action.steps}" if action.is_free else signed(action.steps)
    return Markup(
        use(name, (54 - width) / 2, 0, (width, 38))
        + write(steps, 72, 28, 23, text_anchor="middle", font_weight="bold", fill=INK)
    )


def draw_table(view: View, words: Messages) -> Markup:
    """Draw a line for each painter: its sign, name, tokens, hand and the card it has played."""
    row = min(_ROW, _TABLE_HEIGHT / len(view.painters))
    rows = [
        translated(0, painter * row, *_draw_row(view, painter, words))
        for painter in range(len(view.painters))
    ]
    return group(*rows, fill=INK)


def _draw_row(view: View, painter: int, words: Messages) -> list[Markup]:
    """Draw what one painter has."""
    tokens = sum(view.ledgers[painter])
    name = name_painter(view, painter, words)
    shown = max(0, min(tokens, _MAX_BLOSSOMS))
    parts = [
        element("path", d=f"M0 30h{TABLE_WIDTH}", stroke=INK, stroke_opacity=0.3),
        translated(16, 17, draw_painter(view.box.painters[painter]), scale=0.62),
        *_write_name(name),
        write(str(tokens), 176, 23, 19, text_anchor="end", font_weight="bold", font_family=SERIF),
        *(use("blossom", 182 + 15 * n, 8, 16) for n in range(shown)),
    ]
    if painter < len(view.origins):
        held = sum(view.origins[painter])
        parts += [use("back", 358, 4, (16, 22)), write(f"×{held}", 377, 20, 13)]  # noqa: RUF001  (a times sign)
    if painter < len(view.played):
        parts.append(translated(408, 0, _draw_played(view, view.played[painter])))
    return parts


def _write_name(name: str) -> list[Markup]:
    """Write a name beside its painter; a long one takes two lines."""
    lines = wrap(name, 18)
    size, y = (14, 21) if len(lines) == 1 else (11.5, 14)
    return [write(line, 36, y + 12 * n, fit(line, 118, size)) for n, line in enumerate(lines)]


def _draw_played(view: View, card: Card) -> Markup:
    """Draw a card on the table small; those that are done pale, the one in hand framed."""
    place = sorted(view.played).index(card)
    is_complete = len(view.played) == len(view.painters)
    is_now = is_complete and place == view.done // 2
    is_done = is_complete and place < view.done // 2
    edge = (GOLD, 3) if is_now else (INK, 1.2)
    sheet = element(
        "rect", y=1, width=140, height=27, rx=4, fill=_SHEET, stroke=edge[0], stroke_width=edge[1]
    )
    garden, painter = (_draw_action(action) for action in view.box.faces[card])
    number = write(str(card), 16, 21, 18, text_anchor="middle", font_family=SERIF)
    actions = (translated(32, 4, garden, scale=0.56), translated(86, 4, painter, scale=0.56))
    return group(sheet, number, *actions, opacity=0.45 if is_done else 1)
