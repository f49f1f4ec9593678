"""The layers of the networks as NumPy's arrays, as training fits and stores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pleasance.compiled.signature import ArrayType
from pleasance.compiled.stored_arrays import StoredArray
from pleasance.games.sakura.bots.network import storage
from pleasance.games.sakura.bots.network.model import POLICY, VALUE, Networks
from pleasance.games.sakura.rules.components import Box

WeightArray: TypeAlias = NDArray[np.float32]
LayerArrays: TypeAlias = Mapping[str, WeightArray]
"""The layers of `storage.Layers` by the same names."""


ValueNetworks: TypeAlias = Annotated[Any, ArrayType("float32", (None, VALUE.size()))]
"""Value networks, a row each."""

PolicyNetworks: TypeAlias = Annotated[Any, ArrayType("float32", (None, POLICY.size()))]
"""Policy networks, a row each."""


class NetworkVersions(NamedTuple):
    """All versions of both networks, a row each."""

    value: ValueNetworks
    policy: PolicyNetworks


def stack_versions(nets: Sequence[Networks]) -> NetworkVersions:
    """Make versions of some networks, the newest first."""
    return NetworkVersions(*map(np.stack, zip(*nets, strict=True)))


def trait_array(box: Box) -> WeightArray:
    """Encode the traits of each card `[card, trait]`."""
    return np.array(storage.encode_cards(box), dtype=np.float32)


def flatten_layers(value: LayerArrays, policy: LayerArrays, box: Box) -> Networks:
    """Lay out both networks for compiled code and the cards of one box."""
    traits = storage.encode_cards(box)
    return storage.flatten_networks(_as_stored(value), _as_stored(policy), traits)


def _as_stored(layers: LayerArrays) -> storage.Layers:
    """Turn arrays into layers as they are read from a file."""
    return {
        name: StoredArray(array.shape, tuple(array.ravel().tolist()))
        for name, array in layers.items()
    }


def as_arrays(layers: storage.Layers) -> LayerArrays:
    """Turn stored layers into arrays."""
    return {
        name: np.array(stored.values, dtype=np.float32).reshape(stored.shape)
        for name, stored in layers.items()
    }


def read_networks(folder: Traversable | None = None) -> tuple[LayerArrays, LayerArrays]:
    """Read the value network and the policy network of a folder, or those that ship."""
    value, policy = storage.read_networks(folder)
    return as_arrays(value), as_arrays(policy)


def write_layers(layers: LayerArrays) -> bytes:
    """Store the layers of a network in half precision."""
    target = BytesIO()
    halves: dict[str, Any] = {name: layers[name].astype(np.float16) for name in storage.LAYER_NAMES}
    np.savez_compressed(target, **halves)
    return target.getvalue()
