"""All table definitions; importing this package fills the metadata."""

from __future__ import annotations

from pleasance.server.store.meta import metadata
from pleasance.server.store.schema import (
    admin,
    bots,
    commit_markers,
    identity,
    ratings,
    rooms,
    webhooks,
)

__all__ = [
    "admin",
    "bots",
    "commit_markers",
    "identity",
    "metadata",
    "ratings",
    "rooms",
    "webhooks",
]
