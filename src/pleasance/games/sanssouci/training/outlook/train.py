"""Training of the outlook network by self-play with a replay buffer.

    python -m pleasance.games.sanssouci.training.outlook.train --seconds 2400 --out trained

The value network plays against itself at all kinds of tables; the outlook network is fitted to the
final rows of the nobles, complete rows and columns, points, and missions. The output folder gets
the weights and their settings.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pleasance.games.sanssouci.bots.network.storage import load_net
from pleasance.games.sanssouci.bots.network.workspace import make_net_workspace
from pleasance.games.sanssouci.bots.outlook.feature_index import mirror_garden_features
from pleasance.games.sanssouci.bots.outlook.model import (
    Layers,
    make_layers,
    read_layers,
    write_layers,
)
from pleasance.games.sanssouci.kernel.packing import house_constants
from pleasance.games.sanssouci.training.outlook.dataset import (
    OutlookDataset,
    Recorder,
    join_datasets,
    make_recorder,
)
from pleasance.games.sanssouci.training.outlook.fit import Learner
from pleasance.games.sanssouci.training.outlook.selfplay import RANDOM_OPENING_PERMILLE, play_games
from pleasance.training.options import parse_arguments

TABLES = tuple(
    (seats, options)
    for seats in (2, 3, 4)
    for options in ((), (), ("rewards",), ("boars",), ("rewards", "boars"))
)
"""The tables of self-play, in equal parts; those without expansions count twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlookSettings:
    """The settings of a training run."""

    seed: int = 1
    seconds: float = 60.0
    threads: int = 1
    games: int = 300
    """Games of one round."""

    random_opening_permille: int = RANDOM_OPENING_PERMILLE
    """Games in a thousand with a random opening."""

    batch_size: int = 1024
    passes: float = 1.5
    """Number of times that each garden is fitted."""

    replay_iterations: int = 8
    """Number of rounds in the replay buffer."""

    learning_rate: float = 2e-3
    """The initial learning rate; it decays to a fiftieth."""


def play(
    settings: OutlookSettings, pool: ThreadPoolExecutor, games: int, seed: str
) -> OutlookDataset:
    """Play *games* self-play games, in equal parts at all kinds of tables."""
    net = load_net()

    def play_table(table: int) -> Recorder:
        seats, options = TABLES[table]
        count = games // len(TABLES) + (table < games % len(TABLES))
        recorder = make_recorder(count, f"{seed}:{table}")
        workspace = make_net_workspace(net, house_constants(options))
        opening = settings.random_opening_permille
        play_games(seats, workspace, recorder, count, opening)
        return recorder

    return join_datasets(list(pool.map(play_table, range(len(TABLES)))))


def learning_rate_at(settings: OutlookSettings, part: float) -> float:
    """Decay the learning rate by the part of the time that is over."""
    return float(settings.learning_rate * 50 ** -max(0.0, (part - 0.3) / 0.7))


def fit_batches(
    learner: Learner,
    replay_buffer: list[OutlookDataset],
    settings: OutlookSettings,
    *,
    steps: int,
    learning_rate: float,
) -> dict[str, float]:
    """Fit the network to batches of the replay buffer; return the mean loss of each output."""
    rng = np.random.default_rng((settings.seed, learner.steps))
    mirrored = mirror_garden_features()
    total: dict[str, float] = {}
    for _ in range(steps):
        dataset = replay_buffer[int(rng.integers(len(replay_buffer)))]
        batch = dataset.pick(rng.integers(len(dataset.outcomes.points), size=settings.batch_size))
        if learner.steps % 2:
            features = batch.features._replace(
                garden_features=mirrored[batch.features.garden_features]
            )
            batch = batch._replace(features=features)
        for name, loss in learner.step(batch, learning_rate).items():
            total[name] = total.get(name, 0.0) + float(loss) / steps
    return total


def train(
    settings: OutlookSettings, folder: Path, start: Layers | None = None
) -> Iterator[dict[str, Any]]:
    """Train from given or random weights and save them; yield the losses of each round."""
    rng = np.random.default_rng(settings.seed)
    learner = Learner(make_layers(rng) if start is None else start, is_fresh=start is None)
    replay_buffer: list[OutlookDataset] = []
    began, spent, rounds, gardens = perf_counter(), 0.0, 0, 0
    with ThreadPoolExecutor(settings.threads) as pool:
        while spent < settings.seconds:
            rounds += 1
            seed = f"outlook:{settings.seed}:{rounds}"
            dataset = play(settings, pool, settings.games, seed)
            replay_buffer = [*replay_buffer[-settings.replay_iterations + 1 :], dataset]
            count = len(dataset.outcomes.points)
            gardens += count
            steps = max(1, int(settings.passes * count / settings.batch_size))
            learning_rate = learning_rate_at(settings, spent / settings.seconds)
            losses = fit_batches(
                learner, replay_buffer, settings, steps=steps, learning_rate=learning_rate
            )
            spent = perf_counter() - began
            yield {
                "seconds": round(spent, 1),
                "games": rounds * settings.games,
                "gardens": gardens,
                "steps": learner.steps,
                **{name: round(loss, 4) for name, loss in losses.items()},
            }
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / "outlook.npz", **write_layers(learner.averaged_weights()))


def main(arguments: list[str] | None = None) -> None:
    """Train, and print the losses."""
    settings, (folder, initial) = parse_arguments(OutlookSettings(), arguments)
    start = None if initial is None else read_layers(np.load(initial))
    curve = []
    for line in train(settings, folder, start):
        curve.append(line)
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    digest = hashlib.sha256((folder / "outlook.npz").read_bytes()).hexdigest()
    report = {"settings": asdict(settings), "sha256": digest, "curve": curve}
    (folder / "outlook.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
