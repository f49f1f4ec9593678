"""Measures random play in other libraries; library_comparison.py runs it in their environment.

    python library_playouts.py LIBRARY SECONDS

Prints one JSON object a line: moves (choices by players, not chance) a second in whole games, the
best of several short runs. Each library is used from Python as its own guide shows; one of
OpenSpiel's games is also played in C++ by the rollouts of its search.
"""
# ruff: noqa: T201  (a script speaks by printing)

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

RUNS = 10
SIMULATIONS = 4
ROLLOUTS = 10
Play = Callable[[], int]
"""Plays for a moment and returns the number of moves."""


def measure(play: Play, seconds: float) -> tuple[int, int]:
    """Return moves a second, in the best run and in the median one."""
    play()
    speeds = []
    for _ in range(RUNS):
        moves = 0
        started = perf_counter()
        while True:
            moves += play()
            spent = perf_counter() - started
            if spent >= seconds / RUNS:
                break
        speeds.append(moves / spent)
    return round(max(speeds)), round(median(speeds))


def play_spiel(game: Any, rng: Random) -> int:
    """Play a game of OpenSpiel in a Python loop, as its examples do."""
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        elif state.is_simultaneous_node():
            players = range(game.num_players())
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in players])
            moves += len(players)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
    return moves


def roll_spiel(game: Any, rng: Random) -> Play:
    """Play games of OpenSpiel in C++, through the rollouts of its tree search.

    OpenSpiel has no call for rollouts alone; a search of few simulations with many rollouts each
    does little else. The length of a rollout is the mean of games played in Python.
    """
    pyspiel: Any = import_module("pyspiel")

    length = sum(play_spiel(game, rng) for _ in range(200)) / 200
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1)
    limits = (2.0, SIMULATIONS, 100)  # exploration, simulations, megabytes
    bot = pyspiel.MCTSBot(game, evaluator, *limits, solve=False, seed=1, verbose=False)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])

    def play() -> int:
        bot.restart()
        bot.step(state)
        return round(SIMULATIONS * ROLLOUTS * length)

    return play


def list_spiel(rng: Random) -> Iterator[tuple[str, Play]]:
    """List games of OpenSpiel: backgammon, hearts, and goofspiel, where both choose at once."""
    pyspiel: Any = import_module("pyspiel")

    for name in ("backgammon", "hearts", "goofspiel"):
        game = pyspiel.load_game(name)
        yield f"{name}, Python loop", lambda game=game: play_spiel(game, rng)  # type: ignore[misc]  # bound now, not later
    yield "backgammon, C++ rollouts", roll_spiel(pyspiel.load_game("backgammon"), rng)


def list_catanatron(_rng: Random) -> Iterator[tuple[str, Play]]:
    """List the game of catanatron, with as few and as many players as it allows."""
    catan: Any = import_module("catanatron")

    def play(seats: int) -> int:
        game = catan.Game([catan.RandomPlayer(color) for color in list(catan.Color)[:seats]])
        game.play()
        state = game.state  # newer versions call the list by another name
        return len(state.actions if hasattr(state, "actions") else state.action_records)

    for seats in (2, 4):
        yield f"{seats} random players", lambda seats=seats: play(seats)  # type: ignore[misc]  # bound now, not later


def list_rlcard(rng: Random) -> Iterator[tuple[str, Play]]:
    """List games of rlcard, stepped as an environment, features for learning included."""
    rlcard: Any = import_module("rlcard")

    def play(table: Any) -> int:
        state, _ = table.reset()
        moves = 0
        while not table.is_over():
            state, _ = table.step(rng.choice(list(state["legal_actions"])))
            moves += 1
        return moves

    for name in ("uno", "limit-holdem"):
        table = rlcard.make(name, config={"seed": 1})
        yield name, lambda table=table: play(table)  # type: ignore[misc]  # bound now, not later


LISTS = {"open_spiel": list_spiel, "catanatron": list_catanatron, "rlcard": list_rlcard}


def main() -> None:
    """Measure all games of one library."""
    library, seconds = sys.argv[1], float(sys.argv[2])
    for game, play in LISTS[library](Random(1)):
        best, middle = measure(play, seconds)
        found = {"library": library, "version": version(library), "game": game}
        print(json.dumps({**found, "unit": "moves/s", "value": best, "median": middle}), flush=True)


if __name__ == "__main__":
    main()
