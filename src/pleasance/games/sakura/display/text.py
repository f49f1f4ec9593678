"""Sakura in plain text: the path, the painters, the cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import assert_never

from pleasance.core.bits import bits
from pleasance.core.catalog import Messages, ScoreItem
from pleasance.core.game import Over
from pleasance.games.sakura.display.wording import (
    due_giver,
    headline,
    name_painter,
    name_sign,
    say_action,
    say_card,
    who_is,
)
from pleasance.games.sakura.rules.actions import Choice, Dealt, Direction, Play, PlayBoth
from pleasance.games.sakura.rules.components import Box, Card, Path, Space
from pleasance.games.sakura.rules.path import FIRST, GATE
from pleasance.games.sakura.rules.view import View

_MIN_WIDTH = 60
"""Columns that the gate, some spaces beside it and a line of the table need."""

_MARGIN = 10
_CELL = 4
_GAP = "  "
_NO_BREAK = "\N{NO-BREAK SPACE}"
_EMPEROR = "♔"
_TORII = "╤═╤"
_BUD = "•••"
_BLOSSOM = "❀❀❀"
_DONE, _NOW, _WAITING = "✓", "▸", " "


def render(view: View, words: Messages, width: int) -> str:
    """Draw the path with all figures, the painters' tokens, the cards and what comes next."""
    width = max(width, _MIN_WIDTH)
    parts = [
        _draw_head(view, words, width),
        _draw_path(view, width),
        _draw_legend(words, width),
        _draw_painters(view, words, width),
        _draw_table(view, words, width),
        _draw_hand(view, words, width),
        _draw_discards(view, words, width),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts if part)


def describe(box: Box, action: Choice | Dealt | ScoreItem, words: Messages) -> str:
    """Put a choice, a draw or a cause of a score into words."""
    match action:
        case ScoreItem():
            return words.score_item(action)
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


def preview(view: View, choice: Choice, words: Messages) -> str:
    """Say what a legal choice of the viewing seat would do at once."""
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


def _draw_head(view: View, words: Messages, width: int) -> list[str]:
    """Say what happens next, and why a seat must choose two cards (K-23)."""
    lines = wrap(headline(view, words), width, subsequent_indent=_GAP)
    giver = due_giver(view)
    if giver is not None:
        name = name_sign(view, giver, words)
        why = words("text.why_two", who=who_is(view, giver), painter=name)
        lines += wrap(why[:1].upper() + why[1:], width, subsequent_indent=_GAP)
    return lines


def _draw_legend(words: Messages, width: int) -> list[str]:
    """Explain the signs on the path; no line ends between a sign and its name."""
    legend = words("text.legend", emperor=_EMPEROR, torii=_TORII, bud=_BUD, blossom=_BLOSSOM)
    return _wrap_whole(legend, "", width)


def _draw_path(view: View, width: int) -> list[str]:
    """Draw the path, one stretch for each sakura, with the gate before the first."""
    path = view.box.paths[len(view.painters)]
    spaces = [Space(space) for space in range(FIRST, path.sakura[-1] + 1)]
    lines: list[str] = []
    for row in _break_rows(spaces, path, (width + 1 - _MARGIN) // _CELL):
        numbers = "".join(f"{space:^3} " for space in row)
        scenery = "".join(_scenery(space, path, view.scored) for space in row)
        figures = "".join(f" {_figure(view, space)}  " for space in row)
        margins = _gate(view) if row[0] == FIRST else [" " * _MARGIN] * 3
        # A bridge that goes on in the next row reaches beyond its last space.
        three = zip(margins, (numbers, scenery[: width - _MARGIN], figures), strict=True)
        lines += ["", *(margin + line for margin, line in three)]
    return lines[1:]


def _break_rows(spaces: Sequence[Space], path: Path, most: int) -> Iterator[list[Space]]:
    """Break the path after each sakura, and wherever a line would have more than *most* spaces."""
    row: list[Space] = []
    for space in spaces:
        row.append(space)
        if space in path.sakura or len(row) == most:
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


def _draw_painters(view: View, words: Messages, width: int) -> list[str]:
    """List the painters with their tokens and places; in the end also what the tokens are for."""
    rows: list[tuple[str, ...]] = []
    is_over = isinstance(view.turn, Over)
    for painter, (place, ledger) in enumerate(zip(view.painters, view.ledgers, strict=True)):
        last = _tally(ledger) if is_over else _say_held(view, painter, words)
        rows.append(
            (
                name_painter(view, painter, words),
                words("text.tokens", tokens=sum(ledger)),
                words("text.place", space=place),
                last,
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for row in rows:
        cells = (f"{cell:<{room}}" for cell, room in zip(row, widths, strict=True))
        lines += _wrap_whole(_GAP.join(cells), _GAP, width)
    return [*lines, _GAP + words("text.tally")] if is_over else lines


def _tally(ledger: Sequence[int]) -> str:
    """Write a sum: `= 5 - 1 + 3 + 0 + 4`."""
    start, lost, *paid = ledger
    return f"= {start} - {-lost} + {' + '.join(map(str, paid))}"


def _say_held(view: View, painter: int, words: Messages) -> str:
    """Say how many cards a painter's player holds; the court painter has no hand."""
    if painter >= len(view.origins):
        return ""
    return words("text.held", cards=sum(view.origins[painter]))


def _draw_table(view: View, words: Messages, width: int) -> list[str]:
    """List the cards on the table in the order in which they are resolved."""
    if not view.played:
        return []
    lines = [words("text.table")]
    now = -1 if len(view.played) < len(view.painters) else view.done // 2
    names = [name_sign(view, painter, words) for painter in range(len(view.played))]
    room = max(map(len, names))
    for place, card in enumerate(sorted(view.played)):
        mark = _DONE if place < now else _NOW if place == now else _WAITING
        name = names[view.played.index(card)]
        head = f"{mark:>3} {card:>2}  {name:<{room}}  "
        lines += _hang(head, say_card(view.box, card, words), width)
    return lines


def _draw_hand(view: View, words: Messages, width: int) -> list[str]:
    """List the viewing seat's own cards; only their numbers where the list of choices says more."""
    cards = [Card(card) for card in bits(view.hand)]
    if not cards:
        return []
    if view.legal and not view.played:
        return _hang(words("text.hand") + " ", " ".join(map(str, cards)), width)
    lines = [words("text.hand")]
    for card in cards:
        lines += _hang(f"    {card:>2}  ", say_card(view.box, card, words), width)
    return lines


def _draw_discards(view: View, words: Messages, width: int) -> list[str]:
    """List the cards that lie open."""
    if not view.discards:
        return []
    cards = " ".join(str(card) for card in bits(view.discards))
    return wrap(words("text.discards", cards=cards), width, subsequent_indent="    ")


def _hang(head: str, text: str, width: int) -> list[str]:
    """Write *text* beside *head*, in as many lines as it needs."""
    lines = wrap(text, width - len(head))
    return [(head if place == 0 else " " * len(head)) + line for place, line in enumerate(lines)]


def _wrap_whole(text: str, indent: str, width: int) -> list[str]:
    """Break *text* only where it has more than one blank."""
    firm = re.sub(r"(?<=\S) (?=\S)", _NO_BREAK, text.rstrip())
    lines = wrap(firm, width, initial_indent=indent, subsequent_indent=indent + indent)
    return [line.replace(_NO_BREAK, " ") for line in lines]
