"""Tunes planner weights by the cross-entropy method.

    python -m pleasance.tuning.planner_weights sanssouci --rounds 40 --out tuned.json

Each round samples candidates around the mean, scores them over the same games and moves to the mean
of the elite. The file is written after every round; the same command resumes from it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from pleasance.core.errors import BadSetupError, extra_needed
from pleasance.core.files import write_atomically
from pleasance.games import find_game
from pleasance.i18n.catalog import load_messages

try:
    with extra_needed("numpy"):
        import numpy as np
        from numpy.typing import NDArray
except BadSetupError as refusal:
    if __name__ != "__main__":
        raise
    sys.stderr.write(load_messages("en").error(refusal) + "\n")
    sys.exit(2)

Weights = NDArray[np.float64]

ScoreFunction = Callable[[Weights, int, str], float]
"""Scores weights over a number of games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSettings:
    """The settings of one search."""

    game: str
    seed: int = 1
    rounds: int = 40
    candidates: int = 48
    elite: int = 10
    games: int = 240
    """The games of a candidate in the first round; later rounds play up to five times as many."""

    spread: float = 0.2
    """The standard deviation of the first candidates, in each weight."""

    noise_share: float = 0.06
    """The part of the first deviation added in later rounds, decreasing."""

    smoothing: float = 0.3
    """The part of the old mean and deviation kept in each round."""


@dataclass(slots=True)
class WeightSearch:
    """The state of a search."""

    done: int
    mean: Weights
    spread: Weights
    best: float = 0.0

    def step(self, settings: TuningSettings, score: ScoreFunction) -> None:
        """Score one round of candidates and move to the mean of the elite."""
        rng = np.random.default_rng((settings.seed, self.done))
        games = min(5 * settings.games, settings.games * (1 + self.done // 8))
        noise = rng.standard_normal((settings.candidates, *self.mean.shape))
        noise[0] = 0  # the mean itself takes part
        candidates = self.mean + self.spread * noise
        label = f"{settings.seed}:{self.done}"
        scores = [score(candidate, games, label) for candidate in candidates]
        elite = candidates[np.argsort(scores)[-settings.elite :]]
        keep = settings.smoothing
        self.mean = keep * self.mean + (1 - keep) * elite.mean(axis=0)
        # Added noise that fades prevents premature convergence.
        extra = settings.noise_share * settings.spread / (1 + self.done / 10)
        self.spread = np.sqrt(keep * self.spread**2 + (1 - keep) * elite.var(axis=0)) + extra
        self.best = float(np.sort(scores)[-settings.elite :].mean())
        self.done += 1


def begin(settings: TuningSettings, start: Weights) -> WeightSearch:
    """Start a search at the current weights of a game."""
    return WeightSearch(0, start.copy(), np.full(start.shape, settings.spread))


def save(path: Path, settings: TuningSettings, search: WeightSearch) -> None:
    """Save a search atomically."""
    state = {
        "settings": asdict(settings),
        "done": search.done,
        "best": search.best,
        "mean": search.mean.tolist(),
        "spread": search.spread.tolist(),
    }
    write_atomically(path, json.dumps(state, indent=1) + "\n")


def load(path: Path, settings: TuningSettings) -> WeightSearch:
    """Load a search; refuse one with other settings."""
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        same = {**state["settings"], "rounds": settings.rounds} == asdict(settings)
        mean, spread = np.array(state["mean"]), np.array(state["spread"])
        search = WeightSearch(int(state["done"]), mean, spread, float(state["best"]))
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{path} is no search; name another file.")
    if not same:
        sys.exit(f"{path} belongs to a search with other settings; name another file.")
    return search


def main(arguments: list[str] | None = None) -> None:
    """Search and report every round."""
    parser = argparse.ArgumentParser(
        prog="python -m pleasance.tuning.planner_weights", description=__doc__
    )
    parser.add_argument("game")
    parser.add_argument("--out", type=Path, required=True)
    for name in ("rounds", "candidates", "games", "seed"):
        parser.add_argument(f"--{name}", type=int)
    given = vars(parser.parse_args(arguments))
    path: Path = given.pop("out")
    settings = TuningSettings(**{name: value for name, value in given.items() if value is not None})
    if min(settings.rounds, settings.candidates - settings.elite, settings.games - 7) < 1:
        sys.exit(f"Give at least 1 round, {settings.elite + 1} candidates and 8 games.")
    try:
        heuristics = find_game(settings.game).heuristics
    except BadSetupError as refusal:
        sys.exit(load_messages("en").error(refusal))
    if heuristics is None or heuristics.tuning_score is None or heuristics.planner_weights is None:
        sys.exit(f"{settings.game} has no weights to tune.")
    if path.exists():
        search = load(path, settings)
    else:
        search = begin(settings, np.array(heuristics.planner_weights()))
    while search.done < settings.rounds:
        search.step(settings, heuristics.tuning_score)
        save(path, settings, search)
        sys.stdout.write(f"round {search.done} of {settings.rounds}: {search.best:.3f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
