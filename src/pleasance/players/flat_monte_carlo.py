"""Flat Monte Carlo: rollouts from determinized worlds for each choice; the best mean wins."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from pleasance.core.budget import SearchBudget
from pleasance.core.game import A, Choose, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.players.sequential_halving import halve, list_candidates

if TYPE_CHECKING:
    from pleasance.players.determinization import DeterminizedSearch


def make_flat(game: Game[S, A, O, V], budget: SearchBudget) -> Player[V, A]:
    """Make the player that compares choices by rollouts, without a tree."""
    from pleasance.players.determinization import DeterminizedSearch, load_kernel  # noqa: PLC0415  (slow to import)

    kernel = load_kernel(game, "flat")

    def choose(view: V, rng: Random) -> A:
        assert isinstance(view.turn, Choose), view.turn
        codes = list_candidates(game, view, rng)
        search, seats = DeterminizedSearch(kernel, view, rng), view.turn.seats
        best = halve(codes, budget, lambda left: _trial(search, seats, left))
        return game.space.actions[best]

    return choose


def _trial(search: DeterminizedSearch, seats: Sequence[int], codes: Sequence[int]) -> list[float]:
    """Roll out each of *codes* in one more world; return their rewards."""
    search.deal_world()
    for seat in seats:
        if seat != search.seat:
            search.chosen[seat] = search.predict_choice(seat)
    search.save()
    rewards = []
    for code in codes:
        search.restore()
        search.chosen[search.seat] = code
        search.play()
        rewards.append(search.rollout()[search.seat])
    return rewards
