"""The networks of Sakura as they are stored, and as compiled code wants them for one box."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pleasance.games.sakura.bots.network.features import FACTS
from pleasance.games.sakura.bots.network.model import FACES_KNOWN, POLICY, VALUE, Shape
from pleasance.games.sakura.rules.components import CARDS, GARDEN_ACTIONS, PAINTER_ACTIONS, Box

Numbers: TypeAlias = NDArray[np.float32]
Layers: TypeAlias = Mapping[str, Numbers]
"""Three layers `first`, `second`, `third`, and for each a bias: `first_bias` and so on."""

NAMES = ("first", "first_bias", "second", "second_bias", "third", "third_bias")

_GARDEN, _PAINTER = list(GARDEN_ACTIONS.values()), list(PAINTER_ACTIONS.values())
_HATS = 6
"""Initiative is told by how near it is to each of so many numbers."""

CARD_TRAITS = len(_GARDEN) * len(_PAINTER) + 2 * (len(_GARDEN) + len(_PAINTER)) + _HATS
INPUTS = FACTS + 2 * CARD_TRAITS
"""Facts, traits of the own hand, traits of the unseen cards."""


def describe_cards(box: Box) -> Numbers:
    """Tell the traits of each card `[card, trait]`: both actions, alone and together, and when."""
    traits = np.zeros((FACES_KNOWN, CARD_TRAITS), dtype=np.float32)
    both = len(_GARDEN) + len(_PAINTER)
    for card in CARDS:
        garden, painter = box.faces[card]
        one, two = _GARDEN.index(garden), len(_GARDEN) + _PAINTER.index(painter)
        late = (card - 1) / (len(CARDS) - 1)
        traits[card, [one, two]] = 1
        traits[card, [both + one, both + two]] = 2 * late - 1
        traits[card, 2 * both + one * len(_PAINTER) + two - len(_GARDEN)] = 1
        hats = 1 - np.abs(late * (_HATS - 1) - np.arange(_HATS))
        traits[card, -_HATS:] = np.maximum(hats, 0)
    return traits


def bind_value(layers: Layers, traits: Numbers) -> Numbers:
    """Lay out a value network for the cards of one box."""
    return _lay_out(layers, traits, (layers["third"], layers["third_bias"]), VALUE)


def bind_policy(layers: Layers, traits: Numbers) -> Numbers:
    """Lay out a policy network: what it thinks of traits becomes what it thinks of cards."""
    third, bias = layers["third"], layers["third_bias"]
    halves = [half @ traits.T for half in (third[:, :CARD_TRAITS], third[:, CARD_TRAITS:])]
    biases = [half @ traits.T for half in (bias[:CARD_TRAITS], bias[CARD_TRAITS:])]
    return _lay_out(layers, traits, (np.hstack(halves), np.hstack(biases)), POLICY)


def _lay_out(
    layers: Layers, traits: Numbers, last: tuple[Numbers, Numbers], shape: Shape
) -> Numbers:
    """Write a network as one row of numbers."""
    first = layers["first"]
    parts = (
        first[:FACTS],
        traits @ first[FACTS : FACTS + CARD_TRAITS],
        traits @ first[FACTS + CARD_TRAITS :],
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
        return {name: stored[name].astype(np.float32) for name in NAMES}


def write_layers(layers: Layers) -> bytes:
    """Store the layers of a network in half precision."""
    target = BytesIO()
    halves: dict[str, Any] = {name: layers[name].astype(np.float16) for name in NAMES}
    np.savez_compressed(target, **halves)
    return target.getvalue()


def read_stored(folder: Traversable | None = None) -> tuple[Layers, Layers]:
    """Read the value network and the policy network of a folder, or those that ship."""
    folder = folder or files("pleasance.games.sakura") / "weights"
    value = read_layers((folder / "value.npz").read_bytes())
    return value, read_layers((folder / "policy.npz").read_bytes())


Loader: TypeAlias = Callable[[Box], tuple[Numbers, Numbers]]
"""Loads the value network and the policy network for one box."""


def make_loader(folder: Traversable | None = None) -> Loader:
    """Make who loads the networks of a folder, or those that ship; each box is laid out once."""

    @cache
    def read() -> tuple[Layers, Layers]:
        return read_stored(folder)

    @lru_cache(maxsize=16)
    def load(box: Box) -> tuple[Numbers, Numbers]:
        traits = describe_cards(box)
        value, policy = read()
        return bind_value(value, traits), bind_policy(policy, traits)

    return load


load_networks = make_loader()
