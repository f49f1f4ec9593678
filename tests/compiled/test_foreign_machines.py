"""The libraries for other machines do the same, bit for bit: on emulators and in WebAssembly."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conformance import Configuration
from conformance.kernels import WITH_KERNEL, load_kernel
from pleasance.compiled.arrays import zeros
from pleasance.compiled.export import use_backend
from pleasance.compiled.rng import make_rng_state
from pleasance.core.game import Choose, Draw, Over
from pleasance.players.registry import make_player
from support.foreign import (
    FOLDER,
    Call,
    build_runner,
    compare,
    find_emulator,
    find_node,
    recorded_calls,
)

pytestmark = [pytest.mark.slow, pytest.mark.long]

GAMES = int(os.environ.get("FOREIGN_GAMES", "40"))
"""The random games of each configuration; 1,000 of them take two minutes."""

PLAYERS = ("planner", "network", "master:8", "ismcts:4", "flat:4")


def record_random_games(config: Configuration) -> None:
    """Play many random games at once."""
    kernel = load_kernel(config)
    positions = zeros("int64", GAMES, kernel.size)
    rng_states = zeros("uint64", GAMES, 1)
    start = list(kernel.pack(config.game.start(config.seats)))
    for game in range(GAMES):
        positions[game][:] = start
        rng_states[game][0] = make_rng_state(f"{config}:{game}")[0]
    kernel.rules.playouts(kernel.constants, positions, rng_states)


def record_choices(config: Configuration, rng: Random) -> None:
    """Let every kind of player choose at a few moments of a game."""
    game, state = config.game, config.game.start(config.seats)
    players = [make_player(name, game) for name in PLAYERS]
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Draw):
            outcomes, weights = zip(*game.chances(state), strict=True)
            state = game.reveal(state, rng.choices(outcomes, weights)[0])
            continue
        assert isinstance(turn, Choose)
        if rng.random() < 0.03:
            for player in players:
                player(game.view(state, turn.seats[0]), Random(7))
        state = game.play(state, [rng.choice(game.legal(state, seat)) for seat in turn.seats])


@pytest.fixture(scope="module")
def calls() -> dict[str, list[Call]]:
    """Record the same games and choices once for all machines, by game."""
    found: dict[str, list[Call]] = {}
    for config in WITH_KERNEL:
        with use_backend("library"), recorded_calls() as recorded:
            record_random_games(config)
            record_choices(config, Random(5))
        found.setdefault(config.game.spec.name, []).extend(recorded)
    return found


def library_of(game: str, name: str) -> Path:
    """Find a library of a game."""
    from pleasance import games

    return Path(games.__path__[0]) / game / "lib" / name


def check(calls: dict[str, list[Call]], name: str, command: Sequence[Any]) -> None:
    """Repeat all calls with the libraries of one machine."""
    compared = 0
    for game, recorded in calls.items():
        compared += compare(recorded, [*command, library_of(game, name)])
    assert compared > 100 * len(calls)


def test_linux_on_arm(calls: dict[str, list[Call]], tmp_path: Path) -> None:
    emulator = find_emulator("qemu-aarch64", package="qemu-user")
    if not Path("/usr/aarch64-linux-gnu/lib").is_dir():
        pytest.skip("the C library for arm64 is not installed: install libc6-arm64-cross")
    runner = build_runner(tmp_path, "aarch64-linux-gnu")
    check(calls, "linux-aarch64.so", [emulator, "-L", "/usr/aarch64-linux-gnu", runner])


def test_windows(calls: dict[str, list[Call]], tmp_path: Path) -> None:
    emulator = find_emulator("wine64", "wine", package="wine64")
    runner = build_runner(tmp_path, "x86_64-windows-gnu")
    check(calls, "windows-x86_64.dll", [emulator, runner])


def test_linux_on_an_old_processor(calls: dict[str, list[Call]], tmp_path: Path) -> None:
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("for Linux on x86-64")
    runner = build_runner(tmp_path, "x86_64-linux-gnu")
    check(calls, "linux-x86_64.so", [runner])


def test_the_browser(calls: dict[str, list[Call]]) -> None:
    check(calls, "browser.wasm", [find_node(), FOLDER / "run_calls.mjs"])
