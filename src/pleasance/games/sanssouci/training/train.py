"""Training of the value network of Sanssouci by self-play with a replay buffer.

    python -m pleasance.games.sanssouci.training.train --seconds 480 --threads 16 --out trained

In each iteration the network plays some thousand games against itself on all threads, at tables of
all sizes and with all expansions, and is fitted to the final points of the gardens. Meanwhile the
previous network already plays the next games. The fitting runs on a GPU where torch finds one. The
output folder gets the weights, the settings, and the learning curve.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pleasance.games.sanssouci.bots.network.accumulator import POINTS_PER_UNIT
from pleasance.games.sanssouci.bots.network.feature_index import FEATURES, mirror_features
from pleasance.games.sanssouci.bots.network.storage import read_net
from pleasance.games.sanssouci.training.fit import Learner
from pleasance.games.sanssouci.training.measure import measure, measure_all, summarize
from pleasance.games.sanssouci.training.selfplay_pool import SelfPlayPool
from pleasance.games.sanssouci.training.weights import (
    NetWeights,
    expect_gains,
    make_net,
    make_weights,
    read_weights,
    write_weights,
)
from pleasance.training.arrays import make_backend
from pleasance.training.options import parse_arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """The settings of a training run."""

    seed: int = 1
    seconds: float = 60.0
    threads: int = 1
    games: int = 4000
    """Games of one iteration."""

    td_lambda: float = 0.7
    """The λ of TD(λ): the share of a target that is the final outcome, not a prediction."""

    epsilon_permille: int = 30
    """Random turns in a thousand (epsilon)."""

    denial_weight: float = 1.0
    """Weight of the rivals' points against the own ones in the choice of a turn."""

    batch_size: int = 8192
    passes: float = 10.0
    """Number of times that each position is fitted."""

    replay_iterations: int = 20
    """Number of iterations in the replay buffer."""

    learning_rate: float = 2e-3
    """The initial learning rate; it decays to a thirtieth."""

    evaluate_every: float = 45.0
    """Seconds between two measurements for the curve."""

    evaluation_games: int = 1500
    """Games of each measurement."""

    device: str = "auto"
    """The device that fits the network: `cpu`, `cuda` with PyTorch, or `auto` for either."""

    final_games: int = 0
    """Games at each kind of table after the training."""


def learning_rate_at(settings: TrainingSettings, part: float) -> float:
    """Decay the learning rate by the part of the time that is over."""
    return float(settings.learning_rate * 30 ** -max(0.0, (part - 0.35) / 0.65))


def fit_batches(
    learner: Learner,
    replay_buffer: list[tuple[Any, Any]],
    settings: TrainingSettings,
    *,
    steps: int,
    learning_rate: float,
) -> float:
    """Fit the network to batches of the replay buffer; return the error in points."""
    rng = np.random.default_rng((settings.seed, learner.steps))
    arrays = learner.arrays
    mirrored = arrays.put(np.array(mirror_features()))
    error: Any = 0.0
    for _ in range(steps):
        features, targets = replay_buffer[int(rng.integers(len(replay_buffer)))]
        pick = arrays.put(rng.integers(len(targets), size=settings.batch_size))
        rows = arrays.integers(features[pick])
        if learner.steps % 2:
            rows = mirrored[rows]
        error = 0.98 * error + 0.02 * learner.step(
            arrays.count(rows, FEATURES), targets[pick], learning_rate
        )
    mean = float(error) / max(1 - 0.98**steps, 1e-9)
    return float(mean**0.5 * POINTS_PER_UNIT)


def train(
    settings: TrainingSettings, weights: NetWeights, folder: Path, *, is_fresh: bool = True
) -> Iterator[dict[str, Any]]:
    """Train and save; yield a point of the learning curve after each measurement."""
    arrays = make_backend(settings.device, allows_tf32=True)
    learner, net = Learner(weights, arrays, is_fresh=is_fresh), make_net(weights)
    replay_buffer: list[tuple[Any, Any]] = []
    with ThreadPoolExecutor(settings.threads) as pool, ThreadPoolExecutor(1) as selfplay_executor:
        selfplay = SelfPlayPool(
            pool,
            seed=settings.seed,
            games=settings.games,
            threads=settings.threads,
            denial_weight=settings.denial_weight,
            td_lambda=settings.td_lambda,
            epsilon_permille=settings.epsilon_permille,
        )
        began, spent, measured, games = perf_counter(), 0.0, 0.0, 0
        next_games = selfplay_executor.submit(selfplay.play, net)
        while spent < settings.seconds:
            features, targets, points = next_games.result()
            next_games = selfplay_executor.submit(selfplay.play, net)
            games += settings.games
            batches = (learner.arrays.put(features), learner.arrays.put(targets))
            replay_buffer = [*replay_buffer[-settings.replay_iterations + 1 :], batches]
            steps = max(1, int(settings.passes * len(targets) / settings.batch_size))
            rate = learning_rate_at(settings, spent / settings.seconds)
            error = fit_batches(learner, replay_buffer, settings, steps=steps, learning_rate=rate)
            weights = learner.averaged_weights()
            net = make_net(weights)
            spent = perf_counter() - began
            if spent - measured >= settings.evaluate_every or spent >= settings.seconds:
                measured = spent
                save(folder, weights, settings)
                result = measure(
                    pool, (net, net), games=settings.evaluation_games, threads=settings.threads
                )
                progress = {"seconds": round(spent, 1), "games": games, "steps": learner.steps}
                error, mirror = round(error, 3), round(points, 2)
                yield {**progress, "error": error, "mirror": mirror, **summarize(result)}


def save(folder: Path, weights: NetWeights, settings: TrainingSettings) -> None:
    """Save the weights and the settings."""
    folder.mkdir(parents=True, exist_ok=True)
    write_weights(folder / "points.npz", weights)
    (folder / "settings.json").write_text(json.dumps(asdict(settings), indent=1) + "\n")


def main(arguments: list[str] | None = None) -> None:
    """Train, and print the learning curve."""
    settings, (folder, initial) = parse_arguments(TrainingSettings(), arguments)
    weights = make_weights(np.random.default_rng(settings.seed))
    if initial is not None:
        weights = read_weights(initial)
        expect_gains(weights)  # older files have no shares
    curve = []
    for point in train(settings, weights, folder, is_fresh=initial is None):
        curve.append(point)
        sys.stdout.write(json.dumps(point) + "\n")
        sys.stdout.flush()
        (folder / "curve.json").write_text(json.dumps(curve, indent=1) + "\n")
    if settings.final_games:
        net = read_net(folder / "points.npz")
        final_games = [*measure_all(net, settings.final_games, settings.threads)]
        (folder / "gates.json").write_text(json.dumps(final_games, indent=1) + "\n")


if __name__ == "__main__":
    main()
