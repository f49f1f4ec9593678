"""Training the networks of Sakura by playing against themselves and simpler players.

    python -m pleasance.games.sakura.training.train --out folder --seconds 60

Each turn of the loop plays games by one round of foresight with the networks so far, while they
are fitted to the games before: the value network to who won, softened by what was foretold on the
way, and the policy network to the cards that were played. The folder holds the networks, the
settings and the learning curve; it is written every few turns.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pleasance.core.files import write_whole
from pleasance.games.sakura.bots.network.features import FACTS
from pleasance.games.sakura.bots.network.model import VALUE
from pleasance.games.sakura.bots.network.storage import (
    CARD_TRAITS,
    Layers,
    bind_policy,
    bind_value,
    describe_cards,
    read_layers,
    write_layers,
)
from pleasance.games.sakura.rules.components import open_box
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.training.fit import Batch, Learner, fit_policy, fit_value, make_layers
from pleasance.games.sakura.training.measure import Wins, measure
from pleasance.games.sakura.training.selfplay import PLANNER, RANDOM, Manner
from pleasance.games.sakura.training.selfplay_pool import (
    Crew,
    Hall,
    Part,
    rows_for,
    seat_pairs,
    seat_players,
    seat_simple,
)
from pleasance.training.arrays import Arrays, make_arrays

PACKAGE = "pleasance.games.sakura"
_WORLDS, _LAST_WORLDS = 32, (16, 128)
"""Worlds imagined for each decision when strength is measured: on the way, and at the end."""

_KNOWS_HAND = 4
"""The place of the fact that a seat knows its hand."""

_VERSIONS, _FROZEN = 4, 1
"""So many versions of the networks play; where one is frozen, this is its number."""

_SIMPLE_TURNS = 2
"""In the first turns only simpler players play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one training run depends on."""

    seed: int = 1
    seconds: float = 60.0
    """So long it goes on; then the turn under way is finished."""

    turns: int = 1
    """There are at least so many turns, however long they take."""

    device: str = "cpu"
    """Where networks are fitted: `cpu`, or `cuda` with PyTorch."""

    threads: int = 1
    games: int = 400
    """Games in each turn."""

    worlds: int = 16
    """Worlds imagined for each decision."""

    heat: float = 0.015
    whim: float = 0.03
    patience: float = 0.85
    batch: int = 8192
    steps: int = 200
    """Steps of each network in each turn."""

    rate: float = 2e-3
    """How long the steps are at first; at the end a twentieth of it."""

    memory: int = 10
    """So many turns are learned from, the newest ones."""

    average: float = 0.998
    hidden: float = 0.1
    """How many ends of rounds are learned without knowing the hand."""

    check_every: int = 10
    check_games: int = 240
    last_games: int = 240
    """Games at each table when all is done, with several numbers of worlds."""

    start: str = ""
    """A folder with networks to begin from."""

    frozen: str = ""
    """A folder with networks to find the best response to, at tables for two."""


class Training:
    """A run: networks, memory and what was measured."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rng = np.random.default_rng(settings.seed)
        boxes = [open_box(PACKAGE, options, None) for options in ((), (TACTICAL,))]
        self.traits = describe_cards(boxes[0])
        self.arrays: Arrays = make_arrays(settings.device)
        self.far_traits = self.arrays.put(self.traits)
        self.hall = Hall(boxes, settings.threads, rows_for(settings.games, settings.threads))
        layers = self._begin()
        self.value = Learner(self.arrays, layers[0], settings.average)
        self.policy = Learner(self.arrays, layers[1], settings.average)
        self.memory: deque[tuple[Batch, Batch]] = deque(maxlen=settings.memory)
        first = _read(Path(settings.frozen)) if settings.frozen else layers
        value, policy = bind_value(first[0], self.traits), bind_policy(first[1], self.traits)
        self.crew = Crew(np.stack([value] * _VERSIONS), np.stack([policy] * _VERSIONS))
        self.curve: list[dict[str, Any]] = []
        self.turn, self.games, self.begun = 0, 0, perf_counter()

    def _begin(self) -> tuple[Layers, Layers]:
        """Begin with networks that know nothing, or with those of a folder."""
        if self.settings.start:
            return _read(Path(self.settings.start))
        value = make_layers(self.rng, VALUE.out, is_value=True)
        return value, make_layers(self.rng, 2 * CARD_TRAITS, is_value=False)

    def _bind(self, layers: tuple[Layers, Layers]) -> Crew:
        """Make the newest version of the crew, and keep three older ones."""
        value, policy = bind_value(layers[0], self.traits), bind_policy(layers[1], self.traits)
        values, policies = self.crew.values.copy(), self.crew.policies.copy()
        if self.turn % self.settings.check_every == 0 and not self.settings.frozen:
            values[1:], policies[1:] = values[:-1].copy(), policies[:-1].copy()
        values[0], policies[0] = value, policy
        return Crew(values, policies)

    @property
    def spent(self) -> float:
        """Tell how much of the time is spent, from 0 to 1."""
        return min(1.0, (perf_counter() - self.begun) / self.settings.seconds)

    def play(self) -> tuple[Batch, Batch]:
        """Play the games of one turn."""
        settings = self.settings
        rng = np.random.default_rng((settings.seed, self.turn))
        if settings.frozen:
            tables = seat_pairs(rng, settings.games, _FROZEN)
        elif self.turn < _SIMPLE_TURNS and not settings.start:
            tables = seat_simple(rng, settings.games)
        else:
            tables = seat_players(rng, settings.games, _VERSIONS)
        manner = Manner(settings.worlds, settings.heat, settings.whim, settings.patience)
        parts = self.hall.play(tables, self.crew, manner, f"{settings.seed}:{self.turn}")
        self.games += sum(len(part.won) for part in parts)
        return self._gather(parts, 0, rng), self._gather(parts, 1, rng)

    def _gather(self, parts: list[Part], which: int, rng: np.random.Generator) -> Batch:
        """Bring the rows of all threads to where the networks are."""
        cut = [((part.ends, part.choices)[which], int(part.counts[which])) for part in parts]
        kinds = np.concatenate([rows.kinds[:count] for rows, count in cut])
        teaches = self._teaches(kinds, which)

        def join(name: str) -> Any:
            return np.concatenate([getattr(rows, name)[:count] for rows, count in cut])[teaches]

        facts, hands = join("facts").astype(np.int64), join("hands")
        if which == 0:
            hidden = rng.random(len(hands)) < self.settings.hidden
            facts[hidden, _KNOWS_HAND], hands[hidden] = FACTS, 0
        put = self.arrays.put
        return Batch(
            put(facts), put(hands), put(join("unseen")), put(join("goals")), put(join("cards"))
        )

    def _teaches(self, kinds: NDArray[np.int64], which: int) -> NDArray[np.bool_]:
        """Tell which rows are learned: how networks fare, and what everybody plays."""
        least, most = 0, _VERSIONS
        if self.settings.frozen:
            least = most = _FROZEN if which else 0
        elif which:
            least = RANDOM
        elif self.turn < _SIMPLE_TURNS and not self.settings.start:
            least = PLANNER
        return (kinds >= least) & (kinds <= most)

    def fit(self) -> tuple[float, float]:
        """Fit both networks to the memory; tell how wrong they were."""
        settings, wrong = self.settings, [0.0, 0.0]
        rate = settings.rate * 0.05**self.spent
        fits = ((self.value, fit_value), (self.policy, fit_policy))
        for _ in range(settings.steps):
            for which, (learner, step) in enumerate(fits):
                rows = self.memory[self.rng.integers(len(self.memory))][which]
                count = len(rows.hands)
                picked = self.rng.integers(0, count, min(settings.batch, count))
                batch = rows.pick(self.arrays.put(picked))
                wrong[which] = step(learner, batch, self.far_traits, rate)
        return float(wrong[0]), float(wrong[1])

    def run_turn(self, helper: ThreadPoolExecutor) -> None:
        """Play and fit at the same time; the new networks play in the next turn."""
        clock = perf_counter()
        games = helper.submit(self.play)
        wrong = self.fit() if self.memory else (0.0, 0.0)
        fitted = perf_counter() - clock
        self.memory.append(games.result())
        self.turn += 1
        if self.turn > 1:
            self.crew = self._bind((self.value.smooth(), self.policy.smooth()))
        note = {
            "turn": self.turn,
            "games": self.games,
            "seconds": round(perf_counter() - self.begun, 1),
            "fit_seconds": round(fitted, 2),
            "turn_seconds": round(perf_counter() - clock, 2),
            "rows": len(self.memory[-1][0].hands),
            "wrong": [round(number, 4) for number in wrong],
        }
        self.curve.append(note)
        if self.turn % self.settings.check_every == 0:
            note["wins"] = self.check(self.settings.check_games, _WORLDS)
        _tell(note)

    def check(self, games: int, worlds: int) -> Wins:
        """Measure what one network wins among simpler players, or against the frozen one."""
        frozen = _FROZEN if self.settings.frozen else None
        return measure(self.hall, self.crew, games, worlds=worlds, frozen=frozen)

    def save(self, folder: Path) -> None:
        """Write networks, settings and curve, each whole or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "value.npz").write_bytes(write_layers(self.value.smooth()))
        (folder / "policy.npz").write_bytes(write_layers(self.policy.smooth()))
        report = {"settings": asdict(self.settings), "curve": self.curve}
        write_whole(folder / "training.json", json.dumps(report) + "\n")


def _read(folder: Path) -> tuple[Layers, Layers]:
    """Read both networks of a folder."""
    value = read_layers((folder / "value.npz").read_bytes())
    return value, read_layers((folder / "policy.npz").read_bytes())


def _tell(note: dict[str, Any]) -> None:
    """Print a line about a turn."""
    sys.stdout.write(json.dumps(note) + "\n")
    sys.stdout.flush()


def train(settings: Settings, folder: Path) -> Training:
    """Train until the time is up."""
    training = Training(settings)
    with ThreadPoolExecutor(1) as helper:
        while training.spent < 1 or training.turn < settings.turns:
            training.run_turn(helper)
            if training.turn % settings.check_every == 0:
                training.save(folder)
    training.save(folder)
    for worlds in _LAST_WORLDS:
        wins = training.check(settings.last_games, worlds)
        note = {"games": training.games, "worlds": worlds, "wins": wins}
        training.curve.append(note)
        _tell(note)
    training.save(folder)
    return training


def main(arguments: list[str] | None = None) -> None:
    """Train, and tell after every turn how far it has come."""
    parser = argparse.ArgumentParser(prog="python -m pleasance.games.sakura.training.train")
    parser.add_argument("--out", type=Path, required=True)
    for name, value in asdict(Settings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    given = vars(parser.parse_args(arguments))
    folder = given.pop("out")
    train(Settings(**given), folder)


if __name__ == "__main__":
    main()
