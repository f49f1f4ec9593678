"""The report of an arena, as a value and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import isfinite
from statistics import fmean
from typing import Any

from pleasance.arena.confidence_sequence import ConfidenceSequence
from pleasance.arena.duplicate_match import DuplicateMatch, MoveTimes
from pleasance.arena.estimates import (
    MIN_MATCHES,
    Estimate,
    estimate,
    estimate_share,
    measure_pair,
    measure_player,
    measure_seat,
)
from pleasance.arena.plan import Plan, plan_to_json
from pleasance.arena.ratings import Rating, rate

_DIGITS = 6
_P95 = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaStanding:
    """The results of one player."""

    player: str
    share: Estimate
    margin: Estimate
    score: Estimate
    rating: Rating
    times: MoveTimes


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """The share of games in which one player came out ahead of another."""

    player: str
    other: str
    ahead: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaReport:
    """The results of an arena."""

    plan: Plan
    matches: int
    games: int
    decisions: float
    """The mean number of choices in a game."""

    standings: tuple[ArenaStanding, ...]
    """In the order the players were named."""

    seats: tuple[Estimate, ...]
    """The share of victories of each seat, over all players."""

    meetings: tuple[Meeting, ...] = ()
    """Each pair of players, where there are more than two."""

    sequence: ConfidenceSequence | None = None
    """The sequential test, if there was one."""

    @property
    def chance(self) -> float:
        """The share of victories of a player among equals."""
        return 1 / self.plan.seats

    @property
    def has_few_matches(self) -> bool:
        """`True` if the matches are too few for a reliable interval."""
        return self.matches < MIN_MATCHES


def make_report(
    plan: Plan, matches: Sequence[DuplicateMatch], *, sequence: ConfidenceSequence | None = None
) -> ArenaReport:
    """Summarize matches, given in the order of their numbers."""
    ratings = rate(len(plan.players), matches)
    games = [game for match in matches for game in match.games]
    return ArenaReport(
        plan=plan,
        matches=len(matches),
        games=len(games),
        decisions=fmean(game.decisions for game in games),
        standings=tuple(
            _make_standing(plan.names[player], matches, player, rating)
            for player, rating in enumerate(ratings)
        ),
        seats=tuple(
            estimate_share([measure_seat(match, seat).share for match in matches])
            for seat in range(plan.seats)
        ),
        meetings=tuple(_list_meetings(plan, matches)),
        sequence=sequence,
    )


def _list_meetings(plan: Plan, matches: Sequence[DuplicateMatch]) -> Iterator[Meeting]:
    """Compare each pair of players; with only two the standings say it already."""
    names = plan.names
    pairs = tuple(combinations(range(len(names)), 2))
    for player, other in pairs if len(pairs) > 1 else ():
        found = [measure_pair(match, player, other) for match in matches]
        ahead = estimate_share([share for share in found if share is not None])
        if ahead.matches:
            yield Meeting(player=names[player], other=names[other], ahead=ahead)


def _make_standing(
    name: str, matches: Sequence[DuplicateMatch], player: int, rating: Rating
) -> ArenaStanding:
    found = [measure for match in matches if (measure := measure_player(match, player))]
    spent = [match.times[player] for match in matches if player in match.times]
    return ArenaStanding(
        player=name,
        share=estimate_share([measure.share for measure in found]),
        margin=estimate([measure.margin for measure in found]),
        score=estimate([measure.score for measure in found]),
        rating=rating,
        times=reduce(MoveTimes.plus, spent, MoveTimes()),
    )


def report_to_json(report: ArenaReport) -> dict[str, Any]:
    """Convert a report to JSON; seats count from 0, times are seconds."""
    return {
        **plan_to_json(report.plan),
        "matches": report.matches,
        "games": report.games,
        "few_matches": report.has_few_matches,
        "chance": round(report.chance, _DIGITS),
        "decisions_per_game": round(report.decisions, 2),
        "standings": [_standing_to_json(standing) for standing in report.standings],
        "seat_win_shares": [_estimate_to_json(seat) for seat in report.seats],
        "meetings": [
            {"player": pair.player, "other": pair.other, "ahead": _estimate_to_json(pair.ahead)}
            for pair in report.meetings
        ],
        "test": _test_to_json(report),
    }


def _standing_to_json(standing: ArenaStanding) -> dict[str, Any]:
    rating = standing.rating
    return {
        "player": standing.player,
        "win_share": _estimate_to_json(standing.share),
        "margin": _estimate_to_json(standing.margin),
        "score": _estimate_to_json(standing.score),
        "rating": {"mu": round(rating.mu, _DIGITS), "sigma": round(rating.sigma, _DIGITS)},
        "moves": standing.times.choices,
        "seconds_per_move": {
            "mean": round(standing.times.mean, 9),
            "p95": round(standing.times.quantile(_P95), 9),
        },
    }


def _estimate_to_json(found: Estimate) -> dict[str, Any]:
    low, high = (
        round(bound, _DIGITS) if isfinite(bound) else None for bound in (found.low, found.high)
    )
    return {"mean": round(found.mean, _DIGITS), "low": low, "high": high, "matches": found.matches}


def _test_to_json(report: ArenaReport) -> dict[str, Any] | None:
    sequence = report.sequence
    if sequence is None:
        return None
    return {
        "player": report.standings[0].player,
        "fair": round(sequence.null_mean, _DIGITS),
        "alpha": sequence.alpha,
        "verdict": sequence.verdict,
        "low": round(sequence.low, _DIGITS),
        "high": round(sequence.high, _DIGITS),
        "rounds": sequence.count,
    }
