"""Fitting of the outlook network by gradient descent with Adam, on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from pleasance.compiled.export import export
from pleasance.compiled.signature import Float32Rows, Int16Rows
from pleasance.games.sanssouci.bots.outlook import model
from pleasance.games.sanssouci.bots.outlook.model import (
    DONE,
    EMBEDDINGS,
    MIN_POINTS,
    MISSION,
    POINT_BINS,
    ROWS,
    Layers,
)
from pleasance.games.sanssouci.bots.outlook.workspace import (
    IS_OWNER,
    STATIC_POINTS,
    TURNS_LEFT,
    UNSURE,
)
from pleasance.games.sanssouci.training.outlook.dataset import OutlookDataset
from pleasance.training.optimizer import Adam

LOSS_WEIGHTS = {"nobles": 0.3, "lines": 0.3, "missions": 0.3, "points": 1.0}
"""The weight of each kind of output in the loss."""


@export("train")
def scatter_gradients(gradients: Float32Rows, features: Int16Rows, above: Float32Rows) -> None:
    """Scatter gradients of sums `[row, unit]` to those of embeddings `[feature, unit]`."""
    units = min(gradients.shape[1], above.shape[1])
    for row in range(min(len(features), len(above))):
        for slot in range(features.shape[1]):
            feature = features[row, slot]
            if 0 < feature < len(gradients):
                for unit in range(units):
                    gradients[feature, unit] += above[row, unit]


def _embedding_gradients(table: Any, features: Any, above: Any) -> Any:
    """Compute the gradients of an embedding table."""
    gradients = np.zeros_like(table)
    flat = np.ascontiguousarray(features.reshape(-1, features.shape[-1]))
    scatter_gradients(gradients, flat, np.ascontiguousarray(above.reshape(-1, table.shape[1])))
    return gradients


def pair_probabilities(logits: Any) -> tuple[Any, Any]:
    """Compute the probability that each column is one of two missions, and the log of the total.

    A pair weighs the product of its two, so the pairs with a column weigh its weight times the
    weights of the rest.
    """
    most = logits.max(-1, keepdims=True)
    weights = np.exp(logits - most)
    total = weights.sum(-1, keepdims=True)
    pairs = (total**2 - (weights**2).sum(-1, keepdims=True)) / 2
    return weights * (total - weights) / pairs, np.log(pairs) + 2 * most


def losses_and_gradients(
    batch: OutlookDataset, activations: model.Activations
) -> tuple[dict[str, float], Any, Any, Any]:
    """Compute the loss of each kind of output, and its gradients by the last layers."""
    features, outcomes = batch
    count, outs = len(outcomes.points), activations.column_out
    above = np.zeros_like(outs)
    chances = model.to_probabilities(features, activations)
    ended = outcomes.nobles[..., None] == np.arange(ROWS)
    above[..., :ROWS] = (chances.nobles - ended) * LOSS_WEIGHTS["nobles"]
    losses = {"nobles": -np.log(chances.nobles[ended].clip(1e-30)).sum() / count}

    is_open = features.lines == UNSURE
    wrong = np.where(is_open, chances.lines - outcomes.lines, 0) * LOSS_WEIGHTS["lines"]
    row_above, above[..., DONE] = wrong[:, :5], wrong[:, 5:]
    likelihoods = np.where(outcomes.lines > 0, chances.lines, 1 - chances.lines)[is_open]
    losses["lines"] = -np.log(likelihoods.clip(1e-9)).sum() / count

    hidden = features.facts[:, IS_OWNER] == 0
    has = (outcomes.missions[:, None] >> np.arange(9)) & 1
    shares, pairs = pair_probabilities(outs[..., MISSION])
    above[..., MISSION] = (shares - has) * LOSS_WEIGHTS["missions"] * hidden[:, None]
    logits = (outs[..., MISSION] * has).sum(-1, keepdims=True)
    losses["missions"] = float(((pairs - logits)[:, 0] * hidden).sum() / max(hidden.sum(), 1))

    bins = np.clip(
        outcomes.points - features.facts[:, STATIC_POINTS] - MIN_POINTS, 0, POINT_BINS - 1
    )
    counts = (features.facts[:, TURNS_LEFT] > 0)[:, None]
    points_above = (chances.points - (bins[:, None] == np.arange(POINT_BINS))) * counts
    likelihoods = chances.points[np.arange(count), bins][counts[:, 0]]
    losses["points"] = -np.log(likelihoods.clip(1e-30)).sum() / max(counts.sum(), 1)
    scale = np.float32(1 / count)
    return losses, above * scale, row_above * scale, points_above * scale


class Learner(Adam):
    """The outlook network in training."""

    def __init__(self, weights: Layers, *, is_fresh: bool = True) -> None:
        super().__init__(weights)
        self.is_fresh = is_fresh
        """Whether the initial weights are random, not those of another run."""

    def gradients(self, batch: OutlookDataset) -> tuple[Layers, dict[str, float]]:
        """Compute the gradients of the loss by each weight, and the loss."""
        w, features = self.weights, batch.features
        activations = model.forward(
            w, features.garden_features, features.column_features, features.row_features
        )
        losses, column_above, row_above, points_above = losses_and_gradients(batch, activations)
        points_above = points_above.astype(w["told"].dtype, copy=False)
        back = (points_above @ w["points_out"].T) * (activations.points > 0)
        found: Layers = {
            "points_out": activations.points.T @ points_above,
            "points_last": points_above.sum(0),
            "points_whole": activations.garden.T @ back,
            "points_columns": activations.columns[1].mean(1).T @ back,
            "points_rows": activations.rows[1].mean(1).T @ back,
            "points_first": back.sum(0),
        }
        garden = back @ w["points_whole"].T
        for name, above in (("column", column_above), ("row", row_above[..., None])):
            pooled = back @ w[f"points_{name}s"].T
            lines = features.column_features if name == "column" else features.row_features
            more, reached = self._backpropagate_lines(
                name, activations, lines, above=above, pooled=pooled
            )
            found.update(more)
            garden += reached
        garden *= activations.garden > 0
        found["told_bias"] = garden.sum(0)
        found["told"] = _embedding_gradients(w["told"], features.garden_features, garden)
        return found, losses

    def _backpropagate_lines(
        self, name: str, activations: model.Activations, features: Any, *, above: Any, pooled: Any
    ) -> tuple[Layers, Any]:
        """Backpropagate through the layers of columns or rows; return what reaches the garden."""
        w = self.weights
        first, second = activations.columns if name == "column" else activations.rows
        above = above.astype(w["told"].dtype, copy=False)
        units = first.shape[-1]
        back = above @ w[f"{name}_out"].T + pooled[:, None] / np.float32(first.shape[1])
        back *= second > 0
        deep = (back @ w[f"{name}_inner"].T) * (first > 0)
        shared = deep.sum(1)
        found: Layers = {
            f"{name}_out": second.reshape(-1, units).T @ above.reshape(-1, above.shape[-1]),
            f"{name}_last": above.sum((0, 1)),
            f"{name}_inner": first.reshape(-1, units).T @ back.reshape(-1, units),
            f"{name}_second": back.sum((0, 1)),
            f"{name}s": _embedding_gradients(w[f"{name}s"], features, deep),
            f"{name}_first": shared.sum(0),
            f"{name}_whole": activations.garden.T @ shared,
        }
        return found, shared @ w[f"{name}_whole"].T

    def step(
        self, batch: OutlookDataset, learning_rate: float, ema_decay: float = 0.998
    ) -> dict[str, float]:
        """Make one step of Adam; return the losses before it."""
        gradients, losses = self.gradients(batch)
        decay = min(ema_decay, (self.steps + 1) / (self.steps + 10))
        self.update(gradients, learning_rate, decay)
        return losses

    def averaged_weights(self) -> Layers:
        """Copy the averaged weights; features that never occurred get zeros if the run is fresh."""
        averaged = {name: value.copy() for name, value in self.ema.items()}
        for name in EMBEDDINGS if self.is_fresh else ():
            averaged[name][self.squares[name].sum(1) == 0] = 0
        return averaged
