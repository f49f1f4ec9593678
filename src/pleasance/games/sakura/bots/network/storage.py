"""Storage of the networks of Sakura, and their layout for compiled code and one box."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import TypeAlias

from pleasance.compiled.arrays import from_values
from pleasance.compiled.signature import Float32Array
from pleasance.compiled.stored_arrays import StoredArray, read_arrays
from pleasance.games.sakura.bots.network.accumulator import CARD_ROWS, UNSEEN_SCALE
from pleasance.games.sakura.bots.network.feature_index import FEATURES
from pleasance.games.sakura.bots.network.model import POLICY, VALUE, Networks, NetworkShape
from pleasance.games.sakura.rules.components import CARDS, GARDEN_ACTIONS, PAINTER_ACTIONS, Box

Layers: TypeAlias = Mapping[str, StoredArray]
"""Three layers `first`, `second`, `third`, and for each a bias: `first_bias` and so on."""

LAYER_NAMES = ("first", "first_bias", "second", "second_bias", "third", "third_bias")

_GARDEN, _PAINTER = list(GARDEN_ACTIONS.values()), list(PAINTER_ACTIONS.values())
_INITIATIVE_STEPS = 6
"""Initiative is encoded by its distance to each of these many evenly spaced numbers."""

CARD_TRAITS = len(_GARDEN) * len(_PAINTER) + 2 * (len(_GARDEN) + len(_PAINTER)) + _INITIATIVE_STEPS
INPUTS = FEATURES + 2 * CARD_TRAITS
"""Facts, traits of the own hand, traits of the unseen cards."""


CardTraits: TypeAlias = Sequence[Sequence[float]]
"""The traits of each card `[card, trait]`; most are 0."""


def encode_cards(box: Box) -> CardTraits:
    """Encode the traits of each card: its actions, alone and together, and when."""
    traits = [[0.0] * CARD_TRAITS for _ in range(CARD_ROWS)]
    both = len(_GARDEN) + len(_PAINTER)
    for card in CARDS:
        garden, painter = box.faces[card]
        one, two = _GARDEN.index(garden), len(_GARDEN) + _PAINTER.index(painter)
        late = (card - 1) / (len(CARDS) - 1)
        row = traits[card]
        row[one] = row[two] = 1.0
        row[both + one] = row[both + two] = 2 * late - 1
        row[2 * both + one * len(_PAINTER) + two - len(_GARDEN)] = 1.0
        for step in range(_INITIATIVE_STEPS):
            nearness = 1 - abs(late * (_INITIATIVE_STEPS - 1) - step)
            row[CARD_TRAITS - _INITIATIVE_STEPS + step] = max(nearness, 0.0)
    return traits


def flatten_networks(value: Layers, policy: Layers, traits: CardTraits) -> Networks:
    """Lay out both networks for the cards of one box, whose *traits* are folded into the rows.

    What the policy network makes of traits becomes what it makes of cards.
    """
    flat_value = _flatten(value, traits, (value["third"].values, value["third_bias"].values), VALUE)
    last = [_fold_columns(policy[name], traits) for name in ("third", "third_bias")]
    return Networks(flat_value, _flatten(policy, traits, last, POLICY))


def _flatten(
    layers: Layers, traits: CardTraits, last: Sequence[Sequence[float]], shape: NetworkShape
) -> Float32Array:
    """Write a network as one row of numbers."""
    first = _split(layers["first"].values, shape.first)
    row = [number for feature in first[:FEATURES] for number in feature]
    row += _fold_rows(first[FEATURES : FEATURES + CARD_TRAITS], traits, 1.0)
    row += _fold_rows(first[FEATURES + CARD_TRAITS :], traits, UNSEEN_SCALE)
    for name in ("first_bias", "second", "second_bias"):
        row += layers[name].values
    for numbers in last:
        row += numbers
    assert len(row) == shape.size(), (len(row), shape)
    return from_values("float32", row)


def _split(numbers: Sequence[float], width: int) -> list[Sequence[float]]:
    """Cut a list of numbers into rows."""
    return [numbers[start : start + width] for start in range(0, len(numbers), width)]


def _fold_rows(rows: Sequence[Sequence[float]], traits: CardTraits, scale: float) -> list[float]:
    """Make one row for each card of the rows for its traits.

    Sums are in float64 and in the order of the traits, so they are the same on every machine.
    """
    folded: list[float] = []
    for card in traits:
        total = [0.0] * len(rows[0])
        for trait, row in zip(card, rows, strict=True):
            if trait:
                total = [sum_ + trait * number for sum_, number in zip(total, row, strict=True)]
        folded += total if scale == 1.0 else [scale * number for number in total]
    return folded


def _fold_columns(layer: StoredArray, traits: CardTraits) -> list[float]:
    """Make one column for each card of the columns for its traits, in both halves of each row."""
    active = [[(place, trait) for place, trait in enumerate(card) if trait] for card in traits]
    folded = []
    for half in _split(layer.values, CARD_TRAITS):
        for card in active:
            total = 0.0  # newer versions of Python round sum() in another way
            for place, trait in card:
                total += trait * half[place]
            folded.append(total)
    return folded


def read_layers(data: bytes) -> Layers:
    """Read the layers of a network; they are stored in half precision."""
    layers = read_arrays(BytesIO(data))
    return {name: layers[name] for name in LAYER_NAMES}


def read_networks(folder: Traversable | None = None) -> tuple[Layers, Layers]:
    """Read the value network and the policy network of a folder, or those that ship."""
    folder = folder or files("pleasance.games.sakura") / "weights"
    value = read_layers((folder / "value.npz").read_bytes())
    return value, read_layers((folder / "policy.npz").read_bytes())


NetworkLoader: TypeAlias = Callable[[Box], Networks]
"""Loads both networks for one box."""


def make_loader(folder: Traversable | None = None) -> NetworkLoader:
    """Make a loader for the networks of a folder, or the shipped ones; it caches each box."""

    @cache
    def read() -> tuple[Layers, Layers]:
        return read_networks(folder)

    @lru_cache(maxsize=16)
    def load(box: Box) -> Networks:
        return flatten_networks(*read(), encode_cards(box))

    return load


load_networks = make_loader()
