"""The complete state of a game."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple, TypeAlias

from pleasance.core.game import Seat

from .actions import Water
from .components import WEIGHTS, Box

Fish: TypeAlias = tuple[int, ...]
"""How many fish of each weight."""


class Phase(IntEnum):
    """The phase of a round."""

    WATER = 0
    SHOW = 1
    BITE = 2
    PASS = 3
    FROG = 4
    DRAW = 5
    END = 6


class State(NamedTuple):
    """A game at one moment."""

    box: Box
    phase: Phase
    round: int
    """From 1; 0 while the hands are dealt."""

    hands: tuple[Fish, ...]
    deck: Fish
    water: Water
    bite: int
    """Weight of the fish that bites; 0 when none does."""

    owner: Seat
    """The seat that showed the fish that bites."""

    asked: tuple[Seat, ...]
    """Seats that must still draw, or may still catch the freed fish; the next one first."""

    kept: tuple[int, ...]
    """Each seat's points from fish it kept (P-5)."""

    freed: tuple[int, ...]
    """Each seat's points from fish it freed (P-5)."""

    caught: tuple[int, ...]
    """Each seat's points from fish that others had freed (P-6)."""

    eaten: tuple[int, ...]
    """Each seat's points lost to frogs (P-7)."""


def add(fish: Fish, weight: int, change: int) -> Fish:
    """Put *change* fish of one weight to the others."""
    return tuple(n + change if w == weight else n for w, n in zip(WEIGHTS, fish, strict=True))
