"""A confidence sequence: a sequential test of a mean between 0 and 1, valid after every match.

For each mean *m* two bettors start with capital 1 and make bets that are fair under *m*, one on a
higher mean and one on a lower. If *m* is true, the probability that one of them ever reaches
2/alpha is at most alpha/2 (Ville's inequality), whenever we look or stop. The confidence sequence
consists of all *m* that neither has refuted.

Source: I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting,
Journal of the Royal Statistical Society B 86 (2024): hedged capital with predictable plug-in bets.
"""

from __future__ import annotations

from math import inf, log, log1p, sqrt
from typing import Literal

_MAX_STAKE = 0.5
"""The largest part of the capital that one bet risks."""

_GRID_STEPS = 1000
"""The number of steps between the means 0 and 1."""

Verdict = Literal["above", "below", "open"]


class _Bettors:
    """The two bettors against one mean, with the logarithm of their capital."""

    __slots__ = ("lower", "max_lower_bet", "max_upper_bet", "mean", "upper")

    def __init__(self, mean: float) -> None:
        self.mean = mean
        self.upper = self.lower = 0.0
        self.max_upper_bet = _MAX_STAKE / mean if mean > 0 else inf
        self.max_lower_bet = _MAX_STAKE / (1 - mean) if mean < 1 else inf

    def settle(self, value: float, bet: float) -> None:
        """Pay out the bet of each on a match."""
        deviation = value - self.mean
        self.upper += log1p(min(bet, self.max_upper_bet) * deviation)
        self.lower += log1p(-min(bet, self.max_lower_bet) * deviation)


class ConfidenceSequence:
    """Two bettors against every mean on a grid, and against *null_mean* exactly.

    >>> sequence = ConfidenceSequence(null_mean=0.5)
    >>> for _ in range(20):
    ...     sequence.add(1.0)
    >>> sequence.verdict, sequence.count, sequence.low > 0.5
    ('above', 20, True)
    """

    def __init__(self, null_mean: float, alpha: float = 0.05) -> None:
        assert 0 < null_mean < 1, f"a claim of {null_mean} needs no test"
        self.null_mean = null_mean
        self.alpha = alpha
        self.count = 0
        self.low, self.high = 0.0, 1.0
        """The bounds of the mean at level 1 - alpha, valid at every time."""
        self.verdict: Verdict = "open"
        grid = [step / _GRID_STEPS for step in range(_GRID_STEPS + 1)]
        self._against = [_Bettors(mean) for mean in grid]
        self._against_null = _Bettors(null_mean)
        self._sum = 0.5
        self._squares = 0.25

    def add(self, value: float) -> None:
        """Settle the bets on one match and update the interval."""
        assert 0 <= value <= 1, f"{value} is no share"
        bet = self._next_bet()
        for bettors in (*self._against, self._against_null):
            bettors.settle(value, bet)
        self.count += 1
        self._sum += value
        self._squares += (value - self._sum / (self.count + 1)) ** 2
        self._update_interval()

    def _next_bet(self) -> float:
        """Compute the predictable plug-in bet from the variance so far."""
        number = self.count + 1
        variance = self._squares / number
        return sqrt(2 * log(2 / self.alpha) / (variance * number * log(1 + number)))

    def _update_interval(self) -> None:
        """Narrow the interval; a refuted mean stays refuted.

        The capital of each bettor is monotonic in the mean. So the means it has refuted form a
        half-line, whose end the grid locates to one step.
        """
        threshold = log(2 / self.alpha)
        lowest = next(each.mean for each in self._against if each.upper < threshold)
        highest = next(each.mean for each in reversed(self._against) if each.lower < threshold)
        self.low = max(self.low, lowest - 1 / _GRID_STEPS)
        self.high = min(self.high, highest + 1 / _GRID_STEPS)
        if self.verdict == "open" and self._against_null.upper >= threshold:
            self.verdict, self.low = "above", max(self.low, self.null_mean)
        elif self.verdict == "open" and self._against_null.lower >= threshold:
            self.verdict, self.high = "below", min(self.high, self.null_mean)
