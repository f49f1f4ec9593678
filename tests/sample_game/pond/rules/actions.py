"""Actions of the game: choices and draws, their codes and their notation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from pleasance.core.errors import BadNotationError
from pleasance.core.space import ActionSpace

from .components import WEIGHTS


class Water(IntEnum):
    """Depth of the water (P-3)."""

    DEEP = 0
    SHALLOW = 1


class Answer(IntEnum):
    """The choices when a fish bites (P-5, P-6)."""

    KEEP = 0
    FREE = 1
    CATCH = 2
    LEAVE = 3


@dataclass(frozen=True, slots=True)
class Show:
    """Show a fish (P-4)."""

    weight: int

    def __str__(self) -> str:
        return str(self.weight)


@dataclass(frozen=True, slots=True)
class Say:
    """Decide about a fish (P-5, P-6)."""

    answer: Answer

    def __str__(self) -> str:
        return self.answer.name.lower()


@dataclass(frozen=True, slots=True)
class Caught:
    """A fish drawn into a hand (P-2, P-8)."""

    weight: int

    def __str__(self) -> str:
        return f"+{self.weight}"


@dataclass(frozen=True, slots=True)
class Rose:
    """The water of a round (P-3)."""

    water: Water

    def __str__(self) -> str:
        return f"+{self.water.name.lower()}"


@dataclass(frozen=True, slots=True)
class Frog:
    """A frog, hungry or not (P-7)."""

    appetite: int

    def __str__(self) -> str:
        return f"+frog{self.appetite}"


Action: TypeAlias = Show | Say
Outcome: TypeAlias = Caught | Rose | Frog

SPACE: ActionSpace[Action] = ActionSpace((Show, (WEIGHTS,)), (Say, (tuple(Answer),)))
DRAWS: ActionSpace[Outcome] = ActionSpace(
    (Caught, (WEIGHTS,)), (Rose, (tuple(Water),)), (Frog, (range(2),))
)

_TEXTS: dict[str, Action | Outcome] = {
    **{str(action): action for action in SPACE},
    **{str(outcome): outcome for outcome in DRAWS},
}


def parse(text: str) -> Action | Outcome:
    """Read a choice or an outcome."""
    if text not in _TEXTS:
        raise BadNotationError("unreadable", token=text)
    return _TEXTS[text]
