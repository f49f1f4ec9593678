"""API tokens: what programs show instead of a cookie."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from pleasance.server.base.errors import ConflictError, UnknownError
from pleasance.server.identity.keys import TOKEN_PREFIX, digest, new_secret
from pleasance.server.identity.players import PlayerRow
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.identity import api_tokens, players

MOST = 50
"""How many tokens somebody may have, those of the bots counted in."""


class TokenRow(NamedTuple):
    """A token, as the database knows one; the secret is not kept."""

    id: str
    player_id: str
    label: str
    scopes: str
    created_at: float
    expires_at: float | None
    used_at: float | None


_COLUMNS = [api_tokens.c[name] for name in TokenRow._fields]


def add_token(
    connection: Connection,
    owner: str,
    now: float,
    *,
    player: str,
    label: str,
    scopes: Iterable[str],
    expires_at: float | None = None,
) -> tuple[TokenRow, str]:
    """Make a token with which a program acts as *player*; give its row and the secret."""
    mine = select(func.count()).select_from(api_tokens).where(api_tokens.c.owner == owner)
    if connection.execute(mine).scalar_one() >= MOST:
        raise ConflictError("tokens_many", most=MOST)
    secret = new_secret(TOKEN_PREFIX)
    words = " ".join(sorted(set(scopes)))
    row = TokenRow(new_id(), player, label, words, now, expires_at, None)
    facts = {**row._asdict(), "owner": owner, "digest": digest(secret)}
    connection.execute(insert(api_tokens).values(**facts))
    return row, secret


def find_token(
    connection: Connection, secret: str, now: float
) -> tuple[TokenRow, PlayerRow] | None:
    """Find the token a program has shown and who acts with it, unless it is over."""
    row = connection.execute(
        select(*_COLUMNS, *(players.c[name] for name in PlayerRow._fields))
        .join(players, players.c.id == api_tokens.c.player_id)
        .where(api_tokens.c.digest == digest(secret))
        .where(or_(api_tokens.c.expires_at.is_(None), api_tokens.c.expires_at > now))
        .where(players.c.kind != "gone")
    ).one_or_none()
    if row is None:
        return None
    return TokenRow(*row[: len(_COLUMNS)]), PlayerRow(*row[len(_COLUMNS) :])


def list_tokens(connection: Connection, owner: str) -> list[TokenRow]:
    """List the tokens somebody has made, the oldest first."""
    mine = select(*_COLUMNS).where(api_tokens.c.owner == owner)
    found = connection.execute(mine.order_by(api_tokens.c.created_at, api_tokens.c.id))
    return [TokenRow(*row) for row in found]


def remove_token(connection: Connection, owner: str, token: str) -> str:
    """Take a token back; tell who can act with it no more."""
    mine = (api_tokens.c.id == token) & (api_tokens.c.owner == owner)
    player = connection.execute(select(api_tokens.c.player_id).where(mine)).scalar_one_or_none()
    if player is None:
        raise UnknownError("token_missing")
    connection.execute(delete(api_tokens).where(mine))
    return str(player)


def touch_token(connection: Connection, token: str, player: str, now: float) -> None:
    """Note that a token is in use."""
    connection.execute(update(api_tokens).where(api_tokens.c.id == token).values(used_at=now))
    connection.execute(update(players).where(players.c.id == player).values(seen_at=now))
