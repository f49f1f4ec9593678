"""Verifies a record: every draw must follow from the committed secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from pleasance.core.errors import BadRecordError, UnfairDrawError
from pleasance.core.fair_draws import FairTag, parse_tag
from pleasance.core.game import A, Game, O, S, V
from pleasance.core.record import DRAW_PREFIX, Record, Token, shorten
from pleasance.core.replay import Replay, replay
from pleasance.core.tags import check_tags, read_opening


@dataclass(frozen=True, slots=True)
class Verification(Generic[S, A, O]):
    """The result of verifying a record whose draws are all fair."""

    draws: int
    """The number of draws checked."""

    skipped: int
    """The number of indexes skipped: draws that a takeback removed."""

    given: int
    """The number of draws in the opening, which this game did not make."""

    replay: Replay[S, A, O]


def verify(
    game: Game[S, A, O, V], record: Record, *, is_partial: bool = False
) -> Verification[S, A, O]:
    """Repeat every draw of *record*; refuse the first that differs."""
    tag, line = _read_tag(record), record.line("Fair")
    _check_nonces(tag, check_tags(game, record), line)
    draws = tag.open_commitment(line)
    indexes = tag.indexes(line)
    used: list[int] = []
    opening = record.tokens[: read_opening(record)]
    given = [token for token in opening if token.text.startswith(DRAW_PREFIX)]
    left = iter(given)

    def check_draw(state: S, outcome: O, token: Token) -> None:
        if next(left, None) is not None:
            return
        index = next(indexes, None)
        if index is None:
            raise UnfairDrawError("fair_no_index", line=token.line, draw=len(used) + 1)
        used.append(index)
        due = draws.draw(index, game.chances(state))
        if due != outcome:
            raise UnfairDrawError(
                "fair_draw",
                line=token.line,
                draw=len(used),
                index=index,
                token=shorten(token.text),
                due=str(due),
            )

    replayed = replay(game, record, is_partial=is_partial, on_draw=check_draw)
    if (extra := next(indexes, None)) is not None:
        raise UnfairDrawError("fair_unused_index", line=line, index=extra, draws=len(used))
    return Verification(len(used), (used[-1] if used else 0) - len(used), len(given), replayed)


def _read_tag(record: Record) -> FairTag:
    line = record.line("Fair")
    if "Fair" not in record.tags:
        raise BadRecordError("fair_no_tag", line=line)
    return parse_tag(record.tags["Fair"], line)


def _check_nonces(tag: FairTag, seats: int, line: int) -> None:
    if len(tag.nonces) != seats:
        raise BadRecordError("fair_nonces", line=line, nonces=len(tag.nonces), seats=seats)
