"""The tables of identity: players, accounts, sessions, passkeys, recovery codes, access tokens.

Only hashes of secrets are kept: SHA-256 where the secret is random, argon2 for passwords.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
)

from pleasance.server.store.meta import metadata

players = Table(
    "players",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("kind", String(10), nullable=False),  # guest, account, bot, or gone after erasure
    Column("language", String(5), nullable=False),
    Column("owner", String(40), ForeignKey("players.id")),  # the player whose program a bot is
    Column("created_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Index("players_by_owner", "owner"),
)

accounts = Table(
    "accounts",
    metadata,
    Column("player_id", String(40), ForeignKey("players.id"), primary_key=True),
    Column("skeleton", String(200), nullable=False),  # confusable-folded name, for uniqueness
    Column("password", String(200)),  # argon2; none with passkeys only
    Column("created_at", Float, nullable=False),
    UniqueConstraint("skeleton"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("digest", String(64), nullable=False),  # SHA-256 of the cookie
    Column("player_id", String(40), ForeignKey("players.id"), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("proved_at", Float, nullable=False),  # of the last sign-in by password or passkey
    UniqueConstraint("digest"),
    Index("sessions_by_player", "player_id"),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("player_id", String(40), ForeignKey("players.id"), nullable=False),
    Column("credential", String(1400), nullable=False),  # credential id, base64url
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("domain", String(255), nullable=False),  # relying party id
    Column("label", String(40), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("used_at", Float),
    UniqueConstraint("credential"),
    Index("passkeys_by_player", "player_id"),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("challenge", String(100), nullable=False),  # base64url
    Column("purpose", String(10), nullable=False),  # register, sign_in
    Column("player_id", String(40)),  # the player who registers
    Column("name", String(40)),  # the name a guest claims
    Column("domain", String(255), nullable=False),
    Column("expires_at", Float, nullable=False),
    Index("challenges_by_end", "expires_at"),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("player_id", String(40), ForeignKey("players.id"), primary_key=True),
    Column("digest", String(64), primary_key=True),
)

access_tokens = Table(
    "access_tokens",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("player_id", String(40), ForeignKey("players.id"), nullable=False),  # acts with it
    Column("owner", String(40), ForeignKey("players.id"), nullable=False),  # made it
    Column("label", String(40), nullable=False),
    Column("scopes", String(60), nullable=False),  # separated by spaces
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float),
    Column("used_at", Float),
    UniqueConstraint("digest"),
    Index("access_tokens_by_owner", "owner"),
    Index("access_tokens_by_player", "player_id"),
)
