"""Calibration of the networks of Sakura: predicted probabilities against outcomes.

    python -m pleasance.games.sakura.training.calibration --games 600 picture.svg

Networks play new games among themselves at all kinds of tables. Positions at the end of a round
that they predict to be won at 30 % should be won 30 % of the time; the shares of a table are scaled
to add up to one. Likewise, cards predicted at 30 % should be played 30 % of the time.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pleasance.games.sakura.bots.network.storage import CARD_TRAITS, load_networks
from pleasance.games.sakura.rules.components import open_box
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.training.fit import Batch, Learner, encode_inputs, unpack_bits
from pleasance.games.sakura.training.layers import read_networks, stack_versions, trait_array
from pleasance.games.sakura.training.selfplay import SelfPlayPolicy
from pleasance.games.sakura.training.selfplay_pool import (
    SelfPlayPool,
    join_rows,
    rows_per_thread,
    seat_players,
)
from pleasance.training.arrays import make_backend
from pleasance.training.reliability import Bin, bin_forecasts, draw_bins

PACKAGE = "pleasance.games.sakura"
_WORLDS = 32


def normalize_shares(
    predicted: NDArray[np.float64], seats: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Scale the shares of each table at the end of a round so that they add up to one.

    The rows of a round follow each other from the first seat to the last.
    """
    rounds = np.cumsum(seats == 0) - 1
    totals = np.zeros(int(rounds[-1]) + 1)
    np.add.at(totals, rounds, predicted)
    shares: NDArray[np.float64] = predicted / totals[rounds]
    return shares


def calibrate(games: int, seed: int, threads: int) -> dict[str, list[Bin]]:
    """Play games and compare predictions with what happened."""
    arrays = make_backend("cpu")
    boxes = [open_box(PACKAGE, options, None) for options in ((), (TACTICAL,))]
    traits = trait_array(boxes[0])
    versions = stack_versions([load_networks(boxes[0])])
    pool = SelfPlayPool(boxes, threads, rows_per_thread(games, threads))
    tables = seat_players(np.random.default_rng(seed), games, 1)
    tables[:, 2:] = 0
    greedily = SelfPlayPolicy(_WORLDS, 0.0, 0.0, 1.0)
    results = pool.play(tables, versions, greedily, f"calibration:{seed}")
    layers = read_networks()
    ends, choices = (Batch.from_rows(join_rows(results, which)) for which in (0, 1))
    inputs = encode_inputs(arrays, ends, unpack_bits(arrays, ends.hands), traits)
    out = Learner(arrays, layers[0], 0.0).forward(inputs)[2]
    bits = unpack_bits(arrays, choices.hands)
    inputs = encode_inputs(arrays, choices, bits * 0, traits)
    card_weights = Learner(arrays, layers[1], 0.0).forward(inputs)[2][:, :CARD_TRAITS] @ traits.T
    weights = np.exp(card_weights) * bits
    chances = weights / weights.sum(1)[:, None]
    played = choices.cards[:, :1] == np.arange(bits.shape[1])
    shares = normalize_shares(1 / (1 + np.exp(-out[:, 0])), join_rows(results, 0).seats)
    return {
        "share of victory": bin_forecasts(shares, ends.targets[:, 0]),
        "card played": bin_forecasts(chances[bits > 0], played[bits > 0].astype(np.float64)),
    }


def main(arguments: list[str] | None = None) -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(prog="python -m pleasance.games.sakura.training.calibration")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    series = calibrate(given.games, given.seed, given.threads)
    sys.stdout.write(json.dumps(series) + "\n")
    title = f"Sakura: forecast and observed, {given.games} games"
    given.picture.write_text(draw_bins(title, series) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
