"""Warm-up of bots: compiles the kernels they need while the game begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from threading import Thread
from typing import Any

from pleasance.core.game import AnyGame, Choose, Draw, Seat

Bot = Callable[[Any, Random], Any]
"""Chooses an action from a view."""


class BotWarmUp:
    """Lets bots choose once in a background thread, so that their kernels are compiled."""

    def __init__(self, game: AnyGame, bots: Mapping[Seat, Bot], seats: int) -> None:
        self._thread = Thread(target=self._run, args=(game, bots, seats), daemon=True)
        self._thread.start()

    @property
    def is_done(self) -> bool:
        """Return whether the bots are ready."""
        return not self._thread.is_alive()

    def wait(self) -> None:
        """Wait until the bots are ready."""
        self._thread.join()

    @staticmethod
    def _run(game: AnyGame, bots: Mapping[Seat, Bot], seats: int) -> None:
        rng = Random(0)
        state = game.start(seats)
        while not isinstance(turn := game.turn(state), Choose) or len(turn.seats) > 1:
            if isinstance(turn, Choose):
                choices = [rng.choice(game.legal(state, seat)) for seat in turn.seats]
                for seat, bot in bots.items():
                    bot(game.view(state, seat), rng)
                state = game.play(state, choices)
            elif isinstance(turn, Draw):
                state = game.reveal(state, rng.choice(game.chances(state))[0])
            else:
                return
        for bot in bots.values():
            bot(game.view(state, turn.seats[0]), rng)
