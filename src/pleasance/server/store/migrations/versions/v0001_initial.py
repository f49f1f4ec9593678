"""The initial migration: creates all tables, as they were then; later changes must not alter it."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from pleasance.server.store.meta import metadata

revision = "0001"
down_revision = None

schema = MetaData(naming_convention=metadata.naming_convention)

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
    "access_tokens",
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
    Index("access_tokens_by_owner", "owner"),
    Index("access_tokens_by_player", "player_id"),
)
Table(
    "invitations",
    schema,
    Column("code_hash", String(64), primary_key=True),
    Column("made_at", Float, nullable=False),
    Column("used_by", String(40)),
    Column("used_at", Float),
)
Table(
    "tables",
    schema,
    Column("id", String(40), primary_key=True),
    Column("config", Text, nullable=False),
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("is_rated", Boolean, nullable=False),
    Column("owner", String(40), nullable=False),
    Column("status", String(10), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Column("due_at", Float),
    Column("waits_for_bot", Boolean, nullable=False),
    Column("waits_for", String(10), nullable=False, server_default=""),
    Column("result", String(80), nullable=False, server_default=""),
    Index("tables_due", "status", "due_at"),
    Index("tables_listed", "status", "is_public", "changed_at"),
)
Table(
    "entries",
    schema,
    Column("table_id", String(40), ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("idempotency_key", String(120)),
)
Table(
    "seatings",
    schema,
    Column("table_id", String(40), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", String(40)),
    Column("bot", String(60)),
    Index("seatings_by_player", "player_id", "table_id"),
)
Table(
    "reports",
    schema,
    Column("id", String(40), primary_key=True),
    Column("table_id", String(40), ForeignKey("tables.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("reporter_id", String(40), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("closed_at", Float),
)
Table(
    "mutes",
    schema,
    Column("player_id", String(40), primary_key=True),
    Column("muted_id", String(40), primary_key=True),
)
Table(
    "jobs",
    schema,
    Column("key", String(200), primary_key=True),
    Column("table_id", String(40), nullable=False),
    Column("request", LargeBinary, nullable=False),
    Column("is_quick", Boolean, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("leased_until", Float, nullable=False),
    Column("worker", String(40)),
    Column("attempts", Integer, nullable=False),
    Column("token", String(40)),
    Index("jobs_open", "token", "is_quick", "due_at"),
)
Table(
    "ratings",
    schema,
    Column("game", String(40), primary_key=True),
    Column("seats", Integer, primary_key=True, autoincrement=False),
    Column("subject", String(60), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("floor", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("updated_at", Float, nullable=False),
    Index("ratings_by_floor", "game", "seats", "floor"),
    Index("ratings_by_subject", "subject"),
)
Table(
    "results",
    schema,
    Column("table_id", String(40), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("subject", String(60), nullable=False),
    Column("rank", Integer, nullable=False),
    Column("score", Integer),
    Column("has_left", Boolean, nullable=False),
    Column("mu_before", Float),
    Column("sigma_before", Float),
    Column("mu_after", Float),
    Column("sigma_after", Float),
    Column("at", Float, nullable=False),
    Index("results_by_subject", "subject", "at", "table_id"),
)
Table(
    "pending_results",
    schema,
    Column("table_id", String(40), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("at", Float, nullable=False),
)
Table(
    "seeks",
    schema,
    Column("player_id", String(40), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("owner", String(40), nullable=False),
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("clock", Text),
    Column("mu", Float, nullable=False),
    Column("joined_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("offer_at", Float, nullable=False),
    Column("has_offer", Boolean, nullable=False),
    Column("accepts_bots", Boolean, nullable=False),
    Column("match_id", String(40)),
    Column("nonce", String(128)),
    Column("is_ready", Boolean, nullable=False),
    Index("seeks_by_match", "match_id", "joined_at"),
)
Table(
    "matches",
    schema,
    Column("id", String(40), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("request", Text, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("has_bot", Boolean, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("ready_at", Float),
    Column("leased_until", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("opened_at", Float),
    Index("matches_to_open", "opened_at", "leased_until"),
)
Table(
    "webhooks",
    schema,
    Column("player_id", String(40), primary_key=True),
    Column("url", String(600), nullable=False),
    Column("is_discord", Boolean, nullable=False),
    Column("secret", String(80), nullable=False),
    Column("set_at", Float, nullable=False),
    Column("sent_at", Float),
    Column("failures", Integer, nullable=False),
    Column("trouble", String(40)),
    Column("status", Integer),
    Column("off_at", Float),
)
Table(
    "deliveries",
    schema,
    Column("id", String(40), primary_key=True),
    Column("player_id", String(40), nullable=False),
    Column("table_id", String(40), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("leased_until", Float, nullable=False),
    Column("done_at", Float),
    Column("outcome", String(10)),
    UniqueConstraint("player_id", "table_id", "ply"),
    Index("deliveries_due", "done_at", "due_at"),
)
Table(
    "commit_markers",
    schema,
    Column("writer", String(40), primary_key=True),
    Column("batch", BigInteger, nullable=False),
    Column("at", Float, nullable=False),
)


def upgrade() -> None:
    """Create all tables."""
    schema.create_all(op.get_bind(), checkfirst=False)
