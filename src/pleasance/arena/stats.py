"""Means with 95 % intervals, one observation for each duplicate match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf, sqrt, tan
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

import numpy as np

from pleasance.arena.play import Match, Played

LEVEL = 0.95
"""How often an interval holds the true mean."""

FEW = 30
"""With fewer matches than this an interval leans on the shape of the spread."""

_MANY = 2000
"""With so many degrees of freedom Student's t is the normal distribution, to three digits."""


class Estimate(NamedTuple):
    """A mean, how far it can be trusted, and from how many matches it comes."""

    mean: float
    low: float
    high: float
    matches: int


def estimate(values: Sequence[float], least: float = -inf, most: float = inf) -> Estimate:
    """Estimate a mean from independent matches by Student's t, kept within its bounds.

    Where all matches ended alike there is no spread to measure. Then the interval reaches as far as
    it would at a bound: to the mean under which such a row of matches has a chance of at most 5 %.
    """
    count = len(values)
    if count == 0:
        return Estimate(0.0, least, most, 0)
    mean = fmean(values)
    if count == 1:
        return Estimate(mean, least, most, 1)
    reach = student(count - 1) * stdev(values) / sqrt(count)
    low, high = max(least, mean - reach), min(most, mean + reach)
    if reach == 0 and inf not in {-least, most}:
        slack = (most - least) * (1 - (1 - LEVEL) ** (1 / count))
        low, high = max(least, low - slack), min(most, high + slack)
    return Estimate(mean, low, high, count)


def estimate_share(values: Sequence[float]) -> Estimate:
    """Estimate a share of victories, which lies between 0 and 1."""
    return estimate(values, 0.0, 1.0)


@lru_cache(maxsize=256)
def student(freedom: int, level: float = LEVEL) -> float:
    """Tell how many standard errors hold *level* of Student's t with so many degrees of freedom.

    With t = tan(angle) · sqrt(freedom) the density becomes a power of the cosine of the angle.

    >>> [round(student(freedom), 3) for freedom in (1, 2, 10, 100)]
    [12.706, 4.303, 2.228, 1.984]
    """
    if freedom > _MANY:
        return NormalDist().inv_cdf((1 + level) / 2)
    angles = np.linspace(0, np.pi / 2, 100_001)
    density = np.cos(angles) ** (freedom - 1)
    mass = np.concatenate(([0.0], np.cumsum((density[1:] + density[:-1]) / 2)))
    angle = float(np.interp(level, mass / mass[-1], angles))
    return tan(angle) * sqrt(freedom)


class Measures(NamedTuple):
    """What a player, or whoever sat on a seat, got from one match: means over its games."""

    share: float
    """Of one victory."""

    score: float
    margin: float
    """Points ahead of the best other seat; negative behind it."""


def measure_player(match: Match, player: int) -> Measures | None:
    """Measure a player over all the seats it held in a match; `None` where it sat out."""
    held = [
        (game, seat)
        for game in range(len(match.games))
        for seat, sitting in enumerate(match.games[game].table)
        if sitting == player
    ]
    return _measure(match, held) if held else None


def measure_seat(match: Match, seat: int) -> Measures:
    """Measure a seat, whoever held it; over a match everyone does so equally often."""
    return _measure(match, [(game, seat) for game in range(len(match.games))])


def _measure(match: Match, held: Sequence[tuple[int, int]]) -> Measures:
    games = [(match.games[game], seat) for game, seat in held]
    margins = [
        game.scores[seat] - max(game.scores[:seat] + game.scores[seat + 1 :])
        for game, seat in games
    ]
    return Measures(
        share=fmean(game.shares[seat] for game, seat in games),
        score=fmean(game.scores[seat] for game, seat in games),
        margin=fmean(margins),
    )


def measure_pair(match: Match, player: int, other: int) -> float | None:
    """Tell how often a player came out ahead of another, over all their seats; a tie is half.

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


def _compare(game: Played, seat: int, other: int) -> float:
    """Give 1 if *seat* came out ahead of *other*, 0 if behind it, else a half."""
    own, across = ((game.shares[each], game.scores[each]) for each in (seat, other))
    if own[0] == across[0] > 0:
        return 0.5  # they share the victory, whatever their points
    return 0.5 + 0.5 * ((own > across) - (own < across))
