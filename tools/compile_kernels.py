"""Compile every kernel once, before tests in several processes need it.

python tools/compile_kernels.py
"""

from __future__ import annotations

from pleasance.bench.startup import time_startup
from pleasance.games import find_game, game_names
from pleasance.server.bots.select_action import warm_up


def main() -> None:
    """Call every compiled function of rules and bots once, so that the disk cache is warm."""
    for name in game_names():
        game = find_game(name)
        if game.kernel is not None:
            warm_up(name)
            time_startup(game, game.spec.seats[0])


if __name__ == "__main__":
    main()
