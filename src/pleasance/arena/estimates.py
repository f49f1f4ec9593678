"""Means with 95 % intervals, one observation for each duplicate match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, inf, pi, sin, sqrt, tan
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

from pleasance.arena.duplicate_match import DuplicateMatch, GameResult

CONFIDENCE_LEVEL = 0.95
"""The probability that an interval contains the true mean."""

MIN_MATCHES = 30
"""With fewer matches an interval depends on the shape of the distribution."""

_NORMAL_FREEDOM = 2000
"""With more degrees of freedom Student's t is normal to three digits."""


class Estimate(NamedTuple):
    """A mean with its confidence interval and the number of matches."""

    mean: float
    low: float
    high: float
    matches: int


def estimate(values: Sequence[float], least: float = -inf, most: float = inf) -> Estimate:
    """Estimate a mean from independent matches by Student's t, kept within its bounds.

    Where all matches ended alike, the interval reaches as far as it would at a bound: to the mean
    under which such a series of matches has a probability of at most 5 %.
    """
    count = len(values)
    if count == 0:
        return Estimate(0.0, least, most, 0)
    mean = fmean(values)
    if count == 1:
        return Estimate(mean, least, most, 1)
    reach = student_t_quantile(count - 1) * stdev(values) / sqrt(count)
    low, high = max(least, mean - reach), min(most, mean + reach)
    if reach == 0 and inf not in {-least, most}:
        slack = (most - least) * (1 - (1 - CONFIDENCE_LEVEL) ** (1 / count))
        low, high = max(least, low - slack), min(most, high + slack)
    return Estimate(mean, low, high, count)


def estimate_share(values: Sequence[float]) -> Estimate:
    """Estimate a share of victories, which lies between 0 and 1."""
    return estimate(values, 0.0, 1.0)


@lru_cache(maxsize=256)
def student_t_quantile(freedom: int, level: float = CONFIDENCE_LEVEL) -> float:
    """Return the two-sided quantile of Student's t at *level* with *freedom* degrees of freedom.

    >>> [round(student_t_quantile(freedom), 3) for freedom in (1, 2, 10, 100)]
    [12.706, 4.303, 2.228, 1.984]
    """
    if freedom > _NORMAL_FREEDOM:
        return NormalDist().inv_cdf((1 + level) / 2)
    low, high = 0.0, pi / 2
    while (angle := (low + high) / 2) not in {low, high}:
        if _student_t_mass(angle, freedom) < level:
            low = angle
        else:
            high = angle
    return tan(angle) * sqrt(freedom)


def _student_t_mass(angle: float, freedom: int) -> float:
    """Return the mass within ±t, where t = tan(angle) · sqrt(freedom).

    Source: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions (1964), 26.7.3 to .4.
    """
    term = sin(angle)
    total = 0.0
    if freedom % 2:
        total, term = angle, term * cos(angle)
    for number in range(freedom % 2 + 2, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (number - 1) / number
    return total * 2 / pi if freedom % 2 else total


class MatchMeasures(NamedTuple):
    """The means over the games of one match, of a player or of a seat."""

    share: float
    """The share of one victory."""

    score: float
    margin: float
    """The points ahead of the best other seat; negative behind it."""


def measure_player(match: DuplicateMatch, player: int) -> MatchMeasures | None:
    """Measure a player over all its seats in a match; `None` where it sat out."""
    held = [
        (game, seat)
        for game in range(len(match.games))
        for seat, sitting in enumerate(match.games[game].table)
        if sitting == player
    ]
    return _measure(match, held) if held else None


def measure_seat(match: DuplicateMatch, seat: int) -> MatchMeasures:
    """Measure a seat over all the players who held it."""
    return _measure(match, [(game, seat) for game in range(len(match.games))])


def _measure(match: DuplicateMatch, held: Sequence[tuple[int, int]]) -> MatchMeasures:
    games = [(match.games[game], seat) for game, seat in held]
    margins = [
        game.scores[seat] - max(game.scores[:seat] + game.scores[seat + 1 :])
        for game, seat in games
    ]
    return MatchMeasures(
        share=fmean(game.shares[seat] for game, seat in games),
        score=fmean(game.scores[seat] for game, seat in games),
        margin=fmean(margins),
    )


def measure_pair(match: DuplicateMatch, player: int, other: int) -> float | None:
    """Measure how often a player came out ahead of another, over all their seats; a tie is half.

    Winners are ahead of the rest, the rest are ranked by points. `None` where they did not meet.
    """
    results = [
        _compare(game, seat, across)
        for game in match.games
        for seat, sitting in enumerate(game.table)
        for across, facing in enumerate(game.table)
        if (sitting, facing) == (player, other)
    ]
    return fmean(results) if results else None


def _compare(game: GameResult, seat: int, other: int) -> float:
    """Return 1 if *seat* came out ahead of *other*, 0 if behind it, else a half."""
    own, across = ((game.shares[each], game.scores[each]) for each in (seat, other))
    if own[0] == across[0] > 0:
        return 0.5  # they share the victory, whatever their points
    return 0.5 + 0.5 * ((own > across) - (own < across))
