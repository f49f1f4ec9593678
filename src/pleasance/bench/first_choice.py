"""Makes the first choice of a bot in a new process, which `bench.startup` measures.

`python -m pleasance.bench.first_choice GAME SEATS PLAYER [OPTION …]` plays at random until the
first seat has something to choose, lets the player choose there, and prints one JSON object. It
imports little beside what a bot needs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from pleasance.core.game import AnyGame, Choose, Draw, Seat
from pleasance.games import find_game
from pleasance.players.registry import make_player

_STATUS = Path("/proc/self/status")


def choose_first(game: AnyGame, seats: int, player: str) -> str:
    """Play until the first seat has two choices; return the choice of *player* there."""
    rng, first = Random("first choice"), Seat(0)
    state = game.start(seats)
    while not game.legal(state, first)[1:]:
        turn = game.turn(state)
        if isinstance(turn, Draw):
            outcomes, weights = zip(*game.chances(state), strict=True)
            state = game.reveal(state, rng.choices(outcomes, weights)[0])
        else:
            assert isinstance(turn, Choose), f"{game.spec.name} ends before the first choice"
            state = game.play(state, [rng.choice(game.legal(state, seat)) for seat in turn.seats])
    return str(make_player(player, game)(game.view(state, first), rng))


def read_memory() -> dict[str, float]:
    """Read the resident memory of this process, now and at its peak, in MiB; Linux has it."""
    if not _STATUS.exists():
        return {}
    lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    names = {"memory": "VmRSS", "peak_memory": "VmHWM"}
    return {name: int(fields[field].split()[0]) / 1024 for name, field in names.items()}


def main() -> None:
    """Choose, and print the choice and the memory."""
    name, seats, player, *options = sys.argv[1:]
    game = find_game(name).configure(tuple(options), None)
    choice = choose_first(game, int(seats), player)
    print(json.dumps({"choice": choice, **read_memory()}), flush=True)  # noqa: T201  (read by the parent process)


if __name__ == "__main__":
    main()
