"""Determinization: sampling the hidden state behind a view, and rollouts from the samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import Any

from pleasance.compiled.arrays import copy_of, overwrite, zeros
from pleasance.compiled.export import Export
from pleasance.compiled.kernel import ALL, DRAW, OVER, Kernel, RulesKernel
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
        self._kernel, self._policy = kernel, kernel.rollout_policy
        self._workspace = None if self._policy is None else self._policy.make_workspace()
        self._bind_steps(kernel.rules, kernel.constants)

    def _bind_steps(self, rules: RulesKernel, constants: IntArray) -> None:
        """Bind the steps of every search to this decision's arrays."""
        self._turn = rules.turn.bind(self.position)
        self._deal = rules.deal.bind(constants, self.position, self.rng_state)
        self._play = rules.play.bind(constants, self.position, self.chosen)
        self._draw = rules.draw.bind(constants, self.position, self.rng_state)

    # The rest is bound when it is first needed: no search needs all of it.

    @cached_property
    def _legal(self) -> Callable[[int], int]:
        rules, constants = self._kernel.rules, self._kernel.constants
        return rules.legal.bind(constants, self.position, ..., self._codes)

    @cached_property
    def _rank(self) -> Callable[[int], int]:
        assert self._policy is not None
        return self._policy.rank.bind(
            self._kernel.constants,
            self.position,
            ...,
            self.rng_state,
            self._workspace,
            self._codes,
            self._values,
        )

    @cached_property
    def _rollout(self) -> Callable[[], None]:
        assert self._policy is not None
        return self._bind_rollout(self._policy.playout)

    @cached_property
    def _truncated_rollout(self) -> Callable[[], None]:
        assert self._policy is not None
        return self._bind_rollout(self._policy.truncated_rollout)

    def _bind_rollout(self, rollout: Export[..., None]) -> Callable[[], None]:
        return rollout.bind(
            self._kernel.constants, self.position, self.rng_state, self._workspace, self._shares
        )

    @cached_property
    def _random_rollout(self) -> tuple[Callable[[], None], ...]:
        rules, constants, position = self._kernel.rules, self._kernel.constants, self.position
        return (
            rules.playout.bind(constants, position, self.rng_state),
            rules.scores.bind(constants, position, self._points),
            rules.shares.bind(constants, position, self._shares),
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
        if self._policy is None:
            codes = self.legal(seat)
            self._rng.shuffle(codes)
            return codes
        count = self._rank(seat)
        codes, values = self._codes[:count], self._values[:count]
        return [
            codes[place] for place in sorted(range(count), key=values.__getitem__, reverse=True)
        ]

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
        return self._play_randomly() if self._policy is None else self._finish(self._rollout)

    def truncated_rollout(self) -> list[float]:
        """Play on below a search tree: to the cutoff of the policy, or to the end without one."""
        if self._policy is None:
            return self._play_randomly()
        return self._finish(self._truncated_rollout)

    def _finish(self, rollout: Callable[[], None]) -> list[float]:
        """Run a rollout of the policy; return each seat's share of victory."""
        rollout()
        return list(self._shares[: self.seats])

    def _play_randomly(self) -> list[float]:
        """Play to the end at random; a margin in points counts a little."""
        for step in self._random_rollout:
            step()
        points, shares = self._points[: self.seats], self._shares[: self.seats]
        return [share + 0.1 * _scaled_margin(points, seat) for seat, share in enumerate(shares)]


def _scaled_margin(points: list[int], seat: int) -> float:
    """Squeeze the margin of a seat over the best other one into -1 to 1."""
    others = max(points[:seat] + points[seat + 1 :])
    return max(-1.0, min(1.0, (points[seat] - others) / _MARGIN_SCALE))
