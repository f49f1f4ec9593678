"""Players for people: each level chooses among what is nearly best, and none blunders.

A level knows what its network thinks each choice is worth, or what a short search says. The better
a choice, the likelier it is taken; what the network thinks too much worse than the best is never
taken. Some levels like what pays at once a little too much, as people do who learn a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from random import Random
from typing import NamedTuple

from pleasance.core.budget import Thinking
from pleasance.core.errors import BadSetupError
from pleasance.core.game import A, Game, Heuristics, O, S, V
from pleasance.core.levels import Level
from pleasance.core.playout import Player


class Opinion(NamedTuple):
    """What somebody thinks of each legal choice, in their order."""

    sober: tuple[float, ...]
    """The worth by the network."""

    searched: tuple[float, ...]
    """The worth by the search of the level, or again by the network if it makes none."""

    at_once: tuple[float, ...]
    """The worth by the quick judgement; zeros where the level does not care."""


def has_levels(game: Game[S, A, O, V]) -> bool:
    """Tell whether a game has players of all levels."""
    return game.heuristics is not None and bool(game.heuristics.levels)


def find_level(name: str, game: Game[S, A, O, V]) -> tuple[Level, Heuristics[A, V]]:
    """Find a level of a game, and the judgements it needs."""
    judges = game.heuristics
    if judges is not None:
        for level in judges.levels:
            if level.name == name:
                return level, judges
    raise BadSetupError("player_needs_heuristics", player=name, game=game.spec.name)


def make_level(name: str) -> Callable[[Game[S, A, O, V]], Player[V, A]]:
    """Make who makes the player of a level for a game."""

    def make(game: Game[S, A, O, V]) -> Player[V, A]:
        level, judges = find_level(name, game)

        def choose(view: V, rng: Random) -> A:
            if len(view.legal) == 1:
                only: A = view.legal[0]
                return only
            likely = weigh_choices(level, form_opinion(level, judges, view, rng))
            choice: A = rng.choices(view.legal, likely)[0]
            return choice

        return choose

    return make


def form_opinion(level: Level, judges: Heuristics[A, V], view: V, rng: Random) -> Opinion:
    """Ask the judgements that a level goes by."""
    assert judges.learned is not None, "a game with levels has a network"
    learned = judges.learned(view, rng)
    sober = tuple(learned[choice] for choice in view.legal)
    searched, at_once = sober, (0.0,) * len(sober)
    if level.simulations:
        assert judges.search is not None, "a game with levels has a search"
        found = judges.search(view, rng, Thinking(simulations=level.simulations))
        searched = tuple(found[choice] for choice in view.legal)
    if level.haste:
        quick = judges.weigh(view, rng)
        at_once = tuple(quick[choice] for choice in view.legal)
    return Opinion(sober, searched, at_once)


def weigh_choices(level: Level, opinion: Opinion) -> Sequence[float]:
    """Tell how likely each choice is: at most 1 for the one that a level likes best.

    >>> level = Level("apprentice", loss=1.0, cap=2.0, haste=0.0, simulations=0, heat=1.0)
    >>> worths = (5.0, 4.0, 2.9)
    >>> [round(part, 2) for part in weigh_choices(level, Opinion(worths, worths, (0.0,) * 3))]
    [1.0, 0.37, 0.0]
    """
    least = max(opinion.sober) - level.cap
    liked = [
        worth + level.haste * quick
        for worth, quick in zip(opinion.searched, opinion.at_once, strict=True)
    ]
    near = [worth >= least for worth in opinion.sober]
    most = max(like for like, is_near in zip(liked, near, strict=True) if is_near)
    return [
        exp((like - most) / level.heat) if is_near else 0.0
        for like, is_near in zip(liked, near, strict=True)
    ]
