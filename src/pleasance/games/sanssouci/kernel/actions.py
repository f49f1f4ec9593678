"""Compiled `rules/actions`: the first code of each kind of choice and draw."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pleasance.compiled.signature import ArrayType
from pleasance.games.sanssouci.kernel.layout import CELLS, MAX_SEATS, MOTIFS, SPACES

CODE_PLACE, CODE_WALK, CODE_STAY, CODE_SIDE, CODE_BOAR = 200, 254, 308, 309, 311
OUTCOME_GARDEN, OUTCOME_MISSION, OUTCOME_REWARDS, OUTCOME_CARD, OUTCOME_TILE = 4, 12, 21, 25, 45
OUTCOMES = OUTCOME_TILE + SPACES * MOTIFS
MAX_CHOICES = CELLS + 1

Codes: TypeAlias = Annotated[Any, ArrayType("int64", (MAX_CHOICES,))]
"""The codes of what a seat may choose `[MAX_CHOICES]`, int64."""

ChoiceValues: TypeAlias = Annotated[Any, ArrayType("float64", (MAX_CHOICES,))]
"""The value of each of them `[MAX_CHOICES]`, float64."""

ChosenCodes: TypeAlias = Annotated[Any, ArrayType("int64", (MAX_SEATS,))]
"""The code that each seat has chosen `[4]`, int64."""

OutcomeWeights: TypeAlias = Annotated[Any, ArrayType("int64", (OUTCOMES,))]
"""The weight of each outcome of a draw `[OUTCOMES]`, int64."""
