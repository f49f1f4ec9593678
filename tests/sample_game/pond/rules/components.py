"""The components of the game: fish."""

from __future__ import annotations

from dataclasses import dataclass, field

from pleasance.core.data import DataFile, load_builtin_components
from pleasance.core.game import DataSet

WEIGHTS = range(1, 5)
HAND = 2
MAX_SEATS = 3


@dataclass(frozen=True, slots=True)
class Box:
    """The fish and the options of one game; equal if data and options are."""

    data: DataSet
    options: tuple[str, ...]
    fish: tuple[int, ...] = field(compare=False)
    """How many there are of each weight (P-1)."""

    rounds: int = field(compare=False)


def read_box(options: tuple[str, ...], text: str | None, package: str) -> Box:
    """Read a component file, or the one that comes with the game."""
    file = DataFile(
        load_builtin_components(package) if text is None else text, is_builtin=text is None
    )
    file.only("", ("name", "pond"))
    file.only("pond", ("fish", "rounds"))
    fish, rounds = file.numbers("pond", "fish"), file.number("pond", "rounds")
    dealt = MAX_SEATS * (HAND + rounds - 1)
    if len(fish) != len(WEIGHTS) or min(fish) < 0 or sum(fish) < dealt or rounds < 1:
        raise file.refuse("data_fish", "pond", "fish", rule="P-1", dealt=dealt)
    return Box(file.label(), options, fish, rounds)
