"""A test that may be looked at after every match: betting on a mean between 0 and 1.

Someone who holds that the mean is *m* must offer bets on each match that are fair under *m*. One
bettor says the mean is higher, one that it is lower; each starts with 1. If *m* is true,
neither ever reaches 2/alpha, except with probability alpha/2 (Ville's inequality), however often we
look and whenever we stop. All *m* that neither has refuted make the confidence sequence.

Source: I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting,
Journal of the Royal Statistical Society B 86 (2024): hedged capital with predictable plug-in bets.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Literal

import numpy as np

_BOLDEST = 0.5
"""No bet risks more than this part of the capital."""

_GRID = 1000
"""Into how many steps the means between 0 and 1 are divided."""

Verdict = Literal["above", "below", "open"]


class Bets:
    """Two bettors against every mean at once, and against *claim* to the last digit.

    >>> bets = Bets(claim=0.5)
    >>> for _ in range(20):
    ...     bets.add(1.0)
    >>> bets.verdict, bets.count, bets.low > 0.5
    ('above', 20, True)
    """

    def __init__(self, claim: float, alpha: float = 0.05) -> None:
        assert 0 < claim < 1, f"a claim of {claim} needs no test"
        self.claim = claim
        self.alpha = alpha
        self.count = 0
        self.low, self.high = 0.0, 1.0
        """The mean lies in between at level 1 - alpha, however often one looks."""
        self.verdict: Verdict = "open"
        self._means = np.append(np.linspace(0, 1, _GRID + 1), claim)
        self._rise = np.zeros_like(self._means)
        self._fall = np.zeros_like(self._means)
        self._sum = 0.5
        self._squares = 0.25
        with np.errstate(divide="ignore"):
            self._most_rise = _BOLDEST / self._means
            self._most_fall = _BOLDEST / (1 - self._means)

    def add(self, value: float) -> None:
        """Settle the bets on one match and look at what they have refuted."""
        assert 0 <= value <= 1, f"{value} is no share"
        bet = self._stake()
        away = value - self._means
        self._rise += np.log1p(np.minimum(bet, self._most_rise) * away)
        self._fall += np.log1p(-np.minimum(bet, self._most_fall) * away)
        self.count += 1
        self._sum += value
        self._squares += (value - self._sum / (self.count + 1)) ** 2
        self._judge()

    def _stake(self) -> float:
        """Bet boldly while little is known, and then by how far matches spread so far."""
        number = self.count + 1
        spread = self._squares / number
        return sqrt(2 * log(2 / self.alpha) / (spread * number * log(1 + number)))

    def _judge(self) -> None:
        """Narrow the interval; what was refuted once stays refuted.

        The higher the mean, the less the first bettor wins against it and the more the second: so
        each has refuted all means on one side of a point, which the grid gives to one step.
        """
        due = log(2 / self.alpha)
        grid = self._means[:-1]
        self.low = max(self.low, float(grid[self._rise[:-1] < due][0]) - 1 / _GRID)
        self.high = min(self.high, float(grid[self._fall[:-1] < due][-1]) + 1 / _GRID)
        if self.verdict == "open" and self._rise[-1] >= due:
            self.verdict, self.low = "above", max(self.low, self.claim)
        elif self.verdict == "open" and self._fall[-1] >= due:
            self.verdict, self.high = "below", min(self.high, self.claim)
