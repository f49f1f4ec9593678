"""How strong somebody is taken to be who has not played here yet."""

from __future__ import annotations

from pleasance.core.game import AnyGame
from pleasance.games import find_game, game_names
from pleasance.server.ratings.model import Rating, start


def find_measured(game: AnyGame, seats: int, bot: str) -> Rating | None:
    """Find how strong a bot is among so many seats, if that was measured; whatever its budget."""
    measured = (game.heuristics and game.heuristics.ratings) or {}
    found = measured.get(seats, {}).get(bot.partition(":")[0])
    return None if found is None else Rating(*found)


def begin(game: str, seats: int, subject: str) -> Rating:
    """Rate who plays for the first time: a bot as it was measured, everybody else as new."""
    if not subject.startswith("bot:") or game not in game_names():
        return start()
    return find_measured(find_game(game), seats, subject.removeprefix("bot:")) or start()
