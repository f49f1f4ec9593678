"""Compile what tests in several processes would otherwise compile each for itself.

python tests/kernels.py
"""

from __future__ import annotations

from pleasance.bench.startup import start_kernel
from pleasance.games import find_game, game_names
from pleasance.server.bots.select_action import rehearse


def main() -> None:
    """Let every compiled function of rules and bots be called once; what is kept is kept."""
    for name in game_names():
        game = find_game(name)
        if game.kernel is not None:
            rehearse(name)
            start_kernel(game, game.spec.seats[0])


if __name__ == "__main__":
    main()
