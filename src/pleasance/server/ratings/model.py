"""The rating model: initial ratings, and Plackett-Luce updates from the order of the seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import NamedTuple

from openskill.models import PlackettLuce

from pleasance.core.game import AnyGame
from pleasance.games import find_game, game_names
from pleasance.table.standings import Standing

_ORDINAL_DEVIATIONS = 3.0
"""A leaderboard orders by the mean less this many standard deviations."""


class Rating(NamedTuple):
    """An estimate of strength: mean and standard deviation. New players start at 25 ± 25/3."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A lower bound of the strength that almost surely holds."""
        return self.mu - _ORDINAL_DEVIATIONS * self.sigma


@cache
def _model() -> PlackettLuce:
    return PlackettLuce()


def default_rating() -> Rating:
    """Return the rating of a player who has not played yet."""
    model = _model()
    return Rating(model.mu, model.sigma)


def measured_rating(game: AnyGame, seats: int, bot: str) -> Rating | None:
    """Look up the rating that was measured for a bot, whatever its budget."""
    measured = (game.heuristics and game.heuristics.ratings) or {}
    found = measured.get(seats, {}).get(bot.partition(":")[0])
    return None if found is None else Rating(*found)


def initial_rating(game: str, seats: int, subject: str) -> Rating:
    """Return the rating before the first game: a bot's as measured, else the default."""
    if not subject.startswith("bot:") or game not in game_names():
        return default_rating()
    measured = measured_rating(find_game(game), seats, subject.removeprefix("bot:"))
    return measured or default_rating()


def update_ratings(
    before: Mapping[str, Rating], standings: Sequence[Standing]
) -> dict[str, Rating]:
    """Update the ratings after one game; a bot on several seats gets the mean of its updates."""
    model = _model()
    teams = [[model.rating(*before[standing.subject])] for standing in standings]
    updated = model.rate(teams, ranks=[float(standing.rank) for standing in standings])
    by_subject: dict[str, list[Rating]] = {}
    for standing, (team,) in zip(standings, updated, strict=True):
        by_subject.setdefault(standing.subject, []).append(Rating(team.mu, team.sigma))
    return {
        subject: Rating(fmean(one.mu for one in own), fmean(one.sigma for one in own))
        for subject, own in by_subject.items()
    }
