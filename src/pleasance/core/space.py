"""Action spaces: every action has one number, for ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class ActionSpace(Generic[A]):
    """Number all actions of a game, block by block.

    A block is a class of actions and, for each of its fields, the values it may take. Codes are
    stable for ever: append a block, never reorder one.
    """

    __slots__ = ("_codes", "actions")

    def __init__(self, *blocks: tuple[type[A], tuple[Sequence[int], ...]]) -> None:
        self.actions: tuple[A, ...] = tuple(
            kind(*values) for kind, fields in blocks for values in product(*fields)
        )
        self._codes = {action: code for code, action in enumerate(self.actions)}

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[A]:
        return iter(self.actions)

    def __contains__(self, action: object) -> bool:
        return action in self._codes

    def code(self, action: A) -> int:
        """Give the number of *action*."""
        return self._codes[action]

    def block(self, kind: type[B]) -> tuple[B, ...]:
        """List all actions of one *kind*, in the order of their numbers."""
        return tuple(action for action in self.actions if isinstance(action, kind))
