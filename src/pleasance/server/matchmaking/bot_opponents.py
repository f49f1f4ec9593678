"""Which bots the queue offers: those nearest in rating."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

from sqlalchemy import Connection, select

from pleasance.core.game import AnyGame
from pleasance.core.levels import LEVELS
from pleasance.server.ratings.initial_ratings import find_measured
from pleasance.server.ratings.model import start
from pleasance.server.store.schema.ratings import ratings

KNOWN_AFTER = 5
"""The rating of a bot that was not measured means something after so many games."""

_LADDER = (
    "random",
    "apprentice",
    "greedy",
    "journeyman",
    "planner",
    "flat:0.2s",
    "ismcts:0.2s",
    "foreman",
    "headgardener",
    "network",
    "master:0.2s",
)
"""The bots that may be seated at rated tables, about in the order of their strength."""

_STEP = 2.0
"""How much stronger the next bot of the ladder is taken to be where nothing was measured."""

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
    """Choose so many bots near the rating *mu*: of those measured, and those that played here."""
    bots = playable_bots(game)
    measured = {bot: found.mu for bot in bots if (found := find_measured(game, seats, bot))}
    played = connection.execute(
        select(ratings.c.subject, ratings.c.mu, ratings.c.games)
        .where(ratings.c.game == game.spec.name, ratings.c.seats == seats)
        .where(ratings.c.subject.in_([f"bot:{bot}" for bot in bots]))
    )
    strengths = {**(measured or _guess(bots))}
    for row in played:
        bot = row.subject.removeprefix("bot:")
        if bot in measured or row.games >= KNOWN_AFTER:
            strengths[bot] = row.mu
    nearest = sorted(strengths, key=lambda one: abs(strengths[one] - mu))
    return tuple(islice(cycle(nearest[:_CHOICE]), count))


def _guess(bots: Sequence[str]) -> dict[str, float]:
    """Guess how strong the bots of a game are that nobody has rated: in the order of the ladder."""
    weakest = start().mu - _STEP * (len(bots) - 1) / 2
    return {bot: weakest + _STEP * place for place, bot in enumerate(bots)}
