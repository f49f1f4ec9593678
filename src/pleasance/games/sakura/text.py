"""Sakura in plain text: the path, the painters, the cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, assert_never

from pleasance.core.bits import bits
from pleasance.core.game import Choose, Draw, Over
from pleasance.games.sakura.actions import Choice, Dealt, Direction, Heading, Play, PlayBoth
from pleasance.games.sakura.components import Box, Card, CardAction, Path, Space
from pleasance.games.sakura.path import FIRST, GATE
from pleasance.games.sakura.view import View

if TYPE_CHECKING:
    from pleasance.core.messages import Words

_WIDTH = 100
_ROW = 22
"""Spaces that fit on one line beside the gate."""

_MARGIN = 10
_EMPEROR = "♔"
_TORII = "╤═╤"
_BUD = "•••"
_BLOSSOM = "❀❀❀"
_DONE, _NOW, _WAITING = "✓", "▸", " "


def draw(view: View, words: Words) -> str:
    """Draw the path with everybody on it, the painters' tokens, the cards and what comes next."""
    parts = [
        [_head(view, words)],
        _draw_path(view),
        [words("text.legend", emperor=_EMPEROR, torii=_TORII, bud=_BUD, blossom=_BLOSSOM)],
        _draw_painters(view, words),
        _draw_table(view, words),
        _draw_hand(view, words),
        _draw_discards(view, words),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts if part)


def describe(box: Box, action: Choice | Dealt, words: Words) -> str:
    """Put a choice or a draw into words."""
    match action:
        case Play(card):
            return words("action.play", card=card, does=say_card(box, card, words))
        case PlayBoth(own, court):
            does, court_does = say_card(box, own, words), say_card(box, court, words)
            return words("action.both", card=own, does=does, court=court, court_does=court_does)
        case Direction(heading):
            return words("action.direction", way=heading.name.lower())
        case Dealt(card):
            return words("draw.card", card=card, does=say_card(box, card, words))
        case _:
            assert_never(action)


