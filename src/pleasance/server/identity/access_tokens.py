"""Access tokens (API tokens): bearer credentials of programs, each limited to scopes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from pleasance.server.base.errors import ConflictError, NotFoundError
from pleasance.server.identity.keys import ACCESS_TOKEN_PREFIX, hash_secret, new_secret
from pleasance.server.identity.players import PlayerRow
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.identity import access_tokens, players

MAX_TOKENS_PER_PLAYER = 50
"""The most access tokens of one owner, including those of the bots."""


class AccessTokenRow(NamedTuple):
    """A stored access token, without its secret."""

    id: str
    player_id: str
    label: str
    scopes: str
    created_at: float
    expires_at: float | None
    used_at: float | None


_COLUMNS = [access_tokens.c[name] for name in AccessTokenRow._fields]


def create_access_token(
    connection: Connection,
    owner: str,
    now: float,
    *,
    player: str,
    label: str,
    scopes: Iterable[str],
    expires_at: float | None = None,
) -> tuple[AccessTokenRow, str]:
    """Create an access token to act as *player*; return its row and the secret."""
    mine = select(func.count()).select_from(access_tokens).where(access_tokens.c.owner == owner)
    if connection.execute(mine).scalar_one() >= MAX_TOKENS_PER_PLAYER:
        raise ConflictError("tokens_many", most=MAX_TOKENS_PER_PLAYER)
    secret = new_secret(ACCESS_TOKEN_PREFIX)
    scope_text = " ".join(sorted(set(scopes)))
    row = AccessTokenRow(new_id(), player, label, scope_text, now, expires_at, None)
    values = {**row._asdict(), "owner": owner, "digest": hash_secret(secret)}
    connection.execute(insert(access_tokens).values(**values))
    return row, secret


def find_access_token(
    connection: Connection, secret: str, now: float
) -> tuple[AccessTokenRow, PlayerRow] | None:
    """Find an unexpired access token by its secret, and the player who acts with it."""
    row = connection.execute(
        select(*_COLUMNS, *(players.c[name] for name in PlayerRow._fields))
        .join(players, players.c.id == access_tokens.c.player_id)
        .where(access_tokens.c.digest == hash_secret(secret))
        .where(or_(access_tokens.c.expires_at.is_(None), access_tokens.c.expires_at > now))
        .where(players.c.kind != "gone")
    ).one_or_none()
    if row is None:
        return None
    return AccessTokenRow(*row[: len(_COLUMNS)]), PlayerRow(*row[len(_COLUMNS) :])


def list_access_tokens(connection: Connection, owner: str) -> list[AccessTokenRow]:
    """List the access tokens of an owner, the oldest first."""
    mine = select(*_COLUMNS).where(access_tokens.c.owner == owner)
    found = connection.execute(mine.order_by(access_tokens.c.created_at, access_tokens.c.id))
    return [AccessTokenRow(*row) for row in found]


def revoke_access_token(connection: Connection, owner: str, token: str) -> str:
    """Revoke an access token; return the player it acted as."""
    mine = (access_tokens.c.id == token) & (access_tokens.c.owner == owner)
    player = connection.execute(select(access_tokens.c.player_id).where(mine)).scalar_one_or_none()
    if player is None:
        raise NotFoundError("token_missing")
    connection.execute(delete(access_tokens).where(mine))
    return str(player)


def touch_access_token(connection: Connection, token: str, player: str, now: float) -> None:
    """Store when an access token was last used."""
    connection.execute(update(access_tokens).where(access_tokens.c.id == token).values(used_at=now))
    connection.execute(update(players).where(players.c.id == player).values(seen_at=now))
