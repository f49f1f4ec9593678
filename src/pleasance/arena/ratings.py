"""Plackett-Luce ratings of the players, from all games in their order."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import NamedTuple

from openskill.models import PlackettLuce

from pleasance.arena.duplicate_match import DuplicateMatch, GameResult


class Rating(NamedTuple):
    """A Plackett-Luce rating: everyone starts at 25 ± 25/3."""

    mu: float
    sigma: float
    """The standard deviation by the model, which assumes independent games."""


def rate(players: int, matches: Iterable[DuplicateMatch]) -> tuple[Rating, ...]:
    """Rate the players; one with several seats gets the mean of their updates."""
    model = PlackettLuce()
    ratings = [Rating(model.mu, model.sigma)] * players
    for match in matches:
        for game in match.games:
            teams = [[model.rating(*ratings[player])] for player in game.table]
            moved = model.rate(teams, ranks=_ranks(game))
            for player in set(game.table):
                own = [
                    team[0] for team, who in zip(moved, game.table, strict=True) if who == player
                ]
                mu, sigma = fmean(seat.mu for seat in own), fmean(seat.sigma for seat in own)
                ratings[player] = Rating(mu, sigma)
    return tuple(ratings)


def _ranks(game: GameResult) -> list[float]:
    """Rank the seats: winners first, then by points; 0 is best."""
    keys = [(-share, -score) for share, score in zip(game.shares, game.scores, strict=True)]
    keys = [(key[0], 0) if key[0] else key for key in keys]
    order = sorted(set(keys))
    return [float(order.index(key)) for key in keys]
