"""Budgets: how long a player may think, in seconds or in simulations."""

from __future__ import annotations

import re

from pleasance.core.budget import Thinking
from pleasance.core.errors import BadSetupError

_BUDGET = re.compile(r"(?P<seconds>[0-9]{1,4}(?:\.[0-9]{1,6})?)s|(?P<simulations>[1-9][0-9]{0,8})")


def parse_budget(text: str) -> Thinking:
    """Read a budget.

    >>> parse_budget("400"), parse_budget("0.2s")
    (Thinking(simulations=400, seconds=None), Thinking(simulations=None, seconds=0.2))
    """
    match = _BUDGET.fullmatch(text)
    if match is None:
        raise BadSetupError("budget", budget=text)
    if match["simulations"]:
        return Thinking(simulations=int(match["simulations"]))
    return Thinking(seconds=float(match["seconds"]))
