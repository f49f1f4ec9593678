"""All endpoints of the API in one list, for the app."""

from __future__ import annotations

from typing import Any

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

ROUTES: list[Any] = [
    *IDENTITY_ROUTES,
    *tables_api.ROUTES,
    *moderation_api.ROUTES,
    *socket.ROUTES,
    *ratings_api.ROUTES,
    *queue_api.ROUTES,
    *webhooks_api.ROUTES,
    *health.ROUTES,
    *metrics_api.ROUTES,
]
