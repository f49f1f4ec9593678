"""Learns the values of choices from games against itself (Monte Carlo control)."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from random import Random

from pleasance.core.files import write_atomically
from pleasance.core.game import Choose, Draw, Over, Seat

from ..bots.learned import FILE, learned_values, situation
from ..rules.actions import Action
from ..rules.components import Box, read_box
from ..rules.rules import chances, legal, play, reveal, start, turn
from ..rules.scoring import scores
from ..rules.state import State
from ..rules.view import view

PACKAGE = __name__.rpartition(".training.")[0]


class Learner:
    """The mean lead of each choice so far."""

    def __init__(self, rng: Random, epsilon: float) -> None:
        self.rng = rng
        self.epsilon = epsilon
        self.table: dict[str, float] = {}
        self.counts: defaultdict[str, int] = defaultdict(int)

    def choose(self, state: State, seat: Seat) -> tuple[str, Action]:
        """Choose the best action so far, or sometimes any; return its entry, too."""
        seen, actions = view(state, seat), legal(state, seat)
        action = self.rng.choice(actions)
        if self.rng.random() >= self.epsilon:
            values = learned_values(seen, self.rng, table=self.table)
            action = max(actions, key=values.__getitem__)
        return situation(seen, action), action

    def play_game(self, box: Box, seats: int) -> None:
        """Play one game of all seats, and learn from how it ended."""
        state, made = start(box, seats), list[tuple[Seat, str]]()
        while not isinstance(now := turn(state), Over):
            match now:
                case Draw():
                    outcomes, weights = zip(*chances(state), strict=True)
                    state = reveal(state, self.rng.choices(outcomes, weights)[0])
                case Choose(choosers):
                    chosen = [self.choose(state, seat) for seat in choosers]
                    made += [
                        (seat, entry) for seat, (entry, _) in zip(choosers, chosen, strict=True)
                    ]
                    state = play(state, [action for _, action in chosen])
        points = scores(state)
        for seat, entry in made:
            rivals = max(points[:seat] + points[seat + 1 :])
            self.learn(entry, points[seat] - rivals)

    def learn(self, entry: str, lead: float) -> None:
        """Add one result to the mean of an entry."""
        self.counts[entry] += 1
        mean = self.table.get(entry, 0.0)
        self.table[entry] = mean + (lead - mean) / self.counts[entry]


def main(arguments: list[str]) -> None:
    """Play, learn, and write the table."""
    parser = argparse.ArgumentParser(prog="pleasance train pond")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epsilon", type=float, default=0.2)
    given = parser.parse_args(arguments)
    learner = Learner(Random(given.seed), given.epsilon)
    box = read_box((), None, PACKAGE)
    for number in range(given.games):
        learner.play_game(box, 2 + number % 2)
    given.out.mkdir(parents=True, exist_ok=True)
    write_atomically(given.out / FILE, json.dumps(learner.table, indent=1) + "\n")
