"""Tuning a planner: a cross-entropy search over the weights of its potential.

    python -m pleasance.tuning.planner_weights sanssouci --rounds 40 --out tuned.json

Every round draws candidates around the best so far, lets each play the same games, and moves to the
mean of the few that did best. The file is written after every round, and the same command goes on
from it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pleasance.core.errors import BadSetupError
from pleasance.core.files import write_whole
from pleasance.games import find_game
from pleasance.i18n.catalog import load_words

Weights = NDArray[np.float64]

Trial = Callable[[Weights, int, str], float]
"""Plays so many games by some weights, and tells how well they did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one search depends on."""

    game: str
    seed: int = 1
    rounds: int = 40
    candidates: int = 48
    elite: int = 10
    games: int = 240
    """Games of each candidate in the first round; later rounds play up to five times as many."""

    spread: float = 0.2
    """How far the first candidates lie from the start, in each weight."""

    freshness: float = 0.06
    """How much of the first spread is added to every later one, less and less."""

    inertia: float = 0.3
    """How much of the old mean and spread stays from round to round."""


@dataclass(slots=True)
class Search:
    """How far a search has come."""

    done: int
    mean: Weights
    spread: Weights
    best: float = 0.0

    def step(self, settings: Settings, trial: Trial) -> None:
        """Play one round of candidates and move towards the best."""
        rng = np.random.default_rng((settings.seed, self.done))
        games = min(5 * settings.games, settings.games * (1 + self.done // 8))
        noise = rng.standard_normal((settings.candidates, *self.mean.shape))
        noise[0] = 0  # the mean itself takes part
        candidates = self.mean + self.spread * noise
        worth = [
            trial(candidate, games, f"{settings.seed}:{self.done}") for candidate in candidates
        ]
        elite = candidates[np.argsort(worth)[-settings.elite :]]
        keep = settings.inertia
        self.mean = keep * self.mean + (1 - keep) * elite.mean(axis=0)
        # A little spread that fades keeps the search from settling too early.
        fresh = settings.freshness * settings.spread / (1 + self.done / 10)
        self.spread = np.sqrt(keep * self.spread**2 + (1 - keep) * elite.var(axis=0)) + fresh
        self.best = float(np.sort(worth)[-settings.elite :].mean())
        self.done += 1


def begin(settings: Settings, start: Weights) -> Search:
    """Begin a search around the weights that a game has now."""
    return Search(0, start.copy(), np.full(start.shape, settings.spread))


def save(path: Path, settings: Settings, search: Search) -> None:
    """Write a search down, all of it or nothing."""
    found = {
        "settings": asdict(settings),
        "done": search.done,
        "best": search.best,
        "mean": search.mean.tolist(),
        "spread": search.spread.tolist(),
    }
    write_whole(path, json.dumps(found, indent=1) + "\n")


def load(path: Path, settings: Settings) -> Search:
    """Go on with a search; one with other settings is refused."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        same = {**found["settings"], "rounds": settings.rounds} == asdict(settings)
        mean, spread = np.array(found["mean"]), np.array(found["spread"])
        search = Search(int(found["done"]), mean, spread, float(found["best"]))
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{path} is no search; name another file.")
    if not same:
        sys.exit(f"{path} belongs to a search with other settings; name another file.")
    return search


def main(arguments: list[str] | None = None) -> None:
    """Search, and tell after every round how far it has come."""
    parser = argparse.ArgumentParser(
        prog="python -m pleasance.tuning.planner_weights", description=__doc__
    )
    parser.add_argument("game")
    parser.add_argument("--out", type=Path, required=True)
    for name in ("rounds", "candidates", "games", "seed"):
        parser.add_argument(f"--{name}", type=int)
    given = vars(parser.parse_args(arguments))
    path: Path = given.pop("out")
    settings = Settings(**{name: value for name, value in given.items() if value is not None})
    if min(settings.rounds, settings.candidates - settings.elite, settings.games - 7) < 1:
        sys.exit(f"Give at least 1 round, {settings.elite + 1} candidates and 8 games.")
    try:
        heuristics = find_game(settings.game).heuristics
    except BadSetupError as refusal:
        sys.exit(load_words("en").error(refusal))
    if heuristics is None or heuristics.trial is None or heuristics.weights is None:
        sys.exit(f"{settings.game} has no weights to tune.")
    search = load(path, settings) if path.exists() else begin(settings, heuristics.weights())
    while search.done < settings.rounds:
        search.step(settings, heuristics.trial)
        save(path, settings, search)
        sys.stdout.write(f"round {search.done} of {settings.rounds}: {search.best:.3f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
