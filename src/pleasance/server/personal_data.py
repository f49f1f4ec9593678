"""All features that keep something about players."""

from __future__ import annotations

from pleasance.server.live import personal_data as rooms_data
from pleasance.server.matchmaking import personal_data as ratings_data
from pleasance.server.webhooks import personal_data as hooks_data

KEEPERS = (rooms_data.KEEPER, ratings_data.KEEPER, hooks_data.KEEPER)
