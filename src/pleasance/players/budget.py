"""Budgets: how long a player may think, in seconds or in simulations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from time import perf_counter

from pleasance.core.errors import BadSetupError
from pleasance.core.thinking import Thinking

_BUDGET = re.compile(r"(?P<seconds>[0-9]{1,4}(?:\.[0-9]{1,6})?)s|(?P<simulations>[1-9][0-9]{0,8})")


class Budget(Thinking):
    """A limit on thinking that can be spent."""

    __slots__ = ()

    def spend(self) -> Iterator[int]:
        """Count simulations until the budget is used up; there is always one."""
        if self.simulations is not None:
            yield from range(self.simulations)
            return
        assert self.seconds is not None, self
        end = perf_counter() + self.seconds
        for number in count():
            yield number
            if perf_counter() >= end:
                return

    def split(self, parts: int, cost: int) -> Budget:
        """Take one of so many equal parts, for steps that cost so many simulations each.

        >>> Budget(simulations=400).split(2, 4), Budget(seconds=0.5).split(2, 4)
        (Budget(simulations=50, seconds=None), Budget(simulations=None, seconds=0.25))
        """
        if self.simulations is not None:
            return Budget(simulations=max(1, self.simulations // (parts * cost)))
        assert self.seconds is not None, self
        return Budget(seconds=self.seconds / parts)


def parse_budget(text: str) -> Budget:
    """Read a budget.

    >>> parse_budget("400"), parse_budget("0.2s")
    (Budget(simulations=400, seconds=None), Budget(simulations=None, seconds=0.2))
    """
    match = _BUDGET.fullmatch(text)
    if match is None:
        raise BadSetupError("budget", budget=text)
    if match["simulations"]:
        return Budget(simulations=int(match["simulations"]))
    return Budget(seconds=float(match["seconds"]))
