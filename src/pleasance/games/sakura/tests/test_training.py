"""Training in Sakura: gradients are right, a short run learns, and stored weights read back."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from pleasance.games.sakura.bots.network import storage
from pleasance.games.sakura.bots.network.feature_index import FEATURES, MAX_ACTIVE_FEATURES
from pleasance.games.sakura.rules.components import open_box
from pleasance.games.sakura.training import (
    fit,
    layers,
    measure,
    selfplay_pool,
    train,
)
from pleasance.games.sakura.training.calibration import calibrate
from pleasance.games.sakura.training.layers import stack_versions
from pleasance.games.sakura.training.selfplay import GREEDY, RANDOM, SelfPlayPolicy
from pleasance.training.arrays import make_backend

# The compiler alone takes longer than the fast part may; it is best run once, in one process.
pytestmark = [pytest.mark.slow, pytest.mark.long]

BOX = open_box("pleasance.games.sakura", (), None)
TRAITS = layers.trait_array(BOX)
ARRAYS = make_backend("cpu")


def make_batch(rows: int) -> fit.Batch:
    """Make up some rows with hands of five cards."""
    rng = np.random.default_rng(1)
    hands = [rng.permutation(np.arange(1, 61))[:5] for _ in range(rows)]
    return fit.Batch(
        features=rng.integers(0, FEATURES, (rows, MAX_ACTIVE_FEATURES)),
        hands=np.array([int((1 << hand.astype(np.int64)).sum()) for hand in hands]),
        unseen=rng.integers(0, 1 << 60, rows) & ~1,
        targets=rng.random((rows, 3), dtype=np.float32),
        cards=np.array([hand[:2] for hand in hands]),
    )


def test_a_network_learns_what_it_is_shown_again_and_again() -> None:
    batch, rng = make_batch(32), np.random.default_rng(2)
    value = fit.Learner(ARRAYS, fit.make_layers(rng, 3, is_value=True), 0.9)
    errors = [float(fit.fit_value(value, batch, TRAITS, 3e-3)) for _ in range(80)]
    assert errors[-1] < errors[0] / 4
    policy = fit.Learner(ARRAYS, fit.make_layers(rng, 2 * storage.CARD_TRAITS, is_value=False), 0.9)
    right = [float(fit.fit_policy(policy, batch, TRAITS, 3e-3)) for _ in range(80)]
    assert right[0] == pytest.approx(0.2, abs=0.05)
    assert right[-1] > 0.4


def test_gradients_equal_finite_differences() -> None:
    """The derivative of one weight by hand is what a small change of it does to the loss."""
    batch, rng = make_batch(16), np.random.default_rng(3)
    layers = {
        name: array.astype(np.float64)
        for name, array in fit.make_layers(rng, 3, is_value=True).items()
    }
    inputs = fit.encode_inputs(ARRAYS, batch, fit.unpack_bits(ARRAYS, batch.hands), TRAITS)
    targets = batch.targets[:, :1]

    def lose(name: str, place: tuple[int, ...], change: float) -> float:
        changed = {key: array.copy() for key, array in layers.items()}
        changed[name][place] += change
        out = fit.Learner(ARRAYS, changed, 0.9).forward(inputs)[2][:, :1]  # type: ignore[arg-type]  # finer numbers
        share = 1 / (1 + np.exp(-out))
        return float(-(targets * np.log(share) + (1 - targets) * np.log(1 - share)).mean())

    first, second, out = fit.Learner(ARRAYS, layers, 0.9).forward(inputs)  # type: ignore[arg-type]  # finer numbers
    output_gradient = np.zeros_like(out)
    output_gradient[:, :1] = (1 / (1 + np.exp(-out[:, :1])) - targets) / len(targets)
    learner = fit.Learner(ARRAYS, layers, 0.9)  # type: ignore[arg-type]  # finer numbers
    gradients = learner.gradients(inputs, (first, second), output_gradient)
    places: list[tuple[str, tuple[int, ...]]] = [
        ("third", (5, 0)),
        ("second", (7, 3)),
        ("second_bias", (4,)),
        ("first", (int(batch.features[0, 0]), 9)),
        ("first_bias", (11,)),
    ]
    for name, place in places:
        measured = (lose(name, place, 1e-5) - lose(name, place, -1e-5)) / 2e-5
        assert gradients[name][place] == pytest.approx(measured, abs=1e-6), name


def test_networks_read_back_as_they_were_stored() -> None:
    made = fit.make_layers(np.random.default_rng(4), 3, is_value=True)
    again = layers.as_arrays(storage.read_layers(layers.write_layers(made)))
    for name in storage.LAYER_NAMES:
        assert np.allclose(made[name], again[name], atol=2e-3)


def test_all_seats_are_taken_and_a_network_sits_at_every_table() -> None:
    for table in selfplay_pool.seat_players(np.random.default_rng(5), 500, 4).tolist():
        kinds = table[2 : 2 + table[1]]
        assert 0 in kinds
        assert all(RANDOM <= kind < 4 for kind in kinds)
    pairs = selfplay_pool.seat_pairs(np.random.default_rng(5), 50, 1)
    assert {tuple(pair[2:4]) for pair in pairs.tolist()} == {(0, 1), (1, 0)}


def test_a_little_training_runs_from_end_to_end(tmp_path: Path) -> None:
    few = ["--games", "24", "--steps", "4", "--batch-size", "64", "--evaluate-every", "2"]
    few += ["--evaluation-games", "2", "--final-games", "2", "--worlds", "2"]
    folder = str(tmp_path / "net")
    train.main(["--out", folder, "--seconds", "0.1", "--iterations", "3", *few])
    report = json.loads((tmp_path / "net/training.json").read_text())
    assert report["settings"]["games"] == 24
    iterations = [note for note in report["curve"] if "iteration" in note]
    assert [note["games"] for note in iterations] == [24, 48, 72]
    assert set(report["curve"][-1]["wins"]) >= {"greedy 2", "greedy 2t", "random 6"}
    both = ["--start", folder, "--frozen", folder, "--seconds", "0.1", *few]
    train.main(["--out", str(tmp_path / "response"), *both])
    report = json.loads((tmp_path / "response/training.json").read_text())
    assert list(report["curve"][-1]["wins"]) == ["frozen 2"]


def test_the_networks_that_ship_beat_greedy_players() -> None:
    """Three of four games for two, nearly twice the fair share of a table for four."""
    pool = selfplay_pool.SelfPlayPool([BOX], 1, selfplay_pool.rows_per_thread(200, 1))
    versions = stack_versions([storage.load_networks(BOX)])
    for seats, least in ((2, 0.65), (4, 0.34)):
        won = pool.play_against(
            (0, seats, GREEDY), 200, versions, SelfPlayPolicy(32, 0.0, 0.0, 1.0)
        )
        assert won.mean() > least


def test_forecasts_are_calibrated() -> None:
    for bins in calibrate(games=60, seed=3, threads=1).values():
        rows = np.array([one.rows for one in bins])
        errors = np.array([abs(one.forecast - one.observed) for one in bins])
        assert (errors * rows).sum() / rows.sum() < 0.12
        assert bins[-1].observed > bins[0].observed


def test_a_network_is_measured_at_named_tables(capsys: pytest.CaptureFixture[str]) -> None:
    shipped = str(files("pleasance.games.sakura") / "weights")
    orders = ("--tables", "2t,3", "--worlds", "4", "--games", "40")
    measure.main([f"random,{shipped}", *orders])
    lines = capsys.readouterr().out.splitlines()
    places = ["random 2t", "random 3", f"{shipped} 2t", f"{shipped} 3"]
    assert [line.partition(":")[0] for line in lines] == places
    shares = [float(line.partition(": ")[2].split()[0]) for line in lines]
    assert shares[0] > 85
    assert shares[1] > 60
    assert all(10 < share < 85 for share in shares[2:])
    for others, table, said in (("nobody", "2", "players"), ("random", "7", "table")):
        with pytest.raises(SystemExit):
            measure.main([others, "--tables", table])
        assert f"no such {said}" in capsys.readouterr().err
