"""The small parts of a picture: cards, missions, the main board, the key, the scores."""

from __future__ import annotations

from pleasance.core.bits import bits
from pleasance.core.catalog import Messages
from pleasance.core.game import Seat
from pleasance.core.svg import SERIF, Markup, element, fit, group, signed, translated, use, write
from pleasance.games.sanssouci.display.svg.garden import CELL, TOP, draw_badge, paint_row
from pleasance.games.sanssouci.display.svg.icons import GOLD, INK, PAPER, STONE, WINE
from pleasance.games.sanssouci.display.wording import card_words, name_motif, name_row
from pleasance.games.sanssouci.rules.actions import SPACES, Take, space_row
from pleasance.games.sanssouci.rules.components import (
    FREE_CHOICE,
    HEIGHT,
    Card,
    Edition,
    Motif,
    card_rows,
    motif_letter,
)
from pleasance.games.sanssouci.rules.scoring import endgame
from pleasance.games.sanssouci.rules.state import NO_TILE, Garden, Phase, Source, noble_row
from pleasance.games.sanssouci.rules.view import View

CARD_WIDTH = 74

_MARKS = (
    "M0-7a7 7 0 1 0 .01 0z",
    "M0-8.5L8.5 0 0 8.5-8.5 0z",
    "M-7-7H7V7H-7z",
    "M0-8.5L8.5 6.5h-17z",
)
"""Circle, diamond, square and triangle for the seats."""

_MARK_COLORS = ("#3f6f9f", "#b8862b", "#4e7d55", "#a34a4a")


def draw_seat_mark(seat: Seat) -> Markup:
    """Draw the sign of a seat around the origin."""
    return element("path", d=_MARKS[seat], fill=_MARK_COLORS[seat], stroke=INK, stroke_width=1.5)


def draw_main_board(view: View, words: Messages, edition: Edition) -> Markup:
    """Draw the ten spaces beside the garden rows they belong to, on a sheet 152 wide."""
    live = {choice.space for choice in view.legal if isinstance(choice, Take)}
    parts = []
    for row in range(2, HEIGHT + 1):
        y = TOP + (row - 1) * CELL
        parts.append(paint_row(edition, row, f"M0 {y + 1}h152v66H0z"))
    for space in SPACES:
        x, y = 10 + space % 2 * CELL, TOP + (space_row(space) - 1) * CELL + 2
        tile = view.market[space]
        parts.append(use("bed" if tile == NO_TILE else "tile", x, y, 64))
        if tile != NO_TILE:
            parts.append(use(f"motif{tile}", x + 10, y + 10, 44))
        if space in live:
            parts.append(use("ring", x, y, 64))
    head = TOP + CELL - 10
    title = words("text.main_board")
    frame = element("rect", x=-4, y=TOP + CELL - 4, width=160, height=5 * CELL + 8, fill="none")
    labels = (
        write("l", 42, head, 17, font_style="italic", font_weight="bold"),
        write("r", 110, head, 17, font_style="italic", font_weight="bold"),
        write(title, 76, head - 22, fit(title, 150, 17), font_family=SERIF),
    )
    return group(
        *parts,
        group(frame, stroke=INK, stroke_width=1.5),
        group(*labels, text_anchor="middle", fill=INK),
    )


def draw_bag(view: View, words: Messages) -> Markup:
    """Draw the bag and its number of tiles."""
    tiles = words("text.bag", tiles=sum(view.bag))
    label = write(tiles, 44, 27, fit(tiles, 112, 14), fill=INK)
    return Markup(use("sack", 4, 2, 34) + label)


def draw_hand(view: View, words: Messages, edition: Edition) -> list[Markup]:
    """Draw the viewing seat's cards, each on a sheet of its own."""
    return [_draw_card(Card(card), words, edition) for card in bits(view.hand)]


def draw_missions(view: View, seat: Seat, words: Messages, edition: Edition) -> list[Markup]:
    """Draw the visible missions of a seat."""
    cards = []
    for motif in (Motif(column) for column in bits(view.missions[seat])):
        points = noble_row(view.gardens[seat], motif)
        name = _caption(name_motif(motif, edition, words))
        figure = use(f"motif{motif:d}", 8, 20, 44)
        noble = use("noble", 42, 20, (29, 44))
        worth = translated(48, -2, draw_badge("coin", points), scale=0.62) if points else Markup("")
        letter = write(motif_letter(motif), 11, 19, 16, font_weight="bold", fill=WINE)
        cards.append(_card_frame(figure, noble, worth, letter, name, edge=WINE))
    return cards


