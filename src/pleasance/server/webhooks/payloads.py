"""Webhook payloads that Discord accepts, and the webhook signature (Standard Webhooks)."""

from __future__ import annotations

import secrets
from base64 import b64encode
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from standardwebhooks import Webhook

from pleasance.games import find_game
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.server.base.translate import server_messages

_DISCORD = ("discord.com", "discordapp.com")
_SECRET_BYTES = 32


class TurnNotice(NamedTuple):
    """The announcement of a turn."""

    id: str
    """The idempotency key for receivers: equal whenever the notice is sent again."""

    table: str
    game: str
    ply: int
    at: float
    link: str
    language: str


def is_discord(host: str) -> bool:
    """Return whether a host belongs to Discord."""
    return any(host == name or host.endswith(f".{name}") for name in _DISCORD)


def encode_body(notice: TurnNotice, *, for_discord: bool) -> bytes:
    """Encode a notice as JSON; receivers other than Discord get our own fields too."""
    language = notice.language if notice.language in LANGUAGES else LANGUAGES[0]
    words = server_messages(language)
    title = load_messages(language, find_game(notice.game).spec.package)("title")
    body: dict[str, object] = {
        "content": words("webhook.turn", game=title, link=notice.link),
        "embeds": [{"title": title, "url": notice.link, "description": words("webhook.your_turn")}],
        "allowed_mentions": {"parse": []},
    }
    if not for_discord:
        body["pleasance"] = {
            "kind": "turn",
            "id": notice.id,
            "table": notice.table,
            "game": notice.game,
            "ply": notice.ply,
            "at": notice.at,
            "link": notice.link,
        }
    return msgspec.json.encode(body)


def make_secret() -> str:
    """Make the secret of a webhook, in the form that receivers know (`whsec_…`)."""
    return f"whsec_{b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def sign(secret: str, notice_id: str, body: bytes, now: float) -> dict[str, str]:
    """Make the headers of the webhook signature, as the Standard Webhooks specification says."""
    sent_at = datetime.fromtimestamp(int(now), UTC)
    return {
        "Webhook-Id": notice_id,
        "Webhook-Timestamp": str(int(now)),
        "Webhook-Signature": Webhook(secret).sign(notice_id, sent_at, body.decode()),
    }
