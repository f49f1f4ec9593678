"""Sums over arrays and workspaces."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from pleasance.compiled.exponential import exp
from pleasance.compiled.export import export
from pleasance.compiled.jit import jit
from pleasance.compiled.rng import RngState, randbelow
from pleasance.compiled.signature import ArrayType, FloatArray, IntArray, IntRows

Four: TypeAlias = Annotated[Any, ArrayType("int64", (4,))]
"""At least four whole numbers."""


class Inner(NamedTuple):
    """A workspace in a workspace."""

    factor: float
    numbers: IntArray


class Workspace(NamedTuple):
    """Some arrays and a number."""

    rows: IntRows
    inner: Inner
    sums: FloatArray


@jit
def add_up(numbers: IntArray) -> int:
    """Add up an array."""
    total = 0
    for number in numbers:
        total += number
    return total


@export()
def total(numbers: IntArray) -> int:
    """Add up an array."""
    return add_up(numbers)


@export()
def write_four(numbers: Four, first: int) -> None:
    """Write four numbers from *first* on."""
    for place in range(4):
        numbers[place] = first + place


@export()
def divide(one: int, other: int) -> int:
    """Divide; by zero is an error."""
    return one // other


@export()
def is_more(one: float, other: float) -> bool:
    """Compare two numbers."""
    return one > other


@export()
def sum_rows(workspace: Workspace) -> float:
    """Add up each row, times a factor; return the sum of all."""
    whole = 0.0
    for row in range(len(workspace.rows)):
        workspace.sums[row] = workspace.inner.factor * add_up(workspace.rows[row])
        whole += workspace.sums[row]
    return whole + add_up(workspace.inner.numbers)


@export("train")
def roll(rng_state: RngState, sides: int, rolls: int) -> int:
    """Add up some rolls of a die."""
    total_rolled = 0
    for _ in range(rolls):
        total_rolled += randbelow(rng_state, sides) + 1
    return total_rolled


@export()
def grow(exponents: FloatArray, powers: FloatArray) -> None:
    """Compute the exponential of each number."""
    for place in range(len(exponents)):
        powers[place] = exp(exponents[place])
