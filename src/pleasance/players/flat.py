"""Flat Monte Carlo: try each choice in imagined worlds, play on at random, take the best mean."""

from __future__ import annotations

from math import log, sqrt
from random import Random

from pleasance.core.game import A, Choose, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.players.budget import Budget

_CURIOSITY = 0.7
"""How much the bandit favors what it has seldom tried."""


def make_flat(game: Game[S, A, O, V], budget: Budget) -> Player[V, A]:
    """Make the player that trusts random playouts."""
    from pleasance.players.worlds import Worlds, load_kernel  # noqa: PLC0415  (slow to import)

    kernel = load_kernel(game, "flat")

    def choose(view: V, rng: Random) -> A:
        choice: A = view.legal[0]
        if len(view.legal) > 1:
            codes = [game.space.code(legal) for legal in view.legal]
            choice = view.legal[_find_best(Worlds(kernel, view, rng), view, codes, rng)]
        return choice

    def _find_best(worlds: Worlds, view: V, codes: list[int], rng: Random) -> int:
        assert isinstance(view.turn, Choose), view.turn
        bandit = Bandit(len(codes))
        for _ in budget.spend():
            arm = bandit.pick()
            worlds.deal()
            for seat in view.turn.seats:
                worlds.chosen[seat] = rng.choice(worlds.legal(seat))
            worlds.chosen[worlds.seat] = codes[arm]
            worlds.play()
            bandit.learn(arm, worlds.play_out()[worlds.seat])
        return bandit.best()

    return choose


class Bandit:
    """Some arms, each with the mean of what it brought."""

    __slots__ = ("_sums", "_total", "_tries")

    def __init__(self, arms: int) -> None:
        self._tries = [0] * arms
        self._sums = [0.0] * arms
        self._total = 0

    def pick(self) -> int:
        """Pick the arm with the highest upper bound (UCB1); first those never tried."""
        if self._total < len(self._tries):
            return self._total
        bonus = _CURIOSITY * sqrt(log(self._total))
        bounds = [
            total / tries + bonus / sqrt(tries)
            for total, tries in zip(self._sums, self._tries, strict=True)
        ]
        return bounds.index(max(bounds))

    def learn(self, arm: int, reward: float) -> None:
        """Note what an arm brought."""
        self._tries[arm] += 1
        self._sums[arm] += reward
        self._total += 1

    def best(self) -> int:
        """Name the arm that was trusted most often and, of several, the one that brought most."""
        trust = [(tries, total) for tries, total in zip(self._tries, self._sums, strict=True)]
        return trust.index(max(trust))
