"""The picture of a view as a standalone SVG document."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from pleasance.core.bits import bits
from pleasance.core.catalog import Messages
from pleasance.core.game import Seat
from pleasance.core.svg import SERIF, Markup, document, element, fit, group, translated, use, write
from pleasance.games.sanssouci.display.svg.cards import (
    CARD_WIDTH,
    draw_bag,
    draw_hand,
    draw_key,
    draw_main_board,
    draw_missions,
    draw_score,
    draw_seat_mark,
)
from pleasance.games.sanssouci.display.svg.garden import GARDEN_HEIGHT, GARDEN_WIDTH, draw_garden
from pleasance.games.sanssouci.display.svg.icons import GOLD, INK, PAPER, WINE, definitions
from pleasance.games.sanssouci.display.wording import edition_for, garden_title, headline
from pleasance.games.sanssouci.rules.components import Edition
from pleasance.games.sanssouci.rules.view import View

_WIDTH, _HEIGHT = 1200, 720
_TOP = 16
_BAND = 611
"""The upper edge of the cards and scores below the garden."""

_OTHERS_X = 902
_OTHERS_WIDTH = 274
_OTHERS_HEIGHT = _BAND - _TOP - 16


_SKY = (
    "M190 92C240 20 420 44 520 22s300-6 352 70c20 40-20 60-60 62-180 16-420 10-580 0"
    "-40 0-62-30-42-62z"
)
_GREEN = (
    "M186 190c-10-40 40-60 90-54 160-16 360-12 520-2 60-6 110 30 92 90-16 60 10 120-4 190"
    " 12 70 10 130-14 176-120 26-520 24-660 6-40-50-8-120-24-180 14-90-2-150 0-226z"
)
"""Sky behind the palace and green around the garden, as if laid on with a wet brush."""


def picture(view: View, words: Messages) -> str:
    """Draw the main board, all gardens, the own cards and the scores as an SVG document."""
    edition = edition_for(view.box.components, words)
    seats = len(view.gardens)
    own, *others = (Seat(((view.seat or 0) + step) % seats) for step in range(seats))
    return document(
        words("title"),
        " ".join(_describe(view, words)),
        (_WIDTH, _HEIGHT),
        definitions(),
        _draw_paper(),
        _draw_title(view, words),
        translated(30, _TOP, draw_main_board(view, words, edition)),
        translated(196, _TOP, draw_garden(view, own, edition)),
        *_draw_others(view, others, words, edition),
        *_draw_cards(view, words, edition),
        *_draw_scores(view, words),
    )


def _describe(view: View, words: Messages) -> Iterator[str]:
    """Describe the picture in words."""
    yield f"{headline(view, words)}."
    for seat in range(len(view.gardens)):
        yield f"{garden_title(view, Seat(seat), words)}."


def _draw_paper() -> Markup:
    """Draw the sheet: warm paper, a double frame, corners like a surveyor's plan."""
    frames = [
        element("rect", x=gap, y=gap, width=_WIDTH - 2 * gap, height=_HEIGHT - 2 * gap, rx=rx)
        for gap, rx in ((7, 3), (12, 2))
    ]
    washes = (element("path", d=_SKY, fill="#bcd3d6"), element("path", d=_GREEN, fill="#c3cf9f"))
    studs = "".join(f"M{x} {y - 7}l7 7-7 7-7-7z" for x in (12, 1188) for y in (12, 708))
    return group(
        element("rect", width=_WIDTH, height=_HEIGHT, fill=PAPER, stroke="none"),
        group(*washes, stroke="none", opacity=0.4),
        *frames,
        element("path", d=studs, fill=GOLD),
        fill="none",
        stroke=INK,
        stroke_width=1.2,
    )


def _draw_title(view: View, words: Messages) -> Markup:
    """Draw the cartouche: the game's name, the round, and the bag."""
    title = words("title")
    lines = [line for part in headline(view, words).split(": ") for line in wrap(part, 22)]
    said = [
        write(line, 106, 92 + n * 17, 13.5, font_style="italic") for n, line in enumerate(lines)
    ]
    flourish = "M40 68q33 8 66 0t66 0"
    return group(
        write(title, 106, 58, fit(title, 150, 31), font_family=SERIF),
        element("path", d=flourish, fill="none", stroke=GOLD, stroke_width=2),
        *said,
        translated(34, 128, group(draw_bag(view, words), text_anchor="start")),
        text_anchor="middle",
        fill=INK,
    )


def _draw_others(
    view: View, others: list[Seat], words: Messages, edition: Edition
) -> Iterator[Markup]:
    """Draw the other gardens small, one below the other; where there is room, the key too."""
    room = _OTHERS_HEIGHT / max(2, len(others))
    scale = min(_OTHERS_WIDTH / GARDEN_WIDTH, (room - 26) / GARDEN_HEIGHT)
    for place, seat in enumerate(others):
        cards = words("text.cards_left", cards=view.unplayed[seat].bit_count())
        title = f"{words.name_seat(seat, words('picture.seat', seat=seat + 1))} · {cards}"
        yield translated(
            _OTHERS_X,
            _TOP + place * room,
            translated(12, 10, draw_seat_mark(seat)),
            write(title, 26, 15, fit(title, _OTHERS_WIDTH - 80, 14), fill=INK),
            *_draw_shown_missions(view, seat),
            translated(
                (_OTHERS_WIDTH - GARDEN_WIDTH * scale) / 2,
                20,
                draw_garden(view, seat, edition),
                scale=scale,
            ),
        )
    if len(others) == 1:
        yield translated(_OTHERS_X, _TOP + room + 6, _heading(words("picture.key"), 0))
        yield translated(_OTHERS_X, _TOP + room + 24, draw_key(view, words, edition))
        yield use("rose", 980, 556, 140)


def _draw_shown_missions(view: View, seat: Seat) -> list[Markup]:
    """Draw the missions of another seat beside its name, once they are shown."""
    right = _OTHERS_WIDTH - 24
    return [
        use(f"motif{motif}", right - 24 * place, -1, 20)
        for place, motif in enumerate(bits(view.missions[seat]))
    ]


def _draw_cards(view: View, words: Messages, edition: Edition) -> Iterator[Markup]:
    """Draw the hand of the viewing seat, and the missions that belong to the large garden."""
    own = view.seat or Seat(0)
    missions = "picture.missions" if view.seat is not None else "picture.missions_won"
    rows = (
        (30, "picture.hand", draw_hand(view, words, edition)),
        (232, missions, draw_missions(view, own, words, edition)),
    )
    for x, key, cards in rows:
        if cards:
            parts = [translated(n * (CARD_WIDTH + 6), 0, card) for n, card in enumerate(cards)]
            yield translated(x, _BAND, *parts)
            yield write(words(key), x, _BAND - 5, 12, fill=WINE, font_style="italic")


def _draw_scores(view: View, words: Messages) -> Iterator[Markup]:
    """Draw a plaque with the points of each seat."""
    seats = len(view.gardens)
    left = 30 if view.seat is None and not any(view.missions) else 420
    width = min(240, (_WIDTH - 26 - left + 8) / seats - 8)
    for place in range(seats):
        seat = Seat(((view.seat or 0) + place) % seats)
        yield translated(left + place * (width + 8), _BAND, draw_score(view, seat, words, width))


def _heading(text: str, x: float) -> Markup:
    """Write a small heading."""
    return write(text, x, 10, 14, fill=WINE, font_style="italic", font_family=SERIF)
