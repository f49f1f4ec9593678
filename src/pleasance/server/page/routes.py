"""All that the page answers; app.py mounts it."""

from __future__ import annotations

from typing import Any

from pleasance.server.page import covers, entrance, files, reference, sharing, sight

ROUTES: list[Any] = [
    *entrance.ROUTES,
    *sharing.ROUTES,
    *sight.ROUTES,
    *covers.ROUTES,
    *files.ROUTES,
    *reference.ROUTES,
]
