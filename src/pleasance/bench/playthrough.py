"""Playthroughs: golden files of whole games, with drawings and legal choices."""

from __future__ import annotations

from collections.abc import Iterator

from pleasance.core.game import AnyGame, Choose
from pleasance.core.record import Record, write_record
from pleasance.core.replay import replay
from pleasance.core.steps import AnyStep, Chose
from pleasance.i18n.catalog import MessageCatalog

_WIDTH = 100
_MAX_OUTCOMES = 12
"""The largest number of outcomes listed for a draw."""

DIVIDER = "-" * 72
"""Separates the record from the text derived from it."""


def write_playthrough(game: AnyGame, record: Record, messages: MessageCatalog) -> str:
    """Write the record, then the view of the choosing seat at each ply."""
    replayed = replay(game, record)
    lines = [write_record(record).rstrip("\n"), DIVIDER]
    number = 0
    for step in replayed.steps:
        if game.number(step.before) != number:
            number = game.number(step.before)
            lines += ["", f"= {number} ="]
            lines += _draw_position(game, step, messages)
        lines += _list_choices(game, step, messages)
    lines += ["", "= end =", game.render(game.view(replayed.state, None), messages, _WIDTH)]
    for seat, score_items in enumerate(game.score_items(replayed.state)):
        items = [
            messages(f"score_item.{item.code}", points=item.points, **item.params)
            for item in score_items
        ]
        lines.append(f"seat {seat + 1}: {game.scores(replayed.state)[seat]} = " + "; ".join(items))
    winners = " ".join(str(seat + 1) for seat in game.winners(replayed.state))
    lines.append(f"winners: {winners}, {messages('decided.' + game.decided_by(replayed.state))}")
    return "\n".join(lines) + "\n"


def _draw_position(game: AnyGame, step: AnyStep, messages: MessageCatalog) -> Iterator[str]:
    """Draw the view of the first choosing seat."""
    turn = game.turn(step.before)
    seat = turn.seats[0] if isinstance(turn, Choose) else None
    yield game.render(game.view(step.before, seat), messages, _WIDTH)


def _list_choices(game: AnyGame, step: AnyStep, messages: MessageCatalog) -> Iterator[str]:
    """List the legal choices and the one made."""
    if isinstance(step, Chose):
        for seat, choice in zip(step.seats, step.choices, strict=True):
            legal = " ".join(map(str, game.legal(step.before, seat)))
            yield f"seat {seat + 1} may: {legal}"
            yield f"{choice} {{seat {seat + 1} {game.describe(choice, messages)}}}"
        return
    to = "all see" if step.to is None else f"seat {step.to + 1} sees"
    shown = [f"{outcome}*{weight}" for outcome, weight in game.chances(step.before)]
    if len(shown) > _MAX_OUTCOMES:
        shown[1:-1] = ["…"]
    yield f"{to} one of {len(game.chances(step.before))}: {' '.join(shown)}"
    yield f"{step.outcome} {{{game.describe(step.outcome, messages)}}}"
