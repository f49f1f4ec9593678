"""Openings: a game that begins where another one stood, with steps that are given."""

from __future__ import annotations

from collections.abc import Sequence

from pleasance.core.errors import BadRecordError
from pleasance.core.game import A, AnyGame, Game, O, Over, S, V
from pleasance.core.record import Record, Token
from pleasance.core.replay import replay
from pleasance.core.steps import Step, full_tokens
from pleasance.core.tags import make_tags


def carry_out(
    game: Game[S, A, O, V], seats: int, opening: Sequence[str]
) -> tuple[Step[S, A, O], ...]:
    """Carry out the steps that are given; refuse an opening that leaves nothing to play."""
    if not opening:
        return ()
    record = Record(make_tags(game, seats), tuple(map(Token, opening)))
    course = replay(game, record, is_partial=True)
    if course.pending:
        raise BadRecordError("opening_pending")
    if isinstance(game.turn(course.state), Over):
        raise BadRecordError("opening_over")
    return course.steps


def cut_opening(game: AnyGame, record: Record, steps: int) -> tuple[str, ...]:
    """Take the first *steps* of a full record: a draw is one, a turn of several is one."""
    course = replay(game, record, is_partial=True)
    if steps > len(course.steps):
        raise BadRecordError("opening_long", steps=steps, most=len(course.steps))
    return tuple(token.text for token in full_tokens(game, course.steps[:steps]))
