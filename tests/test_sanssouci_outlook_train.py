"""Training Sanssouci's outlook: slopes are right, it learns, and what it foretells happens."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pleasance.games.sanssouci.bots.outlook import features as see
from pleasance.games.sanssouci.bots.outlook import model
from pleasance.games.sanssouci.training import outlook_calibration as calibration
from pleasance.games.sanssouci.training import outlook_train
from pleasance.games.sanssouci.training.outlook_fit import WEIGHTS, Learner, Store
from pleasance.training.reliability import Bin, draw_panels

# The compiler alone takes longer than the fast part may; it is best run once, in one process.
pytestmark = [pytest.mark.slow, pytest.mark.long]


def play(games: int, seed: str, **settings: Any) -> Store:
    """Play some games and note what became of the gardens."""
    with ThreadPoolExecutor(1) as pool:
        return outlook_train.play(outlook_train.Settings(**settings), pool, games, seed)


def test_what_is_told_as_certain_happens() -> None:
    """At all kinds of tables, whatever was played before."""
    glance, outcomes = play(60, "certain", wild=1000)
    assert ((glance.stands >> outcomes.nobles) & 1).all()
    assert outcomes.lines[glance.lines == see.COMPLETE].all()
    assert not outcomes.lines[glance.lines == see.IMPOSSIBLE].any()
    facts = glance.facts
    is_known = (facts[:, see.LEFT] == 0) & (facts[:, see.KNOWS] == 1)
    assert is_known.any()
    assert (outcomes.points == facts[:, see.BASE])[is_known].all()


def test_a_step_goes_down_the_slope_that_differences_tell() -> None:
    layers = model.make_layers(np.random.default_rng(2))
    learner = Learner({name: part.astype(np.float64) for name, part in layers.items()})
    batch = play(15, "slopes").pick(slice(0, 640, 10))
    hidden = (batch.glance.facts[:, see.KNOWS] == 0).mean()
    open_ = (batch.glance.facts[:, see.LEFT] > 0).mean()

    def lose() -> float:
        losses = learner.slopes(batch)[1]
        losses["missions"] *= hidden
        losses["points"] *= open_
        return sum(WEIGHTS[name] * loss for name, loss in losses.items())

    slopes = learner.slopes(batch)[0]
    assert set(slopes) == set(model.SHAPES)
    for name, slope in slopes.items():
        place = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        learner.layers[name][place] += 1e-6
        more = lose()
        learner.layers[name][place] -= 2e-6
        told = (more - lose()) / 2e-6
        learner.layers[name][place] += 1e-6
        assert slope[place] == pytest.approx(told, rel=1e-3, abs=1e-7), name


def test_a_network_reads_back_as_it_was_stored() -> None:
    layers = model.make_layers(np.random.default_rng(3))
    again = model.read_layers(model.write_layers(layers))
    for name, weights in layers.items():
        assert np.allclose(weights, again[name], atol=2e-3), name


def test_a_little_training_knows_more_than_base_rates() -> None:
    settings = outlook_train.Settings(batch=512)
    taught, unknown = play(150, "taught"), play(30, "unknown", wild=0)
    learner = Learner(model.make_layers(np.random.default_rng(1)))
    outlook_train.fit_some(learner, [taught], settings, steps=90, rate=4e-3)
    chances = calibration.foretell_all(learner.take_out(), unknown)
    bases = calibration.find_bases(taught)
    found = calibration.compare(unknown, chances, bases)
    for name in ("row where a noble ends", "points to come"):
        told, base = (calibration.score(guess, slice(None)) for guess in found[name])
        assert told["log_loss"] < base["log_loss"], name
        assert told["brier"] < base["brier"], name


def test_a_small_training_run_writes_what_it_learned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--seconds", "0.1", "--games", "15", "--batch", "64", "--reuse", "0.2"]
    outlook_train.main(["--out", str(tmp_path), *few])
    assert '"games": 15' in capsys.readouterr().out
    report = json.loads((tmp_path / "outlook.json").read_text())
    data = (tmp_path / "outlook.npz").read_bytes()
    assert report["sha256"] == hashlib.sha256(data).hexdigest()
    assert report["settings"]["batch"] == 64
    layers = model.read_layers(np.load(tmp_path / "outlook.npz"))
    assert not layers["told"][0].any()
    weights = str(tmp_path / "outlook.npz")
    outlook_train.main(["--out", str(tmp_path / "more"), "--start", weights, *few])
    again = model.read_layers(np.load(tmp_path / "more" / "outlook.npz"))
    assert np.abs(again["told"] - layers["told"]).max() < 0.1
    assert not np.array_equal(again["told"], layers["told"])


def test_each_kind_of_answer_has_a_diagram_of_its_own() -> None:
    bins = [Bin(0.1, 0.2, 3), Bin(0.6, 0.5, 3)]
    picture = draw_panels("Foretold", dict.fromkeys(("one", "two", "three", "four"), bins))
    assert picture.count("<circle") == 8
    assert picture.count(">happened<") == 4
