"""The registry of players: each built-in player once, with its factory and its capabilities.

To add a bot, write its factory in a module of this folder and add one `PlayerSpec` to `PLAYERS`;
the command line, the terminal, the server's tables and hints follow from it. docs/extending.md
lists what else it needs: texts, tests, and a measured rating to be offered in the queue.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pleasance.core.budget import SearchBudget, parse_budget
from pleasance.core.errors import BadSetupError, extra_needed
from pleasance.core.game import A, AnyGame, Game, Heuristics, O, S, V
from pleasance.core.levels import LEVELS
from pleasance.core.playout import Player
from pleasance.players.flat_monte_carlo import make_flat
from pleasance.players.ismcts import make_ismcts
from pleasance.players.levels import make_level
from pleasance.players.maximizers import ValueReader, make_master, make_maximizer, make_random

_DEFAULT_BUDGET = "200"
"""The default budget of a search: a third of a second or less at most tables."""

OPENSPIEL_PLAYERS = ("openspiel-ismcts", "openspiel-mcts")
"""The searches of OpenSpiel, an optional dependency."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSpec:
    """One built-in player: how it is made, what it needs and where it may play."""

    name: str
    make: Callable[[AnyGame], Player[Any, Any]] | None = None
    """Its factory if it takes no budget."""

    make_search: Callable[[AnyGame, SearchBudget], Player[Any, Any]] | None = None
    """Its factory if it takes a budget: `flat:0.2s`, `flat:400`."""

    requires: Callable[[Heuristics[Any, Any]], object] | None = None
    """Reads the heuristics without which it cannot play; they are falsy where a game has none."""

    is_arena_only: bool = False
    """Whether it plays only in the arena and at no table."""

    is_for_people: bool = False
    """Whether it is offered to people first, as an opponent of graded strength."""

    strength: int = 0
    """Its place in the rough order of strength, by which unrated bots are compared."""

    gives_hints: bool = False
    """Whether it may advise people; the strongest that fits the game does."""

    rated_budget: str = "0.2s"
    """Its budget at rated tables, if it takes one."""

    offered_budget: str = "1s"
    """Its budget in the list of bots to seat, if it takes one."""

    hint_budget: str = "1s"
    """Its budget for a hint, if it takes one."""

    @property
    def takes_budget(self) -> bool:
        """`True` if it accepts a search budget."""
        return self.make_search is not None

    def named(self, budget: str) -> str:
        """Name the player with a budget, if it takes one."""
        return f"{self.name}:{budget}" if self.takes_budget else self.name

    def check_game(self, game: AnyGame) -> None:
        """Refuse a game that lacks what the player needs; loads nothing that is slow."""
        heuristics = game.heuristics
        if self.requires and not (heuristics and self.requires(heuristics)):
            raise BadSetupError("player_needs_heuristics", player=self.name, game=game.spec.name)
        if self.takes_budget and game.kernel is None and not self.is_arena_only:
            raise BadSetupError("player_needs_kernel", player=self.name, game=game.spec.name)

    def fits(self, game: AnyGame) -> bool:
        """Return whether *game* has everything that the player needs."""
        try:
            self.check_game(game)
        except BadSetupError:
            return False
        return True


def _heuristic_player_spec(name: str, read: ValueReader, strength: int) -> PlayerSpec:
    """Specify a player that maximizes one heuristic."""
    return PlayerSpec(name=name, make=make_maximizer(read), requires=read, strength=strength)


def _level(name: str, strength: int) -> PlayerSpec:
    return PlayerSpec(
        name=name,
        make=make_level(name),
        requires=lambda heuristics: heuristics.levels,
        is_for_people=True,
        strength=strength,
    )


def _openspiel(name: str) -> PlayerSpec:
    def make(game: Game[S, A, O, V], budget: SearchBudget) -> Player[V, A]:
        with extra_needed("openspiel"):
            from pleasance.players.openspiel import make_openspiel  # noqa: PLC0415  (need not be installed)
        return make_openspiel(name, game, budget)

    return PlayerSpec(name=name, make_search=make, is_arena_only=True)


PLAYERS = (
    PlayerSpec(name="random", make=make_random, strength=0, gives_hints=True),
    replace(
        _heuristic_player_spec("greedy", lambda found: found.immediate_values, 2), gives_hints=True
    ),
    replace(
        _heuristic_player_spec("planner", lambda found: found.planner_values, 4), gives_hints=True
    ),
    _heuristic_player_spec("network", lambda found: found.network_values, 9),
    *map(_level, LEVELS, (1, 3, 7, 8)),
    PlayerSpec(name="flat", make_search=make_flat, strength=5),
    PlayerSpec(name="ismcts", make_search=make_ismcts, strength=6, gives_hints=True),
    PlayerSpec(
        name="master",
        make_search=make_master,
        requires=lambda heuristics: heuristics.search_values,
        is_for_people=True,
        strength=10,
        gives_hints=True,
        offered_budget="2s",
        hint_budget="0.3s",
    ),
    *map(_openspiel, OPENSPIEL_PLAYERS),
)
"""All built-in players, the simplest first."""

_BY_NAME = {player.name: player for player in PLAYERS}

TABLE_PLAYERS = tuple(player for player in PLAYERS if not player.is_arena_only)
"""The players that may sit at tables."""


def player_names() -> tuple[str, ...]:
    """List the names of the players for tables, the simplest first."""
    return tuple(player.name for player in TABLE_PLAYERS)


def players_by_strength(game: AnyGame) -> tuple[PlayerSpec, ...]:
    """List the players for tables that fit *game*, the weakest first."""
    return tuple(sorted((p for p in TABLE_PLAYERS if p.fits(game)), key=lambda p: p.strength))


def find_spec(name: str, *, in_arena: bool = False) -> PlayerSpec:
    """Find a player by its name, with or without a budget; refuse one that may not play there."""
    player = _BY_NAME.get(name.partition(":")[0])
    if player is None or (player.is_arena_only and not in_arena):
        raise BadSetupError("player_unknown", player=name, known=", ".join(player_names()))
    return player


def takes_budget(name: str) -> bool:
    """Return whether a player accepts a search budget; an unknown one does not."""
    player = _BY_NAME.get(name)
    return player is not None and player.takes_budget


def with_budget(name: str) -> str:
    """Name a player with the budget that it has if none is given.

    >>> with_budget("flat"), with_budget("flat:0.2s"), with_budget("greedy")
    ('flat:200', 'flat:0.2s', 'greedy')
    """
    return f"{name}:{_DEFAULT_BUDGET}" if takes_budget(name) else name


def fallback_player(game: AnyGame) -> str:
    """Name the player that replaces one that is absent, too slow or broken: it answers at once."""
    return "random" if game.heuristics is None else "greedy"


def make_player(name: str, game: Game[S, A, O, V], *, in_arena: bool = False) -> Player[V, A]:
    """Make the player of a name for *game*; `flat:0.2s` and `flat:400` set a budget."""
    player = find_spec(name, in_arena=in_arena)
    _, colon, budget = with_budget(name).partition(":")
    if player.make_search is not None:
        limit = parse_budget(budget)
        player.check_game(game)
        return player.make_search(game, limit)
    if colon:
        raise BadSetupError("player_no_budget", player=player.name)
    player.check_game(game)
    assert player.make is not None, f"{player.name} has no factory"
    return player.make(game)
