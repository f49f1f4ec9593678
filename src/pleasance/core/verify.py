"""Verifying: every draw of a record must follow from the secret that was promised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from pleasance.core.errors import BadRecordError, UnfairDrawError
from pleasance.core.fair import FairTag, parse_tag
from pleasance.core.game import A, Game, O, S, V
from pleasance.core.record import DRAWN, Record, Token, shorten
from pleasance.core.replay import Replay, replay
from pleasance.core.tags import check_tags, read_opening


@dataclass(frozen=True, slots=True)
class Verdict(Generic[S, A, O]):
    """What was found about a record whose draws are all fair."""

    draws: int
    """How many were made again."""

    skipped: int
    """Indexes that were passed over: draws that were taken back by consent."""

    given: int
    """Draws that came with an opening: they were not drawn in this game, and prove nothing."""

    replay: Replay[S, A, O]


def verify(game: Game[S, A, O, V], record: Record, *, is_partial: bool = False) -> Verdict[S, A, O]:
    """Make every draw of *record* again; refuse the first that should have been another."""
    tag, line = _read_tag(record), record.line("Fair")
    _check_nonces(tag, check_tags(game, record), line)
    fair = tag.fair(line)
    indexes = tag.indexes(line)
    used: list[int] = []
    opening = record.tokens[: read_opening(record)]
    given = [token for token in opening if token.text.startswith(DRAWN)]
    left = iter(given)

    def witness(state: S, outcome: O, token: Token) -> None:
        if next(left, None) is not None:
            return
        index = next(indexes, None)
        if index is None:
            raise UnfairDrawError("fair_no_index", line=token.line, draw=len(used) + 1)
        used.append(index)
        due = fair.draw(index, game.chances(state))
        if due != outcome:
            raise UnfairDrawError(
                "fair_draw",
                line=token.line,
                draw=len(used),
                index=index,
                token=shorten(token.text),
                due=str(due),
            )

    replayed = replay(game, record, is_partial=is_partial, witness=witness)
    if (extra := next(indexes, None)) is not None:
        raise UnfairDrawError("fair_unused_index", line=line, index=extra, draws=len(used))
    return Verdict(len(used), (used[-1] if used else 0) - len(used), len(given), replayed)


def _read_tag(record: Record) -> FairTag:
    line = record.line("Fair")
    if "Fair" not in record.tags:
        raise BadRecordError("fair_no_tag", line=line)
    return parse_tag(record.tags["Fair"], line)


def _check_nonces(tag: FairTag, seats: int, line: int) -> None:
    if len(tag.nonces) != seats:
        raise BadRecordError("fair_nonces", line=line, nonces=len(tag.nonces), seats=seats)
