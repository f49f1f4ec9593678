"""Who plays whom: whoever waits equal wishes out and is near enough in rating."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pleasance.server.matchmaking.seek import Wish

NEAR = 3.0
"""How far apart two ratings may be at once: the stronger wins about two games in three."""

WIDER = 0.3
"""How much farther apart they may be with each second that both have waited."""


class Waiter(NamedTuple):
    """One who waits."""

    player: str
    name: str
    owner: str
    """Who stands behind the player: two programs of one owner do not meet."""

    mu: float
    joined_at: float
    accepts_bots: bool
    wish: Wish


class Group(NamedTuple):
    """Those who shall play together."""

    people: tuple[Waiter, ...]
    bots: int
    """How many seats are left for bots."""


def window(waited: float) -> float:
    """Tell how far from its own rating somebody looks after so many seconds."""
    return NEAR + WIDER * max(0.0, waited)


def can_meet(one: Waiter, other: Waiter, now: float) -> bool:
    """Tell whether two are near enough for both of them, and not the same person."""
    least = min(window(now - one.joined_at), window(now - other.joined_at))
    return abs(one.mu - other.mu) <= least and one.owner != other.owner


def pair(waiters: Iterable[Waiter], now: float) -> list[Group]:
    """Bring people together, who came first being served first; then fill up with bots."""
    by_wish: dict[Wish, list[Waiter]] = {}
    for waiter in sorted(waiters, key=lambda waiter: (waiter.joined_at, waiter.player)):
        by_wish.setdefault(waiter.wish, []).append(waiter)
    groups: list[Group] = []
    for wish, queue in by_wish.items():
        full = _gather(queue, now, least=wish.seats)
        gone = {waiter.player for people in full for waiter in people}
        ready = [one for one in queue if one.accepts_bots and one.player not in gone]
        mixed = _gather(ready, now, least=1)
        groups += [Group(people, wish.seats - len(people)) for people in (*full, *mixed)]
    return groups


def _gather(queue: Sequence[Waiter], now: float, *, least: int) -> list[tuple[Waiter, ...]]:
    """Let each in turn gather those nearest to it; keep the groups of at *least* so many."""
    found: list[tuple[Waiter, ...]] = []
    left = list(queue)
    for first in queue:
        if first not in left:
            continue
        people = _nearest(first, left, now)
        if len(people) >= least:
            found.append(tuple(people))
            left = [waiter for waiter in left if waiter not in people]
    return found


def _nearest(first: Waiter, left: Iterable[Waiter], now: float) -> list[Waiter]:
    """Gather at most a table of people around *first*, all of whom can meet each other."""
    people = [first]
    for other in sorted(left, key=lambda other: (abs(other.mu - first.mu), other.joined_at)):
        if len(people) == first.wish.seats:
            break
        if all(can_meet(one, other, now) for one in people):
            people.append(other)
    return people
