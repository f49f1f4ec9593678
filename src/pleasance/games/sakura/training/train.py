"""Trains the networks of Sakura by self-play, from a replay buffer, at a falling learning rate.

    python -m pleasance.games.sakura.training.train --out folder --seconds 60

Each iteration plays games by a search one round deep with the newest networks, while these are
fitted to the replay buffer: the value network to TD(λ) targets, and the policy network to the cards
that were played. The folder holds the networks, the settings and the learning curve; it is written
every few iterations.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pleasance.core.files import write_atomically
from pleasance.games.sakura.bots.network.feature_index import FEATURES
from pleasance.games.sakura.bots.network.model import VALUE
from pleasance.games.sakura.bots.network.storage import CARD_TRAITS
from pleasance.games.sakura.rules.components import open_box
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.training.fit import Batch, Learner, fit_policy, fit_value, make_layers
from pleasance.games.sakura.training.layers import (
    LayerArrays,
    NetworkVersions,
    flatten_layers,
    read_networks,
    trait_array,
    write_layers,
)
from pleasance.games.sakura.training.measure import Wins, measure
from pleasance.games.sakura.training.selfplay import PLANNER, RANDOM, SelfPlayPolicy
from pleasance.games.sakura.training.selfplay_pool import (
    SelfPlayPool,
    SelfPlayResult,
    join_rows,
    rows_per_thread,
    seat_baselines,
    seat_pairs,
    seat_players,
)
from pleasance.training.arrays import ArrayBackend, make_backend
from pleasance.training.options import check_device

PACKAGE = "pleasance.games.sakura"
_WORLDS, _FINAL_WORLDS = 32, (16, 128)
"""Worlds imagined for each decision when strength is measured: on the way, and at the end."""

_KNOWS_HAND = 4
"""The place of the fact that a seat knows its hand."""

_VERSION_COUNT, _FROZEN_VERSION = 4, 1
"""Versions of the networks that play; the number of the frozen one, if there is any."""

_BASELINE_ITERATIONS = 2
"""Iterations at first in which only simpler players play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """Hyperparameters of one training run."""

    seed: int = 1
    seconds: float = 60.0
    """The time limit; the iteration under way is then finished."""

    iterations: int = 1
    """The minimum number of iterations, however long they take."""

    device: str = "auto"
    """The device that fits the networks: `cpu`, `cuda` with PyTorch, or `auto` for either."""

    threads: int = 1
    games: int = 400
    """Games in each iteration."""

    worlds: int = 16
    """Worlds imagined for each decision."""

    temperature: float = 0.015
    epsilon: float = 0.03
    td_lambda: float = 0.85
    batch_size: int = 8192
    """Rows of each step."""

    steps: int = 200
    """Steps of each network in each iteration."""

    learning_rate: float = 2e-3
    """The learning rate at first; it decays to a twentieth of it."""

    replay_iterations: int = 10
    """Iterations in the replay buffer, the newest ones."""

    ema_decay: float = 0.998
    hand_dropout: float = 0.1
    """Share of the ends of rounds that are learned without the hand."""

    evaluate_every: int = 10
    evaluation_games: int = 240
    final_games: int = 240
    """Games at each table when all is done, with several numbers of worlds."""

    start: str = ""
    """A folder with networks to begin from."""

    frozen: str = ""
    """A folder with networks to find the best response to, at tables for two."""


