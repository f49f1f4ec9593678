"""Benchmarks the rules, and defines the measures of all benchmarks.

Other programs run beside a benchmark. So it makes many short runs: the best one shows the speed
without interference, the median the typical one.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple

from pleasance.core.game import AnyGame, Choose, Draw, check_seats

RUN_COUNT = 40
"""The number of runs that share the time of a benchmark."""

_LOOPS = 500_000
_MULTIPLIER = 1_103_515_245
_MASK = (1 << 31) - 1
_weight_of = itemgetter(1)


class Measure(NamedTuple):
    """The result of a benchmark."""

    bench: str
    game: str
    seats: int
    options: str
    """The expansions and variants in play, separated by spaces."""

    unit: str
    value: float
    """The value of the best run."""

    median: float
    """The median of the runs."""

    calibration: float
    """The speed of the machine by `calibrate`; compare `value / calibration`."""


class GameCounts(NamedTuple):
    """The counts of a game."""

    decisions: int
    """Choices by seats."""

    tokens: int
    """The choices and draws: the tokens of its record."""


class BenchmarkCase(NamedTuple):
    """One benchmarked configuration, with the speed of the machine."""

    game: AnyGame
    seats: int
    calibration: float

    def measure(self, bench: str, unit: str, values: Sequence[float]) -> Measure:
        """Summarize runs, of which the highest is the best."""
        return self._write(bench, unit, (round(max(values)), round(median(values))))

    def measure_ratio(self, bench: str, best: float, values: Sequence[float]) -> Measure:
        """Summarize speedups."""
        return self._write(bench, "times", (round(best, 2), round(median(values), 2)))

    def _write(self, bench: str, unit: str, found: tuple[float, float]) -> Measure:
        game, options = self.game.spec.name, " ".join(self.game.options)
        return Measure(bench, game, self.seats, options, unit, *found, self.calibration)


def list_seat_counts(game: AnyGame) -> tuple[int, ...]:
    """List the numbers of seats that the game and all its options allow."""
    rooms = [game.spec.seats, *(game.spec.options[option] for option in game.options)]
    return tuple(number for number in game.spec.seats if all(number in room for room in rooms))


def calibrate(repeats: int = 5) -> float:
    """Measure plain integer work: million loops a second, the best of *repeats*."""
    return round(_LOOPS / min(_time_loops() for _ in range(repeats)) / 1e6, 2)


def _time_loops() -> float:
    started = perf_counter()
    number = 1
    for _ in range(_LOOPS):
        number = (number * _MULTIPLIER + 12_345) & _MASK
    return perf_counter() - started


def play_random_game(game: AnyGame, seats: int, rng: Random) -> GameCounts:
    """Play a whole game by the rules alone: every choice uniform, every draw by its weight."""
    random, turn, legal, play = rng.random, game.turn, game.legal, game.play
    chances, reveal = game.chances, game.reveal
    state = game.start(seats)
    decisions = draws = 0
    while True:
        now = turn(state)
        if isinstance(now, Choose):
            choices = []
            for seat in now.seats:
                allowed = legal(state, seat)
                choices.append(allowed[int(random() * len(allowed))])
            state = play(state, choices)
            decisions += len(choices)
        elif isinstance(now, Draw):
            state = reveal(state, _pick(chances(state), random()))
            draws += 1
        else:
            return GameCounts(decisions, decisions + draws)


def _pick(outcomes: tuple[tuple[object, int], ...], number: float) -> object:
    """Pick an outcome by its weight; *number* lies between 0 and 1."""
    total = sum(map(_weight_of, outcomes))
    left = int(number * total)
    if total == len(outcomes):  # every weight is 1, as where cards are drawn
        return outcomes[left][0]
    for outcome, weight in outcomes:
        left -= weight
        if left < 0:
            return outcome
    raise AssertionError(f"no outcome for {number} in {outcomes}")


def bench_rules(
    game: AnyGame, seats: int, seconds: float, *, calibration: float | None = None, seed: int = 1
) -> tuple[Measure, Measure]:
    """Measure decisions and tokens a second in random games for *seconds*."""
    check_seats(game, seats)
    rng = Random(seed)
    play_random_game(game, seats, rng)  # fills what the rules compute once
    runs = [_run_rules(game, seats, seconds / RUN_COUNT, rng=rng) for _ in range(RUN_COUNT)]
    case = BenchmarkCase(game, seats, calibrate() if calibration is None else calibration)
    return (
        case.measure("rules", "decisions/s", [decisions for decisions, _ in runs]),
        case.measure("rules_tokens", "tokens/s", [tokens for _, tokens in runs]),
    )


def _run_rules(game: AnyGame, seats: int, seconds: float, *, rng: Random) -> tuple[float, float]:
    """Play whole games for *seconds*; return decisions and tokens a second."""
    decisions = tokens = 0
    started = perf_counter()
    while True:
        played = play_random_game(game, seats, rng)
        decisions += played.decisions
        tokens += played.tokens
        spent = perf_counter() - started
        if spent >= seconds:
            return decisions / spent, tokens / spent
