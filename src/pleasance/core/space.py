"""Action spaces: every action has one stable code."""

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

    __slots__ = ("_by_text", "_codes", "_texts", "actions")

    def __init__(self, *blocks: tuple[type[A], tuple[Sequence[int], ...]]) -> None:
        self.actions: tuple[A, ...] = tuple(
            kind(*values) for kind, fields in blocks for values in product(*fields)
        )
        self._codes = {action: code for code, action in enumerate(self.actions)}
        self._texts: dict[int, tuple[A, str]] = {}
        """The actions of the space and their notation, by identity: comparing them is slow."""

        self._by_text: dict[str, A] = {}

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[A]:
        return iter(self.actions)

    def __contains__(self, action: object) -> bool:
        return action in self._codes

    def code(self, action: A) -> int:
        """Return the code of *action*."""
        return self._codes[action]

    def write(self, action: A) -> str:
        """Write *action* in its notation, cached for the space's own objects."""
        if not self._texts:
            self._write_all()
        known = self._texts.get(id(action))
        return known[1] if known is not None and known[0] is action else str(action)

    def read(self, text: str) -> A | None:
        """Find the action with exactly this notation; `None` if there is none."""
        if not self._by_text:
            self._write_all()
        return self._by_text.get(text)

    def _write_all(self) -> None:
        """Fill the cache of notations, which most uses never need."""
        self._texts = {id(action): (action, str(action)) for action in self.actions}
        self._by_text = {text: action for action, text in self._texts.values()}

    def block(self, kind: type[B]) -> tuple[B, ...]:
        """List all actions of one *kind*, in the order of their numbers."""
        return tuple(action for action in self.actions if isinstance(action, kind))
