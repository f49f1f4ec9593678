"""Players: who decides, in any game."""

from __future__ import annotations

from pleasance.core.errors import BadSetupError
from pleasance.core.game import A, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.players.greedy import make_greedy
from pleasance.players.uniform import make_random

_MAKERS = {"random": make_random, "greedy": make_greedy}
"""How each player is made for a game, by the name it has everywhere."""


def player_names() -> tuple[str, ...]:
    """List the players there are, the weakest first."""
    return tuple(_MAKERS)


def find_player(name: str, game: Game[S, A, O, V]) -> Player[V, A]:
    """Find a player by its name, ready for *game*."""
    if name not in _MAKERS:
        known = ", ".join(_MAKERS)
        raise BadSetupError("player_unknown", player=name, known=known)
    return _MAKERS[name](game)
