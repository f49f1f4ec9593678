"""Calibration of the outlook: its forecasts against what happened in other games.

    python -m pleasance.games.sanssouci.training.outlook.calibration --games 1200 picture.svg

The value network plays new games against itself at all kinds of tables. Of all forecasts with 30 %,
30 % should happen. The losses are reported beside those of base rates from other games: the final
row of a noble by its row and the turns left, the completion of a line by its free cells and the
tiles to come, the mean and spread of the points beyond the static value by the turns left; missions
and players are all alike.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pleasance.games.sanssouci.bots.outlook import feature_index as index
from pleasance.games.sanssouci.bots.outlook import model
from pleasance.games.sanssouci.bots.outlook.forecast import victory_shares
from pleasance.games.sanssouci.bots.outlook.model import (
    MIN_POINTS,
    POINT_BINS,
    ROWS,
    Layers,
    Probabilities,
)
from pleasance.games.sanssouci.bots.outlook.workspace import (
    IS_OWNER,
    LINES,
    STATIC_POINTS,
    TURNS_LEFT,
    UNSURE,
)
from pleasance.games.sanssouci.training.outlook.dataset import OutlookDataset
from pleasance.games.sanssouci.training.outlook.fit import pair_probabilities
from pleasance.games.sanssouci.training.outlook.train import OutlookSettings, play
from pleasance.training.reliability import Bin, bin_forecasts, draw_panels

SPANS = {"18 to 13": (13, 18), "12 to 7": (7, 12), "6 to 1": (1, 6), "all": (1, 18)}
"""Ranges of own turns left in the table."""

_CHUNK = 4096
_MAX_POINTS = 260
"""Upper bound of the points of a game."""

Forecasts = tuple[Any, Any, Any]
"""Probabilities `[case, outcome]`, what happened as 0 and 1, and the garden of each case."""


class BaseRates(NamedTuple):
    """The frequency of each outcome in other games."""

    nobles: Any
    """`[turns left, stand, end]`"""
    lines: Any
    """`[which row, or 5 for a column; gaps and tiles]`"""
    points: Any
    """Mean and spread `[turns left, whether its owner looks, 2]`"""


def predict_all(layers: Layers, dataset: OutlookDataset) -> Probabilities:
    """Predict all gardens."""
    parts = []
    for first in range(0, len(dataset.outcomes.points), _CHUNK):
        some = dataset.pick(slice(first, first + _CHUNK))
        parts.append(model.predict(layers, some.features, _CHUNK))
    return Probabilities(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def noble_rows(dataset: OutlookDataset) -> Any:
    """Find the row of each noble: the first one where it can end."""
    can_end = dataset.features.stands[..., None] >> np.arange(ROWS) & 1
    return can_end.argmax(-1)


def classify_lines(dataset: OutlookDataset) -> tuple[Any, Any]:
    """Classify each row and column: its number, and its free cells with the tiles to come."""
    rows = dataset.features.row_features[..., index.SLOT_ROW_GAPS] - index.ROW_GAPS
    columns = dataset.features.column_features[..., index.SLOT_COLUMN_GAPS] - index.COLUMN_GAPS
    return np.minimum(np.arange(LINES), 5), np.concatenate([rows, columns], axis=1)


def count_base_rates(dataset: OutlookDataset) -> BaseRates:
    """Count the base rates; a few pseudo-counts keep all outcomes possible."""
    facts = dataset.features.facts
    left, is_owner = facts[:, TURNS_LEFT], facts[:, IS_OWNER]
    nobles = np.full((index.TURN_COUNTS, ROWS, ROWS), 0.5)
    np.add.at(nobles, (left[:, None], noble_rows(dataset), dataset.outcomes.nobles), 1)
    which, gaps = classify_lines(dataset)
    lines = np.full((6, 10 * index.TURN_COUNTS, 2), 0.5)
    np.add.at(lines, (which[None].repeat(len(gaps), 0), gaps, dataset.outcomes.lines), 1)
    gained = dataset.outcomes.points - facts[:, STATIC_POINTS]
    points = np.zeros((index.TURN_COUNTS, 2, 2))
    for turns in range(index.TURN_COUNTS):
        for seen in range(2):
            some = gained[(left == turns) & (is_owner == seen)]
            points[turns, seen] = (some.mean(), some.std() + 0.5) if len(some) else (0, 10)
    return BaseRates(nobles, lines[..., 1] / lines.sum(-1), points)


def compare_nobles(
    dataset: OutlookDataset, chances: Probabilities, base_rates: BaseRates
) -> tuple[Forecasts, Forecasts]:
    """Compare the final rows of nobles that can still walk; base rates exclude impossible ones."""
    can_end = dataset.features.stands[..., None] >> np.arange(ROWS) & 1
    left = dataset.features.facts[:, TURNS_LEFT, None]
    base = base_rates.nobles[left, noble_rows(dataset)] * can_end
    base /= base.sum(-1, keepdims=True)
    ended = (dataset.outcomes.nobles[..., None] == np.arange(ROWS)).astype(float)
    is_open = can_end.sum(-1) > 1
    happened, gardens = ended[is_open], np.nonzero(is_open)[0]
    return (chances.nobles[is_open], happened, gardens), (base[is_open], happened, gardens)


def with_complement(probabilities: Any) -> Any:
    """Add the probability of the opposite: `[case, 2]`."""
    return np.stack([probabilities, 1 - probabilities], axis=1)


def compare_lines(
    dataset: OutlookDataset, chances: Probabilities, base_rates: BaseRates, part: slice
) -> tuple[Forecasts, Forecasts]:
    """Compare the completion of rows or columns that are open."""
    which, gaps = classify_lines(dataset)
    base = base_rates.lines[which, gaps][:, part]
    is_open = dataset.features.lines[:, part] == UNSURE
    happened = with_complement(dataset.outcomes.lines[:, part][is_open].astype(float))
    predicted, gardens = with_complement(chances.lines[:, part][is_open]), np.nonzero(is_open)[0]
    return (predicted, happened, gardens), (with_complement(base[is_open]), happened, gardens)


def compare_points(
    dataset: OutlookDataset, chances: Probabilities, base_rates: BaseRates
) -> tuple[Forecasts, Forecasts]:
    """Compare the points beyond the static value; base rates are normal."""
    facts = dataset.features.facts
    gardens = np.flatnonzero(facts[:, TURNS_LEFT] > 0)
    mean, spread = np.moveaxis(
        base_rates.points[facts[gardens, TURNS_LEFT], facts[gardens, IS_OWNER]], -1, 0
    )
    values = np.arange(POINT_BINS) + MIN_POINTS
    base = np.exp(-(((values - mean[:, None]) / spread[:, None]) ** 2) / 2) + 1e-9
    base /= base.sum(-1, keepdims=True)
    gained = dataset.outcomes.points[gardens] - facts[gardens, STATIC_POINTS]
    happened = (gained[:, None] == values).astype(float)
    return (chances.points[gardens], happened, gardens), (base, happened, gardens)


def compare_missions(
    dataset: OutlookDataset, chances: Probabilities
) -> tuple[Forecasts, Forecasts]:
    """Compare the hidden missions."""
    gardens = np.flatnonzero(dataset.features.facts[:, IS_OWNER] == 0)
    predicted = pair_probabilities(np.log(chances.missions[gardens]))[0].ravel()
    has = (dataset.outcomes.missions[gardens, None] >> np.arange(9) & 1).astype(float).ravel()
    base = with_complement(np.full_like(predicted, 2 / 9))
    happened, gardens = with_complement(has), gardens.repeat(9)
    return (with_complement(predicted), happened, gardens), (base, happened, gardens)


def compare_shares(dataset: OutlookDataset, chances: Probabilities) -> tuple[Forecasts, Forecasts]:
    """Compare shares of victory while all have a turn left; base rates make all players alike."""
    seats, facts = dataset.outcomes.owners[:, 1], dataset.features.facts
    predicted, base, won, gardens = [], [], [], []
    for count in (2, 3, 4):
        rows = np.flatnonzero(seats == count).reshape(-1, count)
        rows = rows[(facts[rows, TURNS_LEFT] > 0).all(1)]
        exact = np.zeros((*rows.shape, _MAX_POINTS))
        place = np.maximum(facts[rows, STATIC_POINTS, None] + MIN_POINTS + np.arange(POINT_BINS), 0)
        np.add.at(exact, (*np.indices(place.shape)[:2], place), chances.points[rows])
        predicted.append(victory_shares(exact).ravel())
        base.append(np.full(rows.size, 1 / count))
        won.append(dataset.outcomes.shares[rows].ravel())
        gardens.append(rows.ravel())
    happened, where = with_complement(np.concatenate(won)), np.concatenate(gardens)
    one, two = (with_complement(np.concatenate(part)) for part in (predicted, base))
    return (one, happened, where), (two, happened, where)


def compare(
    dataset: OutlookDataset, chances: Probabilities, base_rates: BaseRates
) -> dict[str, tuple[Forecasts, Forecasts]]:
    """Compare each kind of output with its base rates."""
    return {
        "row where a noble ends": compare_nobles(dataset, chances, base_rates),
        "row complete": compare_lines(dataset, chances, base_rates, slice(5)),
        "column complete": compare_lines(dataset, chances, base_rates, slice(5, LINES)),
        "points to come": compare_points(dataset, chances, base_rates),
        "hidden mission": compare_missions(dataset, chances),
        "share of victory": compare_shares(dataset, chances),
    }


def score(forecasts: Forecasts, selected: Any) -> dict[str, float]:
    """Compute log loss and Brier score of some cases."""
    predicted, happened = forecasts[0][selected], forecasts[1][selected]
    return {
        "cases": len(predicted),
        "log_loss": round(float(-(happened * np.log(predicted.clip(1e-12))).sum(1).mean()), 4),
        "brier": round(float(((predicted - happened) ** 2).sum(1).mean()), 4),
    }


def bin_cases(name: str, forecasts: Forecasts) -> list[Bin]:
    """Sort the cases of one kind of output into bins."""
    predicted, happened, _ = forecasts
    if name == "points to come":
        # Cumulative: at least this number of points, in steps of five.
        predicted, happened = (
            part[:, ::-1].cumsum(1)[:, ::-1][:, 1::5] for part in (predicted, happened)
        )
        return bin_forecasts(predicted.clip(0, 1).ravel(), happened.ravel())
    if name == "row where a noble ends":
        is_open = predicted > 0
        return bin_forecasts(predicted[is_open], happened[is_open])
    return bin_forecasts(predicted[:, 0], happened[:, 0])


class CalibrationReport(NamedTuple):
    """The calibration of each kind of output."""

    series: dict[str, list[Bin]]
    """Forecasts against what happened, in bins."""

    table: dict[str, dict[str, Any]]
    """Losses of each kind of output by the turns left, with those of base rates."""


def calibrate(layers: Layers, games: int, seed: int, threads: int = 1) -> CalibrationReport:
    """Play games and compare the forecasts with what happened."""
    settings = OutlookSettings(threads=threads, random_opening_permille=0)
    with ThreadPoolExecutor(threads) as pool:
        base_rates = count_base_rates(play(settings, pool, games, f"base rates:{seed}"))
        dataset = play(settings, pool, games, f"calibration:{seed}")
    found = compare(dataset, predict_all(layers, dataset), base_rates)
    left = dataset.features.facts[:, TURNS_LEFT]
    table: dict[str, dict[str, Any]] = {}
    for name, (predicted, base) in found.items():
        table[name] = {}
        for span, (least, most) in SPANS.items():
            some = (left[predicted[2]] >= least) & (left[predicted[2]] <= most)
            rates = score(base, some)
            more = {"base_log_loss": rates["log_loss"], "base_brier": rates["brier"]}
            table[name][span] = {**score(predicted, some), **more}
    return CalibrationReport(
        {name: bin_cases(name, predicted) for name, (predicted, _) in found.items()}, table
    )


def main(arguments: list[str] | None = None) -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(
        prog="python -m pleasance.games.sanssouci.training.outlook.calibration"
    )
    parser.add_argument("picture", type=Path)
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="other weights than the shipped ones")
    given = parser.parse_args(arguments)
    layers = (
        model.load_layers() if given.weights is None else model.read_layers(np.load(given.weights))
    )
    report = calibrate(layers, given.games, given.seed, given.threads)
    sys.stdout.write(json.dumps(report._asdict(), indent=1) + "\n")
    title = f"Sanssouci: forecast and observed, {given.games} games"
    given.picture.write_text(draw_panels(title, report.series) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
