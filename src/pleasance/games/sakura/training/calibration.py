"""Whether the networks of Sakura mean what they say: what they foretell against what happens.

    python -m pleasance.games.sakura.training.calibration --games 600 picture.svg

Networks play new games among themselves at all kinds of tables. Of all the ends of rounds that they
gave, say, 30 % of a victory, the shares of a table being one together, 30 % should be won; of all
the cards that they thought are played with 30 %, so many should be.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pleasance.games.sakura.bots.network.storage import (
    CARD_TRAITS,
    describe_cards,
    load_networks,
    read_stored,
)
from pleasance.games.sakura.rules.components import open_box
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.training.fit import Batch, Learner, list_bits, spread
from pleasance.games.sakura.training.selfplay import Manner
from pleasance.games.sakura.training.selfplay_pool import Crew, Hall, Part, rows_for, seat_players
from pleasance.training.arrays import make_arrays
from pleasance.training.reliability import Bin, draw_bins, sort_out

PACKAGE = "pleasance.games.sakura"
_WORLDS = 32


def gather(parts: Sequence[Part], which: int) -> Batch:
    """Put the rows of all threads together."""
    cut = [((part.ends, part.choices)[which], int(part.counts[which])) for part in parts]
    names = ("facts", "hands", "unseen", "goals", "cards")
    joined = {
        name: np.concatenate([getattr(rows, name)[:count] for rows, count in cut]) for name in names
    }
    joined["facts"] = joined["facts"].astype(np.int64)
    return Batch(**joined)


def share_out(told: NDArray[np.float64], parts: Sequence[Part]) -> NDArray[np.float64]:
    """Let the shares of one table at the end of a round be one together.

    The rows of a round follow each other from the first seat to the last.
    """
    seats = np.concatenate([part.ends.seats[: part.counts[0]] for part in parts])
    rounds = np.cumsum(seats == 0) - 1
    totals = np.zeros(int(rounds[-1]) + 1)
    np.add.at(totals, rounds, told)
    shares: NDArray[np.float64] = told / totals[rounds]
    return shares


def calibrate(games: int, seed: int, threads: int) -> dict[str, list[Bin]]:
    """Play games and compare what was foretold with what happened."""
    arrays = make_arrays("cpu")
    boxes = [open_box(PACKAGE, options, None) for options in ((), (TACTICAL,))]
    traits = describe_cards(boxes[0])
    value, policy = load_networks(boxes[0])
    hall = Hall(boxes, threads, rows_for(games, threads))
    tables = seat_players(np.random.default_rng(seed), games, 1)
    tables[:, 2:] = 0
    crew = Crew(value[None], policy[None])
    parts = hall.play(tables, crew, Manner(_WORLDS, 0.0, 0.0, 1.0), f"calibration:{seed}")
    layers = read_stored()
    ends, choices = gather(parts, 0), gather(parts, 1)
    inputs = spread(arrays, ends, list_bits(arrays, ends.hands), traits)
    out = Learner(arrays, layers[0], 0.0).forward(inputs)[2]
    bits = list_bits(arrays, choices.hands)
    inputs = spread(arrays, choices, bits * 0, traits)
    likes = Learner(arrays, layers[1], 0.0).forward(inputs)[2][:, :CARD_TRAITS] @ traits.T
    weights = np.exp(likes) * bits
    chances = weights / weights.sum(1)[:, None]
    played = choices.cards[:, :1] == np.arange(bits.shape[1])
    shares = share_out(1 / (1 + np.exp(-out[:, 0])), parts)
    return {
        "share of victory": sort_out(shares, ends.goals[:, 0]),
        "card played": sort_out(chances[bits > 0], played[bits > 0].astype(np.float64)),
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
    title = f"Sakura: foretold and happened, {given.games} games"
    given.picture.write_text(draw_bins(title, series) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
