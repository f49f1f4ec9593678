"""Bot opponents for matchmaking: the bots nearest to a player's rating."""

from __future__ import annotations

from itertools import cycle, islice

from sqlalchemy import Connection, select

from pleasance.core.game import AnyGame
from pleasance.server.bots.eligibility import rated_bots
from pleasance.server.ratings.model import default_rating, measured_rating
from pleasance.server.store.schema.ratings import ratings

MIN_BOT_GAMES = 5
"""The number of games after which the rating of a bot that was not measured counts."""

_MU_STEP = 2.0
"""The assumed difference between bots that are next in strength where none was measured."""

_MAX_KINDS = 2
"""A table with several bots alternates between this many of the nearest ones, for variety."""


def choose_bots(
    connection: Connection, game: AnyGame, seats: int, *, mu: float, count: int
) -> tuple[str, ...]:
    """Choose *count* bots near the rating *mu*, by measured ratings and by games played here."""
    bots = rated_bots(game)
    measured = {bot: found.mu for bot in bots if (found := measured_rating(game, seats, bot))}
    played = connection.execute(
        select(ratings.c.subject, ratings.c.mu, ratings.c.games)
        .where(ratings.c.game == game.spec.name, ratings.c.seats == seats)
        .where(ratings.c.subject.in_([f"bot:{bot}" for bot in bots]))
    )
    weakest = default_rating().mu - _MU_STEP * (len(bots) - 1) / 2
    assumed = {bot: weakest + _MU_STEP * rank for rank, bot in enumerate(bots)}
    strengths = measured or assumed
    for row in played:
        bot = row.subject.removeprefix("bot:")
        if bot in measured or row.games >= MIN_BOT_GAMES:
            strengths = {**strengths, bot: row.mu}
    nearest = sorted(strengths, key=lambda bot: abs(strengths[bot] - mu))
    return tuple(islice(cycle(nearest[:_MAX_KINDS]), count))
