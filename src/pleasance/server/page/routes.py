"""All that the page answers; app.py mounts it."""

from __future__ import annotations

from typing import Any

from pleasance.server.page import (
    boxes,
    entrance,
    files,
    hints,
    records_api,
    reels_api,
    reference,
    sharing,
    sight,
)

ROUTES: list[Any] = [
    *entrance.ROUTES,
    *sharing.ROUTES,
    *sight.ROUTES,
    *hints.ROUTES,
    *reels_api.ROUTES,
    *records_api.ROUTES,
    *boxes.ROUTES,
    *files.ROUTES,
    *reference.ROUTES,
]
