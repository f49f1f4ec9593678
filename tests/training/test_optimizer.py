"""Adam: its steps, its moving average, and the same steps on torch tensors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pleasance import cli
from pleasance.games.sakura.bots.network.feature_index import FEATURES as SAKURA_FEATURES
from pleasance.games.sakura.bots.network.feature_index import MAX_ACTIVE_FEATURES
from pleasance.games.sakura.rules.components import open_box
from pleasance.games.sakura.training import fit as sakura_fit
from pleasance.games.sakura.training.layers import trait_array
from pleasance.games.sanssouci.bots.network.feature_index import FEATURES, SLOTS
from pleasance.games.sanssouci.training.fit import Learner
from pleasance.games.sanssouci.training.weights import make_weights
from pleasance.training.arrays import NUMPY, ArrayBackend, make_backend, torch_backend
from pleasance.training.optimizer import Adam

STEPS = 60


def draw(rng: np.random.Generator, *shape: int) -> Any:
    """Draw numbers that every machine represents exactly."""
    return (rng.integers(-4096, 4097, shape) / 4096).astype(np.float32)


def make_adam(put: Callable[[Any], Any]) -> Adam:
    rng = np.random.default_rng(1)
    return Adam({"embedding": put(draw(rng, 40, 6)), "bias": put(draw(rng, 6))})


def descend(adam: Adam, ema_decay: Callable[[int], float], put: Callable[[Any], Any]) -> None:
    """Take some steps along made-up gradients, at a falling learning rate."""
    rng = np.random.default_rng(2)
    for step in range(STEPS):
        gradients = {
            name: put(draw(rng, *weight.shape) ** 3) for name, weight in adam.weights.items()
        }
        adam.update(gradients, 2e-3 * 30 ** -(step / STEPS), ema_decay(step + 1))


def digest(arrays: Mapping[str, Any]) -> str:
    """Hash the bits of some arrays."""
    found = sha256()
    for name, array in sorted(arrays.items()):
        found.update(name.encode() + np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:16]


@pytest.mark.parametrize(
    ("ema_decay", "averaged"),
    [
        (lambda _: 0.998, "b640b52c858ae80f"),
        (lambda step: min(0.998, step / (step + 9)), "a5cd092de3f64dff"),
        (lambda step: min(0.998, step / (step + 10)), "4829780975cef311"),
    ],
    ids=["value network of Sanssouci", "outlook network", "networks of Sakura"],
)
def test_the_steps_on_numpy_arrays_never_change(
    ema_decay: Callable[[int], float], averaged: str
) -> None:
    """The networks that ship were fitted by these steps, each with its own moving average."""
    adam = make_adam(np.asarray)
    descend(adam, ema_decay, np.asarray)
    assert digest(adam.weights) == "4de88d3aa22990fe"
    assert digest(adam.means) == "fa7913f3fd7ee0d7"
    assert digest(adam.squares) == "20f5229fb8a48a43"
    assert digest(adam.ema) == averaged


def test_the_first_step_is_as_long_as_the_learning_rate_for_every_gradient() -> None:
    adam = Adam({"weights": np.zeros(3)})
    adam.update({"weights": np.array([5.0, -0.01, 0.0])}, 0.1, 0.75)
    assert adam.weights["weights"] == pytest.approx(np.array([-0.1, 0.1, 0.0]), rel=1e-4)
    assert adam.ema["weights"] == pytest.approx(np.array([-0.025, 0.025, 0.0]), rel=1e-4)


def test_the_arrays_that_a_run_began_from_stay_as_they_are() -> None:
    given = {"weights": np.ones(3, dtype=np.float32)}
    adam = Adam(given)
    adam.update(given, 0.1, 0.9)
    assert given["weights"].tolist() == [1, 1, 1]
    assert adam.weights["weights"].dtype == np.float32


def test_the_steps_on_torch_tensors_are_those_on_numpy_arrays() -> None:
    torch = pytest.importorskip("torch")
    on_numpy, on_torch = make_adam(np.asarray), make_adam(torch.from_numpy)
    for adam, put in ((on_numpy, np.asarray), (on_torch, torch.from_numpy)):
        descend(adam, lambda _: 0.998, put)
    for name in on_numpy.weights:
        assert isinstance(on_torch.weights[name], torch.Tensor)
        for kind in ("weights", "means", "squares", "ema"):
            found = getattr(on_torch, kind)[name].numpy()
            assert found == pytest.approx(getattr(on_numpy, kind)[name], rel=1e-5, abs=1e-7), kind


def fit_sanssouci(arrays: ArrayBackend) -> tuple[list[float], Mapping[str, Any]]:
    """Take some steps with the value network of Sanssouci."""
    rng = np.random.default_rng(3)
    learner = Learner(make_weights(rng), arrays)
    features = arrays.put(rng.integers(1, FEATURES, (64, SLOTS)).astype(np.int16))
    targets = arrays.put(draw(rng, 64))
    counts = arrays.count(arrays.integers(features), FEATURES)
    errors = [float(learner.step(counts, targets, 1e-3)) for _ in range(20)]
    return errors, learner.averaged_weights()


def fit_sakura(arrays: ArrayBackend) -> tuple[list[float], Mapping[str, Any]]:
    """Take some steps with the value network of Sakura."""
    rng = np.random.default_rng(4)
    hands = [rng.permutation(np.arange(1, 61))[:5] for _ in range(64)]
    batch = sakura_fit.Batch(
        features=arrays.put(rng.integers(0, SAKURA_FEATURES, (64, MAX_ACTIVE_FEATURES))),
        hands=arrays.put(np.array([int((1 << hand.astype(np.int64)).sum()) for hand in hands])),
        unseen=arrays.put(rng.integers(0, 1 << 60, 64) & ~1),
        targets=arrays.put(draw(rng, 64, 3) / 2 + np.float32(0.5)),
        cards=arrays.put(np.array([hand[:2] for hand in hands])),
    )
    traits = arrays.put(trait_array(open_box("pleasance.games.sakura", (), None)))
    learner = sakura_fit.Learner(arrays, sakura_fit.make_layers(rng, 3, is_value=True), 0.9)
    errors = [float(sakura_fit.fit_value(learner, batch, traits, 1e-3)) for _ in range(20)]
    return errors, learner.averaged_weights()


@pytest.mark.parametrize("fit", [fit_sanssouci, fit_sakura])
def test_a_network_learns_the_same_on_torch_tensors(
    fit: Callable[[ArrayBackend], tuple[list[float], Mapping[str, Any]]],
) -> None:
    pytest.importorskip("torch")
    errors, averaged = fit(NUMPY)
    torch_errors, torch_averaged = fit(torch_backend("cpu"))
    assert errors[-1] < errors[0]
    assert torch_errors == pytest.approx(errors, rel=1e-5)
    for name, layer in averaged.items():
        assert torch_averaged[name].dtype == layer.dtype == np.float32
        assert torch_averaged[name] == pytest.approx(layer, abs=1e-5), name


@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
@pytest.mark.parametrize(
    ("device", "reason"),
    [
        ("cuda", "--device cuda needs PyTorch: pip install torch"),
        ("abacus", "--device must be one of auto, cpu, cuda"),
    ],
)
def test_a_device_that_cannot_be_used_is_refused_in_one_line(
    game: str,
    device: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert cli.run(["train", game, "--out", str(tmp_path / "new"), "--device", device]) == 2
    refusal = capsys.readouterr().err
    assert reason in refusal
    assert refusal.count("\n") == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_without_torch_numpy_fits(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert make_backend(device) is NUMPY
