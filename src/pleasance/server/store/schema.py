"""All tables there are: importing this fills the metadata."""

from __future__ import annotations

from pleasance.server.admin import schema as admin
from pleasance.server.bots import schema as bots
from pleasance.server.hooks import schema as hooks
from pleasance.server.identity import schema as identity
from pleasance.server.ratings import schema as ratings
from pleasance.server.rooms import schema as rooms
from pleasance.server.store import receipts
from pleasance.server.store.meta import metadata

__all__ = ["admin", "bots", "hooks", "identity", "metadata", "ratings", "receipts", "rooms"]
