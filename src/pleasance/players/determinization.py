"""Imagined worlds on the compiled twin: what every searching player needs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from pleasance.compiled.jit import copy_into
from pleasance.compiled.kernel import ALL, DRAW, OVER, Flat, Kernel
from pleasance.compiled.rng import Luck
from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, AnyView

TRUST = 0.8
"""How likely it is that a seat takes the best of what it has not passed over."""

_SPREAD = 10.0
"""Points of margin that count as much as a tenth of a victory does."""


def load_kernel(game: AnyGame, player: str) -> Kernel:
    """Load the compiled twin of a game; refuse one that has none."""
    kernel = game.kernel() if game.kernel is not None else None
    if not isinstance(kernel, Kernel):
        raise BadSetupError("player_needs_kernel", player=player, game=game.spec.name)
    return kernel


class Worlds:
    """One decision of one seat: deals worlds that fit its view, plays them on and judges them."""

    def __init__(self, kernel: Kernel, view: AnyView[Any], rng: Random) -> None:
        assert view.seat is not None, "spectators do not choose"
        self._kernel = kernel
        self._guide = kernel.guide
        self._desk = None if kernel.guide is None else kernel.guide.make_desk()
        self._root = kernel.pack_view(view)
        self._kept: Flat = np.empty_like(self._root)
        self._rng = rng
        self.seat = view.seat
        self.seats = view.seats
        self.luck: Luck = np.array([rng.getrandbits(64) or 1], dtype=np.uint64)
        self._kept_luck: Luck = self.luck.copy()
        self.position: Flat = np.empty_like(self._root)
        self._codes = np.empty(kernel.most_choices, dtype=np.int64)
        self._worths = np.empty(kernel.most_choices, dtype=np.float64)
        self.chosen = np.zeros(8, dtype=np.int64)
        self._kept_chosen = np.zeros(8, dtype=np.int64)
        self._points = np.zeros(8, dtype=np.int64)
        self._shares = np.zeros(8, dtype=np.float64)

    def deal(self) -> None:
        """Begin again with a new world."""
        copy_into(self.position, self._root)
        self._kernel.steps.deal(self._kernel.box, self.position, self.luck)

    def keep(self) -> None:
        """Remember this position, what was chosen in it, and the luck to come."""
        copy_into(self._kept, self.position)
        copy_into(self._kept_chosen, self.chosen)
        copy_into(self._kept_luck, self.luck)

    def go_back(self) -> None:
        """Go back to where `keep` was called; the same luck will follow."""
        copy_into(self.position, self._kept)
        copy_into(self.chosen, self._kept_chosen)
        copy_into(self.luck, self._kept_luck)

    def legal(self, seat: int) -> list[int]:
        """List what *seat* may choose in this world."""
        count = self._kernel.steps.legal(self._kernel.box, self.position, seat, self._codes)
        codes: list[int] = self._codes[:count].tolist()
        return codes

    def rank(self, seat: int) -> list[int]:
        """List what *seat* may choose, what the planner likes best first; else in any order."""
        if self._guide is None or self._desk is None:
            codes = self.legal(seat)
            self._rng.shuffle(codes)
            return codes
        box, position = self._kernel.box, self.position
        count = self._guide.rank(
            box, position, seat, self.luck, self._desk, self._codes, self._worths
        )
        order = np.argsort(-self._worths[:count], kind="stable")
        ranked: list[int] = self._codes[order].tolist()
        return ranked

    def guess(self, seat: int) -> int:
        """Guess what *seat* chooses: mostly what the planner likes best, seldom the rest."""
        for code in (ranked := self.rank(seat)):
            if self._rng.random() < TRUST:
                return code
        return ranked[0]

    def play(self) -> None:
        """Carry out what was chosen."""
        self._kernel.steps.play(self._kernel.box, self.position, self.chosen)

    def draw_on(self) -> Sequence[int] | None:
        """Make the draws that are due; name the seats that choose next, `None` at the end."""
        steps = self._kernel.steps
        turn = steps.turn(self.position)
        while turn == DRAW:
            steps.draw(self._kernel.box, self.position, self.luck)
            turn = steps.turn(self.position)
        if turn == OVER:
            return None
        return range(self.seats) if turn == ALL else (int(turn),)

    def play_out(self) -> list[float]:
        """Play on by the planner and tell each seat's share of victory; else at random."""
        if self._guide is None or self._desk is None:
            return self._play_randomly()
        self._guide.playout(self._kernel.box, self.position, self.luck, self._desk, self._shares)
        shares: list[float] = self._shares[: self.seats].tolist()
        return shares

    def foresee(self) -> list[float]:
        """Do the same as far as is best below a tree of choices."""
        if self._guide is None or self._desk is None:
            return self._play_randomly()
        self._guide.foresee(self._kernel.box, self.position, self.luck, self._desk, self._shares)
        shares: list[float] = self._shares[: self.seats].tolist()
        return shares

    def _play_randomly(self) -> list[float]:
        """Play to the end; tell each seat's share of victory and a little of its lead."""
        steps, box = self._kernel.steps, self._kernel.box
        steps.playout(box, self.position, self.luck)
        steps.scores(box, self.position, self._points)
        steps.shares(box, self.position, self._shares)
        points = self._points[: self.seats].tolist()
        shares = self._shares[: self.seats].tolist()
        return [share + 0.1 * _lead(points, seat) for seat, share in enumerate(shares)]


def _lead(points: list[int], seat: int) -> float:
    """Squeeze the lead of a seat over the best other one into -1 to 1."""
    others = max(points[:seat] + points[seat + 1 :])
    lead = (points[seat] - others) / _SPREAD
    return max(-1.0, min(1.0, lead))