class TrainingRun:
    """A training run: networks, replay buffer and learning curve."""

    def __init__(self, settings: TrainingSettings) -> None:
        self.settings = settings
        self.rng = np.random.default_rng(settings.seed)
        boxes = [open_box(PACKAGE, options, None) for options in ((), (TACTICAL,))]
        self.box = boxes[0]
        self.arrays: ArrayBackend = make_backend(settings.device)
        self.device_traits = self.arrays.put(trait_array(self.box))
        self.pool = SelfPlayPool(
            boxes, settings.threads, rows_per_thread(settings.games, settings.threads)
        )
        layers = self._initial_layers()
        self.value = Learner(self.arrays, layers[0], settings.ema_decay)
        self.policy = Learner(self.arrays, layers[1], settings.ema_decay)
        self.replay_buffer: deque[tuple[Batch, Batch]] = deque(maxlen=settings.replay_iterations)
        first = read_networks(Path(settings.frozen)) if settings.frozen else layers
        flat = flatten_layers(*first, self.box)
        self.versions = NetworkVersions(*(np.stack([array] * _VERSION_COUNT) for array in flat))
        self.curve: list[dict[str, Any]] = []
        self.iteration, self.games, self.started = 0, 0, perf_counter()

    def _initial_layers(self) -> tuple[LayerArrays, LayerArrays]:
        """Begin with untrained networks, or with those of a folder."""
        if self.settings.start:
            return read_networks(Path(self.settings.start))
        value = make_layers(self.rng, VALUE.outputs, is_value=True)
        return value, make_layers(self.rng, 2 * CARD_TRAITS, is_value=False)

    def _update_versions(self, value: LayerArrays, policy: LayerArrays) -> NetworkVersions:
        """Add the newest version of the networks, and keep three older ones."""
        versions = NetworkVersions(*(array.copy() for array in self.versions))
        for kept, newest in zip(versions, flatten_layers(value, policy, self.box), strict=True):
            if self.iteration % self.settings.evaluate_every == 0 and not self.settings.frozen:
                kept[1:] = kept[:-1].copy()
            kept[0] = newest
        return versions

    @property
    def progress(self) -> float:
        """Compute the part of the time that is spent, from 0 to 1."""
        return min(1.0, (perf_counter() - self.started) / self.settings.seconds)

    def play(self) -> tuple[Batch, Batch]:
        """Play the games of one iteration."""
        settings = self.settings
        rng = np.random.default_rng((settings.seed, self.iteration))
        if settings.frozen:
            tables = seat_pairs(rng, settings.games, _FROZEN_VERSION)
        elif self.iteration < _BASELINE_ITERATIONS and not settings.start:
            tables = seat_baselines(rng, settings.games)
        else:
            tables = seat_players(rng, settings.games, _VERSION_COUNT)
        policy = SelfPlayPolicy(
            settings.worlds, settings.temperature, settings.epsilon, settings.td_lambda
        )
        results = self.pool.play(tables, self.versions, policy, f"{settings.seed}:{self.iteration}")
        self.games += sum(len(result.won) for result in results)
        return self._gather(results, 0, rng), self._gather(results, 1, rng)

    def _gather(self, results: list[SelfPlayResult], which: int, rng: np.random.Generator) -> Batch:
        """Join the rows that are learned from, and put them on the device of the networks."""
        rows = join_rows(results, which)
        batch = Batch.from_rows(rows).select(self._select_rows(rows.kinds, which))
        if which == 0:
            dropped = rng.random(len(batch.hands)) < self.settings.hand_dropout
            batch.features[dropped, _KNOWS_HAND], batch.hands[dropped] = FEATURES, 0
        put = self.arrays.put
        return Batch(*(put(getattr(batch, each.name)) for each in fields(batch)))

    def _select_rows(self, kinds: NDArray[np.int64], which: int) -> NDArray[np.bool_]:
        """Select the rows to learn from: ends of rounds of networks, and choices of all players."""
        least, most = 0, _VERSION_COUNT
        if self.settings.frozen:
            least = most = _FROZEN_VERSION if which else 0
        elif which:
            least = RANDOM
        elif self.iteration < _BASELINE_ITERATIONS and not self.settings.start:
            least = PLANNER
        return (kinds >= least) & (kinds <= most)

    def fit(self) -> tuple[float, float]:
        """Fit both networks to the replay buffer; return their last losses."""
        settings, losses = self.settings, [0.0, 0.0]
        learning_rate = settings.learning_rate * 0.05**self.progress
        fits = ((self.value, fit_value), (self.policy, fit_policy))
        for _ in range(settings.steps):
            for which, (learner, step) in enumerate(fits):
                rows = self.replay_buffer[self.rng.integers(len(self.replay_buffer))][which]
                count = len(rows.hands)
                picked = self.rng.integers(0, count, min(settings.batch_size, count))
                batch = rows.select(self.arrays.put(picked))
                losses[which] = step(learner, batch, self.device_traits, learning_rate)
        return float(losses[0]), float(losses[1])

    def run_iteration(self, executor: ThreadPoolExecutor) -> None:
        """Play and fit at the same time; the new networks play in the next iteration."""
        clock = perf_counter()
        games = executor.submit(self.play)
        losses = self.fit() if self.replay_buffer else (0.0, 0.0)
        fitted = perf_counter() - clock
        self.replay_buffer.append(games.result())
        self.iteration += 1
        if self.iteration > 1:
            averaged = self.value.averaged_weights(), self.policy.averaged_weights()
            self.versions = self._update_versions(*averaged)
        entry = {
            "iteration": self.iteration,
            "games": self.games,
            "seconds": round(perf_counter() - self.started, 1),
            "fit_seconds": round(fitted, 2),
            "iteration_seconds": round(perf_counter() - clock, 2),
            "rows": len(self.replay_buffer[-1][0].hands),
            "losses": [round(number, 4) for number in losses],
        }
        self.curve.append(entry)
        if self.iteration % self.settings.evaluate_every == 0:
            entry["wins"] = self.evaluate(self.settings.evaluation_games, _WORLDS)
        _print_entry(entry)

    def evaluate(self, games: int, worlds: int) -> Wins:
        """Measure what one network wins among simpler players, or against the frozen one."""
        frozen = _FROZEN_VERSION if self.settings.frozen else None
        return measure(self.pool, self.versions, games, worlds=worlds, frozen=frozen)

    def save(self, folder: Path) -> None:
        """Write networks, settings and learning curve, each atomically."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "value.npz").write_bytes(write_layers(self.value.averaged_weights()))
        (folder / "policy.npz").write_bytes(write_layers(self.policy.averaged_weights()))
        report = {"settings": asdict(self.settings), "curve": self.curve}
        write_atomically(folder / "training.json", json.dumps(report) + "\n")


def _print_entry(entry: dict[str, Any]) -> None:
    """Print a line about an iteration."""
    sys.stdout.write(json.dumps(entry) + "\n")
    sys.stdout.flush()


def train(settings: TrainingSettings, folder: Path) -> TrainingRun:
    """Train until the time is up."""
    training = TrainingRun(settings)
    with ThreadPoolExecutor(1) as executor:
        while training.progress < 1 or training.iteration < settings.iterations:
            training.run_iteration(executor)
            if training.iteration % settings.evaluate_every == 0:
                training.save(folder)
    training.save(folder)
    for worlds in _FINAL_WORLDS:
        wins = training.evaluate(settings.final_games, worlds)
        entry = {"games": training.games, "worlds": worlds, "wins": wins}
        training.curve.append(entry)
        _print_entry(entry)
    training.save(folder)
    return training


def main(arguments: list[str] | None = None) -> None:
    """Train, and print a line after every iteration."""
    parser = argparse.ArgumentParser(prog="python -m pleasance.games.sakura.training.train")
    parser.add_argument("--out", type=Path, required=True)
    for name, value in asdict(TrainingSettings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    given = vars(parser.parse_args(arguments))
    folder = given.pop("out")
    check_device(parser, given["device"])
    train(TrainingSettings(**given), folder)


if __name__ == "__main__":
    main()
