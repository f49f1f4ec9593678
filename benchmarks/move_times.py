"""Measure the move times of a player, in every configuration of a game.

    python benchmarks/move_times.py sakura master --choices 200
    python benchmarks/move_times.py sanssouci master:2s --choices 10

The choices are sampled from games between networks, where at least two are legal. Times are
processor times, independent of other load; the slowest is also given by the clock, for budgets in
seconds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random
from statistics import fmean
from time import perf_counter, process_time
from typing import Any

from pleasance.core.game import AnyGame, AnyView, Choose, Draw, configurations
from pleasance.games import find_game
from pleasance.players.registry import make_player

EVERY = 5
"""One choice in *EVERY* is measured."""

QUANTILE = 0.95
HEAD = "| seats | options | choices | mean | 95 % within | slowest | slowest by the clock |"


def walk(game: AnyGame, seats: int, rng: Random) -> Iterator[AnyView[Any]]:
    """Play endless games between networks; yield the views of some choices."""
    network_player = make_player("network", game)
    while True:
        state = game.start(seats)
        turn = game.turn(state)
        while isinstance(turn, Choose | Draw):
            if isinstance(turn, Draw):
                outcomes, weights = zip(*game.chances(state), strict=True)
                state = game.reveal(state, rng.choices(outcomes, weights)[0])
            else:
                views = [game.view(state, seat) for seat in turn.seats]
                for view in views:
                    if len(view.legal) > 1 and rng.randrange(EVERY) == 0:
                        yield view
                state = game.play(state, [network_player(view, rng) for view in views])
            turn = game.turn(state)


def measure(game: AnyGame, seats: int, name: str, choices: int) -> list[tuple[float, float]]:
    """Time a number of choices of a player, by processor and by clock."""
    rng = Random(f"thinking:{seats}:{'+'.join(game.options)}")
    player = make_player(name, game)
    times = []
    for number, view in enumerate(walk(game, seats, rng)):
        begun, clock = process_time(), perf_counter()
        player(view, rng)
        if number:  # the first one may include compiling
            times.append((process_time() - begun, perf_counter() - clock))
        if number == choices:
            break
    return times


def to_row(game: AnyGame, seats: int, times: list[tuple[float, float]]) -> str:
    """Format a row of the table."""
    spent = sorted(processor for processor, _ in times)
    within = spent[min(len(spent) - 1, int(QUANTILE * len(spent)))]
    numbers = (fmean(spent), within, spent[-1], max(clock for _, clock in times))
    numbers_text = " | ".join(f"{1000 * number:.3g} ms" for number in numbers)
    return f"| {seats} | {', '.join(game.options) or 'none'} | {len(times)} | {numbers_text} |"


def main(arguments: list[str] | None = None) -> None:
    """Print the table of a player."""
    parser = argparse.ArgumentParser(prog="python benchmarks/move_times.py")
    parser.add_argument("game")
    parser.add_argument("player")
    parser.add_argument("--choices", type=int, default=100)
    parser.add_argument("--options", help="only these expansions or variants, e.g. rewards,boars")
    options = parser.parse_args(arguments)
    sys.stdout.write(f"{HEAD}\n{'|--' * HEAD.count(' | ')}|--|\n")
    for game, seats in configurations(find_game(options.game)):
        if options.options is not None and options.options != ",".join(game.options):
            continue
        times = measure(game, seats, options.player, max(1, options.choices))
        sys.stdout.write(to_row(game, seats, times) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
