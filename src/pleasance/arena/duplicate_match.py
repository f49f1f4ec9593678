"""Play a duplicate match: every seat rotation of one seed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp, floor, log
from random import Random
from time import thread_time
from typing import Any, NamedTuple

from pleasance.arena.plan import Plan, Seating
from pleasance.core.fair_draws import FairDraws, secret_from_seed
from pleasance.core.game import AnyGame, Choose, Draw
from pleasance.core.playout import Player
from pleasance.players.subprocess_player import resolve_player

_STEP = log(1.1)
"""The width of a histogram bin of move times: 10 %, so that histograms can be added."""


class GameResult(NamedTuple):
    """The result of one game of a match, in the order of the seats."""

    table: Seating
    scores: tuple[int, ...]
    shares: tuple[float, ...]
    """One victory, split among the winners."""

    decisions: int
    """The number of choices."""


class MoveTimes(NamedTuple):
    """A histogram of the move times of a player."""

    choices: int = 0
    seconds: float = 0.0
    counts: Mapping[int, int] = {}
    """The number of choices in each bin; bin 0 begins at one second."""

    def plus(self, other: MoveTimes) -> MoveTimes:
        """Add two histograms."""
        counts = Counter(self.counts)
        counts.update(other.counts)
        return MoveTimes(self.choices + other.choices, self.seconds + other.seconds, counts)

    @property
    def mean(self) -> float:
        """The mean seconds of a choice."""
        return self.seconds / self.choices if self.choices else 0.0

    def quantile(self, part: float) -> float:
        """Return the quantile of the move times in seconds, to 10 %."""
        due = part * self.choices
        for step in sorted(self.counts):
            due -= self.counts[step]
            if due <= 0:
                return exp((step + 1) * _STEP)
        return 0.0


class DuplicateMatch(NamedTuple):
    """One seed played in all seat rotations: one observation of the statistics."""

    number: int
    games: tuple[GameResult, ...]
    times: Mapping[int, MoveTimes]
    """By the number of the player; the only part that another run may not reproduce."""


def play_match(plan: Plan, number: int) -> DuplicateMatch:
    """Play match *number* of a plan, reproducibly under simulation budgets."""
    game, players = prepare_players(plan)
    durations: dict[int, list[float]] = {player: [] for player in plan.table(number)}
    timed = {player: _timed(players[player], times) for player, times in durations.items()}
    games = []
    for rotation, table in enumerate(plan.tables(number)):
        fair = FairDraws(secret_from_seed(plan.seed, number + 1), (None,) * plan.seats)
        rngs = [_make_rng(plan.seed, number, rotation, seat) for seat in range(plan.seats)]
        state, decisions = _play(game, [timed[player] for player in table], fair, rngs)
        winners = game.winners(state)
        shares = (1 / len(winners) if seat in winners else 0.0 for seat in range(plan.seats))
        games.append(GameResult(table, tuple(game.scores(state)), tuple(shares), decisions))
    times = {player: _to_move_times(spent) for player, spent in sorted(durations.items())}
    return DuplicateMatch(number, tuple(games), times)


@lru_cache(maxsize=1)
def prepare_players(plan: Plan) -> tuple[AnyGame, tuple[Player[Any, Any], ...]]:
    """Make and load the players of a plan, once in each process."""
    game = plan.open()
    players = tuple(resolve_player(name, game) for name in plan.players)
    _load(game, plan.seats, players)
    return game, players


def _load(game: AnyGame, seats: int, players: Sequence[Player[Any, Any]]) -> None:
    """Let each player choose once, so that no match measures loading."""
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


def _make_rng(seed: str, match: int, rotation: int, seat: int) -> Random:
    """Make the generator of a seat, the same in any order of matches."""
    label = f"pleasance:arena:1:{match + 1}:{rotation + 1}:{seat + 1}:{seed}"
    return Random(hashlib.sha256(label.encode()).digest())


def _timed(player: Player[Any, Any], times: list[float]) -> Player[Any, Any]:
    """Wrap a player to append the processor seconds of each choice; other programs do not count."""

    def choose(view: Any, rng: Random) -> Any:
        started = thread_time()
        choice = player(view, rng)
        times.append(thread_time() - started)
        return choice

    return choose


def _play(
    game: AnyGame, players: Sequence[Player[Any, Any]], fair: FairDraws, rngs: Sequence[Random]
) -> tuple[Any, int]:
    """Play one game; return its last position and the number of choices."""
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


def _to_move_times(spent: Sequence[float]) -> MoveTimes:
    """Make the histogram of some move times."""
    shortest = 1e-9  # a clock that stood still
    steps = Counter(floor(log(max(seconds, shortest)) / _STEP) for seconds in spent)
    return MoveTimes(len(spent), sum(spent), steps)
