"""Sessions: what a browser's cookie stands for."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from pleasance.server.identity.keys import digest, new_secret
from pleasance.server.identity.players import PlayerRow
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.identity import players, sessions

LIFETIME = 180 * 86400.0
"""Seconds that a session lasts after the page was last opened."""

PROOF_LIFETIME = 15 * 60.0
"""Seconds after signing in during which the locks of an account may be changed."""


class SessionRow(NamedTuple):
    """A session that is still good, and whose it is."""

    id: str
    seen_at: float
    proved_at: float
    player: PlayerRow


def start_session(
    connection: Connection, player: str, now: float, *, instead_of: str | None = None
) -> str:
    """Begin a session *instead_of* the old one; give the secret for the cookie.

    Nobody who has learned the old cookie is let in by the new rights.
    """
    if instead_of is not None:
        end_session(connection, instead_of)
    secret = new_secret()
    connection.execute(
        insert(sessions).values(
            id=new_id(),
            digest=digest(secret),
            player_id=player,
            created_at=now,
            seen_at=now,
            expires_at=now + LIFETIME,
            proved_at=now,
        )
    )
    return secret


def find_session(connection: Connection, secret: str, now: float) -> SessionRow | None:
    """Find the session a cookie stands for, unless it is over."""
    facts = [sessions.c.id, sessions.c.seen_at, sessions.c.proved_at]
    row = connection.execute(
        select(*facts, *(players.c[name] for name in PlayerRow._fields))
        .join(players, players.c.id == sessions.c.player_id)
        .where(sessions.c.digest == digest(secret))
        .where(sessions.c.expires_at > now)
        .where(players.c.kind != "gone")
    ).one_or_none()
    return None if row is None else SessionRow(row[0], row[1], row[2], PlayerRow(*row[3:]))


def touch_session(connection: Connection, session: str, player: str, now: float) -> None:
    """Note that somebody is there, and let the session last on."""
    connection.execute(
        update(sessions)
        .where(sessions.c.id == session)
        .values(seen_at=now, expires_at=now + LIFETIME)
    )
    connection.execute(update(players).where(players.c.id == player).values(seen_at=now))


def end_session(connection: Connection, session: str) -> None:
    """End one session."""
    connection.execute(delete(sessions).where(sessions.c.id == session))


def end_sessions(connection: Connection, player: str, *, but: str | None = None) -> None:
    """End all sessions of a player, perhaps *but* one."""
    ending = sessions.c.player_id == player
    if but is not None:
        ending &= sessions.c.id != but
    connection.execute(delete(sessions).where(ending))


def forget_old_sessions(connection: Connection, now: float) -> None:
    """Remove what nobody can use any more."""
    connection.execute(delete(sessions).where(sessions.c.expires_at <= now))
