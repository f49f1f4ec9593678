"""Playthroughs: a whole game as text, with pictures and legal choices, to be read and compared."""

from __future__ import annotations

from collections.abc import Iterator

from pleasance.core.game import AnyGame, Choose
from pleasance.core.record import Record, write_record
from pleasance.core.replay import replay
from pleasance.core.steps import AnyStep, Chose
from pleasance.i18n.catalog import Words

_WIDTH = 100
_MOST = 12
"""How many outcomes of a draw are listed."""

DIVIDER = "-" * 72
"""Stands between the record and what follows from it."""


def write_playthrough(game: AnyGame, record: Record, words: Words) -> str:
    """Write the record, then what it shows at each ply to whoever is to choose."""
    replayed = replay(game, record)
    lines = [write_record(record).rstrip("\n"), DIVIDER]
    number = 0
    for step in replayed.steps:
        if game.number(step.before) != number:
            number = game.number(step.before)
            lines += ["", f"= {number} ="]
            lines += _picture(game, step, words)
        lines += _tell(game, step, words)
    lines += ["", "= end =", game.draw(game.view(replayed.state, None), words, _WIDTH)]
    for seat, causes in enumerate(game.causes(replayed.state)):
        told = [
            words(f"cause.{cause.code}", points=cause.points, **cause.params) for cause in causes
        ]
        lines.append(f"seat {seat + 1}: {game.scores(replayed.state)[seat]} = " + "; ".join(told))
    winners = " ".join(str(seat + 1) for seat in game.winners(replayed.state))
    lines.append(f"winners: {winners}, {words('decided.' + game.decided_by(replayed.state))}")
    return "\n".join(lines) + "\n"


def _picture(game: AnyGame, step: AnyStep, words: Words) -> Iterator[str]:
    """Draw what the first seat to choose sees."""
    turn = game.turn(step.before)
    seat = turn.seats[0] if isinstance(turn, Choose) else None
    yield game.draw(game.view(step.before, seat), words, _WIDTH)


def _tell(game: AnyGame, step: AnyStep, words: Words) -> Iterator[str]:
    """List what could be chosen, and what was."""
    if isinstance(step, Chose):
        for seat, choice in zip(step.seats, step.choices, strict=True):
            legal = " ".join(map(str, game.legal(step.before, seat)))
            yield f"seat {seat + 1} may: {legal}"
            yield f"{choice} {{seat {seat + 1} {game.describe(choice, words)}}}"
        return
    to = "all see" if step.to is None else f"seat {step.to + 1} sees"
    shown = [f"{outcome}*{weight}" for outcome, weight in game.chances(step.before)]
    if len(shown) > _MOST:
        shown[1:-1] = ["…"]
    yield f"{to} one of {len(game.chances(step.before))}: {' '.join(shown)}"
    yield f"{step.outcome} {{{game.describe(step.outcome, words)}}}"
