"""Sequential halving: splits a search budget among root choices, with common random numbers.

In each round all remaining choices are tried in the same worlds with the same random numbers; after
it the worse half drops out.

Source: Z. Karnin, T. Koren and O. Somekh, Almost optimal exploration in multi-armed bandits,
International Conference on Machine Learning 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from pleasance.core.budget import SearchBudget
from pleasance.core.game import A, Game, O, S, V

Trial = Callable[[Sequence[int]], Sequence[float]]
"""Tries codes in one more world and returns their rewards."""

MAX_CANDIDATES = 6
"""The number of choices tried: the best by the game's planner, or all where it has none."""


def list_candidates(game: Game[S, A, O, V], view: V, rng: Random) -> list[int]:
    """List the codes worth trying, the best first."""
    evaluate = None if game.heuristics is None else game.heuristics.planner_values
    legal: list[A] = list(view.legal)
    if evaluate is not None and len(legal) > 1:
        values = evaluate(view, rng)
        legal = sorted(legal, key=lambda choice: -values[choice])[:MAX_CANDIDATES]
    return [game.space.code(choice) for choice in legal]


def halve(codes: Sequence[int], budget: SearchBudget, play_trial: Trial) -> int:
    """Try codes in sampled worlds until one is left."""
    totals = dict.fromkeys(codes, 0.0)
    rounds = (len(codes) - 1).bit_length()
    left = list(codes)
    for _ in range(rounds):
        for _ in budget.split(rounds, len(left)).spend():
            for code, reward in zip(left, play_trial(left), strict=True):
                totals[code] += reward
        left = sorted(left, key=totals.__getitem__, reverse=True)[: (len(left) + 1) // 2]
    return left[0]
