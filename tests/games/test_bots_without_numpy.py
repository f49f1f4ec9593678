"""Bots of every game choose by the libraries alone: without NumPy, and without a compiler."""

from __future__ import annotations

import os
import sys

import pytest

from conformance.kernels import WITH_KERNEL
from pleasance.players.registry import PlayerSpec, players_by_strength
from support.programs import run_program

SCRIPT = """
import sys
from pleasance.bench.first_choice import choose_first
from pleasance.games import find_game
name, player = sys.argv[1:]
game = find_game(name)
print(choose_first(game, game.spec.seats[0], player))
assert not {"numpy", "numba", "llvmlite"} & set(sys.modules)
"""

GAMES = {config.game.spec.name: config.game for config in WITH_KERNEL if not config.game.options}
PLAYERS = [(name, player) for name, game in GAMES.items() for player in players_by_strength(game)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "player"), PLAYERS, ids=[f"{name}-{player.name}" for name, player in PLAYERS]
)
def test_a_bot_needs_neither_numpy_nor_a_compiler(name: str, player: PlayerSpec) -> None:
    environment = {**os.environ, "PLEASANCE_KERNELS": "library"}
    command = (sys.executable, "-W", "error", "-c", SCRIPT, name, player.named("8"))
    done = run_program(*command, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()
