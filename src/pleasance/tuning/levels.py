"""Fitting the levels of a game to what their choices are meant to cost.

    python -m pleasance.tuning.levels sanssouci --out levels.toml

Players of all levels meet at every table of the game. At some of their decisions the judge, which
is `master` with more time, tells what each choice is worth; so we know what a level would lose
there on average, whatever it happens to choose. The heat of each level is then found by halving, so
that its mean loss over all decisions is the one that defines it. What is written is the
`levels.toml` of the game.
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

from pleasance.core.budget import Thinking
from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, AnyView, Choose, Draw, Heuristics, configurations
from pleasance.core.levels import Level
from pleasance.games import find_game
from pleasance.i18n.catalog import load_words
from pleasance.players.levels import Opinion, form_opinion, weigh_choices

_HAIR = 1e-5
"""So little below its best a search puts what it has not tried; the network judges that instead."""

_STEPS = 40
"""The heat is found to one part in 2 to so many."""

_COLDEST, _HOTTEST = 1e-6, 1e3

_FEWEST = 2
"""A spread needs so many decisions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a calibration depends on."""

    game: str
    seed: int = 1
    games: int = 2
    """Games at each table."""

    every: int = 3
    """One of so many decisions is judged."""

    judge: int = 600
    """Simulations of the judge for one decision."""


class Case(NamedTuple):
    """One decision: what each choice costs, and what every level thinks of it."""

    losses: tuple[float, ...]
    opinions: dict[str, Opinion]


class Fitted(NamedTuple):
    """A level with its heat found, and what it loses with it."""

    level: Level
    mean: float
    error: float
    """The standard error of the mean."""


def judge_case(judges: Heuristics[Any, Any], view: AnyView[Any], rng: Random, judge: int) -> Case:
    """Tell what each choice costs, and what every level thinks of it."""
    assert judges.search is not None, "a game with levels has a search"
    opinions = {level.name: form_opinion(level, judges, view, rng) for level in judges.levels}
    worths = judges.search(view, rng, Thinking(simulations=judge))
    sober = next(iter(opinions.values())).sober
    best, surest = max(worths.values()), max(sober)
    losses = [best - worths[choice] for choice in view.legal]
    for place, loss in enumerate(losses):
        if 0 < loss < _HAIR:
            losses[place] = surest - sober[place]
    return Case(tuple(losses), opinions)


def lose(case: Case, level: Level) -> float:
    """Tell what a level loses at one decision on average."""
    likely = weigh_choices(level, case.opinions[level.name])
    parts = zip(likely, case.losses, strict=True)
    return sum(part * loss for part, loss in parts) / sum(likely)


def fit_level(cases: Sequence[Case], level: Level) -> Fitted:
    """Find the heat with which a level loses what it is meant to lose."""
    low, high = _COLDEST, _HOTTEST
    for _ in range(_STEPS):
        middle = sqrt(low * high)
        tried = level._replace(heat=middle)
        if fmean(lose(case, tried) for case in cases) < level.loss:
            low = middle
        else:
            high = middle
    found = level._replace(heat=float(f"{sqrt(low * high):.3g}"))
    losses = [lose(case, found) for case in cases]
    return Fitted(found, fmean(losses), stdev(losses) / sqrt(len(losses)))


def collect(settings: Settings) -> Iterator[Case]:
    """Let players of all levels meet at every table, and judge some of their decisions."""
    for game, seats in configurations(find_game(settings.game)):
        for number in range(settings.games):
            label = f"{settings.seed}:{'+'.join(game.options)}:{seats}:{number}"
            yield from _play(game, seats, settings, Random(label))


def _play(game: AnyGame, seats: int, settings: Settings, rng: Random) -> Iterator[Case]:
    """Play one game, its seats taken by levels at random."""
    judges = game.heuristics
    assert judges is not None, "a game with levels has judgements"
    sitting = [rng.choice(judges.levels) for _ in range(seats)]
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
                    case = judge_case(judges, view, rng, settings.judge)
                    opinion = case.opinions[level.name]
                    yield case
                else:
                    opinion = form_opinion(level, judges, view, rng)
                choices.append(rng.choices(view.legal, weigh_choices(level, opinion))[0])
            state = game.play(state, choices)
        else:
            return


def write_levels(settings: Settings, fitted: Sequence[Fitted], cases: int) -> str:
    """Write the file of a game."""
    asked = f"--games {settings.games} --every {settings.every} --judge {settings.judge}"
    command = f"python -m pleasance.tuning.levels {settings.game} {asked}"
    parts = [
        "# How players of each level choose. Everything but the heat is decided by us; the heat is",
        f"# fitted to the loss over {cases} decisions at all tables by",
        f"#     {command} --seed {settings.seed}",
    ]
    for level, mean, error in fitted:
        parts += ["", f"[levels.{level.name}]", f"# as measured: {mean:.3g} ± {1.96 * error:.2g}"]
        parts += [f"{key} = {value}" for key, value in level._asdict().items() if key != "name"]
    return "\n".join(parts) + "\n"


def calibrate(settings: Settings) -> str:
    """Judge decisions, fit all levels and tell how; give the new file."""
    judges = find_game(settings.game).heuristics
    if judges is None or not judges.levels:
        sys.exit(f"{settings.game} has no levels.")
    cases: list[Case] = []
    began = process_time()
    for case in collect(settings):
        cases.append(case)
        if len(cases) % 100 == 0:
            spent = process_time() - began
            sys.stderr.write(f"{len(cases)} decisions judged in {spent:.0f} s of processor time\n")
    if len(cases) < _FEWEST:
        sys.exit("Too few decisions were judged; give more games.")
    return write_levels(settings, [fit_level(cases, level) for level in judges.levels], len(cases))


def main(arguments: list[str] | None = None) -> None:
    """Calibrate the levels of a game."""
    parser = argparse.ArgumentParser(prog="python -m pleasance.tuning.levels")
    parser.add_argument("game")
    parser.add_argument("--out", type=Path, help="the file to write; else it is printed")
    for name in ("games", "every", "judge", "seed"):
        parser.add_argument(f"--{name}", type=int)
    given = vars(parser.parse_args(arguments))
    path: Path | None = given.pop("out")
    settings = Settings(**{name: value for name, value in given.items() if value is not None})
    if min(settings.games, settings.every, settings.judge) < 1:
        sys.exit("Give at least 1 game, 1 decision and 1 simulation.")
    try:
        text = calibrate(settings)
    except BadSetupError as refusal:
        sys.exit(load_words("en").error(refusal))
    if path is None:
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
