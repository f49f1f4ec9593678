"""Training the network of Sanssouci: self-play, and what came of it.

    python -m pleasance.games.sanssouci.training.train --seconds 480 --threads 16 --out trained

Again and again the network plays some thousand games against itself on all threads, at tables of
all sizes and with all expansions, and is fitted to how many points each garden came to. While it is
fitted, the network of a moment ago already plays the next games. Where torch finds a GPU the
fitting is done there. The folder gets the weights, what made them, and the curve.
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

from pleasance.compiled.rng import make_luck
from pleasance.games.sanssouci.bots.network.accumulator import (
    NEXT_SHARES,
    SCALE,
    SHARES,
    Net,
    join_net,
    make_net,
    split_net,
)
from pleasance.games.sanssouci.bots.network.feature_index import WORDS, mirror_words
from pleasance.games.sanssouci.bots.network.model import make_bureau
from pleasance.games.sanssouci.bots.network.storage import read_net, write_net
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.packing import house_box
from pleasance.games.sanssouci.training.adam import Fit, load_torch
from pleasance.games.sanssouci.training.measure import TABLES, judge, measure
from pleasance.games.sanssouci.training.selfplay import (
    Notes,
    make_notes,
    play_games,
)
from pleasance.training.options import read_order


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one training run depends on."""

    seed: int = 1
    seconds: float = 60.0
    threads: int = 1
    games: int = 4000
    """Games of one iteration."""

    trust: float = 0.7
    """How much of a target is what came of it (lambda); the rest is what the network promised."""

    stray: int = 30
    """So many of a thousand turns are not the network's choice."""

    denial: float = 1.0
    """How much the rivals' points count against the own ones when a turn is chosen."""

    batch: int = 8192
    reuse: float = 10.0
    """How often each position is fitted."""

    replay: int = 20
    """So many of the last iterations are fitted."""

    rate: float = 2e-3
    """The first rate of learning; it falls to a thirtieth."""

    every: float = 45.0
    """Seconds between two measurements for the curve."""

    matches: int = 1500
    """Games of each measurement."""

    gates: int = 0
    """Games at each kind of table when all is done."""


