"""Bots that tables accept: the limits of their budgets, and how long each may take."""

from __future__ import annotations

from functools import lru_cache

from pleasance.core.budget import parse_budget
from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame
from pleasance.games import find_game
from pleasance.players.registry import find_spec, players_by_strength, takes_budget, with_budget

MAX_SIMULATIONS, MAX_BUDGET_S = 50_000, 10
"""The largest budgets a table may give a bot; well below the move timeout on a busy machine."""

_SIMULATIONS_PER_S = 5_000.0
"""A rough speed: only the order of queued requests depends on it."""


@lru_cache
def cached_game(name: str) -> AnyGame:
    """Find a game by its name; its folder is searched only the first time."""
    return find_game(name)


def is_quick(bot: str) -> bool:
    """Return whether a bot answers at once, since it takes no budget."""
    return not takes_budget(bot.partition(":")[0])


def estimate_seconds(bot: str) -> float:
    """Estimate how long a bot searches."""
    kind, _, budget = with_budget(bot).partition(":")
    if not takes_budget(kind):
        return 0.0
    limit = parse_budget(budget)
    if limit.seconds is not None:
        return limit.seconds
    return (limit.simulations or 0) / _SIMULATIONS_PER_S


def check_bot(bot: str, game: AnyGame) -> None:
    """Refuse a bot that tables do not accept: unknown, unfit for *game*, or its budget too large.

    Programs of this machine (`exec:…`) are unknown here, whichever client names them.
    """
    player, (_, colon, budget) = find_spec(bot), bot.partition(":")
    player.check_game(game)
    if colon and not player.takes_budget:
        raise BadSetupError("player_no_budget", player=player.name)
    if colon:
        limit = parse_budget(budget)
        if (limit.simulations or 0) > MAX_SIMULATIONS or (limit.seconds or 0.0) > MAX_BUDGET_S:
            raise BadSetupError(
                "bot_budget", budget=budget, most=MAX_SIMULATIONS, seconds=MAX_BUDGET_S
            )


def rated_bots(game: AnyGame) -> tuple[str, ...]:
    """List the bots that rated tables accept, the weakest first."""
    return tuple(player.named(player.rated_budget) for player in players_by_strength(game))
