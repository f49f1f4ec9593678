"""All features that keep something about players."""

from __future__ import annotations

from pleasance.server.hooks import mydata as hooks_data
from pleasance.server.ratings import mydata as ratings_data
from pleasance.server.rooms import mydata as rooms_data

KEEPERS = (rooms_data.KEEPER, ratings_data.KEEPER, hooks_data.KEEPER)
