"""Which bots the queue offers: those nearest in rating."""

from __future__ import annotations

from itertools import cycle, islice

from sqlalchemy import Connection, select

from pleasance.core.game import AnyGame
from pleasance.core.levels import LEVELS
from pleasance.server.ratings.schema import ratings

KNOWN_AFTER = 5
"""A rating means something after so many games."""

_LADDER = {
    "random": 8.0,
    "apprentice": 18.0,
    "greedy": 20.0,
    "journeyman": 22.0,
    "planner": 26.0,
    "flat:0.2s": 26.5,
    "ismcts:0.2s": 27.0,
    "foreman": 28.0,
    "headgardener": 30.0,
    "network": 30.0,
    "master:0.2s": 33.0,
}
"""The bots that are offered, each with the rating we take it for until it has played here; their
order is that of docs/strength.md, the numbers are our guess."""

_CHOICE = 2
"""A table with several bots takes turns between the nearest ones, for some variety."""


def playable_bots(game: AnyGame) -> tuple[str, ...]:
    """List the bots of the ladder that can play *game*."""
    judges = game.heuristics
    needs = {
        "greedy": judges,
        "planner": judges and judges.plan,
        "network": judges and judges.learned,
        "master": judges and judges.search,
        "flat": game.kernel,
        "ismcts": game.kernel,
        **dict.fromkeys(LEVELS, judges and (judges.levels or None)),
    }
    return tuple(bot for bot in _LADDER if needs.get(bot.partition(":")[0], game) is not None)


def choose_bots(
    connection: Connection, game: AnyGame, seats: int, *, mu: float, count: int
) -> tuple[str, ...]:
    """Choose so many bots near the rating *mu*."""
    bots = playable_bots(game)
    found = connection.execute(
        select(ratings.c.subject, ratings.c.mu)
        .where(ratings.c.game == game.spec.name, ratings.c.seats == seats)
        .where(ratings.c.subject.in_([f"bot:{bot}" for bot in bots]))
        .where(ratings.c.games >= KNOWN_AFTER)
    )
    known = {row.subject.removeprefix("bot:"): row.mu for row in found}
    nearest = sorted(bots, key=lambda bot: abs(known.get(bot, _LADDER[bot]) - mu))
    return tuple(islice(cycle(nearest[:_CHOICE]), count))
