"""Players: who decides, in any game."""

from __future__ import annotations

from pleasance.core.errors import BadSetupError
from pleasance.core.game import A, Game, O, S, V
from pleasance.core.levels import LEVELS
from pleasance.core.playout import Player
from pleasance.players.budget import parse_budget
from pleasance.players.flat import make_flat
from pleasance.players.greedy import make_greedy
from pleasance.players.ismcts import make_ismcts
from pleasance.players.levels import make_level
from pleasance.players.network import make_master, make_network
from pleasance.players.planner import make_planner
from pleasance.players.uniform_random import make_random

_DEFAULT = "200"
"""The budget of a player that is given none: a third of a second or less at most tables."""

_QUICK = {
    "random": make_random,
    "greedy": make_greedy,
    "planner": make_planner,
    "network": make_network,
    **{name: make_level(name) for name in LEVELS},
}
"""How each player is made that answers at once, by the name it has everywhere."""

GUESTS = ("openspiel-ismcts", "openspiel-mcts")
"""The searches of OpenSpiel; they play in the arena, where it is installed, and at no table."""

_THINKERS = {"flat": make_flat, "ismcts": make_ismcts, "master": make_master}
"""How each player is made that thinks for as long as its budget lasts."""


def player_names() -> tuple[str, ...]:
    """List the players there are, the simplest first."""
    return (*_QUICK, *_THINKERS)


def takes_budget(name: str) -> bool:
    """Tell whether a player can be told how long to think."""
    return name in _THINKERS or name in GUESTS


def with_budget(name: str) -> str:
    """Name a player with the budget that it has if none is given.

    >>> with_budget("flat"), with_budget("flat:0.2s"), with_budget("greedy")
    ('flat:200', 'flat:0.2s', 'greedy')
    """
    return f"{name}:{_DEFAULT}" if takes_budget(name) else name


def needs_kernel(name: str) -> bool:
    """Tell whether a player works on compiled rules, which take a while to be ready."""
    return name.partition(":")[0] in {"planner", "network", *LEVELS, *_THINKERS}


def find_player(name: str, game: Game[S, A, O, V]) -> Player[V, A]:
    """Find a player by its name, ready for *game*; `flat:0.2s` and `flat:400` set a budget."""
    kind, colon, budget = with_budget(name).partition(":")
    if kind in _THINKERS:
        return _THINKERS[kind](game, parse_budget(budget))
    if kind not in _QUICK:
        raise BadSetupError("player_unknown", player=name, known=", ".join(player_names()))
    if colon:
        raise BadSetupError("player_no_budget", player=kind)
    return _QUICK[kind](game)
