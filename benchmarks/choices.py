"""Record what players choose in fixed positions, and compare two recordings.

    python benchmarks/choices.py write before.jsonl
    python benchmarks/choices.py write after.jsonl
    python benchmarks/choices.py compare before.jsonl after.jsonl

Both recordings need the same positions: leave `--positions`, `--slow-every` and `--seed` alike.

The positions are the same at every call: views of seats with at least two choices, from games of
random and of greedy players by the plain rules, in every configuration of every game that has a
kernel. Players choose by the value of a position, so a change that should only change speed must
leave all choices as they are. Slow players choose in some of the positions only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle, islice, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from pleasance.core.game import AnyGame, AnyView, Choose, Draw, configurations
from pleasance.games import find_game, game_names
from pleasance.players.registry import find_spec, make_player

MOVERS = ("random", "greedy")
"""The players that make the positions; both use the plain rules alone."""

PER_GAME = 8
"""The number of positions of one game; slow players see all parts of games, as 5 divides it not."""

FAST_PLAYERS = ("greedy", "planner", "network", "apprentice", "journeyman", "foreman")
SLOW_PLAYERS = ("headgardener", "master:32", "flat:16", "ismcts:16")
"""The players that search, with budgets in simulations: those in seconds depend on the machine."""

MAX_SHOWN = 20
"""The number of different choices of one player that are listed."""

Setup: TypeAlias = tuple[AnyGame, int]
"""A game with its options, and the number of seats."""

Line: TypeAlias = dict[str, Any]
"""One position of a recording with the choices made in it."""


class Position(NamedTuple):
    """The view of one seat that has at least two choices."""

    game: AnyGame
    seats: int
    mover: str
    """The player of the game that the position is from."""

    view: AnyView[Any]


def kernel_setups() -> list[Setup]:
    """List every configuration of every game that has a kernel."""
    games = [find_game(name) for name in game_names()]
    return [setup for game in games if game.kernel is not None for setup in configurations(game)]


def make_positions(setups: Sequence[Setup], seed: str) -> Iterator[Position]:
    """Play endless games, in turn with each of *setups* and each mover; sample their positions."""
    for number, ((game, seats), mover) in enumerate(cycle(product(setups, MOVERS))):
        rng = Random(f"{seed}:game:{number}")
        views = list(play_game(game, seats, mover, rng))
        for view in sample_evenly(views, rng):
            yield Position(game, seats, mover, view)


def play_game(game: AnyGame, seats: int, mover: str, rng: Random) -> Iterator[AnyView[Any]]:
    """Play one game by the plain rules; yield each view with at least two choices."""
    player = make_player(mover, game)
    state = game.start(seats)
    while isinstance(turn := game.turn(state), Choose | Draw):
        if isinstance(turn, Draw):
            outcomes, weights = zip(*game.chances(state), strict=True)
            state = game.reveal(state, rng.choices(outcomes, weights)[0])
            continue
        views = [game.view(state, seat) for seat in turn.seats]
        yield from (view for view in views if len(view.legal) > 1)
        state = game.play(state, [player(view, rng) for view in views])


def sample_evenly(views: Sequence[AnyView[Any]], rng: Random) -> list[AnyView[Any]]:
    """Take views at equal distances, the first at random; all if there are few."""
    if len(views) <= PER_GAME:
        return list(views)
    first = rng.random()
    return [views[int((part + first) * len(views) / PER_GAME)] for part in range(PER_GAME)]


def choose_all(position: Position, names: Sequence[str], index: int, seed: str) -> dict[str, str]:
    """Let each player choose in a position, with a generator of its own."""
    choices = {}
    for name in names:
        if find_spec(name).fits(position.game):
            player = make_player(name, position.game)
            choices[name] = str(player(position.view, Random(f"{seed}:{index}:{name}")))
    return choices


def write(file: Path, count: int, slow_every: int, seed: str) -> None:
    """Record choices in *count* positions, one line each; slow ones in one of *slow_every*."""
    positions = islice(make_positions(kernel_setups(), seed), count)
    with file.open("w", encoding="utf-8") as out:
        for index, position in enumerate(positions):
            names = FAST_PLAYERS if index % slow_every else FAST_PLAYERS + SLOW_PLAYERS
            line = {
                "index": index,
                "game": position.game.spec.name,
                "options": position.game.options,
                "seats": position.seats,
                "mover": position.mover,
                "view": hashlib.sha256(repr(position.view).encode()).hexdigest()[:16],
                "choices": choose_all(position, names, index, seed),
            }
            out.write(json.dumps(line) + "\n")
            if (index + 1) % 100 == 0 or index + 1 == count:
                sys.stderr.write(f"{index + 1}/{count} positions\n")


def read(file: Path) -> dict[int, Line]:
    """Read a recording: its lines by index."""
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {line["index"]: line for line in lines}


def is_same_position(old: Line, new: Line) -> bool:
    """Return whether two lines are about the same view of the same configuration."""
    return all(old[key] == new[key] for key in ("game", "options", "seats", "view"))


def compare(old_file: Path, new_file: Path) -> bool:
    """Print how many choices are equal and the first others; return whether all are equal."""
    old, new = read(old_file), read(new_file)
    pairs = [(old[index], new[index]) for index in sorted(old.keys() & new.keys())]
    same = [pair for pair in pairs if is_same_position(*pair)]
    sys.stdout.write(f"{len(old)} old and {len(new)} new positions, {len(same)} of them the same\n")
    is_equal = len(same) == len(old) == len(new)
    names = dict.fromkeys(name for pair in same for line in pair for name in line["choices"])
    for name in names:
        both = [pair for pair in same if all(name in line["choices"] for line in pair)]
        either = [pair for pair in same if any(name in line["choices"] for line in pair)]
        differing = [pair for pair in both if pair[0]["choices"][name] != pair[1]["choices"][name]]
        equal = len(both) - len(differing)
        alone = f" {len(either) - len(both)} in one recording only" if either != both else ""
        sys.stdout.write(f"{name:<14} {len(both):>6} compared {equal:>6} equal{alone}\n")
        for pair in differing[:MAX_SHOWN]:
            sys.stdout.write(f"    {describe(*pair, name)}\n")
        is_equal = is_equal and either == both and not differing
    return is_equal


def describe(old: Line, new: Line, name: str) -> str:
    """Describe a position with two different choices of one player."""
    options = ", ".join(old["options"]) or "no options"
    where = f"position {old['index']}: {old['game']}, {old['seats']} seats, {options}"
    return f"{where}: {old['choices'][name]} -> {new['choices'][name]}"


def main(arguments: list[str] | None = None) -> None:
    """Write a recording, or compare two: then the exit status is 1 if anything differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="record the choices of all players")
    writing.add_argument("file", type=Path)
    writing.add_argument("--positions", type=int, default=2000)
    writing.add_argument(
        "--slow-every", type=int, default=5, metavar="N", help="slow players: one position in N"
    )
    writing.add_argument("--seed", default="1")
    comparing = commands.add_parser("compare", help="compare two recordings")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    options = parser.parse_args(arguments)
    if options.command == "write":
        write(options.file, options.positions, options.slow_every, options.seed)
    elif not compare(options.old, options.new):
        sys.exit(1)


if __name__ == "__main__":
    main()
