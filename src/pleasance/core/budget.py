"""The search budget of a player: `400` simulations or `0.2s`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from time import perf_counter
from typing import NamedTuple

from pleasance.core.errors import BadSetupError

_BUDGET = re.compile(r"(?P<seconds>[0-9]{1,4}(?:\.[0-9]{1,6})?)s|(?P<simulations>[1-9][0-9]{0,8})")


class SearchBudget(NamedTuple):
    """The limit of a search; exactly one field is set."""

    simulations: int | None = None
    seconds: float | None = None

    def spend(self) -> Iterator[int]:
        """Yield the numbers of the simulations within the limit.

        A time budget is a hard limit: after the first, no simulation starts that would end after
        the deadline if it took as long as those before it.
        """
        if self.simulations is not None:
            yield from range(self.simulations)
            return
        assert self.seconds is not None, self
        began = perf_counter()
        for done in count(1):
            yield done - 1
            if (perf_counter() - began) * (done + 1) / done >= self.seconds:
                return

    def split(self, parts: int, cost: float) -> SearchBudget:
        """Return one of *parts* equal parts, for steps that cost *cost* simulations each.

        >>> SearchBudget(simulations=400).split(2, 4), SearchBudget(seconds=0.5).split(2, 4)
        (SearchBudget(simulations=50, seconds=None), SearchBudget(simulations=None, seconds=0.25))
        """
        if self.simulations is not None:
            return SearchBudget(simulations=max(1, int(self.simulations // (parts * cost))))
        assert self.seconds is not None, self
        return SearchBudget(seconds=self.seconds / parts)


def parse_budget(text: str) -> SearchBudget:
    """Read a budget.

    >>> parse_budget("400"), parse_budget("0.2s")
    (SearchBudget(simulations=400, seconds=None), SearchBudget(simulations=None, seconds=0.2))
    """
    match = _BUDGET.fullmatch(text)
    if match is None:
        raise BadSetupError("budget", budget=text)
    if match["simulations"]:
        return SearchBudget(simulations=int(match["simulations"]))
    return SearchBudget(seconds=float(match["seconds"]))