def preview(view: View, choice: Choice, words: Words) -> str:
    """Say what a legal choice of the looking seat would do at once."""
    match choice:
        case Play(card):
            return say_card(view.box, card, words)
        case PlayBoth(own, court):
            does, court_does = (say_card(view.box, card, words) for card in (own, court))
            return words("preview.both", does=does, court_does=court_does)
        case Direction(heading):
            card = sorted(view.played)[view.done // 2]
            action = view.box.faces[card][view.done % 2]
            return say_action(action.toward(heading), words)
        case _:
            assert_never(choice)


def say_card(box: Box, card: Card, words: Words) -> str:
    """Put what is printed on a card into words."""
    return "; ".join(say_action(action, words) for action in box.faces[card])


def say_action(action: CardAction, words: Words) -> str:
    """Put one action of a card into words."""
    way = "free" if action.is_free else Heading(1 if action.steps >= 0 else -1).name.lower()
    return words(f"move.{action.move.name.lower()}", steps=abs(action.steps), way=way)


def _head(view: View, words: Words) -> str:
    """Say which round it is, what happens next, and how many cards are left."""
    cards = words("text.cards", deck=view.deck_size, discards=view.discards.bit_count())
    return f"{words('text.round', number=view.number)} · {_next(view, words)} · {cards}"


def _next(view: View, words: Words) -> str:
    """Say what happens next."""
    match view.turn:
        case Over():
            return words("text.over")
        case Draw():
            to = view.turn.to
            if to is None:
                return words("text.court")
            return words("text.draw", painter=_name(view, to, words))
        case Choose((owner,)):
            return words("text.direction", painter=_name(view, owner, words))
        case Choose():
            return words("text.choose")
        case _:
            assert_never(view.turn)


def _draw_path(view: View) -> list[str]:
    """Draw the path, one stretch for each sakura, with the gate before the first."""
    path = view.box.paths[len(view.painters)]
    spaces = [Space(space) for space in range(FIRST, path.sakura[-1] + 1)]
    lines: list[str] = []
    for row in _break_rows(spaces, path):
        numbers = "".join(f"{space:^3} " for space in row)
        scenery = "".join(_scenery(space, path, view.scored) for space in row)
        figures = "".join(f" {_figure(view, space)}  " for space in row)
        margins = _gate(view) if row[0] == FIRST else [" " * _MARGIN] * 3
        three = zip(margins, (numbers, scenery, figures), strict=True)
        lines += ["", *(margin + line for margin, line in three)]
    return lines[1:]


def _break_rows(spaces: Sequence[Space], path: Path) -> Iterator[list[Space]]:
    """Break the path after each sakura, and wherever a line would be too long."""
    row: list[Space] = []
    for space in spaces:
        row.append(space)
        if space in path.sakura or len(row) == _ROW:
            yield row
            row = []


def _gate(view: View) -> list[str]:
    """Draw the gate and who stands in it."""
    waiting = "".join(
        view.box.painters[painter].letter
        for painter, place in enumerate(view.painters)
        if place == GATE
    )
    return [" ┌──────┐ ", " │      │ ", f" │{waiting:^6}│ "]


def _scenery(space: Space, path: Path, scored: int) -> str:
    """Draw what is built or grows on a space."""
    if space in path.bridges:
        left = "─" if space - 1 in path.bridges else "╭"
        right = "──" if space + 1 in path.bridges else "╮ "
        return f"{left}─{right}"
    if space == path.torii:
        return f"{_TORII} "
    if space in path.sakura:
        return f"{_BLOSSOM if path.sakura.index(space) < scored else _BUD} "
    return "    "


def _figure(view: View, space: Space) -> str:
    """Draw who stands on a space."""
    if space == view.emperor:
        return _EMPEROR
    if space in view.painters:
        return view.box.painters[view.painters.index(space)].letter
    return "·"


def _draw_painters(view: View, words: Words) -> list[str]:
    """List the painters with their tokens and places."""
    rows: list[tuple[str, ...]] = []
    for painter, (place, ledger) in enumerate(zip(view.painters, view.ledgers, strict=True)):
        is_player = painter < len(view.origins)
        held = sum(view.origins[painter]) if is_player else 0
        rows.append(
            (
                view.box.painters[painter].letter,
                _name(view, painter, words),
                words("text.tokens", tokens=sum(ledger)),
                words("text.place", space=place),
                words("text.held", cards=held) if is_player else "",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "   ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def _name(view: View, painter: int, words: Words) -> str:
    """Name a painter: its color, and whether it is one's own or the court's."""
    name = view.box.painters[painter].names[words.language]
    if painter >= len(view.origins):
        return words("text.court_painter", name=name)
    return words("text.you", name=name) if painter == view.seat else name


def _draw_table(view: View, words: Words) -> list[str]:
    """List the cards on the table in the order in which they are resolved."""
    if not view.played:
        return []
    lines = [words("text.table")]
    now = -1 if len(view.played) < len(view.painters) else view.done // 2
    for place, card in enumerate(sorted(view.played)):
        mark = _DONE if place < now else _NOW if place == now else _WAITING
        letter = view.box.painters[view.played.index(card)].letter
        lines.append(f"{mark:>3} {card:>2}  {letter}  {say_card(view.box, card, words)}")
    return lines


def _draw_hand(view: View, words: Words) -> list[str]:
    """List the looking seat's own cards."""
    if not view.hand:
        return []
    cards = [Card(card) for card in bits(view.hand)]
    return [
        words("text.hand"),
        *(f"    {card:>2}  {say_card(view.box, card, words)}" for card in cards),
    ]


def _draw_discards(view: View, words: Words) -> list[str]:
    """List the cards that lie open."""
    if not view.discards:
        return []
    cards = " ".join(str(card) for card in bits(view.discards))
    return wrap(words("text.discards", cards=cards), _WIDTH, subsequent_indent="    ")
