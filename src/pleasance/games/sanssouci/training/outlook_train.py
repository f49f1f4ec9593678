"""Training the network of Sanssouci's outlook: what becomes of gardens.

    python -m pleasance.games.sanssouci.training.outlook_train --seconds 2400 --out trained

The network that chooses turns plays against itself at all kinds of tables; the network of the
outlook is fitted to where the nobles ended, which rows and columns were complete, how many points
came, and which missions it was all for. The folder gets the weights and what made them.
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

from pleasance.compiled.rng import make_luck
from pleasance.games.sanssouci.bots.network.model import make_bureau
from pleasance.games.sanssouci.bots.network.player import load_net
from pleasance.games.sanssouci.bots.outlook.feature_index import mirror_told
from pleasance.games.sanssouci.bots.outlook.model import (
    Layers,
    make_layers,
    read_layers,
    write_layers,
)
from pleasance.games.sanssouci.kernel.packing import house_box
from pleasance.games.sanssouci.training.outlook_fit import Learner, Store, join_stores
from pleasance.games.sanssouci.training.outlook_selfplay import (
    WILD,
    Ledger,
    make_ledger,
    play_and_note,
)
from pleasance.training.options import read_order

TABLES = tuple(
    (seats, options)
    for seats in (2, 3, 4)
    for options in ((), (), ("rewards",), ("boars",), ("rewards", "boars"))
)
"""The tables that games are played at, in equal parts; those without expansions twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one training run depends on."""

    seed: int = 1
    seconds: float = 60.0
    threads: int = 1
    games: int = 300
    """Games of one round."""

    wild: int = WILD
    """So many of a thousand games begin with turns that are not the network's choice."""

    batch: int = 1024
    reuse: float = 1.5
    """How often each garden is fitted."""

    replay: int = 8
    """The gardens of so many rounds are fitted."""

    rate: float = 2e-3
    """The first rate of learning; it falls to a fiftieth."""


def play(settings: Settings, pool: ThreadPoolExecutor, games: int, seed: str) -> Store:
    """Play so many games, in equal parts at all kinds of tables, and note what became of them."""
    net = load_net()

    def play_some(place: int) -> tuple[Ledger, int]:
        seats, options = TABLES[place]
        some = games // len(TABLES) + (place < games % len(TABLES))
        ledger = make_ledger(some)
        luck = make_luck(f"{seed}:{place}")
        box, bureau = house_box(options), make_bureau(net)
        return ledger, play_and_note(box, seats, bureau, ledger, some, luck, settings.wild)

    return join_stores(list(pool.map(play_some, range(len(TABLES)))))


def rate_at(settings: Settings, part: float) -> float:
    """Tell the rate of learning when this part of the time is over."""
    return float(settings.rate * 50 ** -max(0.0, (part - 0.3) / 0.7))


def fit_some(
    learner: Learner, stores: list[Store], settings: Settings, *, steps: int, rate: float
) -> dict[str, float]:
    """Fit the network to what the last rounds have shown; tell the mean loss of each answer."""
    rng = np.random.default_rng((settings.seed, learner.steps))
    mirrored = mirror_told()
    total: dict[str, float] = {}
    for _ in range(steps):
        store = stores[int(rng.integers(len(stores)))]
        batch = store.pick(rng.integers(len(store.outcomes.points), size=settings.batch))
        if learner.steps % 2:
            glance = batch.glance._replace(told=mirrored[batch.glance.told])
            batch = batch._replace(glance=glance)
        for name, loss in learner.step(batch, rate).items():
            total[name] = total.get(name, 0.0) + float(loss) / steps
    return total


def train(
    settings: Settings, folder: Path, start: Layers | None = None
) -> Iterator[dict[str, Any]]:
    """Train, from weights that are known or from luck, and write down; tell how each round goes."""
    rng = np.random.default_rng(settings.seed)
    learner = Learner(make_layers(rng) if start is None else start, is_fresh=start is None)
    stores: list[Store] = []
    began, spent, rounds, gardens = perf_counter(), 0.0, 0, 0
    with ThreadPoolExecutor(settings.threads) as pool:
        while spent < settings.seconds:
            rounds += 1
            seed = f"outlook:{settings.seed}:{rounds}"
            store = play(settings, pool, settings.games, seed)
            stores = [*stores[-settings.replay + 1 :], store]
            count = len(store.outcomes.points)
            gardens += count
            steps = max(1, int(settings.reuse * count / settings.batch))
            rate = rate_at(settings, spent / settings.seconds)
            losses = fit_some(learner, stores, settings, steps=steps, rate=rate)
            spent = perf_counter() - began
            yield {
                "seconds": round(spent, 1),
                "games": rounds * settings.games,
                "gardens": gardens,
                "steps": learner.steps,
                **{name: round(loss, 4) for name, loss in losses.items()},
            }
    save(folder, learner.take_out())


def save(folder: Path, layers: Layers) -> None:
    """Write the weights down."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / "outlook.npz", **write_layers(layers))


def main(arguments: list[str] | None = None) -> None:
    """Train, and say how it goes."""
    settings, (folder, begin) = read_order(Settings(), arguments)
    start = None if begin is None else read_layers(np.load(begin))
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
