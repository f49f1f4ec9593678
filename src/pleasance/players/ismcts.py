"""Information-set Monte Carlo tree search over imagined worlds.

One tree for all worlds: a node is a line of choices since the root, whatever was drawn between, so
that its statistics hold for all worlds that fit it. What a seat may choose differs from world to
world; each choice is therefore weighed by how often it could have been chosen. Where several seats
choose at the same time each picks by its own statistics, without knowing what the others pick.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import TYPE_CHECKING

from pleasance.core.game import A, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.players.budget import Budget

if TYPE_CHECKING:
    from pleasance.players.worlds import Worlds

_CURIOSITY = 0.7


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

    __slots__ = ("arms", "children")

    def __init__(self) -> None:
        self.arms: dict[int, dict[int, Arm]] = {}
        self.children: dict[tuple[tuple[int, int], ...], Node] = {}


def make_ismcts(game: Game[S, A, O, V], budget: Budget) -> Player[V, A]:
    """Make the player that searches a tree of choices."""
    from pleasance.players.worlds import Worlds, load_kernel  # noqa: PLC0415  (slow to import)

    kernel = load_kernel(game, "ismcts")

    def choose(view: V, rng: Random) -> A:
        choice: A = view.legal[0]
        if len(view.legal) > 1:
            worlds = Worlds(kernel, view, rng)
            root = Node()
            for _ in budget.spend():
                worlds.deal()
                _search(worlds, root, rng)
            arms = root.arms[worlds.seat]
            choice = game.space.actions[
                max(arms, key=lambda code: (arms[code].tries, arms[code].total))
            ]
        return choice

    return choose


def _search(worlds: Worlds, root: Node, rng: Random) -> None:
    """Go down the tree as far as it is known, add one node, play on at random, and learn."""
    node = root
    visited: list[tuple[int, Arm]] = []
    is_new = False
    while not is_new:
        turn = worlds.draw_on()
        if turn is None:
            break
        choosing = turn
        for seat in choosing:
            code, arm = _pick(node.arms.setdefault(seat, {}), worlds.legal(seat), rng)
            worlds.chosen[seat] = code
            visited.append((seat, arm))
        key = tuple((seat, int(worlds.chosen[seat])) for seat in choosing)
        worlds.play()
        is_new = key not in node.children
        node = node.children.setdefault(key, Node())
    rewards = worlds.play_out()
    for seat, arm in visited:
        arm.tries += 1
        arm.total += rewards[seat]


def _pick(arms: dict[int, Arm], legal: list[int], rng: Random) -> tuple[int, Arm]:
    """Pick a legal choice: one never tried, or the one with the highest upper bound."""
    fresh = [code for code in legal if code not in arms]
    for code in legal:
        if code in arms:
            arms[code].chances += 1
    if fresh:
        code = rng.choice(fresh)
        arms[code] = Arm()
        arms[code].chances = 1
        return code, arms[code]
    best, bound = legal[0], -1.0
    for code in legal:
        arm = arms[code]
        tries = arm.tries or 1
        worth = arm.total / tries + _CURIOSITY * sqrt(log(arm.chances + 1) / tries)
        if worth > bound:
            best, bound = code, worth
    return best, arms[best]
