"""The model behind ratings: Plackett-Luce, from the order in which the seats ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import NamedTuple

from openskill.models import PlackettLuce

from pleasance.table.standings import Standing

SURE = 3.0
"""A rating is shown as what it is at least, so many standard deviations below the mean."""


class Rating(NamedTuple):
    """How strong somebody seems; everyone starts at 25 ± 25/3."""

    mu: float
    sigma: float

    @property
    def floor(self) -> float:
        """Tell what the rating is at least, almost surely."""
        return self.mu - SURE * self.sigma


@cache
def _model() -> PlackettLuce:
    return PlackettLuce()


def start() -> Rating:
    """Rate who has not played yet."""
    model = _model()
    return Rating(model.mu, model.sigma)


def move(before: Mapping[str, Rating], standings: Sequence[Standing]) -> dict[str, Rating]:
    """Rate the subjects of one game anew; a bot on several seats moves by the mean of them."""
    model = _model()
    teams = [[model.rating(*before[standing.subject])] for standing in standings]
    moved = model.rate(teams, ranks=[float(standing.rank) for standing in standings])
    earned: dict[str, list[Rating]] = {}
    for standing, (team,) in zip(standings, moved, strict=True):
        earned.setdefault(standing.subject, []).append(Rating(team.mu, team.sigma))
    return {
        subject: Rating(fmean(one.mu for one in own), fmean(one.sigma for one in own))
        for subject, own in earned.items()
    }
