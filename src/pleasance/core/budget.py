"""How long somebody may think."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from time import perf_counter
from typing import NamedTuple


class Thinking(NamedTuple):
    """A limit on thinking; only one of the two is set."""

    simulations: int | None = None
    seconds: float | None = None

    def spend(self) -> Iterator[int]:
        """Count simulations until the limit is reached.

        Within seconds there is always one, and no more is begun that would end too late if it took
        as long as those before it.
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

    def split(self, parts: int, cost: float) -> Thinking:
        """Take one of so many equal parts, for steps that cost so many simulations each.

        >>> Thinking(simulations=400).split(2, 4), Thinking(seconds=0.5).split(2, 4)
        (Thinking(simulations=50, seconds=None), Thinking(simulations=None, seconds=0.25))
        """
        if self.simulations is not None:
            return Thinking(simulations=max(1, int(self.simulations // (parts * cost))))
        assert self.seconds is not None, self
        return Thinking(seconds=self.seconds / parts)
