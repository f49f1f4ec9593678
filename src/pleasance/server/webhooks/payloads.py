"""What a webhook is sent: words and fields that Discord takes, signed."""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple

import msgspec

from pleasance.games import find_game
from pleasance.i18n.catalog import LANGUAGES, load_words
from pleasance.server.base.translate import server_words

_DISCORD = ("discord.com", "discordapp.com")


class Notice(NamedTuple):
    """A turn to be announced."""

    id: str
    """The same each time that it is sent."""

    table: str
    game: str
    lines: int
    at: float
    link: str
    language: str


def is_discord(host: str) -> bool:
    """Tell whether a host is Discord's."""
    return any(host == name or host.endswith(f".{name}") for name in _DISCORD)


def write_body(notice: Notice, *, for_discord: bool) -> bytes:
    """Write the announcement of a turn as JSON; others than Discord get our own fields too."""
    language = notice.language if notice.language in LANGUAGES else LANGUAGES[0]
    words = server_words(language)
    title = load_words(language, find_game(notice.game).spec.package)("title")
    body: dict[str, object] = {
        "content": words("hook.turn", game=title, link=notice.link),
        "embeds": [{"title": title, "url": notice.link, "description": words("hook.your_turn")}],
        "allowed_mentions": {"parse": []},
    }
    if not for_discord:
        body["pleasance"] = {
            "kind": "turn",
            "id": notice.id,
            "table": notice.table,
            "game": notice.game,
            "lines": notice.lines,
            "at": notice.at,
            "link": notice.link,
        }
    return msgspec.json.encode(body)


def sign(secret: str, body: bytes, now: float) -> str:
    """Sign what is sent now: the value of the header `Pleasance-Signature`."""
    moment = int(now)
    signed = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    return f"t={moment},v1={signed.hexdigest()}"
