"""Pairing: groups equal seeks whose ratings are near; the gap allowed grows with the wait."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pleasance.server.matchmaking.seek import Seek

INITIAL_RATING_GAP = 3.0
"""The rating gap allowed at once: the stronger player wins about two games in three."""

GAP_GROWTH_PER_S = 0.3
"""How much the gap grows with each second that both players have waited."""


class Candidate(NamedTuple):
    """A waiting player who can be paired."""

    player: str
    name: str
    owner: str
    """The owner of a bot account: two bots of one owner are not paired."""

    mu: float
    joined_at: float
    accepts_bots: bool
    seek: Seek


class Pairing(NamedTuple):
    """The people of one table, and how many seats are left for bots."""

    people: tuple[Candidate, ...]
    bots: int


def max_rating_gap(waited_s: float) -> float:
    """Return the rating gap that a player accepts after a wait."""
    return INITIAL_RATING_GAP + GAP_GROWTH_PER_S * max(0.0, waited_s)


def can_pair(one: Candidate, other: Candidate, now: float) -> bool:
    """Return whether the rating gap suits both candidates, and they have different owners."""
    gap = min(max_rating_gap(now - one.joined_at), max_rating_gap(now - other.joined_at))
    return abs(one.mu - other.mu) <= gap and one.owner != other.owner


def pair(candidates: Iterable[Candidate], now: float) -> list[Pairing]:
    """Pair people first come first served; then fill tables up with bots for those who agreed."""
    by_seek: dict[Seek, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda one: (one.joined_at, one.player)):
        by_seek.setdefault(candidate.seek, []).append(candidate)
    pairings: list[Pairing] = []
    for seek, queue in by_seek.items():
        full = _group(queue, now, min_size=seek.seats)
        paired = {candidate.player for people in full for candidate in people}
        ready = [one for one in queue if one.accepts_bots and one.player not in paired]
        mixed = _group(ready, now, min_size=1)
        pairings += [Pairing(people, seek.seats - len(people)) for people in (*full, *mixed)]
    return pairings


def _group(queue: Sequence[Candidate], now: float, *, min_size: int) -> list[tuple[Candidate, ...]]:
    """Group each candidate in turn with those nearest to it; keep groups of at least *min_size*."""
    groups: list[tuple[Candidate, ...]] = []
    left = list(queue)
    for first in queue:
        if first not in left:
            continue
        people = _find_nearest(first, left, now)
        if len(people) >= min_size:
            groups.append(tuple(people))
            left = [candidate for candidate in left if candidate not in people]
    return groups


def _find_nearest(first: Candidate, left: Iterable[Candidate], now: float) -> list[Candidate]:
    """Gather at most a table of candidates around *first*, all of whom can be paired."""
    people = [first]
    for other in sorted(left, key=lambda other: (abs(other.mu - first.mu), other.joined_at)):
        if len(people) == first.seek.seats:
            break
        if all(can_pair(one, other, now) for one in people):
            people.append(other)
    return people
