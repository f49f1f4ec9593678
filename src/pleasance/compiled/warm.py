"""Compiling ahead: the first call of each compiled function, made where nobody waits for it."""

from __future__ import annotations

from threading import Thread

import numpy as np

from pleasance.compiled.kernel import ALL, DRAW, OVER, Flat, Kernel
from pleasance.compiled.luck import make_luck
from pleasance.core.game import AnyGame


def warm_up(kernel: Kernel, start: Flat) -> None:
    """Call every step once, from *start*: this compiles them, or loads what was compiled."""
    steps, box = kernel.steps, kernel.box
    luck = make_luck("warm")
    steps.playouts(box, start[np.newaxis].copy(), luck[np.newaxis].copy())
    position = start.copy()
    codes, chosen = np.zeros(kernel.most_choices, dtype=np.int64), np.zeros(8, dtype=np.int64)
    while (turn := steps.turn(position)) == DRAW:
        steps.draw(box, position, luck)
    for seat in range(8) if turn == ALL else (turn,):
        if steps.legal(box, position, seat, codes):
            chosen[seat] = codes[0]
    steps.play(box, position, chosen)
    steps.deal(box, position, luck)
    steps.playout(box, position, luck)
    assert steps.turn(position) == OVER, position
    steps.scores(box, position, np.zeros(8, dtype=np.int64))
    steps.shares(box, position, np.zeros(8))


def warm_up_behind(game: AnyGame, seats: int) -> Thread:
    """Make and warm up a game's kernel in the background; it is ready when the thread has ended."""

    def work() -> None:
        kernel = game.kernel() if game.kernel is not None else None
        if isinstance(kernel, Kernel):
            warm_up(kernel, kernel.pack(game.start(seats)))

    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread
