"""Perft: counts lines of play, to compare two implementations of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Generic

from pleasance.core.game import A, Choose, Draw, Game, O, S, V

_MAX_CACHED = 200_000
"""The size of the cache: enough to halve the time, in some dozen megabytes."""


def perft(game: Game[S, A, O, V], state: S, depth: int, pending: Sequence[A] = ()) -> int:
    """Count the lines of exactly *depth* tokens from *state*.

    Each choice of a seat is one token, each outcome of a draw one branch, whatever its weight.
    *pending* are the choices that the first seats of a simultaneous turn have already made.
    """
    counter = _PathCounter(game)
    turn = game.turn(state)
    if not pending or not isinstance(turn, Choose):
        return counter.count(state, depth)
    chosen = [(choice,) for choice in pending]
    options = [game.legal(state, seat) for seat in turn.seats[len(pending) :]]
    return counter.spread(state, depth + len(pending), [*chosen, *options])


class _PathCounter(Generic[S, A, O, V]):
    """Counts lines with a transposition table: many lines lead to the same position."""

    def __init__(self, game: Game[S, A, O, V]) -> None:
        self._game = game
        self._known: dict[tuple[int, S], int] = {}

    def count(self, state: S, depth: int) -> int:
        """Count the lines of *depth* tokens from *state*."""
        if depth == 0:
            return 1
        game = self._game
        turn = game.turn(state)
        if isinstance(turn, Choose):
            return self.spread(state, depth, [game.legal(state, seat) for seat in turn.seats])
        if not isinstance(turn, Draw):
            return 0
        chances = game.chances(state)
        if depth == 1:
            return len(chances)
        return sum(self._recall(game.reveal(state, outcome), depth - 1) for outcome, _ in chances)

    def spread(self, state: S, depth: int, options: Sequence[Sequence[A]]) -> int:
        """Count the lines through one turn; those that end inside it are not played."""
        if depth <= len(options):
            return prod(len(choices) for choices in options[:depth])
        left, play = depth - len(options), self._game.play
        return sum(self._recall(play(state, choices), left) for choices in product(*options))

    def _recall(self, state: S, depth: int) -> int:
        if depth == 1:
            return self.count(state, depth)
        key = (depth, state)
        known = self._known.get(key)
        if known is None:
            known = self.count(state, depth)
            if len(self._known) >= _MAX_CACHED:
                self._known.clear()
            self._known[key] = known
        return known
