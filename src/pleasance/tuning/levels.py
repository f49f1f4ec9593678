"""Fits the softmax temperature of each level of a game to its defined mean loss.

    python -m pleasance.tuning.levels sanssouci --out levels.toml

Players of all levels meet in every configuration of the game. At some of their decisions the judge,
`master` with more simulations, values each choice, which gives the expected loss of every level
there. Bisection finds the temperature at which the mean loss of a level is the defined one. The
result is the `levels.toml` of the game.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any, NamedTuple

from pleasance.core.budget import SearchBudget
from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, AnyView, Choose, Draw, Heuristics, configurations
from pleasance.core.levels import Level
from pleasance.games import find_game
from pleasance.i18n.catalog import load_messages
from pleasance.players.levels import ActionValues, action_values, choice_likelihoods

_UNTRIED_MARGIN = 1e-5
"""A search values untried choices this little below its best; the network's loss counts instead."""

_BISECTION_STEPS = 40
"""The number of bisection steps for a temperature."""

_MIN_TEMPERATURE, _MAX_TEMPERATURE = 1e-6, 1e3

_MIN_DECISIONS = 2
"""The least number of decisions for a standard error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The settings of a calibration."""

    game: str
    seed: int = 1
    games: int = 2
    """The number of games in each configuration."""

    every: int = 3
    """One decision in *every* is judged."""

    judge: int = 600
    """The simulations of the judge for one decision."""


class Decision(NamedTuple):
    """One judged decision: the loss of each choice and the values of every level."""

    losses: tuple[float, ...]
    values: dict[str, ActionValues]


class FittedLevel(NamedTuple):
    """A level with its fitted temperature and its mean loss."""

    level: Level
    mean: float
    error: float
    """The standard error of the mean loss."""


def judge_decision(
    heuristics: Heuristics[Any, Any], view: AnyView[Any], rng: Random, judge: int
) -> Decision:
    """Judge the choices of a view by a long search, and evaluate them for every level."""
    assert heuristics.search_values is not None, "a game with levels has a search"
    rated = {level.name: action_values(level, heuristics, view, rng) for level in heuristics.levels}
    judged = heuristics.search_values(view, rng, SearchBudget(simulations=judge))
    network = next(iter(rated.values())).network
    best, network_best = max(judged.values()), max(network)
    losses = [best - judged[choice] for choice in view.legal]
    for place, loss in enumerate(losses):
        if 0 < loss < _UNTRIED_MARGIN:
            losses[place] = network_best - network[place]
    return Decision(tuple(losses), rated)


def expected_loss(decision: Decision, level: Level) -> float:
    """Compute the mean loss of a level at one decision."""
    weights = choice_likelihoods(level, decision.values[level.name])
    parts = zip(weights, decision.losses, strict=True)
    return sum(part * loss for part, loss in parts) / sum(weights)


def fit_level(judged: Sequence[Decision], level: Level) -> FittedLevel:
    """Find the temperature at which the mean loss of a level is the defined one."""
    low, high = _MIN_TEMPERATURE, _MAX_TEMPERATURE
    for _ in range(_BISECTION_STEPS):
        middle = sqrt(low * high)
        tried = level._replace(temperature=middle)
        if fmean(expected_loss(decision, tried) for decision in judged) < level.loss:
            low = middle
        else:
            high = middle
    found = level._replace(temperature=float(f"{sqrt(low * high):.3g}"))
    losses = [expected_loss(decision, found) for decision in judged]
    return FittedLevel(found, fmean(losses), stdev(losses) / sqrt(len(losses)))


def collect_decisions(settings: Calibration) -> Iterator[Decision]:
    """Play levels against each other in every configuration; judge some of their decisions."""
    for game, seats in configurations(find_game(settings.game)):
        for number in range(settings.games):
            label = f"{settings.seed}:{'+'.join(game.options)}:{seats}:{number}"
            yield from _play(game, seats, settings, Random(label))


def _play(game: AnyGame, seats: int, settings: Calibration, rng: Random) -> Iterator[Decision]:
    """Play one game of random levels; yield the judged decisions."""
    heuristics = game.heuristics
    assert heuristics is not None, "a game with levels has judgments"
    sitting = [rng.choice(heuristics.levels) for _ in range(seats)]
    state = game.start(seats)
    while True:
        turn = game.turn(state)
        if isinstance(turn, Draw):
            outcomes, weights = zip(*game.chances(state), strict=True)
            state = game.reveal(state, rng.choices(outcomes, weights)[0])
        elif isinstance(turn, Choose):
            choices = []
            for seat in turn.seats:
                view, level = game.view(state, seat), sitting[seat]
                if len(view.legal) > 1 and rng.randrange(settings.every) == 0:
                    decision = judge_decision(heuristics, view, rng, settings.judge)
                    values = decision.values[level.name]
                    yield decision
                else:
                    values = action_values(level, heuristics, view, rng)
                choices.append(rng.choices(view.legal, choice_likelihoods(level, values))[0])
            state = game.play(state, choices)
        else:
            return


def write_levels(settings: Calibration, fitted: Sequence[FittedLevel], judged: int) -> str:
    """Write the `levels.toml` of a game."""
    asked = f"--games {settings.games} --every {settings.every} --judge {settings.judge}"
    command = f"python -m pleasance.tuning.levels {settings.game} {asked}"
    parts = [
        "# How players of each level choose. All is set by hand but the temperature, which is",
        f"# fitted to the loss over {judged} decisions in all configurations by",
        f"#     {command} --seed {settings.seed}",
    ]
    for level, mean, error in fitted:
        parts += ["", f"[levels.{level.name}]", f"# as measured: {mean:.3g} ± {1.96 * error:.2g}"]
        parts += [f"{key} = {value}" for key, value in level._asdict().items() if key != "name"]
    return "\n".join(parts) + "\n"


def calibrate(settings: Calibration) -> str:
    """Judge decisions and fit all levels; return the text of the new file."""
    heuristics = find_game(settings.game).heuristics
    if heuristics is None or not heuristics.levels:
        sys.exit(f"{settings.game} has no levels.")
    judged: list[Decision] = []
    began = process_time()
    for decision in collect_decisions(settings):
        judged.append(decision)
        if len(judged) % 100 == 0:
            spent = process_time() - began
            sys.stderr.write(f"{len(judged)} decisions judged in {spent:.0f} s of processor time\n")
    if len(judged) < _MIN_DECISIONS:
        sys.exit("Too few decisions were judged; give more games.")
    fitted = [fit_level(judged, level) for level in heuristics.levels]
    return write_levels(settings, fitted, len(judged))


def main(arguments: list[str] | None = None) -> None:
    """Calibrate the levels of a game."""
    parser = argparse.ArgumentParser(prog="python -m pleasance.tuning.levels")
    parser.add_argument("game")
    parser.add_argument("--out", type=Path, help="the file to write; else it is printed")
    for name in ("games", "every", "judge", "seed"):
        parser.add_argument(f"--{name}", type=int)
    given = vars(parser.parse_args(arguments))
    path: Path | None = given.pop("out")
    settings = Calibration(**{name: value for name, value in given.items() if value is not None})
    if min(settings.games, settings.every, settings.judge) < 1:
        sys.exit("Give at least 1 game, 1 decision and 1 simulation.")
    try:
        text = calibrate(settings)
    except BadSetupError as refusal:
        sys.exit(load_messages("en").error(refusal))
    if path is None:
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
