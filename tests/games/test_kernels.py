"""The compiled twin of each game agrees with its rules, position by position."""

from __future__ import annotations

import os
import sys
from random import Random
from typing import Any

import pytest

from conformance import Configuration
from conformance.kernels import WITH_KERNEL, every_configuration_with_kernel, load_kernel
from pleasance.compiled.arrays import copy_of, overwrite, zeros
from pleasance.compiled.export import Backend, use_backend
from pleasance.compiled.kernel import ALL, DRAW, OVER
from pleasance.compiled.rng import make_rng_state
from pleasance.core.game import Choose, Draw, Over, Seat
from pleasance.core.perft import perft
from support.programs import run_program


class Pair:
    """A position in both forms, kept in step and compared."""

    def __init__(self, config: Configuration, rng: Random) -> None:
        self.game, self.seats, self.rng = config.game, config.seats, rng
        self.kernel = load_kernel(config)
        self.state: Any = self.game.start(self.seats)
        self.flat = self.kernel.pack(self.state)
        self.codes = zeros("int64", self.kernel.max_choices)
        self.weights = zeros("int64", len(self.game.draws))

    def compare(self) -> None:
        """Hold the position, its scores and its winners against each other."""
        game, kernel, seats = self.game, self.kernel, self.seats
        assert kernel.unpack(self.flat) == self.state
        assert kernel.pack(self.state)[:] == self.flat[:]
        points, shares = zeros("int64", 8), zeros("float64", 8)
        kernel.rules.scores(kernel.constants, self.flat, points)
        kernel.rules.shares(kernel.constants, self.flat, shares)
        assert tuple(points[:seats]) == game.scores(self.state)
        winners = game.winners(self.state)
        due = [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
        assert shares[:seats] == due

    def choose(self, choosing: tuple[Seat, ...]) -> None:
        """Compare what may be chosen, and choose at random."""
        game, steps, box = self.game, self.kernel.rules, self.kernel.constants
        assert steps.turn(self.flat) == (choosing[0] if len(choosing) == 1 else ALL)
        for seat in range(self.seats):
            count = steps.legal(box, self.flat, seat, self.codes)
            legal = [game.space.code(choice) for choice in game.legal(self.state, Seat(seat))]
            assert self.codes[:count] == legal
        choices = [self.rng.choice(game.legal(self.state, seat)) for seat in choosing]
        chosen = zeros("int64", 8)
        for seat, choice in zip(choosing, choices, strict=True):
            chosen[seat] = game.space.code(choice)
        steps.play(box, self.flat, chosen)
        self.state = game.play(self.state, choices)

    def draw(self) -> None:
        """Compare what can be drawn, and draw at random."""
        game, steps, box = self.game, self.kernel.rules, self.kernel.constants
        assert steps.turn(self.flat) == DRAW
        chances = game.chances(self.state)
        steps.chances(box, self.flat, self.weights)
        found = {code: weight for code, weight in enumerate(self.weights) if weight}
        assert found == {game.draws.code(outcome): weight for outcome, weight in chances}
        outcomes, weights = zip(*chances, strict=True)
        outcome = self.rng.choices(outcomes, weights)[0]
        steps.reveal(box, self.flat, game.draws.code(outcome))
        self.state = game.reveal(self.state, outcome)

    def imagine(self) -> None:
        """Let each seat imagine a world; it must look the same to that seat."""
        for seat in (None, *map(Seat, range(self.seats))):
            view = self.game.view(self.state, seat)
            world = self.kernel.pack_view(view)
            rng_state = make_rng_state(str(self.rng.random()))
            self.kernel.rules.deal(self.kernel.constants, world, rng_state)
            assert self.game.view(self.kernel.unpack(world), seat) == view

    def play(self) -> int:
        """Play a whole game in step; tell how many positions were compared."""
        positions = 0
        while True:
            self.compare()
            positions += 1
            match self.game.turn(self.state):
                case Choose(seats=choosing):
                    self.choose(choosing)
                case Draw():
                    self.draw()
                case Over():
                    assert self.kernel.rules.turn(self.flat) == OVER
                    return positions
            if self.rng.random() < 0.04:
                self.imagine()


@every_configuration_with_kernel
def test_rules_and_twin_agree_in_every_position(config: Configuration) -> None:
    assert Pair(config, Random(11)).play() > 50


@pytest.mark.slow
@every_configuration_with_kernel
def test_rules_and_twin_agree_over_many_games(config: Configuration) -> None:
    """With 18 configurations of 60 games, more than a thousand games."""
    rng = Random(12)
    for _ in range(60):
        Pair(config, rng).play()


@pytest.mark.slow
@every_configuration_with_kernel
def test_rules_and_twin_count_the_same_lines_of_play(config: Configuration) -> None:
    rng = Random(13)
    for depth, plies in ((2, 0), (3, 40), (2, 120)):
        pair = Pair(config, rng)
        for _ in range(plies):
            turn = pair.game.turn(pair.state)
            if isinstance(turn, Over):
                break
            pair.choose(turn.seats) if isinstance(turn, Choose) else pair.draw()
        if not isinstance(pair.game.turn(pair.state), Over):
            assert count(pair, pair.flat, depth) == perft(pair.game, pair.state, depth)


def count(pair: Pair, flat: Any, depth: int) -> int:
    """Count lines of play on the twin alone."""
    steps, box = pair.kernel.rules, pair.kernel.constants
    turn = steps.turn(flat)
    if depth == 0 or turn == OVER:
        return int(depth == 0)
    if turn == DRAW:
        weights = zeros("int64", len(pair.game.draws))
        steps.chances(box, flat, weights)
        total = 0
        for code in (code for code, weight in enumerate(weights) if weight):
            after = copy_of(flat)
            steps.reveal(box, after, code)
            total += count(pair, after, depth - 1)
        return total
    seats = list(range(pair.seats)) if turn == ALL else [turn]
    return spread(pair, flat, depth, seats, zeros("int64", 8))


def spread(pair: Pair, flat: Any, depth: int, seats: list[int], chosen: Any) -> int:
    """Count through the choices of the *seats* that are left in this turn."""
    steps, box = pair.kernel.rules, pair.kernel.constants
    if depth == 0:
        return 1
    codes = zeros("int64", pair.kernel.max_choices)
    found = steps.legal(box, flat, seats[0], codes)
    total = 0
    for code in codes[:found]:
        chosen[seats[0]] = code
        if len(seats) > 1:
            total += spread(pair, flat, depth - 1, seats[1:], chosen)
        else:
            after = copy_of(flat)
            steps.play(box, after, chosen)
            total += count(pair, after, depth - 1)
    return total


@every_configuration_with_kernel
def test_random_playouts_end_and_follow_from_their_luck(config: Configuration) -> None:
    kernel = load_kernel(config)
    start = kernel.pack(config.game.start(config.seats))
    ends = []
    for seed in ("a", "a", "b"):
        flat = copy_of(start)
        kernel.rules.playout(kernel.constants, flat, make_rng_state(seed))
        assert kernel.rules.turn(flat) == OVER
        ends.append(flat)
    assert ends[0][:] == ends[1][:] != ends[2][:]


@every_configuration_with_kernel
def test_many_playouts_at_once_are_the_same_as_one_by_one(config: Configuration) -> None:
    kernel = load_kernel(config)
    start = kernel.pack(config.game.start(config.seats))
    many, rng_state = zeros("int64", 5, kernel.size), zeros("uint64", 5, 1)
    for game in range(5):
        overwrite(many[game], start)
        overwrite(rng_state[game], make_rng_state(str(game)))
    kernel.rules.playouts(kernel.constants, many, rng_state)
    for game in range(5):
        one = copy_of(start)
        kernel.rules.playout(kernel.constants, one, make_rng_state(str(game)))
        assert many[game][:] == one[:]


def play_by(config: Configuration, backend: Backend, games: int) -> tuple[list[Any], int]:
    """Compare twin and rules over a game by one backend; then play random games to their end."""
    kernel, ends = load_kernel(config), []
    with use_backend(backend):
        positions = Pair(config, Random(14)).play()
        for game in range(games):
            flat, rng_state = (
                kernel.pack(config.game.start(config.seats)),
                make_rng_state(f"{game}"),
            )
            kernel.rules.playout(kernel.constants, flat, rng_state)
            ends.append((flat[:], rng_state[0]))
    return ends, positions


@pytest.mark.slow
@pytest.mark.long
@every_configuration_with_kernel
def test_all_backends_play_the_same_games(config: Configuration) -> None:
    ends, positions = play_by(config, "library", 60)
    assert play_by(config, "jit", 60) == (ends, positions)
    assert play_by(config, "python", 3) == (ends[:3], positions)


@pytest.mark.slow
def test_the_twins_work_without_a_compiler() -> None:
    """Slowly: one whole game of each in plain Python."""
    script = """
from pleasance.compiled.kernel import OVER
from pleasance.compiled.rng import make_rng_state
from pleasance.games import find_game, game_names
for name in game_names():
    game = find_game(name)
    if game.kernel is None:
        continue
    kernel = game.kernel()
    flat = kernel.pack(game.start(2))
    kernel.rules.playout(kernel.constants, flat, make_rng_state("plain"))
    assert kernel.rules.turn(flat) == OVER
    print(name, flat[:])
"""
    plain = {**os.environ, "PLEASANCE_KERNELS": "python"}
    done = run_program(sys.executable, "-W", "error", "-c", script, env=plain)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        name, _, numbers = line.partition(" ")
        config = next(c for c in WITH_KERNEL if c.game.spec.name == name and c.seats == 2)
        kernel = load_kernel(config)
        flat = kernel.pack(config.game.start(2))
        kernel.rules.playout(kernel.constants, flat, make_rng_state("plain"))
        assert str(flat[:]) == numbers
