"""Fitting the network of Sanssouci's outlook to what became of gardens, by Adam and NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from pleasance.compiled.jit import jit_loosely
from pleasance.games.sanssouci.bots.outlook import features as see
from pleasance.games.sanssouci.bots.outlook import model
from pleasance.games.sanssouci.bots.outlook.features import Glance
from pleasance.games.sanssouci.bots.outlook.model import (
    DONE,
    LEAST,
    MISSION,
    ROWS,
    TABLES,
    TOTALS,
    Layers,
)
from pleasance.games.sanssouci.training.outlook_selfplay import Ledger, Outcomes

WEIGHTS = {"nobles": 0.3, "lines": 0.3, "missions": 0.3, "points": 1.0}
"""How much each kind of answer counts, for every single one of them."""


SEEN = ("told", "columns", "rows", "stands", "lines", "facts")
"""What a glance holds of each garden; the rest is working space."""


class Store(NamedTuple):
    """Gardens with what became of them."""

    glance: Glance
    outcomes: Outcomes

    def pick(self, rows: Any) -> Store:
        """Pick some gardens by their numbers."""
        seen = {name: getattr(self.glance, name)[rows] for name in SEEN}
        outcomes = Outcomes(*(part[rows] for part in self.outcomes))
        return Store(self.glance._replace(**seen), outcomes)


def join_stores(parts: Sequence[tuple[Ledger, int]]) -> Store:
    """Put what many threads or rounds have noted together."""
    seen = {
        name: np.concatenate([getattr(ledger.glance, name)[:count] for ledger, count in parts])
        for name in SEEN
    }
    outcomes = [[part[:count] for part in ledger.outcomes] for ledger, count in parts]
    return Store(
        parts[0][0].glance._replace(**seen),
        Outcomes(*map(np.concatenate, zip(*outcomes, strict=True))),
    )


@jit_loosely
def scatter(slopes: Any, words: Any, above: Any) -> None:
    """Add to the slope of each word what comes from above: `[row, unit]` to `[word, unit]`."""
    for row in range(len(words)):
        for place in range(words.shape[1]):
            word = words[row, place]
            if word:
                for unit in range(above.shape[1]):
                    slopes[word, unit] += above[row, unit]


def _scatter(table: Any, words: Any, above: Any) -> Any:
    """Find the slopes of a table of words."""
    slopes = np.zeros_like(table)
    flat = np.ascontiguousarray(words.reshape(-1, words.shape[-1]))
    scatter(slopes, flat, np.ascontiguousarray(above.reshape(-1, table.shape[1])))
    return slopes


def share_missions(likes: Any) -> tuple[Any, Any]:
    """Tell how likely each column is one of two missions, and the log of all pairs' weight.

    A pair weighs the product of its two, so the pairs with a column weigh its weight times the
    weights of the rest.
    """
    most = likes.max(-1, keepdims=True)
    weights = np.exp(likes - most)
    total = weights.sum(-1, keepdims=True)
    pairs = (total**2 - (weights**2).sum(-1, keepdims=True)) / 2
    return weights * (total - weights) / pairs, np.log(pairs) + 2 * most


def judge(batch: Store, signals: model.Signals) -> tuple[dict[str, float], Any, Any, Any]:
    """Tell the loss of each kind of answer for a garden, and its slopes by the last layers."""
    glance, outcomes = batch
    count, outs = len(outcomes.points), signals.column_out
    above = np.zeros_like(outs)
    chances = model.find_chances(glance, signals)
    ended = outcomes.nobles[..., None] == np.arange(ROWS)
    above[..., :ROWS] = (chances.nobles - ended) * WEIGHTS["nobles"]
    losses = {"nobles": -np.log(chances.nobles[ended].clip(1e-30)).sum() / count}

    is_open = glance.lines == see.UNSURE
    wrong = np.where(is_open, chances.lines - outcomes.lines, 0) * WEIGHTS["lines"]
    row_above, above[..., DONE] = wrong[:, :5], wrong[:, 5:]
    told = np.where(outcomes.lines > 0, chances.lines, 1 - chances.lines)[is_open]
    losses["lines"] = -np.log(told.clip(1e-9)).sum() / count

    hidden = glance.facts[:, see.KNOWS] == 0
    has = (outcomes.missions[:, None] >> np.arange(9)) & 1
    shares, pairs = share_missions(outs[..., MISSION])
    above[..., MISSION] = (shares - has) * WEIGHTS["missions"] * hidden[:, None]
    likes = (outs[..., MISSION] * has).sum(-1, keepdims=True)
    losses["missions"] = float(((pairs - likes)[:, 0] * hidden).sum() / max(hidden.sum(), 1))

    came = np.clip(outcomes.points - glance.facts[:, see.BASE] - LEAST, 0, TOTALS - 1)
    counts = (glance.facts[:, see.LEFT] > 0)[:, None]
    points_above = (chances.points - (came[:, None] == np.arange(TOTALS))) * counts
    told = chances.points[np.arange(count), came][counts[:, 0]]
    losses["points"] = -np.log(told.clip(1e-30)).sum() / max(counts.sum(), 1)
    scale = np.float32(1 / count)
    return losses, above * scale, row_above * scale, points_above * scale


@dataclass(slots=True)
class Learner:
    """A network with what Adam remembers."""

    layers: Layers
    is_fresh: bool = True
    """Whether the weights it begins with are luck, not the work of another run."""

    means: Layers = field(default_factory=dict)
    squares: Layers = field(default_factory=dict)
    smooth: Layers = field(default_factory=dict)
    """The mean of the last weights, which is better than any of them."""

    steps: int = 0

    def __post_init__(self) -> None:
        """Begin with nothing remembered."""
        self.means = {name: value * 0 for name, value in self.layers.items()}
        self.squares = {name: value * 0 for name, value in self.layers.items()}
        self.smooth = {name: value.copy() for name, value in self.layers.items()}

    def slopes(self, batch: Store) -> tuple[Layers, dict[str, float]]:
        """Tell how the loss changes with each weight, and what it is."""
        w, glance = self.layers, batch.glance
        signals = model.listen(w, glance.told, glance.columns, glance.rows)
        losses, column_above, row_above, points_above = judge(batch, signals)
        points_above = points_above.astype(w["told"].dtype, copy=False)
        back = (points_above @ w["points_out"].T) * (signals.points > 0)
        found: Layers = {
            "points_out": signals.points.T @ points_above,
            "points_last": points_above.sum(0),
            "points_whole": signals.whole.T @ back,
            "points_columns": signals.columns[1].mean(1).T @ back,
            "points_rows": signals.rows[1].mean(1).T @ back,
            "points_first": back.sum(0),
        }
        whole = back @ w["points_whole"].T
        for name, above in (("column", column_above), ("row", row_above[..., None])):
            pooled = back @ w[f"points_{name}s"].T
            words = glance.columns if name == "column" else glance.rows
            more, reached = self._descend(name, signals, words, above=above, pooled=pooled)
            found.update(more)
            whole += reached
        whole *= signals.whole > 0
        found["told_bias"] = whole.sum(0)
        found["told"] = _scatter(w["told"], glance.told, whole)
        return found, losses

    def _descend(
        self, name: str, signals: model.Signals, words: Any, *, above: Any, pooled: Any
    ) -> tuple[Layers, Any]:
        """Find the slopes of what belongs to columns or rows, and what reaches the whole."""
        w = self.layers
        first, second = signals.columns if name == "column" else signals.rows
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
            f"{name}s": _scatter(w[f"{name}s"], words, deep),
            f"{name}_first": shared.sum(0),
            f"{name}_whole": signals.whole.T @ shared,
        }
        return found, shared @ w[f"{name}_whole"].T

    def step(self, batch: Store, rate: float, smoothing: float = 0.998) -> dict[str, float]:
        """Make one step of Adam; tell the losses before it."""
        slopes, losses = self.slopes(batch)
        self.steps += 1
        smoothing = min(smoothing, self.steps / (self.steps + 9))
        warm = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for name, slope in slopes.items():
            mean, square, weight = self.means[name], self.squares[name], self.layers[name]
            mean *= 0.9
            mean += 0.1 * slope
            square *= 0.999
            square += 0.001 * slope * slope
            weight -= (rate * warm) * mean / (np.sqrt(square) + 1e-8)
            self.smooth[name] *= smoothing
            self.smooth[name] += (1 - smoothing) * weight
        return losses

    def take_out(self) -> Layers:
        """Copy the smooth weights; words that never came up weigh nothing, or as before."""
        found = {name: value.copy() for name, value in self.smooth.items()}
        for name in TABLES if self.is_fresh else ():
            found[name][self.squares[name].sum(1) == 0] = 0
        return found
