"""The training of the outlook: certain facts, gradients, storage, fit and a short run."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pleasance.games.sanssouci.bots.outlook import model
from pleasance.games.sanssouci.bots.outlook.workspace import (
    COMPLETE,
    IMPOSSIBLE,
    IS_OWNER,
    STATIC_POINTS,
    TURNS_LEFT,
)
from pleasance.games.sanssouci.training.outlook import calibration, fit
from pleasance.games.sanssouci.training.outlook import train as outlook_train
from pleasance.games.sanssouci.training.outlook.dataset import OutlookDataset
from pleasance.games.sanssouci.training.outlook.fit import LOSS_WEIGHTS, Learner

# The compiler alone takes longer than the fast part may; it is best run once, in one process.
pytestmark = [pytest.mark.slow, pytest.mark.long]


def play(games: int, seed: str, **settings: Any) -> OutlookDataset:
    """Play some self-play games and record the gardens."""
    with ThreadPoolExecutor(1) as pool:
        return outlook_train.play(outlook_train.OutlookSettings(**settings), pool, games, seed)


def test_certain_facts_happen() -> None:
    """This holds at all kinds of tables, after random openings too."""
    features, outcomes = play(60, "certain", random_opening_permille=1000)
    assert ((features.stands >> outcomes.nobles) & 1).all()
    assert outcomes.lines[features.lines == COMPLETE].all()
    assert not outcomes.lines[features.lines == IMPOSSIBLE].any()
    facts = features.facts
    is_known = (facts[:, TURNS_LEFT] == 0) & (facts[:, IS_OWNER] == 1)
    assert is_known.any()
    assert (outcomes.points == facts[:, STATIC_POINTS])[is_known].all()


def add_embeddings(table: Any, features: Any, sums: Any) -> None:
    """Add up embeddings by NumPy, in any precision."""
    for slot in range(features.shape[1]):
        sums += table[features[:, slot]] * (features[:, slot] != 0)[:, None]


def scatter_gradients(gradients: Any, features: Any, above: Any) -> None:
    """Scatter gradients by NumPy, in any precision."""
    for slot in range(features.shape[1]):
        np.add.at(gradients, features[:, slot], above * (features[:, slot] != 0)[:, None])


def test_compiled_sums_equal_those_of_numpy() -> None:
    rng = np.random.default_rng(3)
    features = rng.integers(0, 40, (30, 7)).astype(np.int16)
    for compiled, plain in (
        (model.add_embeddings, add_embeddings),
        (fit.scatter_gradients, scatter_gradients),
    ):
        first, second = (rng.standard_normal((rows, 8)).astype(np.float32) for rows in (40, 30))
        expected_first, expected_second = first.copy(), second.copy()
        compiled(first, features, second)
        plain(expected_first, features, expected_second)
        assert first == pytest.approx(expected_first, abs=1e-5)
        assert second == pytest.approx(expected_second, abs=1e-5)


def test_gradients_equal_finite_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "add_embeddings", add_embeddings)  # the compiled are float32
    monkeypatch.setattr(fit, "scatter_gradients", scatter_gradients)
    layers = model.make_layers(np.random.default_rng(2))
    learner = Learner({name: part.astype(np.float64) for name, part in layers.items()})
    batch = play(15, "slopes").pick(slice(0, 640, 10))
    hidden = (batch.features.facts[:, IS_OWNER] == 0).mean()
    open_ = (batch.features.facts[:, TURNS_LEFT] > 0).mean()

    def lose() -> float:
        losses = learner.gradients(batch)[1]
        losses["missions"] *= hidden
        losses["points"] *= open_
        return sum(LOSS_WEIGHTS[name] * loss for name, loss in losses.items())

    gradients = learner.gradients(batch)[0]
    assert set(gradients) == set(model.SHAPES)
    for name, gradient in gradients.items():
        place = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        learner.weights[name][place] += 1e-6
        more = lose()
        learner.weights[name][place] -= 2e-6
        difference = (more - lose()) / 2e-6
        learner.weights[name][place] += 1e-6
        assert gradient[place] == pytest.approx(difference, rel=1e-3, abs=1e-7), name


def test_a_quantized_network_reads_back() -> None:
    layers = model.make_layers(np.random.default_rng(3))
    again = model.read_layers(model.write_layers(layers))
    for name, weights in layers.items():
        assert np.allclose(weights, again[name], atol=2e-3), name


def test_a_short_fit_beats_base_rates() -> None:
    settings = outlook_train.OutlookSettings(batch_size=512)
    taught, unknown = play(150, "taught"), play(30, "unknown", random_opening_permille=0)
    learner = Learner(model.make_layers(np.random.default_rng(1)))
    outlook_train.fit_batches(learner, [taught], settings, steps=90, learning_rate=4e-3)
    chances = calibration.predict_all(learner.averaged_weights(), unknown)
    found = calibration.compare(unknown, chances, calibration.count_base_rates(taught))
    for name in ("row where a noble ends", "points to come"):
        fitted, base = (calibration.score(each, slice(None)) for each in found[name])
        assert fitted["log_loss"] < base["log_loss"], name
        assert fitted["brier"] < base["brier"], name


def test_a_short_training_run_writes_weights_and_continues(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--seconds", "0.1", "--games", "15", "--batch-size", "64", "--passes", "0.2"]
    outlook_train.main(["--out", str(tmp_path), *few])
    assert '"games": 15' in capsys.readouterr().out
    report = json.loads((tmp_path / "outlook.json").read_text())
    assert report["sha256"] == hashlib.sha256((tmp_path / "outlook.npz").read_bytes()).hexdigest()
    assert report["settings"]["batch_size"] == 64
    layers = model.read_layers(np.load(tmp_path / "outlook.npz"))
    assert not layers["told"][0].any()
    weights = str(tmp_path / "outlook.npz")
    outlook_train.main(["--out", str(tmp_path / "more"), "--start", weights, *few])
    again = model.read_layers(np.load(tmp_path / "more" / "outlook.npz"))
    assert np.abs(again["told"] - layers["told"]).max() < 0.1
    assert not np.array_equal(again["told"], layers["told"])
