"""Playing one duplicate match: every seat rotation of one seed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp, floor, log
from random import Random
from time import thread_time
from typing import Any, NamedTuple

from pleasance.arena.plan import Plan, Table
from pleasance.core.fair import Fair, secret_from_seed
from pleasance.core.game import AnyGame, Choose, Draw
from pleasance.core.playout import Player
from pleasance.players.subprocess_player import find_entrant

_STEP = log(1.1)
"""Thinking times are counted in steps of 10 %, so that any number of them can be added up."""


class Played(NamedTuple):
    """One game of a match; all in the order of the seats."""

    table: Table
    scores: tuple[int, ...]
    shares: tuple[float, ...]
    """One victory, split among those who share it."""

    decisions: int
    """How often somebody chose."""


class Times(NamedTuple):
    """How long a player thought over its choices."""

    choices: int = 0
    seconds: float = 0.0
    counts: Mapping[int, int] = {}
    """How many choices took so long, in steps of 10 % from a second."""

    def plus(self, other: Times) -> Times:
        """Count the choices of both."""
        counts = Counter(self.counts)
        counts.update(other.counts)
        return Times(self.choices + other.choices, self.seconds + other.seconds, counts)

    @property
    def mean(self) -> float:
        """Tell the mean seconds of a choice."""
        return self.seconds / self.choices if self.choices else 0.0

    def quantile(self, part: float) -> float:
        """Tell within how many seconds this *part* of the choices was made, to 10 %."""
        due = part * self.choices
        for step in sorted(self.counts):
            due -= self.counts[step]
            if due <= 0:
                return exp((step + 1) * _STEP)
        return 0.0


class Match(NamedTuple):
    """One seed, played in all seat rotations: what statistics count as one observation."""

    number: int
    games: tuple[Played, ...]
    times: Mapping[int, Times]
    """By the number of the player; the only part that another run need not repeat."""


def play_match(plan: Plan, number: int) -> Match:
    """Play match *number* of a plan, always the same way under simulation budgets."""
    game, players = get_ready(plan)
    clocks: dict[int, list[float]] = {player: [] for player in plan.table(number)}
    timed = {player: _time(players[player], clock) for player, clock in clocks.items()}
    games = []
    for rotation, table in enumerate(plan.tables(number)):
        fair = Fair(secret_from_seed(plan.seed, number + 1), (None,) * plan.seats)
        rngs = [_luck(plan.seed, number, rotation, seat) for seat in range(plan.seats)]
        state, decisions = _play(game, [timed[player] for player in table], fair, rngs)
        winners = game.winners(state)
        shares = (1 / len(winners) if seat in winners else 0.0 for seat in range(plan.seats))
        games.append(Played(table, tuple(game.scores(state)), tuple(shares), decisions))
    times = {player: _sum_up(spent) for player, spent in sorted(clocks.items())}
    return Match(number, tuple(games), times)


@lru_cache(maxsize=1)
def get_ready(plan: Plan) -> tuple[AnyGame, tuple[Player[Any, Any], ...]]:
    """Get ready for the matches of a plan, once in each process."""
    game = plan.open()
    players = tuple(find_entrant(name, game) for name in plan.players)
    _warm_up(game, plan.seats, players)
    return game, players


def _warm_up(game: AnyGame, seats: int, players: Sequence[Player[Any, Any]]) -> None:
    """Let everyone choose once in a first turn, so that no match measures compiling or loading."""
    rng = Random(1)
    state = game.start(seats)
    while not isinstance(turn := game.turn(state), Choose) or game.number(state) == 0:
        if isinstance(turn, Choose):
            choices = [rng.choice(game.legal(state, seat)) for seat in turn.seats]
            state = game.play(state, choices)
        elif isinstance(turn, Draw):
            state = game.reveal(state, rng.choice(game.chances(state))[0])
        else:
            return
    for player in players:
        player(game.view(state, turn.seats[0]), rng)


def _luck(seed: str, match: int, rotation: int, seat: int) -> Random:
    """Make the luck of whoever sits on a seat, the same in any order of matches."""
    label = f"pleasance:arena:1:{match + 1}:{rotation + 1}:{seat + 1}:{seed}"
    return Random(hashlib.sha256(label.encode()).digest())


def _time(player: Player[Any, Any], clock: list[float]) -> Player[Any, Any]:
    """Write down how long a player thinks over each choice.

    It is the time of the processor that counts, so that other programs do not make a player slow.
    """

    def choose(view: Any, rng: Random) -> Any:
        started = thread_time()
        choice = player(view, rng)
        clock.append(thread_time() - started)
        return choice

    return choose


def _play(
    game: AnyGame, players: Sequence[Player[Any, Any]], fair: Fair, rngs: Sequence[Random]
) -> tuple[Any, int]:
    """Play one game: its last position, and how many choices were made."""
    state = game.start(len(players))
    decisions = draws = 0
    while True:
        turn = game.turn(state)
        if isinstance(turn, Choose):
            views = [(seat, game.view(state, seat)) for seat in turn.seats]
            state = game.play(state, [players[seat](view, rngs[seat]) for seat, view in views])
            decisions += len(views)
        elif isinstance(turn, Draw):
            draws += 1
            state = game.reveal(state, fair.draw(draws, game.chances(state)))
        else:
            return state, decisions


def _sum_up(spent: Sequence[float]) -> Times:
    """Count thinking times by how long they were."""
    shortest = 1e-9  # a clock that stood still
    steps = Counter(floor(log(max(seconds, shortest)) / _STEP) for seconds in spent)
    return Times(len(spent), sum(spent), steps)
