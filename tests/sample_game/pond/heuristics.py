"""The bots of Pond: greedy, and a network that is only a table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random

from pleasance.core.game import Heuristics

from .bots.learned import learned_values, read_table
from .rules.actions import Action, Answer, Say, Show, Water
from .rules.rules import FREED
from .rules.view import View

_VALUES = {Answer.FREE: FREED, Answer.CATCH: 1, Answer.LEAVE: 0}


def immediate_values(view: View, _rng: Random) -> Mapping[Action, float]:
    """Take the points that come at once; show what is likely to bite."""
    return {action: _value(view, action) for action in view.legal}


def _value(view: View, action: Action) -> float:
    match action:
        case Show(weight):
            return weight if view.water is Water.DEEP else -weight
        case Say(Answer.KEEP):
            return view.bite
        case Say(answer):
            return _VALUES[answer]


def with_weights(folder: Path) -> Heuristics[Action, View]:
    """Make the same heuristics with the table of a training run."""
    return HEURISTICS._replace(network_values=partial(learned_values, table=read_table(folder)))


HEURISTICS: Heuristics[Action, View] = Heuristics(immediate_values, with_weights=with_weights)
