"""Tell how long a player thinks over a choice, at every table of a game.

    python benchmarks/thinking.py sakura master --choices 200
    python benchmarks/thinking.py sanssouci master:2s --choices 10

The choices are some of those in games between networks where there are at least two possibilities.
What counts is the time of the processor, whatever else the machine does; for budgets in seconds the
time by the clock stands beside it.
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
from pleasance.players import find_player

EVERY = 5
"""One of so many choices of a game is measured."""

MOST = 0.95
HEAD = "| seats | options | choices | mean | 95 % within | slowest | slowest by the clock |"


def walk(game: AnyGame, seats: int, rng: Random) -> Iterator[AnyView[Any]]:
    """Play games between networks without end; show some of the choices."""
    guide = find_player("network", game)
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
                state = game.play(state, [guide(view, rng) for view in views])
            turn = game.turn(state)


def measure(game: AnyGame, seats: int, name: str, choices: int) -> list[tuple[float, float]]:
    """Let a player choose so many times; tell how long each took by processor and by clock."""
    rng = Random(f"thinking:{seats}:{'+'.join(game.options)}")
    player = find_player(name, game)
    times = []
    for number, view in enumerate(walk(game, seats, rng)):
        begun, clock = process_time(), perf_counter()
        player(view, rng)
        if number:  # before the first one the compiler may be at work
            times.append((process_time() - begun, perf_counter() - clock))
        if number == choices:
            break
    return times


def tell(game: AnyGame, seats: int, times: list[tuple[float, float]]) -> str:
    """Write a line of the table."""
    spent = sorted(processor for processor, _ in times)
    within = spent[min(len(spent) - 1, int(MOST * len(spent)))]
    numbers = (fmean(spent), within, spent[-1], max(clock for _, clock in times))
    told = " | ".join(f"{1000 * number:.3g} ms" for number in numbers)
    return f"| {seats} | {', '.join(game.options) or 'none'} | {len(times)} | {told} |"


def main(arguments: list[str] | None = None) -> None:
    """Print the table of a player."""
    parser = argparse.ArgumentParser(prog="python benchmarks/thinking.py")
    parser.add_argument("game")
    parser.add_argument("player")
    parser.add_argument("--choices", type=int, default=100)
    parser.add_argument("--options", help="only these expansions or variants, e.g. rewards,boars")
    given = parser.parse_args(arguments)
    sys.stdout.write(f"{HEAD}\n{'|--' * HEAD.count(' | ')}|--|\n")
    for game, seats in configurations(find_game(given.game)):
        if given.options is not None and given.options != ",".join(game.options):
            continue
        times = measure(game, seats, given.player, max(1, given.choices))
        sys.stdout.write(tell(game, seats, times) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