@dataclass(slots=True)
class Crew:
    """Plays on all threads."""

    settings: Settings
    pool: ThreadPoolExecutor
    rounds: int = 0

    def play(self, net: Net) -> tuple[Any, Any, float]:
        """Play an iteration: words `[note, place]`, targets, mean points of two."""
        settings = self.settings
        size = max(1, min(32, settings.games // (len(TABLES) * settings.threads)))
        chunks = max(1, settings.games // (len(TABLES) * size))
        self.rounds += 1
        jobs = [
            (
                seats,
                options,
                size,
                f"{settings.seed}:{self.rounds}:{chunk}:{seats}:{options}:{place}",
            )
            for chunk in range(chunks)
            for place, (seats, options) in enumerate(TABLES)
        ]
        found = list(self.pool.map(lambda job: self._play_chunk(net, job), jobs))
        words = np.concatenate([notes.words[:count] for notes, count in found])
        targets = np.concatenate([notes.targets[:count] for notes, count in found])
        base = [
            notes.points for (notes, _), job in zip(found, jobs, strict=True) if job[:2] == (2, ())
        ]
        points = np.sum(base, axis=0)
        return words, targets / np.float32(SCALE), float(points[0] / points[1])

    def _play_chunk(
        self, net: Net, job: tuple[int, tuple[str, ...], int, str]
    ) -> tuple[Notes, int]:
        seats, options, games, seed = job
        settings, notes = self.settings, make_notes(games)
        state, points = np.zeros(at.SIZE, dtype=np.int64), np.zeros(4, dtype=np.int64)
        count = play_games(
            house_box(options),
            seats,
            make_bureau(net),
            notes,
            games,
            make_luck(seed),
            settings.denial,
            settings.trust,
            settings.stray,
            state,
            points,
        )
        return notes, count


def rate_at(settings: Settings, part: float) -> float:
    """Tell the rate of learning when this part of the time is over."""
    return float(settings.rate * 30 ** -max(0.0, (part - 0.35) / 0.65))


def fit_some(
    fit: Fit, store: list[tuple[Any, Any]], settings: Settings, *, steps: int, rate: float
) -> float:
    """Fit the network to what the last iterations have shown; tell the error in points."""
    rng = np.random.default_rng((settings.seed, fit.steps))
    mirrored = fit.move(mirror_words())
    error: Any = 0.0
    for _ in range(steps):
        words, targets = store[int(rng.integers(len(store)))]
        pick = fit.move(rng.integers(len(targets), size=settings.batch))
        rows = words[pick].long() if fit.torch is not None else words[pick].astype(np.int64)
        if fit.steps % 2:
            rows = mirrored[rows]
        error = 0.98 * error + 0.02 * fit.step(fit.count_words(rows, WORDS), targets[pick], rate)
    mean = float(error) / max(1 - 0.98**steps, 1e-9)
    return float(mean**0.5 * SCALE)


def train(
    settings: Settings, net: Net, folder: Path, *, is_fresh: bool = True
) -> Iterator[dict[str, Any]]:
    """Train and write down; tell after each measurement how it goes."""
    fit = Fit(split_net(net), load_torch(), is_fresh=is_fresh)
    store: list[tuple[Any, Any]] = []
    with ThreadPoolExecutor(settings.threads) as pool, ThreadPoolExecutor(1) as lead:
        crew = Crew(settings, pool)
        began = perf_counter()
        spent, measured, games = 0.0, 0.0, 0
        ahead = lead.submit(crew.play, net)
        while spent < settings.seconds:
            words, targets, points = ahead.result()
            ahead = lead.submit(crew.play, net)
            games += settings.games
            store = [*store[-settings.replay + 1 :], (fit.move(words), fit.move(targets))]
            steps = max(1, int(settings.reuse * len(targets) / settings.batch))
            rate = rate_at(settings, spent / settings.seconds)
            error = fit_some(fit, store, settings, steps=steps, rate=rate)
            net = join_net(fit.take_out())
            spent = perf_counter() - began
            if spent - measured >= settings.every or spent >= settings.seconds:
                measured = spent
                save(folder, net, settings)
                yield {
                    "seconds": round(spent, 1),
                    "games": games,
                    "steps": fit.steps,
                    "error": round(error, 3),
                    "mirror": round(points, 2),
                    **tell(pool, net, settings),
                }


def tell(pool: ThreadPoolExecutor, net: Net, settings: Settings) -> dict[str, float]:
    """Measure a network against the planner, for the curve."""
    share, spread, mine, rest = measure(
        pool, (net, net), games=settings.matches, threads=settings.threads
    )
    return {
        "share": round(share, 4),
        "spread": round(spread, 4),
        "points": round(mine, 2),
        "others": round(rest, 2),
    }


def save(folder: Path, net: Net, settings: Settings) -> None:
    """Write the weights down."""
    folder.mkdir(parents=True, exist_ok=True)
    write_net(folder / "points.npz", net)
    (folder / "settings.json").write_text(json.dumps(asdict(settings), indent=1) + "\n")


def main(arguments: list[str] | None = None) -> None:
    """Train, and say how it goes."""
    settings, (folder, begin) = read_order(Settings(), arguments)
    net = make_net(np.random.default_rng(settings.seed))
    if begin is not None:
        net = read_net(begin)
        net.tail[SHARES : SHARES + len(NEXT_SHARES)] = NEXT_SHARES  # one of before has none
    curve = []
    for line in train(settings, net, folder, is_fresh=begin is None):
        curve.append(line)
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
        (folder / "curve.json").write_text(json.dumps(curve, indent=1) + "\n")
    if settings.gates:
        net = read_net(folder / "points.npz")
        gates = [*judge(net, settings.gates, settings.threads)]
        (folder / "gates.json").write_text(json.dumps(gates, indent=1) + "\n")


if __name__ == "__main__":
    main()
