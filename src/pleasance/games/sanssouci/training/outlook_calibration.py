"""Whether Sanssouci's outlook means what it says: what it foretells against what happens.

    python -m pleasance.games.sanssouci.training.outlook_calibration --games 1200 picture.svg

The network that chooses turns plays new games against itself at all kinds of tables. Of all that
the outlook gave 30 %, 30 % should happen. How wrong it is, is told beside base rates from other
games: how often a noble that stands there with so many turns left ended in each row, how often a
row that lacks so many cells with so many tiles to come was complete, the mean and spread of the
points that came beyond what is counted with so many turns left; all missions alike, all players
alike.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pleasance.games.sanssouci.bots.outlook import feature_index as say
from pleasance.games.sanssouci.bots.outlook import features as see
from pleasance.games.sanssouci.bots.outlook import model
from pleasance.games.sanssouci.bots.outlook.forecast import share_victory
from pleasance.games.sanssouci.bots.outlook.model import LEAST, ROWS, TOTALS, Chances, Layers
from pleasance.games.sanssouci.training.outlook_fit import Store, share_missions
from pleasance.games.sanssouci.training.outlook_train import Settings, play
from pleasance.training.reliability import Bin, draw_panels, sort_out

SPANS = {"18 to 13": (13, 18), "12 to 7": (7, 12), "6 to 1": (1, 6), "all": (1, 18)}
"""Own turns left, as the table tells them."""

_CHUNK = 4096
_MOST = 260
"""More points than a game brings."""

Guess = tuple[Any, Any, Any]
"""Chances `[case, outcome]`, what happened as 0 and 1, and the garden of each case."""


class Bases(NamedTuple):
    """How often what happened, in other games."""

    nobles: Any
    """`[turns left, stand, end]`"""
    lines: Any
    """`[which row, or 5 for a column; gaps and tiles]`"""
    points: Any
    """Mean and spread `[turns left, whether its owner looks, 2]`"""


def foretell_all(layers: Layers, store: Store) -> Chances:
    """Tell the chances of all gardens."""
    parts = []
    for first in range(0, len(store.outcomes.points), _CHUNK):
        some = store.pick(slice(first, first + _CHUNK))
        parts.append(model.foretell(layers, some.glance, _CHUNK))
    return Chances(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def find_stands(store: Store) -> Any:
    """Tell where each noble stands: the first row where it can end."""
    can_end = store.glance.stands[..., None] >> np.arange(ROWS) & 1
    return can_end.argmax(-1)


def class_lines(store: Store) -> tuple[Any, Any]:
    """Tell for each row and column which it is, and its gaps with the tiles to come."""
    rows = store.glance.rows[..., say.AT_ROW_GAPS] - say.ROW_GAPS
    columns = store.glance.columns[..., say.AT_COLUMN_GAPS] - say.COLUMN_GAPS
    return np.minimum(np.arange(see.LINES), 5), np.concatenate([rows, columns], axis=1)


def find_bases(store: Store) -> Bases:
    """Count how often what happened; a few made-up cases keep all of it possible."""
    left, knows = store.glance.facts[:, see.LEFT], store.glance.facts[:, see.KNOWS]
    nobles = np.full((say.TIMES, ROWS, ROWS), 0.5)
    np.add.at(nobles, (left[:, None], find_stands(store), store.outcomes.nobles), 1)
    which, gaps = class_lines(store)
    lines = np.full((6, 10 * say.TIMES, 2), 0.5)
    np.add.at(lines, (which[None].repeat(len(gaps), 0), gaps, store.outcomes.lines), 1)
    came = store.outcomes.points - store.glance.facts[:, see.BASE]
    points = np.zeros((say.TIMES, 2, 2))
    for turns in range(say.TIMES):
        for looks in range(2):
            some = came[(left == turns) & (knows == looks)]
            points[turns, looks] = (some.mean(), some.std() + 0.5) if len(some) else (0, 10)
    return Bases(nobles, lines[..., 1] / lines.sum(-1), points)


def guess_nobles(store: Store, chances: Chances, bases: Bases) -> tuple[Guess, Guess]:
    """Compare where nobles end that can still walk; base rates know what cannot be, too."""
    can_end = store.glance.stands[..., None] >> np.arange(ROWS) & 1
    base = bases.nobles[store.glance.facts[:, see.LEFT, None], find_stands(store)] * can_end
    base /= base.sum(-1, keepdims=True)
    ended = (store.outcomes.nobles[..., None] == np.arange(ROWS)).astype(float)
    is_open = can_end.sum(-1) > 1
    gardens = np.nonzero(is_open)[0]
    return (chances.nobles[is_open], ended[is_open], gardens), (
        base[is_open],
        ended[is_open],
        gardens,
    )


def guess_lines(store: Store, chances: Chances, bases: Bases, part: slice) -> tuple[Guess, Guess]:
    """Compare which rows or columns will be complete, of those that are open."""
    which, gaps = class_lines(store)
    base = bases.lines[which, gaps][:, part]
    is_open = store.glance.lines[:, part] == see.UNSURE
    done = store.outcomes.lines[:, part][is_open].astype(float)
    gardens = np.nonzero(is_open)[0]
    both = [
        np.stack([told, 1 - told], axis=1)
        for told in (chances.lines[:, part][is_open], base[is_open])
    ]
    happened = np.stack([done, 1 - done], axis=1)
    return (both[0], happened, gardens), (both[1], happened, gardens)


def guess_points(store: Store, chances: Chances, bases: Bases) -> tuple[Guess, Guess]:
    """Compare the points beyond what is counted; base rates are normal."""
    facts = store.glance.facts
    gardens = np.flatnonzero(facts[:, see.LEFT] > 0)
    mean, spread = np.moveaxis(
        bases.points[facts[gardens, see.LEFT], facts[gardens, see.KNOWS]], -1, 0
    )
    values = np.arange(TOTALS) + LEAST
    base = np.exp(-(((values - mean[:, None]) / spread[:, None]) ** 2) / 2) + 1e-9
    base /= base.sum(-1, keepdims=True)
    came = store.outcomes.points[gardens] - facts[gardens, see.BASE]
    happened = (came[:, None] == values).astype(float)
    return (chances.points[gardens], happened, gardens), (base, happened, gardens)


def guess_missions(store: Store, chances: Chances) -> tuple[Guess, Guess]:
    """Compare which columns are missions of those who hide them."""
    gardens = np.flatnonzero(store.glance.facts[:, see.KNOWS] == 0)
    told = share_missions(np.log(chances.missions[gardens]))[0].ravel()
    has = (store.outcomes.missions[gardens, None] >> np.arange(9) & 1).astype(float).ravel()
    both = [np.stack([one, 1 - one], axis=1) for one in (told, np.full_like(told, 2 / 9))]
    happened, gardens = np.stack([has, 1 - has], axis=1), gardens.repeat(9)
    return (both[0], happened, gardens), (both[1], happened, gardens)


def guess_shares(store: Store, chances: Chances) -> tuple[Guess, Guess]:
    """Compare who wins, while everybody has a turn left; base rates make all players alike."""
    seats, facts = store.outcomes.owners[:, 1], store.glance.facts
    told, base, won, gardens = [], [], [], []
    for count in (2, 3, 4):
        rows = np.flatnonzero(seats == count).reshape(-1, count)
        rows = rows[(facts[rows, see.LEFT] > 0).all(1)]
        exact = np.zeros((*rows.shape, _MOST))
        place = np.maximum(facts[rows, see.BASE, None] + LEAST + np.arange(TOTALS), 0)
        np.add.at(exact, (*np.indices(place.shape)[:2], place), chances.points[rows])
        told.append(share_victory(exact).ravel())
        base.append(np.full(rows.size, 1 / count))
        won.append(store.outcomes.shares[rows].ravel())
        gardens.append(rows.ravel())
    happened = np.concatenate(won)
    sides = np.stack([happened, 1 - happened], axis=1)
    where = np.concatenate(gardens)
    one, two = (
        np.stack([np.concatenate(part), 1 - np.concatenate(part)], axis=1) for part in (told, base)
    )
    return (one, sides, where), (two, sides, where)


def compare(store: Store, chances: Chances, bases: Bases) -> dict[str, tuple[Guess, Guess]]:
    """Set each kind of answer beside its base rates."""
    return {
        "row where a noble ends": guess_nobles(store, chances, bases),
        "row complete": guess_lines(store, chances, bases, slice(5)),
        "column complete": guess_lines(store, chances, bases, slice(5, see.LINES)),
        "points to come": guess_points(store, chances, bases),
        "hidden mission": guess_missions(store, chances),
        "share of victory": guess_shares(store, chances),
    }


def score(guess: Guess, is_told: Any) -> dict[str, float]:
    """Tell log loss and Brier score of some cases."""
    told, happened = guess[0][is_told], guess[1][is_told]
    return {
        "cases": len(told),
        "log_loss": round(float(-(happened * np.log(told.clip(1e-12))).sum(1).mean()), 4),
        "brier": round(float(((told - happened) ** 2).sum(1).mean()), 4),
    }


def sort_cases(name: str, guess: Guess) -> list[Bin]:
    """Sort the cases of one kind of answer into bins."""
    told, happened, _ = guess
    if name == "points to come":
        # At least so many points, in steps of five.
        told, happened = (part[:, ::-1].cumsum(1)[:, ::-1][:, 1::5] for part in (told, happened))
        return sort_out(told.clip(0, 1).ravel(), happened.ravel())
    if name == "row where a noble ends":
        is_open = told > 0
        return sort_out(told[is_open], happened[is_open])
    return sort_out(told[:, 0], happened[:, 0])


class Report(NamedTuple):
    """What a measurement has found."""

    series: dict[str, list[Bin]]
    """What was foretold against what happened, in bins."""

    table: dict[str, dict[str, Any]]
    """Losses of each kind of answer by the turns left, with those of base rates."""


def calibrate(layers: Layers, games: int, seed: int, threads: int = 1) -> Report:
    """Play games and compare what was foretold with what happened."""
    settings = Settings(threads=threads, wild=0)
    with ThreadPoolExecutor(threads) as pool:
        bases = find_bases(play(settings, pool, games, f"base rates:{seed}"))
        store = play(settings, pool, games, f"calibration:{seed}")
    found = compare(store, foretell_all(layers, store), bases)
    left = store.glance.facts[:, see.LEFT]
    table: dict[str, dict[str, Any]] = {}
    for name, (told, base) in found.items():
        table[name] = {}
        for span, (least, most) in SPANS.items():
            some = (left[told[2]] >= least) & (left[told[2]] <= most)
            rates = score(base, some)
            more = {"base_log_loss": rates["log_loss"], "base_brier": rates["brier"]}
            table[name][span] = {**score(told, some), **more}
    return Report({name: sort_cases(name, told) for name, (told, _) in found.items()}, table)


def main(arguments: list[str] | None = None) -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(
        prog="python -m pleasance.games.sanssouci.training.outlook_calibration"
    )
    parser.add_argument("picture", type=Path)
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="other weights than those in use")
    given = parser.parse_args(arguments)
    layers = (
        model.load_layers() if given.weights is None else model.read_layers(np.load(given.weights))
    )
    report = calibrate(layers, given.games, given.seed, given.threads)
    sys.stdout.write(json.dumps(report._asdict(), indent=1) + "\n")
    title = f"Sanssouci: foretold and happened, {given.games} games"
    given.picture.write_text(draw_panels(title, report.series) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
