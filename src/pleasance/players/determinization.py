"""Determinization: sampling the hidden state behind a view, and rollouts from the samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from pleasance.compiled.jit import copy_into
from pleasance.compiled.kernel import ALL, DRAW, OVER, IntArray, Kernel, RolloutPolicy
from pleasance.compiled.rng import RngState, fork_rng_state
from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, AnyView

BEST_CHOICE_PROBABILITY = 0.8
"""The probability of taking the best remaining choice."""

_MARGIN_SCALE = 10.0
"""The margin in points that counts as much as a tenth of a victory."""


def load_kernel(game: AnyGame, player: str) -> Kernel:
    """Load the kernel of a game; refuse a game without one."""
    kernel = game.kernel() if game.kernel is not None else None
    if not isinstance(kernel, Kernel):
        raise BadSetupError("player_needs_kernel", player=player, game=game.spec.name)
    return kernel


class DeterminizedSearch:
    """One decision of one seat: deals worlds that fit its view and plays them out."""

    def __init__(self, kernel: Kernel, view: AnyView[Any], rng: Random) -> None:
        assert view.seat is not None, "spectators do not choose"
        self._kernel = kernel
        self._policy = kernel.rollout_policy
        self._workspace: Any = None if self._policy is None else self._policy.make_workspace()
        self._root = kernel.pack_view(view)
        self._saved_position: IntArray = np.empty_like(self._root)
        self._rng = rng
        self.seat = view.seat
        self.seats = view.seats
        self.rng_state: RngState = fork_rng_state(rng)
        self._saved_rng_state: RngState = self.rng_state.copy()
        self.position: IntArray = np.empty_like(self._root)
        self._codes = np.empty(kernel.max_choices, dtype=np.int64)
        self._values = np.empty(kernel.max_choices, dtype=np.float64)
        self.chosen = np.zeros(8, dtype=np.int64)
        self._saved_chosen = np.zeros(8, dtype=np.int64)
        self._points = np.zeros(8, dtype=np.int64)
        self._shares = np.zeros(8, dtype=np.float64)

    def deal_world(self) -> None:
        """Start from the view again, with newly dealt hidden cards."""
        copy_into(self.position, self._root)
        self._kernel.rules.deal(self._kernel.constants, self.position, self.rng_state)

    def save(self) -> None:
        """Save the position, the choices made in it and the state of the generator."""
        copy_into(self._saved_position, self.position)
        copy_into(self._saved_chosen, self.chosen)
        copy_into(self._saved_rng_state, self.rng_state)

    def restore(self) -> None:
        """Restore what `save` kept; the same random numbers follow."""
        copy_into(self.position, self._saved_position)
        copy_into(self.chosen, self._saved_chosen)
        copy_into(self.rng_state, self._saved_rng_state)

    def legal(self, seat: int) -> list[int]:
        """List the choices of *seat* in this world."""
        count = self._kernel.rules.legal(self._kernel.constants, self.position, seat, self._codes)
        codes: list[int] = self._codes[:count].tolist()
        return codes

    def rank(self, seat: int) -> list[int]:
        """List the choices of *seat*, the best by the rollout policy first; shuffled without it."""
        if self._policy is None:
            codes = self.legal(seat)
            self._rng.shuffle(codes)
            return codes
        constants, position = self._kernel.constants, self.position
        count = self._policy.rank(
            constants, position, seat, self.rng_state, self._workspace, self._codes, self._values
        )
        order = np.argsort(-self._values[:count], kind="stable")
        ranked: list[int] = self._codes[order].tolist()
        return ranked

    def predict_choice(self, seat: int) -> int:
        """Predict the choice of *seat*: mostly the best one by rank, seldom another."""
        for code in (ranked := self.rank(seat)):
            if self._rng.random() < BEST_CHOICE_PROBABILITY:
                return code
        return ranked[0]

    def play(self) -> None:
        """Carry out the chosen actions."""
        self._kernel.rules.play(self._kernel.constants, self.position, self.chosen)

    def resolve_draws(self) -> Sequence[int] | None:
        """Make the draws that are due; return the seats that choose next, `None` at the end."""
        rules = self._kernel.rules
        turn = rules.turn(self.position)
        while turn == DRAW:
            rules.draw(self._kernel.constants, self.position, self.rng_state)
            turn = rules.turn(self.position)
        if turn == OVER:
            return None
        return range(self.seats) if turn == ALL else (int(turn),)

    def rollout(self) -> list[float]:
        """Play on by the policy, or at random without one; return the reward of each seat."""
        return self._roll_out(lambda policy: policy.playout)

    def truncated_rollout(self) -> list[float]:
        """Play on below a search tree: to the cutoff of the policy, or to the end without one."""
        return self._roll_out(lambda policy: policy.truncated_rollout)

    def _roll_out(self, choose: Callable[[RolloutPolicy], Callable[..., None]]) -> list[float]:
        rules, constants = self._kernel.rules, self._kernel.constants
        if self._policy is not None:
            play = choose(self._policy)
            play(constants, self.position, self.rng_state, self._workspace, self._shares)
            known: list[float] = self._shares[: self.seats].tolist()
            return known
        rules.playout(constants, self.position, self.rng_state)
        rules.scores(constants, self.position, self._points)
        rules.shares(constants, self.position, self._shares)
        points = self._points[: self.seats].tolist()
        shares = self._shares[: self.seats].tolist()
        return [share + 0.1 * _scaled_margin(points, seat) for seat, share in enumerate(shares)]


def _scaled_margin(points: list[int], seat: int) -> float:
    """Squeeze the margin of a seat over the best other one into -1 to 1."""
    others = max(points[:seat] + points[seat + 1 :])
    return max(-1.0, min(1.0, (points[seat] - others) / _MARGIN_SCALE))
