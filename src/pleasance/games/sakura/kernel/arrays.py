"""The arrays that compiled code reads and writes, each with its length.

Exports refuse shorter ones, so that no caller lets compiled code write past an end.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pleasance.compiled.signature import ArrayType
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.actions import CARD_COUNT, MAX_CHOICES

Position: TypeAlias = Annotated[Any, ArrayType("int64", (at.SIZE,))]
"""A packed position or view."""

Positions: TypeAlias = Annotated[Any, ArrayType("int64", (None, at.SIZE))]
"""Packed positions `[index, size]`."""

Constants: TypeAlias = Annotated[Any, ArrayType("int64", (at.CONSTANTS_SIZE,))]
"""A packed box."""

ConstantsRows: TypeAlias = Annotated[Any, ArrayType("int64", (None, at.CONSTANTS_SIZE))]
"""Packed boxes `[box, size]`."""

Codes: TypeAlias = Annotated[Any, ArrayType("int64", (MAX_CHOICES,))]
"""The codes of all choices of a seat."""

ChoiceValues: TypeAlias = Annotated[Any, ArrayType("float64", (MAX_CHOICES,))]
"""The value of each choice of a seat."""

SeatNumbers: TypeAlias = Annotated[Any, ArrayType("int64", (at.MAX_SEATS,))]
"""A whole number for each seat: the code it has chosen, or its points."""

SeatShares: TypeAlias = Annotated[Any, ArrayType("float64", (at.MAX_SEATS,))]
"""The share of victory of each seat."""

CardNumbers: TypeAlias = Annotated[Any, ArrayType("int64", (CARD_COUNT,))]
"""A whole number for each card that can be drawn: its weight."""
