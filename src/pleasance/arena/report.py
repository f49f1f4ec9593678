"""What an arena found, as one value and as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import isfinite
from statistics import fmean
from typing import Any

from pleasance.arena.confidence_sequence import Bets
from pleasance.arena.plan import Plan, describe_plan
from pleasance.arena.play import Match, Times
from pleasance.arena.ratings import Rating, rate
from pleasance.arena.stats import (
    FEW,
    Estimate,
    estimate,
    estimate_share,
    measure_pair,
    measure_player,
    measure_seat,
)

_DIGITS = 6
_P95 = 0.95
_TWO = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What one player got."""

    player: str
    share: Estimate
    margin: Estimate
    score: Estimate
    rating: Rating
    times: Times


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """How often one player came out ahead of another where both sat at a table."""

    player: str
    other: str
    ahead: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an arena found."""

    plan: Plan
    matches: int
    games: int
    decisions: float
    """Mean number of choices in a game."""

    standings: tuple[Standing, ...]
    """In the order the players were named."""

    seats: tuple[Estimate, ...]
    """The share of victories of each seat, whoever held it."""

    meetings: tuple[Meeting, ...] = ()
    """Each two players, where there are more than two."""

    bets: Bets | None = None
    """The sequential test, where there was one."""

    @property
    def chance(self) -> float:
        """Tell the share of victories among equals."""
        return 1 / self.plan.seats

    @property
    def is_rough(self) -> bool:
        """Tell whether there are few matches for an interval."""
        return self.matches < FEW


def make_report(plan: Plan, matches: Sequence[Match], *, bets: Bets | None = None) -> Report:
    """Sum up matches, given in the order of their numbers."""
    ratings = rate(len(plan.players), matches)
    games = [game for match in matches for game in match.games]
    return Report(
        plan=plan,
        matches=len(matches),
        games=len(games),
        decisions=fmean(game.decisions for game in games),
        standings=tuple(
            _stand(plan.names[player], matches, player, rating)
            for player, rating in enumerate(ratings)
        ),
        seats=tuple(
            estimate_share([measure_seat(match, seat).share for match in matches])
            for seat in range(plan.seats)
        ),
        meetings=tuple(_list_meetings(plan, matches)),
        bets=bets,
    )


def _list_meetings(plan: Plan, matches: Sequence[Match]) -> Iterator[Meeting]:
    """Hold each two players against each other; with two in all the standings say it already."""
    names = plan.names
    for player, other in combinations(range(len(names) if len(names) > _TWO else 0), 2):
        found = [measure_pair(match, player, other) for match in matches]
        ahead = estimate_share([share for share in found if share is not None])
        if ahead.matches:
            yield Meeting(player=names[player], other=names[other], ahead=ahead)


def _stand(name: str, matches: Sequence[Match], player: int, rating: Rating) -> Standing:
    found = [measure for match in matches if (measure := measure_player(match, player))]
    spent = [match.times[player] for match in matches if player in match.times]
    return Standing(
        player=name,
        share=estimate_share([measure.share for measure in found]),
        margin=estimate([measure.margin for measure in found]),
        score=estimate([measure.score for measure in found]),
        rating=rating,
        times=reduce(Times.plus, spent, Times()),
    )


def to_object(report: Report) -> dict[str, Any]:
    """Tell a program what was found; seats count from 0, times are seconds."""
    return {
        **describe_plan(report.plan),
        "matches": report.matches,
        "games": report.games,
        "few_matches": report.is_rough,
        "chance": round(report.chance, _DIGITS),
        "decisions_per_game": round(report.decisions, 2),
        "standings": [_tell_standing(standing) for standing in report.standings],
        "seat_win_shares": [_tell(seat) for seat in report.seats],
        "meetings": [
            {"player": pair.player, "other": pair.other, "ahead": _tell(pair.ahead)}
            for pair in report.meetings
        ],
        "test": _tell_test(report),
    }


def _tell_standing(standing: Standing) -> dict[str, Any]:
    rating = standing.rating
    return {
        "player": standing.player,
        "win_share": _tell(standing.share),
        "margin": _tell(standing.margin),
        "score": _tell(standing.score),
        "rating": {"mu": round(rating.mu, _DIGITS), "sigma": round(rating.sigma, _DIGITS)},
        "moves": standing.times.choices,
        "seconds_per_move": {
            "mean": round(standing.times.mean, 9),
            "p95": round(standing.times.quantile(_P95), 9),
        },
    }


def _tell(found: Estimate) -> dict[str, Any]:
    low, high = (
        round(bound, _DIGITS) if isfinite(bound) else None for bound in (found.low, found.high)
    )
    return {"mean": round(found.mean, _DIGITS), "low": low, "high": high, "matches": found.matches}


def _tell_test(report: Report) -> dict[str, Any] | None:
    bets = report.bets
    if bets is None:
        return None
    return {
        "player": report.standings[0].player,
        "fair": round(bets.claim, _DIGITS),
        "alpha": bets.alpha,
        "verdict": bets.verdict,
        "low": round(bets.low, _DIGITS),
        "high": round(bets.high, _DIGITS),
        "rounds": bets.count,
    }
