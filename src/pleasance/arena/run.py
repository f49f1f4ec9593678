"""Running an arena: what was kept, what is still to play, and when to stop."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from pleasance.arena.confidence_sequence import Bets
from pleasance.arena.executors import Crew, play_matches
from pleasance.arena.plan import Plan
from pleasance.arena.play import Match
from pleasance.arena.stats import measure_player
from pleasance.arena.store import Store


class Referee:
    """Looks at matches in the order of their numbers, whatever order they end in.

    So the same plan stops after the same match, however many workers there are.
    """

    def __init__(self, plan: Plan, most: int, bets: Bets | None = None) -> None:
        self.bets = bets
        self.most = most
        self.length = plan.round_length
        self._seen = 0
        self._matches: dict[int, Match] = {}

    def is_over(self) -> bool:
        """Tell whether nothing more needs to be played."""
        return self._is_decided or len(self._matches) == self.most

    @property
    def _is_decided(self) -> bool:
        return self.bets is not None and self.bets.verdict != "open"

    @property
    def played(self) -> int:
        """Count the matches played so far."""
        return len(self._matches)

    @property
    def missing(self) -> list[int]:
        """List what is still to be played."""
        return [number for number in range(self.most) if number not in self._matches]

    @property
    def matches(self) -> list[Match]:
        """List what counts so far: up to the match that decided, or all there is."""
        end = self._seen if self._is_decided else self.most
        return [self._matches[number] for number in sorted(self._matches) if number < end]

    def add(self, match: Match) -> None:
        """Take in a match; bet on each whole round of tables as soon as all before it are there."""
        if match.number < self.most:
            self._matches[match.number] = match
        while self.bets is not None and self.bets.verdict == "open":
            due = range(self._seen, self._seen + self.length)
            if not all(number in self._matches for number in due):
                return
            measured = [measure_player(self._matches[number], 0) for number in due]
            self.bets.add(fmean(found.share for found in measured if found))
            self._seen += self.length


Watch = Callable[[Referee], None]
"""Looks on after every match."""


def run_arena(
    plan: Plan,
    referee: Referee,
    crew: Crew,
    *,
    store: Store | None = None,
    watch: Watch | None = None,
) -> list[Match]:
    """Play until the referee has seen enough, and give what counts, in order."""
    for match in store.matches if store else ():
        referee.add(match)
    if referee.is_over():
        return referee.matches
    with crew:
        for match in play_matches(plan, referee.missing, crew):
            if store:
                store.add(match)
            referee.add(match)
            if watch:
                watch(referee)
            if referee.is_over():
                break
    return referee.matches
