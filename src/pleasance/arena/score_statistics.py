"""Score statistics: means and intervals of a player's scores in each configuration of a game."""

from __future__ import annotations

import hashlib
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from pleasance.core.game import AnyGame, Choose, Draw
from pleasance.players.registry import make_player

_Z95 = 1.96
"""The half-width of a 95 % interval in standard errors."""


class ScoreStatistics(NamedTuple):
    """The statistics of one configuration with the same player on every seat."""

    game: str
    seats: int
    options: str
    player: str
    games: int
    mean: float
    """The mean score of a seat."""

    half_width: float
    """The half-width of the 95 % interval of the mean."""

    winner_mean: float
    """The mean score of the best seat."""

    length: float
    """The mean number of turns (Sanssouci) or rounds (Sakura)."""

    ties: float
    """The share of games that points alone did not decide."""


def survey(game: AnyGame, seats: int, player: str, *, games: int, seed: str) -> ScoreStatistics:
    """Play games with one player on every seat and summarize the scores."""
    label = f"{seed}:{game.spec.name}:{seats}:{' '.join(game.options)}:{player}"
    rng = Random(hashlib.sha256(label.encode("utf-8", "surrogateescape")).digest())
    ends = [_play(game, seats, player, rng) for _ in range(games)]
    scores = [game.scores(end) for end in ends]
    means = [fmean(points) for points in scores]
    return ScoreStatistics(
        game=game.spec.name,
        seats=seats,
        options=" ".join(game.options),
        player=player,
        games=games,
        mean=round(fmean(means), 2),
        half_width=round(_Z95 * stdev(means) / sqrt(games), 2) if games > 1 else 0.0,
        winner_mean=round(fmean(max(points) for points in scores), 2),
        length=round(fmean(game.number(end) for end in ends), 2),
        ties=round(fmean(game.decided_by(end) != "points" for end in ends), 3),
    )


def _play(game: AnyGame, seats: int, name: str, rng: Random) -> Any:
    """Play one game to its end, with unverified draws."""
    player = make_player(name, game)
    state = game.start(seats)
    while True:
        turn = game.turn(state)
        if isinstance(turn, Choose):
            state = game.play(state, [player(game.view(state, seat), rng) for seat in turn.seats])
        elif isinstance(turn, Draw):
            outcomes, weights = zip(*game.chances(state), strict=True)
            state = game.reveal(state, rng.choices(outcomes, weights)[0])
        else:
            return state


TABLE_HEAD = """\
| game | seats | options | player | games | mean score | winner | turns or rounds | tie-breaks |
|---|---|---|---|---|---|---|---|---|"""
"""The head of the table of statistics."""


def to_table_row(found: ScoreStatistics) -> str:
    """Format the statistics as a row of the table."""
    return (
        f"| {found.game} | {found.seats} | {found.options or 'none'} | {found.player} "
        f"| {found.games} | {found.mean:.2f} ± {found.half_width:.2f} | {found.winner_mean:.1f} "
        f"| {found.length:.1f} | {found.ties:.1%} |"
    )
