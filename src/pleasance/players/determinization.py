"""Determinization: sampling the hidden state behind a view, and rollouts from the samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from pleasance.compiled.arrays import copy_of, overwrite, zeros
from pleasance.compiled.kernel import ALL, DRAW, OVER, Kernel, RolloutPolicy, RulesKernel
from pleasance.compiled.rng import fork_rng_state
from pleasance.compiled.signature import IntArray
from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, AnyView

BEST_CHOICE_PROBABILITY = 0.8
"""The probability of taking the best remaining choice."""

MAX_SEATS = 8
"""Room for the seats of any game."""

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
        self.seat = view.seat
        self.seats = view.seats
        self._rng = rng
        self._root = kernel.pack_view(view)
        self.position, self._saved_position = copy_of(self._root), copy_of(self._root)
        self.rng_state = fork_rng_state(rng)
        self._saved_rng_state = copy_of(self.rng_state)
        self.chosen = zeros("int64", MAX_SEATS)
        self._saved_chosen = zeros("int64", MAX_SEATS)
        self._codes = zeros("int64", kernel.max_choices)
        self._values = zeros("float64", kernel.max_choices)
        self._points, self._shares = zeros("int64", MAX_SEATS), zeros("float64", MAX_SEATS)
        self._bind_rules(kernel.rules, kernel.constants)
        self._has_policy = kernel.rollout_policy is not None
        if kernel.rollout_policy is not None:
            self._bind_policy(kernel.rollout_policy, kernel.constants)

    def _bind_rules(self, rules: RulesKernel, constants: IntArray) -> None:
        """Bind the functions of the rules to this decision's arrays."""
        position, rng_state = self.position, self.rng_state
        self._turn = rules.turn.bind(position)
        self._deal = rules.deal.bind(constants, position, rng_state)
        self._legal = rules.legal.bind(constants, position, ..., self._codes)
        self._play = rules.play.bind(constants, position, self.chosen)
        self._draw = rules.draw.bind(constants, position, rng_state)
        self._playout = rules.playout.bind(constants, position, rng_state)
        self._scores = rules.scores.bind(constants, position, self._points)
        self._share = rules.shares.bind(constants, position, self._shares)

    def _bind_policy(self, policy: RolloutPolicy, constants: IntArray) -> None:
        """Bind the functions of the rollout policy to this decision's arrays."""
        workspace = policy.make_workspace()
        shared = (self.rng_state, workspace)
        self._rank = policy.rank.bind(
            constants, self.position, ..., *shared, self._codes, self._values
        )
        self._rollout = policy.playout.bind(constants, self.position, *shared, self._shares)
        self._truncated_rollout = policy.truncated_rollout.bind(
            constants, self.position, *shared, self._shares
        )

    def deal_world(self) -> None:
        """Start from the view again, with newly dealt hidden cards."""
        overwrite(self.position, self._root)
        self._deal()

    def save(self) -> None:
        """Save the position, the choices made in it and the state of the generator."""
        overwrite(self._saved_position, self.position)
        overwrite(self._saved_chosen, self.chosen)
        overwrite(self._saved_rng_state, self.rng_state)

    def restore(self) -> None:
        """Restore what `save` kept; the same random numbers follow."""
        overwrite(self.position, self._saved_position)
        overwrite(self.chosen, self._saved_chosen)
        overwrite(self.rng_state, self._saved_rng_state)

    def legal(self, seat: int) -> list[int]:
        """List the choices of *seat* in this world."""
        return list(self._codes[: self._legal(seat)])

    def rank(self, seat: int) -> list[int]:
        """List the choices of *seat*, the best by the rollout policy first; shuffled without it."""
        if not self._has_policy:
            codes = self.legal(seat)
            self._rng.shuffle(codes)
            return codes
        count = self._rank(seat)
        codes, values = self._codes[:count], self._values[:count]
        return [codes[place] for place in sorted(range(count), key=lambda place: -values[place])]

    def predict_choice(self, seat: int) -> int:
        """Predict the choice of *seat*: mostly the best one by rank, seldom another."""
        for code in (ranked := self.rank(seat)):
            if self._rng.random() < BEST_CHOICE_PROBABILITY:
                return code
        return ranked[0]

    def play(self) -> None:
        """Carry out the chosen actions."""
        self._play()

    def resolve_draws(self) -> Sequence[int] | None:
        """Make the draws that are due; return the seats that choose next, `None` at the end."""
        while (turn := self._turn()) == DRAW:
            self._draw()
        if turn == OVER:
            return None
        return range(self.seats) if turn == ALL else (turn,)

    def rollout(self) -> list[float]:
        """Play on by the policy, or at random without one; return the reward of each seat."""
        return self._finish(self._rollout) if self._has_policy else self._play_randomly()

    def truncated_rollout(self) -> list[float]:
        """Play on below a search tree: to the cutoff of the policy, or to the end without one."""
        return self._finish(self._truncated_rollout) if self._has_policy else self._play_randomly()

    def _finish(self, rollout: Callable[[], None]) -> list[float]:
        """Run a rollout of the policy; return each seat's share of victory."""
        rollout()
        return list(self._shares[: self.seats])

    def _play_randomly(self) -> list[float]:
        """Play to the end at random; a margin in points counts a little."""
        self._playout()
        self._scores()
        self._share()
        points, shares = self._points[: self.seats], self._shares[: self.seats]
        return [share + 0.1 * _scaled_margin(points, seat) for seat, share in enumerate(shares)]


def _scaled_margin(points: list[int], seat: int) -> float:
    """Squeeze the margin of a seat over the best other one into -1 to 1."""
    others = max(points[:seat] + points[seat + 1 :])
    return max(-1.0, min(1.0, (points[seat] - others) / _MARGIN_SCALE))
