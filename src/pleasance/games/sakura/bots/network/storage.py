"""Storage of the networks of Sakura, and their layout for compiled code and one box."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pleasance.games.sakura.bots.network.accumulator import CARD_ROWS
from pleasance.games.sakura.bots.network.feature_index import FEATURES
from pleasance.games.sakura.bots.network.model import POLICY, VALUE, Networks, NetworkShape
from pleasance.games.sakura.rules.components import CARDS, GARDEN_ACTIONS, PAINTER_ACTIONS, Box

WeightArray: TypeAlias = NDArray[np.float32]
Layers: TypeAlias = Mapping[str, WeightArray]
"""Three layers `first`, `second`, `third`, and for each a bias: `first_bias` and so on."""

LAYER_NAMES = ("first", "first_bias", "second", "second_bias", "third", "third_bias")

_GARDEN, _PAINTER = list(GARDEN_ACTIONS.values()), list(PAINTER_ACTIONS.values())
_INITIATIVE_STEPS = 6
"""Initiative is encoded by its distance to each of these many evenly spaced numbers."""

CARD_TRAITS = len(_GARDEN) * len(_PAINTER) + 2 * (len(_GARDEN) + len(_PAINTER)) + _INITIATIVE_STEPS
INPUTS = FEATURES + 2 * CARD_TRAITS
"""Facts, traits of the own hand, traits of the unseen cards."""


def encode_cards(box: Box) -> WeightArray:
    """Encode the traits of each card `[card, trait]`: its actions, alone and together, and when."""
    traits = np.zeros((CARD_ROWS, CARD_TRAITS), dtype=np.float32)
    both = len(_GARDEN) + len(_PAINTER)
    for card in CARDS:
        garden, painter = box.faces[card]
        one, two = _GARDEN.index(garden), len(_GARDEN) + _PAINTER.index(painter)
        late = (card - 1) / (len(CARDS) - 1)
        traits[card, [one, two]] = 1
        traits[card, [both + one, both + two]] = 2 * late - 1
        traits[card, 2 * both + one * len(_PAINTER) + two - len(_GARDEN)] = 1
        nearness = 1 - np.abs(late * (_INITIATIVE_STEPS - 1) - np.arange(_INITIATIVE_STEPS))
        traits[card, -_INITIATIVE_STEPS:] = np.maximum(nearness, 0)
    return traits


def flatten_networks(value: Layers, policy: Layers, traits: WeightArray) -> Networks:
    """Lay out both networks for the cards of one box, whose *traits* are folded into the rows.

    What the policy network makes of traits becomes what it makes of cards.
    """
    flat_value = _flatten(value, traits, (value["third"], value["third_bias"]), VALUE)
    third, bias = policy["third"], policy["third_bias"]
    halves = [half @ traits.T for half in (third[:, :CARD_TRAITS], third[:, CARD_TRAITS:])]
    biases = [half @ traits.T for half in (bias[:CARD_TRAITS], bias[CARD_TRAITS:])]
    last = np.hstack(halves), np.hstack(biases)
    return Networks(flat_value, _flatten(policy, traits, last, POLICY))


def _flatten(
    layers: Layers, traits: WeightArray, last: tuple[WeightArray, WeightArray], shape: NetworkShape
) -> WeightArray:
    """Write a network as one row of numbers."""
    first = layers["first"]
    parts = (
        first[:FEATURES],
        traits @ first[FEATURES : FEATURES + CARD_TRAITS],
        traits @ first[FEATURES + CARD_TRAITS :],
        layers["first_bias"],
        layers["second"],
        layers["second_bias"],
        *last,
    )
    row = np.concatenate([np.asarray(part, dtype=np.float32).ravel() for part in parts])
    assert row.shape == (shape.size(),), (row.shape, shape)
    return row


def read_layers(data: bytes) -> Layers:
    """Read the layers of a network; they are stored in half precision."""
    with np.load(BytesIO(data), allow_pickle=False) as stored:
        return {name: stored[name].astype(np.float32) for name in LAYER_NAMES}


def write_layers(layers: Layers) -> bytes:
    """Store the layers of a network in half precision."""
    target = BytesIO()
    halves: dict[str, Any] = {name: layers[name].astype(np.float16) for name in LAYER_NAMES}
    np.savez_compressed(target, **halves)
    return target.getvalue()


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
