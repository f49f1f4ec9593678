"""Information-set Monte Carlo tree search (ISMCTS) over determinized worlds.

All worlds share one tree: a node is a line of choices since the root, whatever was drawn between.
The legal choices of a seat differ from world to world, so each choice is weighted by how often it
was available. In a simultaneous turn each seat selects by its own statistics alone.

At the root sequential halving selects the seat's own choices. Below it, and for the other seats, a
choice is explored the more the higher the rollout policy ranks it. Where the game has a rollout
policy, a line that leaves the tree ends in a truncated rollout.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from pleasance.core.budget import SearchBudget
from pleasance.core.game import A, Choose, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.players.sequential_halving import halve, list_candidates

if TYPE_CHECKING:
    from pleasance.players.determinization import DeterminizedSearch

_EXPLORATION = 0.7
"""The weight of the exploration term."""

_PRIOR_DECAY = 0.6
"""The part of the remaining exploration that goes to each choice in the order of their ranks."""


class Arm:
    """One choice of one seat at a node."""

    __slots__ = ("availability", "total", "tries")

    def __init__(self) -> None:
        self.tries = 0
        self.total = 0.0
        self.availability = 0
        """How many times it was legal."""


class Node:
    """A line of choices: the arms of each seat that chooses there, and the nodes below."""

    __slots__ = ("arms", "children", "is_expanded")

    def __init__(self) -> None:
        self.arms: dict[int, dict[int, Arm]] = {}
        self.children: dict[tuple[int, ...], Node] = {}
        self.is_expanded = False
        """Whether the search has visited it."""


Visits = list[tuple[int, Arm]]
"""The seats and arms on the way down."""


def make_ismcts(game: Game[S, A, O, V], budget: SearchBudget) -> Player[V, A]:
    """Make the player that searches a tree of choices over sampled worlds."""
    from pleasance.players.determinization import DeterminizedSearch, load_kernel  # noqa: PLC0415  (slow to import)

    kernel = load_kernel(game, "ismcts")

    def choose(view: V, rng: Random) -> A:
        assert isinstance(view.turn, Choose), view.turn
        codes = list_candidates(game, view, rng)
        search, root, seats = DeterminizedSearch(kernel, view, rng), Node(), view.turn.seats
        best = halve(codes, budget, lambda left: _trial(search, root, seats, left))
        return game.space.actions[best]

    return choose


def _trial(
    search: DeterminizedSearch, root: Node, seats: Sequence[int], codes: Sequence[int]
) -> list[float]:
    """Simulate each of *codes* in one more world; return their rewards."""
    search.deal_world()
    others = [seat for seat in seats if seat != search.seat]
    visits = _select(search, root, others)
    search.save()
    rewards = []
    for code in codes:
        search.restore()
        search.chosen[search.seat] = code
        shares = _simulate(search, _descend(search, root, seats))
        _backpropagate(visits, shares)
        rewards.append(shares[search.seat])
    return rewards


def _simulate(search: DeterminizedSearch, node: Node) -> list[float]:
    """Select down to a new node, expand it, roll out from there and backpropagate."""
    visits: Visits = []
    while node.is_expanded and (choosing := search.resolve_draws()) is not None:
        visits += _select(search, node, choosing)
        node = _descend(search, node, choosing)
    node.is_expanded = True
    rewards = search.truncated_rollout()
    _backpropagate(visits, rewards)
    return rewards


def _select(search: DeterminizedSearch, node: Node, seats: Sequence[int]) -> Visits:
    """Select an arm for each of *seats* by its own statistics."""
    visits: Visits = []
    for seat in seats:
        code, arm = _select_arm(node.arms.setdefault(seat, {}), search.rank(seat))
        search.chosen[seat] = code
        visits.append((seat, arm))
    return visits


def _descend(search: DeterminizedSearch, node: Node, seats: Sequence[int]) -> Node:
    """Carry out the chosen actions; return the node they lead to."""
    key = tuple(search.chosen[seat] for seat in seats)
    search.play()
    return node.children.setdefault(key, Node())


def _select_arm(arms: dict[int, Arm], ranked: Sequence[int]) -> tuple[int, Arm]:
    """Select the arm with the highest upper confidence bound, by PUCT with availability counts.

    An untried arm counts as the mean.
    """
    tried = [arms.setdefault(code, Arm()) for code in ranked]
    tries = sum(arm.tries for arm in tried)
    mean = sum(arm.total for arm in tried) / tries if tries else 0.0
    best, best_bound, prior_weight = 0, -1.0, _PRIOR_DECAY
    for place, arm in enumerate(tried):
        arm.availability += 1
        value = arm.total / arm.tries if arm.tries else mean
        bound = value + _EXPLORATION * prior_weight * sqrt(arm.availability) / (1 + arm.tries)
        if bound > best_bound:
            best, best_bound = place, bound
        prior_weight *= 1 - _PRIOR_DECAY
    return ranked[best], tried[best]


def _backpropagate(visits: Visits, rewards: Sequence[float]) -> None:
    """Add the rewards of the seats to the arms on the way down."""
    for seat, arm in visits:
        arm.tries += 1
        arm.total += rewards[seat]