def _draw_card(card: Card, words: Messages, edition: Edition) -> Markup:
    """Draw an action card: a motif, two rows, or the free choice."""
    if card == FREE_CHOICE:
        star = "M37 14l6 19 20-4-16 13 11 17-19-7-6 18-3-19-20 1 16-11-13-15 19 6z"
        art = element("path", d=star, fill="#f3d27a", stroke=INK, stroke_width=1.5)
        return _card_frame(art, _caption(card_words(card, edition, words)))
    if card < len(Motif):
        letter = write(motif_letter(Motif(card)), 11, 19, 16, font_weight="bold", fill=INK)
        return _card_frame(
            use(f"motif{card}", 13, 20, 50), letter, _caption(card_words(card, edition, words))
        )
    one, other = card_rows(card)
    names = (name_row(row, edition, words) for row in (one, other))
    upper = paint_row(edition, one, "M6 6h62L6 74z")
    lower = paint_row(edition, other, "M68 6v68H6z")
    plates = (_plate(one, 24, 27), _plate(other, 50, 54))
    return _card_frame(upper, lower, *plates, _caption(" · ".join(names)))


def _plate(row: int, x: float, y: float) -> Markup:
    """Write a row number on a round plate."""
    plate = element("circle", cx=x, cy=y, r=11, fill=PAPER, stroke=INK)
    text = write(str(row), x, y + 6, 17, font_weight="bold", text_anchor="middle", fill=INK)
    return Markup(plate + text)


def _caption(text: str) -> Markup:
    """Write a name at the foot of a card."""
    return write(text, 37, 87, fit(text, 68, 12), text_anchor="middle", fill=INK)


def _card_frame(*parts: Markup, edge: str = INK) -> Markup:
    """Draw a card with *parts* on it."""
    shadow = element("rect", x=2, y=3, width=74, height=94, rx=6, fill=INK, opacity=0.2)
    sheet = element(
        "rect", width=74, height=94, rx=6, fill="#fffaf0", stroke=edge, stroke_width=1.5
    )
    return group(shadow, sheet, *parts)


def draw_key(view: View, words: Messages, edition: Edition) -> Markup:
    """Draw the key of the signs, 280 by 250 in size."""
    signs = [(f"motif{motif:d}", name_motif(motif, edition, words)) for motif in Motif]
    signs += [("noble", words("picture.noble")), ("gardener", words("picture.gardener"))]
    signs += [("boar", words("picture.boar"))] if view.box.has_boars else []
    if view.box.has_rewards:
        signs += [("coin", words("picture.bonus")), ("hat", words("picture.gardener_bonus"))]
        signs += [("thorn", words("picture.penalty"))]
    half = -(-len(signs) // 2)
    parts = []
    for place, (sign, name) in enumerate(signs):
        x, y = place // half * 140, place % half * 27
        box = (18, 27) if sign == "noble" else 26
        parts.append(use(sign, x + (4 if sign == "noble" else 0), y, box))
        left = x + 34
        if place < len(Motif):
            parts.append(write(motif_letter(Motif(place)), left, y + 18, 14, font_weight="bold"))
            left += 15
        parts.append(write(name, left, y + 18, fit(name, x + 138 - left, 13)))
    return group(*parts, fill=INK)


def draw_score(view: View, seat: Seat, words: Messages, width: float) -> Markup:
    """Draw a plaque with a seat's points by source."""
    is_own = seat == view.seat
    is_active = view.actor == seat and Phase.SIDES < view.phase < Phase.OVER
    name = words("picture.you" if is_own else "picture.seat", seat=seat + 1)
    name = name if is_own else words.name_seat(seat, name)
    edge = element(
        "rect",
        width=width,
        height=94,
        rx=4,
        fill="#fffaf0" if is_own else STONE,
        stroke=GOLD if is_active else INK,
        stroke_width=3 if is_active else 1.2,
    )
    points = str(view.scores[seat])
    lines = [edge, translated(16, 18, draw_seat_mark(seat))]
    lines.append(write(name, 30, 23, fit(name, width - 36, 14), font_weight="bold"))
    lines.append(write(points, 12, 70, 36, font_family=SERIF))
    left = 20 + 22 * len(points)
    for place, (code, brought) in enumerate(_summarize_points(view, seat)):
        said, y = words(f"picture.{code}"), 40 + place * 12.5
        lines.append(write(signed(brought), left + 22, y, 11.5, text_anchor="end"))
        lines.append(write(said, left + 28, y, fit(said, width - left - 32, 11.5)))
    return group(*lines, fill=INK)


def _summarize_points(view: View, seat: Seat) -> list[tuple[str, int]]:
    """Summarize a seat's points by source, in the few lines that fit a plaque."""
    garden: Garden = view.gardens[seat]
    ledger = garden.ledger
    rewards = (Source.MOTIF_BONUS, Source.GARDENER_BONUS, Source.PENALTY)
    sums = {"walks": ledger[Source.WALKS]}
    if view.box.has_rewards:
        sums["rewards"] = sum(ledger[source] for source in rewards)
    if view.box.has_boars:
        sums["boar_points"] = ledger[Source.BOAR]
    if view.phase is Phase.OVER:
        ends = endgame(view.box, garden, view.missions[seat])
        for code, line in (("row", "lines"), ("column", "lines"), ("mission", "missions_won")):
            brought = sum(item.points for item in ends if item.code == code)
            sums[line] = sums.get(line, 0) + brought
        boar = sum(item.points for item in ends if item.code == "boar_area")
        sums |= {"boar_points": sums["boar_points"] + boar} if view.box.has_boars else {}
    return list(sums.items())
