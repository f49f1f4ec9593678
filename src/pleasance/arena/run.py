"""Runs an arena: resumes stored matches, plays the missing ones and stops early when decided."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from pleasance.arena.confidence_sequence import ConfidenceSequence
from pleasance.arena.duplicate_match import DuplicateMatch
from pleasance.arena.estimates import measure_player
from pleasance.arena.executors import Executor, play_matches
from pleasance.arena.match_store import MatchStore
from pleasance.arena.plan import Plan


class MatchCollector:
    """Collects matches in any order and tests them in the order of their numbers.

    So the same plan stops after the same match with any number of workers.
    """

    def __init__(self, plan: Plan, limit: int, sequence: ConfidenceSequence | None = None) -> None:
        self.sequence = sequence
        self.limit = limit
        self.round_length = plan.round_length
        self._tested = 0
        self._matches: dict[int, DuplicateMatch] = {}

    def is_complete(self) -> bool:
        """Return whether no match is missing."""
        return self._is_decided or len(self._matches) == self.limit

    @property
    def _is_decided(self) -> bool:
        return self.sequence is not None and self.sequence.verdict != "open"

    @property
    def played(self) -> int:
        """The number of matches played so far."""
        return len(self._matches)

    @property
    def missing(self) -> list[int]:
        """The numbers of the matches to play."""
        return [number for number in range(self.limit) if number not in self._matches]

    @property
    def matches(self) -> list[DuplicateMatch]:
        """The matches that count so far: up to the deciding one, or all."""
        end = self._tested if self._is_decided else self.limit
        return [self._matches[number] for number in sorted(self._matches) if number < end]

    def add(self, match: DuplicateMatch) -> None:
        """Add a match; test each whole round as soon as all earlier matches are there."""
        if match.number < self.limit:
            self._matches[match.number] = match
        while self.sequence is not None and self.sequence.verdict == "open":
            due = range(self._tested, self._tested + self.round_length)
            if not all(number in self._matches for number in due):
                return
            measured = [measure_player(self._matches[number], 0) for number in due]
            self.sequence.add(fmean(found.share for found in measured if found))
            self._tested += self.round_length


MatchCallback = Callable[[MatchCollector], None]
"""Called after every match."""


def run_arena(
    plan: Plan,
    collector: MatchCollector,
    executor: Executor,
    *,
    store: MatchStore | None = None,
    on_match: MatchCallback | None = None,
) -> list[DuplicateMatch]:
    """Play until the collector is complete; return the matches that count, in order."""
    for match in store.matches if store else ():
        collector.add(match)
    if collector.is_complete():
        return collector.matches
    with executor:
        for match in play_matches(plan, collector.missing, executor):
            if store:
                store.add(match)
            collector.add(match)
            if on_match:
                on_match(collector)
            if collector.is_complete():
                break
    return collector.matches
