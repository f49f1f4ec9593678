"""Sequential halving: what a searching player tries, and how long.

The budget is split into rounds; in each all choices that are left are tried in the same imagined
worlds with the same luck, so that they differ only by what they do, and after it the worse half
drops out.

Source: Z. Karnin, T. Koren and O. Somekh, Almost optimal exploration in multi-armed bandits,
International Conference on Machine Learning 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from pleasance.core.budget import Thinking
from pleasance.core.game import A, Game, O, S, V

Trial = Callable[[Sequence[int]], Sequence[float]]
"""Tries codes in one more world and tells what each brought."""

FIELD = 6
"""So many choices are tried, the best by the game's own plan; all where it has none."""


def list_best(game: Game[S, A, O, V], view: V, rng: Random) -> list[int]:
    """List the codes worth trying, the best first."""
    plan = None if game.heuristics is None else game.heuristics.plan
    legal: list[A] = list(view.legal)
    if plan is not None and len(legal) > 1:
        worths = plan(view, rng)
        legal = sorted(legal, key=lambda choice: -worths[choice])[:FIELD]
    return [game.space.code(choice) for choice in legal]


def halve(codes: Sequence[int], budget: Thinking, trial: Trial) -> int:
    """Try codes in worlds until one is left."""
    totals = dict.fromkeys(codes, 0.0)
    rounds = (len(codes) - 1).bit_length()
    left = list(codes)
    for _ in range(rounds):
        for _ in budget.split(rounds, len(left)).spend():
            for code, reward in zip(left, trial(left), strict=True):
                totals[code] += reward
        left = sorted(left, key=totals.__getitem__, reverse=True)[: (len(left) + 1) // 2]
    return left[0]
