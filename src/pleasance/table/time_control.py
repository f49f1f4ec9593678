"""Time control and clocks, computed from the times in the log alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pleasance.core.game import Seat

FLAG_GRACE_S = 30.0
"""Seconds after which a flag is not called any more, since no server watched the clock."""


class TimeControl(NamedTuple):
    """The time of a seat: *move* seconds for each choice, then seconds from its *bank*."""

    move: float
    bank: float = 0.0


class Clocks:
    """The clocks of a table; a seat's clock runs while it must choose."""

    def __init__(self, time_control: TimeControl, seats: int) -> None:
        self._timing = time_control
        self.banks = [time_control.bank] * seats
        self._since: dict[Seat, float] = {}
        self._held: dict[Seat, float] = {}
        """Seconds used so far on the choice of each seat whose clock is paused."""

        self._open: dict[Seat, list[tuple[float, float]]] = {}
        """For each choice that may be taken back: seconds used, and seconds paid from the bank."""

    def due(self, seat: Seat) -> float | None:
        """Compute when the time of *seat* is up; `None` while its clock stands."""
        since = self._since.get(seat)
        return None if since is None else since + self._timing.move + self.banks[seat]

    def stop(self, seat: Seat, at: float) -> None:
        """Stop the clock of a seat that has chosen; the excess is paid from its bank."""
        used = self._stop_clock(seat, at) if seat in self._since else self._held.pop(seat, 0.0)
        paid = min(max(0.0, used - self._timing.move), self.banks[seat])
        self.banks[seat] -= paid
        self._open.setdefault(seat, []).append((used, paid))

    def hold(self, seat: Seat, at: float) -> None:
        """Pause the clock of a seat that a bot plays; it resumes when the player comes back."""
        if seat in self._since:
            self._held[seat] = self._stop_clock(seat, at)

    def _stop_clock(self, seat: Seat, at: float) -> float:
        """Stop a running clock and return the seconds it ran.

        A flag due long ago that was never called means that no server was running: that time
        counts for no seat.
        """
        due = self.due(seat)
        since = self._since.pop(seat)
        return 0.0 if due is not None and at - due > FLAG_GRACE_S else at - since

    def undo(self, seat: Seat) -> None:
        """Restore the clock of an undone choice, so that undoing gains no time."""
        choices = self._open.get(seat)
        if choices:
            used, paid = choices.pop()
            self.banks[seat] += paid
            if seat in self._since:
                self._since[seat] -= used
            else:
                self._held[seat] = used

    def forget_choices(self) -> None:
        """Forget the times of choices that cannot be undone any more."""
        self._open, self._held = {}, {}

    def run(self, seats: Iterable[Seat], at: float) -> None:
        """Run the clocks of exactly these *seats*; a running one goes on."""
        self._since = {
            seat: self._since[seat] if seat in self._since else at - self._held.pop(seat, 0.0)
            for seat in seats
        }

    def reset(self, at: float) -> None:
        """Restart the running clocks with the time of a whole move."""
        self._since = dict.fromkeys(self._since, at)
