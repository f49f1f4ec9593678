"""Clocks: how long each seat may think, from the times in the log alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pleasance.core.game import Seat

LATE = 30.0
"""Seconds after which a flag is not called any more: nobody was there to watch the clock."""


class Timing(NamedTuple):
    """How long a seat may think: *move* seconds for each choice, then from its *bank*."""

    move: float
    bank: float = 0.0


class Clocks:
    """The clocks of a table; a seat's clock runs while it must choose."""

    def __init__(self, timing: Timing, seats: int) -> None:
        self._timing = timing
        self.banks = [timing.bank] * seats
        self._since: dict[Seat, float] = {}
        self._held: dict[Seat, float] = {}
        """How long a seat has thought already over the choice that it will come back to."""

        self._open: dict[Seat, list[tuple[float, float]]] = {}
        """For each choice that may be taken back: the time it took, and how much of the bank."""

    def due(self, seat: Seat) -> float | None:
        """Tell when the time of *seat* is up; `None` while its clock stands."""
        since = self._since.get(seat)
        return None if since is None else since + self._timing.move + self.banks[seat]

    def stop(self, seat: Seat, at: float) -> None:
        """Stop the clock of a seat that has chosen; what it took too long comes from its bank."""
        took = self._think(seat, at) if seat in self._since else self._held.pop(seat, 0.0)
        paid = min(max(0.0, took - self._timing.move), self.banks[seat])
        self.banks[seat] -= paid
        self._open.setdefault(seat, []).append((took, paid))

    def hold(self, seat: Seat, at: float) -> None:
        """Hold the clock of a seat that a bot plays; should its player come back, it goes on."""
        if seat in self._since:
            self._held[seat] = self._think(seat, at)

    def _think(self, seat: Seat, at: float) -> float:
        """Stop a clock that runs; tell how long it ran.

        Who could have been flagged long ago was not, so nobody watched the clock: a server that
        was off has nobody think for all that time.
        """
        due = self.due(seat)
        since = self._since.pop(seat)
        return 0.0 if due is not None and at - due > LATE else at - since

    def take_back(self, seat: Seat) -> None:
        """Let a seat go on with the time it had: to choose and take back again gains none."""
        choices = self._open.get(seat)
        if choices:
            took, paid = choices.pop()
            self.banks[seat] += paid
            if seat in self._since:
                self._since[seat] -= took
            else:
                self._held[seat] = took

    def settle(self) -> None:
        """Forget what choices took that nobody can take back, or come back to, any more."""
        self._open, self._held = {}, {}

    def run(self, seats: Iterable[Seat], at: float) -> None:
        """Let the clocks of just these *seats* run; one that runs already runs on."""
        self._since = {
            seat: self._since[seat] if seat in self._since else at - self._held.pop(seat, 0.0)
            for seat in seats
        }

    def start_anew(self, at: float) -> None:
        """Give those who must choose the time of a whole move again."""
        self._since = dict.fromkeys(self._since, at)
