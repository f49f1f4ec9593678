"""Benchmarks: how fast the rules and the compiled twins are on this machine.

Other programs run beside a benchmark. So it does many short runs; the best one is what the code can
do when it is left alone, the median what it did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple

from pleasance.core.game import AnyGame, Choose, Draw, check_seats

RUNS = 40
"""So many runs share the time that a benchmark may take."""

_LOOPS = 500_000
_MULTIPLIER = 1_103_515_245
_FULL = (1 << 31) - 1
_weight_of = itemgetter(1)


class Measure(NamedTuple):
    """One number that a benchmark found."""

    bench: str
    game: str
    seats: int
    options: str
    """The expansions and variants in play, separated by spaces."""

    unit: str
    value: float
    """The best run."""

    median: float
    """The run in the middle."""

    calibration: float
    """How fast the machine is at plain Python, see `calibrate`; compare `value / calibration`."""


class Count(NamedTuple):
    """How much happened in a game."""

    decisions: int
    """Choices by seats."""

    tokens: int
    """Choices and draws: what a record of the game would hold."""


class Setting(NamedTuple):
    """What is measured, and how fast the machine is."""

    game: AnyGame
    seats: int
    calibration: float

    def measure(self, bench: str, unit: str, values: Sequence[float]) -> Measure:
        """Sum up runs of which the highest is the best."""
        return self._write(bench, unit, (round(max(values)), round(median(values))))

    def measure_time(self, bench: str, values: Sequence[float]) -> Measure:
        """Sum up runs that took so many seconds."""
        return self._write(bench, "s", (round(min(values), 3), round(median(values), 3)))

    def measure_ratio(self, bench: str, best: float, values: Sequence[float]) -> Measure:
        """Sum up how many times faster something is than something else."""
        return self._write(bench, "times", (round(best, 2), round(median(values), 2)))

    def _write(self, bench: str, unit: str, found: tuple[float, float]) -> Measure:
        game, options = self.game.spec.name, " ".join(self.game.options)
        return Measure(bench, game, self.seats, options, unit, *found, self.calibration)


def calibrate(repeats: int = 5) -> float:
    """Measure plain integer work: million loops a second, the best of *repeats*."""
    return round(_LOOPS / min(_time_loops() for _ in range(repeats)) / 1e6, 2)


def _time_loops() -> float:
    started = perf_counter()
    number = 1
    for _ in range(_LOOPS):
        number = (number * _MULTIPLIER + 12_345) & _FULL
    return perf_counter() - started


def play_randomly(game: AnyGame, seats: int, rng: Random) -> Count:
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
            return Count(decisions, decisions + draws)


def _pick(outcomes: tuple[tuple[object, int], ...], luck: float) -> object:
    """Pick an outcome by its weight; *luck* lies between 0 and 1."""
    total = sum(map(_weight_of, outcomes))
    left = int(luck * total)
    if total == len(outcomes):  # every weight is 1, as where cards are drawn
        return outcomes[left][0]
    for outcome, weight in outcomes:
        left -= weight
        if left < 0:
            return outcome
    raise AssertionError(f"no outcome for {luck} in {outcomes}")


def bench_rules(
    game: AnyGame, seats: int, seconds: float, *, calibration: float | None = None, seed: int = 1
) -> tuple[Measure, Measure]:
    """Measure decisions and tokens a second in random games, played for so many *seconds*."""
    check_seats(game, seats)
    rng = Random(seed)
    play_randomly(game, seats, rng)  # fills what the rules compute once
    runs = [_run_rules(game, seats, seconds / RUNS, rng=rng) for _ in range(RUNS)]
    setting = Setting(game, seats, calibrate() if calibration is None else calibration)
    return (
        setting.measure("rules", "decisions/s", [decisions for decisions, _ in runs]),
        setting.measure("rules_tokens", "tokens/s", [tokens for _, tokens in runs]),
    )


def _run_rules(game: AnyGame, seats: int, seconds: float, *, rng: Random) -> tuple[float, float]:
    """Play whole games for so many *seconds*; tell decisions and tokens a second."""
    decisions = tokens = 0
    started = perf_counter()
    while True:
        played = play_randomly(game, seats, rng)
        decisions += played.decisions
        tokens += played.tokens
        spent = perf_counter() - started
        if spent >= seconds:
            return decisions / spent, tokens / spent


def bench_games(
    games: tuple[AnyGame, ...], seconds: float, *, seats: int | None = None, is_cold: bool = False
) -> Iterator[Measure]:
    """Measure each game, with the fewest and the most seats or with *seats*.

    First the rules, then the compiled twin where there is one, then how long it takes to start:
    from what is kept on disk and, if *is_cold*, compiled anew, which takes a minute or so.
    """
    calibration = calibrate()
    for game in games:
        numbers = _seat_numbers(game) if seats is None else (seats,)
        for number in numbers:
            yield from bench_rules(game, number, seconds, calibration=calibration)
        if game.kernel is not None:
            yield from _bench_twin(game, numbers, seconds, calibration, is_cold=is_cold)


def _bench_twin(
    game: AnyGame,
    numbers: tuple[int, ...],
    seconds: float,
    calibration: float,
    *,
    is_cold: bool,
) -> Iterator[Measure]:
    """Measure a compiled twin; only then is the compiler loaded, which is slow."""
    from pleasance.bench.kernel_speed import bench_kernel  # noqa: PLC0415  (slow to import)
    from pleasance.bench.startup import bench_start  # noqa: PLC0415  (only wanted here)

    for number in numbers:
        yield from bench_kernel(Setting(game, number, calibration), seconds)
    yield from bench_start(Setting(game, numbers[0], calibration), is_cold=is_cold)


def _seat_numbers(game: AnyGame) -> tuple[int, ...]:
    """Find the fewest and the most seats that the game and all its options allow."""
    rooms = [game.spec.seats, *(game.spec.options[option] for option in game.options)]
    allowed = [number for number in game.spec.seats if all(number in room for room in rooms)]
    return tuple(sorted({allowed[0], allowed[-1]}))
