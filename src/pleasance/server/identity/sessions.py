"""Sessions of browsers, each identified by a secret cookie."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from pleasance.server.identity.keys import hash_secret, new_secret
from pleasance.server.identity.players import PlayerRow
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.identity import players, sessions

SESSION_LIFETIME_S = 180 * 86400.0
"""Seconds from the last use of a session to its expiry."""

RECENT_SIGN_IN_S = 15 * 60.0
"""Seconds after a sign-in during which sign-in methods may be changed."""


class SessionRow(NamedTuple):
    """An unexpired session and its player."""

    id: str
    seen_at: float
    proved_at: float
    player: PlayerRow


def start_session(
    connection: Connection, player: str, now: float, *, instead_of: str | None = None
) -> str:
    """Start a session that replaces *instead_of*; return the secret for the cookie.

    A new secret prevents session fixation: a leaked old cookie gains no new rights.
    """
    if instead_of is not None:
        end_session(connection, instead_of)
    secret = new_secret()
    connection.execute(
        insert(sessions).values(
            id=new_id(),
            digest=hash_secret(secret),
            player_id=player,
            created_at=now,
            seen_at=now,
            expires_at=now + SESSION_LIFETIME_S,
            proved_at=now,
        )
    )
    return secret


def find_session(connection: Connection, secret: str, now: float) -> SessionRow | None:
    """Find an unexpired session by the secret of its cookie."""
    columns = [sessions.c.id, sessions.c.seen_at, sessions.c.proved_at]
    row = connection.execute(
        select(*columns, *(players.c[name] for name in PlayerRow._fields))
        .join(players, players.c.id == sessions.c.player_id)
        .where(sessions.c.digest == hash_secret(secret))
        .where(sessions.c.expires_at > now)
        .where(players.c.kind != "gone")
    ).one_or_none()
    return None if row is None else SessionRow(row[0], row[1], row[2], PlayerRow(*row[3:]))


def touch_session(connection: Connection, session: str, player: str, now: float) -> None:
    """Store the last use of a session and extend its expiry."""
    connection.execute(
        update(sessions)
        .where(sessions.c.id == session)
        .values(seen_at=now, expires_at=now + SESSION_LIFETIME_S)
    )
    connection.execute(update(players).where(players.c.id == player).values(seen_at=now))


def end_session(connection: Connection, session: str) -> None:
    """Delete one session."""
    connection.execute(delete(sessions).where(sessions.c.id == session))


def end_sessions(connection: Connection, player: str, *, but: str | None = None) -> None:
    """Delete all sessions of a player, optionally *but* one."""
    ending = sessions.c.player_id == player
    if but is not None:
        ending &= sessions.c.id != but
    connection.execute(delete(sessions).where(ending))


def delete_expired_sessions(connection: Connection, now: float) -> None:
    """Delete expired sessions."""
    connection.execute(delete(sessions).where(sessions.c.expires_at <= now))
