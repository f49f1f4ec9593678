"""All routes of the page in one list, for the app."""

from __future__ import annotations

from typing import Any

from pleasance.server.page import (
    api_reference,
    assets,
    hints,
    invite_links,
    playback_api,
    records_api,
    routes,
    table_api,
)

ROUTES: list[Any] = [
    *routes.ROUTES,
    *invite_links.ROUTES,
    *table_api.ROUTES,
    *hints.ROUTES,
    *playback_api.ROUTES,
    *records_api.ROUTES,
    *assets.ROUTES,
    *api_reference.ROUTES,
]
