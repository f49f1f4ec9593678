"""Benchmarks: how fast the rules are on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from random import Random
from time import perf_counter
from typing import NamedTuple

from pleasance.core.game import AnyGame, Choose, Draw, check_seats

_WEIGHT = itemgetter(1)
_LOOPS = 500_000
_MULTIPLIER = 1_103_515_245
_FULL = (1 << 31) - 1


class Measure(NamedTuple):
    """One number that a benchmark found."""

    bench: str
    game: str
    seats: int
    options: str
    """The expansions and variants in play, separated by spaces."""

    unit: str
    value: int
    calibration: float
    """How fast the machine is at plain Python, see `calibrate`; compare `value / calibration`."""


class Count(NamedTuple):
    """How much happened in a game."""

    decisions: int
    """Choices by seats."""

    tokens: int
    """Choices and draws: what a record of the game would hold."""


def calibrate(repeats: int = 3) -> float:
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
            state = game.reveal(state, _pick(game.chances(state), random()))
            draws += 1
        else:
            return Count(decisions, decisions + draws)


def _pick(outcomes: tuple[tuple[object, int], ...], luck: float) -> object:
    """Pick an outcome by its weight; *luck* lies between 0 and 1."""
    total = sum(map(_WEIGHT, outcomes))
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
    decisions = tokens = 0
    started = perf_counter()
    while True:
        played = play_randomly(game, seats, rng)
        decisions += played.decisions
        tokens += played.tokens
        spent = perf_counter() - started
        if spent >= seconds:
            break
    machine = calibrate() if calibration is None else calibration
    options = " ".join(game.options)

    def measure(bench: str, unit: str, number: int) -> Measure:
        value = round(number / spent)
        return Measure(bench, game.spec.name, seats, options, unit, value, machine)

    return (
        measure("rules", "decisions/s", decisions),
        measure("rules_tokens", "tokens/s", tokens),
    )


def bench_games(
    games: tuple[AnyGame, ...], seconds: float, *, seats: int | None = None
) -> Iterator[Measure]:
    """Measure the rules of each game, with the fewest and the most seats or with *seats*."""
    calibration = calibrate()
    for game in games:
        for number in _seat_numbers(game) if seats is None else (seats,):
            yield from bench_rules(game, number, seconds, calibration=calibration)


def _seat_numbers(game: AnyGame) -> tuple[int, ...]:
    """Find the fewest and the most seats that the game and all its options allow."""
    rooms = [game.spec.seats, *(game.spec.options[option] for option in game.options)]
    allowed = [number for number in game.spec.seats if all(number in room for room in rooms)]
    return tuple(sorted({allowed[0], allowed[-1]}))
