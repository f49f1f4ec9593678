"""The shapes of Pond in JSON; TypeScript types are generated from them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PondView:
    """The view of one seat; lists by seat are in seat order."""

    seat: int | None
    """The viewing seat; `None` is a spectator."""

    round: int
    is_deep: bool
    bite: int
    """Weight of the fish that bites; 0 when none does."""

    hands: tuple[tuple[int, ...], ...]
    """The weights of each seat's fish; 0 is a fish that is not seen."""

    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PondBox:
    """The facts that never change during a game."""

    seats: int
    weights: tuple[int, ...]
