"""Information-set Monte Carlo tree search over imagined worlds.

One tree for all worlds: a node is a line of choices since the root, whatever was drawn between, so
that its statistics hold for all worlds that fit it. What a seat may choose differs from world to
world; each choice is therefore weighed by how often it could have been chosen. Where several seats
choose at the same time each picks by its own statistics, without knowing what the others pick.

At the root the own choices are halved; below it, and for the others, a choice is the more curious
the higher the planner ranks it. A line that leaves the tree is not played to its end, but a little
way and then judged, where the game knows how.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from pleasance.core.budget import Thinking
from pleasance.core.game import A, Choose, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.players.sequential_halving import halve, list_best

if TYPE_CHECKING:
    from pleasance.players.determinization import Worlds

_CURIOSITY = 0.7
"""How much is tried that has seldom been tried."""

_TRUST = 0.6
"""How much of the curiosity that is left goes to the best choice by rank, then to the next."""


class Arm:
    """One choice of one seat at a node."""

    __slots__ = ("chances", "total", "tries")

    def __init__(self) -> None:
        self.tries = 0
        self.total = 0.0
        self.chances = 0
        """How often it could have been chosen."""


class Node:
    """A line of choices: for each seat that chooses there its arms, and where they lead."""

    __slots__ = ("arms", "children", "is_known")

    def __init__(self) -> None:
        self.arms: dict[int, dict[int, Arm]] = {}
        self.children: dict[tuple[int, ...], Node] = {}
        self.is_known = False
        """Whether the search has been here before."""


Visits = list[tuple[int, Arm]]
"""The seats and arms on the way down."""


def make_ismcts(game: Game[S, A, O, V], budget: Thinking) -> Player[V, A]:
    """Make the player that searches a tree of choices."""
    from pleasance.players.determinization import Worlds, load_kernel  # noqa: PLC0415  (slow to import)

    kernel = load_kernel(game, "ismcts")

    def choose(view: V, rng: Random) -> A:
        assert isinstance(view.turn, Choose), view.turn
        codes = list_best(game, view, rng)
        worlds, root, seats = Worlds(kernel, view, rng), Node(), view.turn.seats
        best = halve(codes, budget, lambda left: _try(worlds, root, seats, left))
        return game.space.actions[best]

    return choose


def _try(worlds: Worlds, root: Node, seats: Sequence[int], codes: Sequence[int]) -> list[float]:
    """Try codes in one more world: what each brings by the tree below it."""
    worlds.deal()
    others = [seat for seat in seats if seat != worlds.seat]
    visits = _choose(worlds, root, others)
    worlds.keep()
    rewards = []
    for code in codes:
        worlds.go_back()
        worlds.chosen[worlds.seat] = code
        brought = _grow(worlds, _step(worlds, root, seats))
        _learn(visits, brought)
        rewards.append(brought[worlds.seat])
    return rewards


def _grow(worlds: Worlds, node: Node) -> list[float]:
    """Go down the tree as far as it is known, add one node, look ahead from there, and learn."""
    visits: Visits = []
    while node.is_known and (choosing := worlds.draw_on()) is not None:
        visits += _choose(worlds, node, choosing)
        node = _step(worlds, node, choosing)
    node.is_known = True
    brought = worlds.foresee()
    _learn(visits, brought)
    return brought


def _choose(worlds: Worlds, node: Node, seats: Sequence[int]) -> Visits:
    """Let each of some seats pick by its own statistics."""
    visits: Visits = []
    for seat in seats:
        code, arm = _pick(node.arms.setdefault(seat, {}), worlds.rank(seat))
        worlds.chosen[seat] = code
        visits.append((seat, arm))
    return visits


def _step(worlds: Worlds, node: Node, seats: Sequence[int]) -> Node:
    """Carry out what was chosen; give the node it leads to."""
    key = tuple(worlds.chosen[list(seats)].tolist())
    worlds.play()
    return node.children.setdefault(key, Node())


def _pick(arms: dict[int, Arm], ranked: Sequence[int]) -> tuple[int, Arm]:
    """Pick the choice with the highest upper bound; what was never tried counts as the mean."""
    tried = [arms.setdefault(code, Arm()) for code in ranked]
    tries = sum(arm.tries for arm in tried)
    mean = sum(arm.total for arm in tried) / tries if tries else 0.0
    best, highest, part = 0, -1.0, _TRUST
    for place, arm in enumerate(tried):
        arm.chances += 1
        worth = arm.total / arm.tries if arm.tries else mean
        bound = worth + _CURIOSITY * part * sqrt(arm.chances) / (1 + arm.tries)
        if bound > highest:
            best, highest = place, bound
        part *= 1 - _TRUST
    return ranked[best], tried[best]


def _learn(visits: Visits, brought: Sequence[float]) -> None:
    """Note what the arms on the way down have brought their seats."""
    for seat, arm in visits:
        arm.tries += 1
        arm.total += brought[seat]
