"""Values learned by self-play: a table of mean leads at the end of the game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

from ..rules.actions import Action, Show
from ..rules.view import View

FILE = "values.json"


def situation(view: View, action: Action) -> str:
    """Name the entry for a choice: a fish by the water and the hand, an answer by the bite."""
    hand = None if view.seat is None else view.hands[view.seat]
    known = f"{view.water.name} {hand}" if isinstance(action, Show) else view.bite
    return f"{view.seats} seats, round {view.round}, {known}: {action}"


def learned_values(view: View, _rng: Random, *, table: Mapping[str, float]) -> dict[Action, float]:
    """Value each legal choice by the table; what was never tried is worth nothing."""
    return {action: table.get(situation(view, action), 0.0) for action in view.legal}


def read_table(folder: Path) -> dict[str, float]:
    """Read the table that a training run has written."""
    table: dict[str, float] = json.loads((folder / FILE).read_text(encoding="utf-8"))
    return table
