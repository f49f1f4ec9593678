"""The tables of people, as they were then: what is made later must not change them."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

revision = "0001"
down_revision = None

schema = MetaData(
    naming_convention={
        "ix": "%(column_0_label)s_ix",
        "uq": "%(table_name)s_%(column_0_name)s_uq",
        "fk": "%(table_name)s_%(column_0_name)s_fk",
        "pk": "%(table_name)s_pk",
    }
)

# Players and how they are known.
Table(
    "players",
    schema,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("language", String(5), nullable=False),
    Column("owner", String(40), ForeignKey("players.id")),
    Column("created_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Index("players_by_owner", "owner"),
)
Table(
    "accounts",
    schema,
    Column("player_id", String(40), ForeignKey("players.id"), primary_key=True),
    Column("skeleton", String(200), nullable=False),
    Column("password", String(200)),
    Column("created_at", Float, nullable=False),
    UniqueConstraint("skeleton"),
)
Table(
    "sessions",
    schema,
    Column("id", String(40), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("player_id", String(40), ForeignKey("players.id"), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("proved_at", Float, nullable=False),
    UniqueConstraint("digest"),
    Index("sessions_by_player", "player_id"),
)
Table(
    "passkeys",
    schema,
    Column("id", String(40), primary_key=True),
    Column("player_id", String(40), ForeignKey("players.id"), nullable=False),
    Column("credential", String(1400), nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("domain", String(255), nullable=False),
    Column("label", String(40), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("used_at", Float),
    UniqueConstraint("credential"),
    Index("passkeys_by_player", "player_id"),
)
Table(
    "challenges",
    schema,
    Column("id", String(40), primary_key=True),
    Column("challenge", String(100), nullable=False),
    Column("purpose", String(10), nullable=False),
    Column("player_id", String(40)),
    Column("name", String(40)),
    Column("domain", String(255), nullable=False),
    Column("expires_at", Float, nullable=False),
    Index("challenges_by_end", "expires_at"),
)
Table(
    "recovery_codes",
    schema,
    Column("player_id", String(40), ForeignKey("players.id"), primary_key=True),
    Column("digest", String(64), primary_key=True),
)
Table(
    "api_tokens",
    schema,
    Column("id", String(40), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("player_id", String(40), ForeignKey("players.id"), nullable=False),
    Column("owner", String(40), ForeignKey("players.id"), nullable=False),
    Column("label", String(40), nullable=False),
    Column("scopes", String(60), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float),
    Column("used_at", Float),
    UniqueConstraint("digest"),
    Index("api_tokens_by_owner", "owner"),
    Index("api_tokens_by_player", "player_id"),
)

# Invitations.
Table(
    "invitations",
    schema,
    Column("code_hash", String(64), primary_key=True),
    Column("made_at", Float, nullable=False),
    Column("used_by", String(40)),
    Column("used_at", Float),
)


def upgrade() -> None:
    """Make all tables."""
    schema.create_all(op.get_bind(), checkfirst=False)
