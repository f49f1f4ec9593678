"""Answers that need not be found twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


def remember_last(function: Callable[[S], T]) -> Callable[[S], T]:
    """Let a pure *function* remember its last answer, in case the very same value comes again.

    All seats look at one position after the other; to compare positions by value, as a larger
    cache must, would cost as much as most answers.

    >>> twice = remember_last(lambda items: [*items, *items])
    >>> items = (1, 2)
    >>> twice(items) is twice(items), twice((1, 2)) is twice(items)
    (True, False)
    """
    last: tuple[S, T] | None = None

    # Not wrapped to look like the function: once compiled, nothing can be set on it.
    def answer(value: S) -> T:
        nonlocal last
        known = last  # taken once: another thread may ask about something else meanwhile
        if known is None or known[0] is not value:
            known = last = (value, function(value))
        return known[1]

    return answer
