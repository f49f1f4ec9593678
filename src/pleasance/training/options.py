"""What a training script is told: its settings, where to write, where to begin."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar


class Flat(Protocol):
    """A dataclass whose fields all have a simple default."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


S = TypeVar("S", bound=Flat)


class Order(NamedTuple):
    """Where a run writes, and the weights it goes on from."""

    out: Path
    start: Path | None


def read_order(usual: S, arguments: Sequence[str] | None) -> tuple[S, Order]:
    """Read what a script is asked for; what is not said stays as *usual*."""
    parser = argparse.ArgumentParser(prog=f"python -m {type(usual).__module__}")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="go on from these weights")
    for field, value in asdict(usual).items():
        parser.add_argument(f"--{field}", type=type(value), default=value)
    given = vars(parser.parse_args(arguments))
    order = Order(given.pop("out"), given.pop("start"))
    return type(usual)(**given), order
