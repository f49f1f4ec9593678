"""All endpoints of the API in one list, for the app."""

from __future__ import annotations

from typing import Any

from litestar import Router

from pleasance.server.http import (
    access_token_api,
    account_api,
    health,
    metrics_api,
    moderation_api,
    passkey_api,
    personal_data_api,
    queue_api,
    ratings_api,
    session_api,
    socket,
    tables_api,
    webhooks_api,
)

IDENTITY_ROUTES: list[Any] = [
    *session_api.ROUTES,
    *account_api.ROUTES,
    *passkey_api.ROUTES,
    *access_token_api.ROUTES,
    *personal_data_api.ROUTES,
]
"""The endpoints that need nothing but identity."""

_ROUTES_BY_TAG: dict[str, list[Any]] = {
    "identity": IDENTITY_ROUTES,
    "tables": tables_api.ROUTES,
    "moderation": moderation_api.ROUTES,
    "ratings": ratings_api.ROUTES,
    "queue": queue_api.ROUTES,
    "webhooks": webhooks_api.ROUTES,
}
"""The endpoints under each heading of the API reference."""

ROUTES: list[Any] = [
    *(Router("/", route_handlers=found, tags=[tag]) for tag, found in _ROUTES_BY_TAG.items()),
    *socket.ROUTES,
    *health.ROUTES,
    *metrics_api.ROUTES,
]
