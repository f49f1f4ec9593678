"""Opening tokens: the steps a game starts with when it continues another one."""

from __future__ import annotations

from collections.abc import Sequence

from pleasance.core.errors import BadRecordError
from pleasance.core.game import A, AnyGame, Game, O, Over, S, V
from pleasance.core.record import Record, Token
from pleasance.core.replay import replay
from pleasance.core.steps import Step, full_tokens
from pleasance.core.tags import make_tags


def replay_opening(
    game: Game[S, A, O, V], seats: int, opening: Sequence[str]
) -> tuple[Step[S, A, O], ...]:
    """Replay the given steps; refuse an opening after which nothing is left to play."""
    if not opening:
        return ()
    record = Record(make_tags(game, seats), tuple(map(Token, opening)))
    replayed = replay(game, record, is_partial=True)
    if replayed.pending:
        raise BadRecordError("opening_pending")
    if isinstance(game.turn(replayed.state), Over):
        raise BadRecordError("opening_over")
    return replayed.steps


def cut_opening(game: AnyGame, record: Record, steps: int) -> tuple[str, ...]:
    """Take the first *steps* of a full record: a draw is one, a turn of several is one."""
    replayed = replay(game, record, is_partial=True)
    if steps > len(replayed.steps):
        raise BadRecordError("opening_long", steps=steps, most=len(replayed.steps))
    return tuple(token.text for token in full_tokens(game, replayed.steps[:steps]))
