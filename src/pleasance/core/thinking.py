"""How long somebody may think."""

from __future__ import annotations

from typing import NamedTuple


class Thinking(NamedTuple):
    """A limit on thinking; only one of the two is set."""

    simulations: int | None = None
    seconds: float | None = None
