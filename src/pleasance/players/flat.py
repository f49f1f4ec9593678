"""Flat Monte Carlo: try each choice in imagined worlds, play on to the end, take the best mean."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from pleasance.core.budget import Thinking
from pleasance.core.game import A, Choose, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.players.sequential_halving import halve, list_best

if TYPE_CHECKING:
    from pleasance.players.determinization import Worlds


def make_flat(game: Game[S, A, O, V], budget: Thinking) -> Player[V, A]:
    """Make the player that trusts nothing but the ends of games."""
    from pleasance.players.determinization import Worlds, load_kernel  # noqa: PLC0415  (slow to import)

    kernel = load_kernel(game, "flat")

    def choose(view: V, rng: Random) -> A:
        assert isinstance(view.turn, Choose), view.turn
        codes = list_best(game, view, rng)
        worlds, seats = Worlds(kernel, view, rng), view.turn.seats
        return game.space.actions[halve(codes, budget, lambda left: _try(worlds, seats, left))]

    return choose


def _try(worlds: Worlds, seats: Sequence[int], codes: Sequence[int]) -> list[float]:
    """Try codes in one more world: what each brings if all play on to the end."""
    worlds.deal()
    for seat in seats:
        if seat != worlds.seat:
            worlds.chosen[seat] = worlds.guess(seat)
    worlds.keep()
    rewards = []
    for code in codes:
        worlds.go_back()
        worlds.chosen[worlds.seat] = code
        worlds.play()
        rewards.append(worlds.play_out()[worlds.seat])
    return rewards
