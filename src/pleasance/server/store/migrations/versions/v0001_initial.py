"""The initial migration: creates all tables, as they were then; later changes must not alter it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pleasance.server.store.meta import metadata

revision = "0001"
down_revision = None

schema = sa.MetaData(naming_convention=metadata.naming_convention)

sa.Table(
    "players",
    schema,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("language", sa.String(5), nullable=False),
    sa.Column("owner", sa.String(40), sa.ForeignKey("players.id")),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("seen_at", sa.Float, nullable=False),
    sa.Index("players_by_owner", "owner"),
)
sa.Table(
    "accounts",
    schema,
    sa.Column("player_id", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("skeleton", sa.String(200), nullable=False),
    sa.Column("password", sa.String(200)),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.UniqueConstraint("skeleton"),
)
sa.Table(
    "sessions",
    schema,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("player_id", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("seen_at", sa.Float, nullable=False),
    sa.Column("expires_at", sa.Float, nullable=False),
    sa.Column("proved_at", sa.Float, nullable=False),
    sa.UniqueConstraint("digest"),
    sa.Index("sessions_by_player", "player_id"),
)
sa.Table(
    "passkeys",
    schema,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("player_id", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
    sa.Column("credential", sa.String(1400), nullable=False),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("domain", sa.String(255), nullable=False),
    sa.Column("label", sa.String(40), nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("used_at", sa.Float),
    sa.UniqueConstraint("credential"),
    sa.Index("passkeys_by_player", "player_id"),
)
sa.Table(
    "challenges",
    schema,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("challenge", sa.String(100), nullable=False),
    sa.Column("purpose", sa.String(10), nullable=False),
    sa.Column("player_id", sa.String(40)),
    sa.Column("name", sa.String(40)),
    sa.Column("domain", sa.String(255), nullable=False),
    sa.Column("expires_at", sa.Float, nullable=False),
    sa.Index("challenges_by_end", "expires_at"),
)
sa.Table(
    "recovery_codes",
    schema,
    sa.Column("player_id", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("digest", sa.String(64), primary_key=True),
)
sa.Table(
    "access_tokens",
    schema,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("player_id", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
    sa.Column("owner", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
    sa.Column("label", sa.String(40), nullable=False),
    sa.Column("scopes", sa.String(60), nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("expires_at", sa.Float),
    sa.Column("used_at", sa.Float),
    sa.UniqueConstraint("digest"),
    sa.Index("access_tokens_by_owner", "owner"),
    sa.Index("access_tokens_by_player", "player_id"),
)
sa.Table(
    "invitations",
    schema,
    sa.Column("code_hash", sa.String(64), primary_key=True),
    sa.Column("made_at", sa.Float, nullable=False),
    sa.Column("used_by", sa.String(40)),
    sa.Column("used_at", sa.Float),
)
sa.Table(
    "tables",
    schema,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("config", sa.Text, nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("is_public", sa.Boolean, nullable=False),
    sa.Column("is_rated", sa.Boolean, nullable=False),
    sa.Column("owner", sa.String(40), nullable=False),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("changed_at", sa.Float, nullable=False),
    sa.Column("due_at", sa.Float),
    sa.Column("waits_for_bot", sa.Boolean, nullable=False),
    sa.Column("waits_for", sa.String(10), nullable=False, server_default=""),
    sa.Column("result", sa.String(80), nullable=False, server_default=""),
    sa.Index("tables_due", "status", "due_at"),
    sa.Index("tables_listed", "status", "is_public", "changed_at"),
)
sa.Table(
    "entries",
    schema,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("idempotency_key", sa.String(120)),
)
sa.Table(
    "seatings",
    schema,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player_id", sa.String(40)),
    sa.Column("bot", sa.String(60)),
    sa.Index("seatings_by_player", "player_id", "table_id"),
)
sa.Table(
    "reports",
    schema,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("reporter_id", sa.String(40), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("closed_at", sa.Float),
)
sa.Table(
    "mutes",
    schema,
    sa.Column("player_id", sa.String(40), primary_key=True),
    sa.Column("muted_id", sa.String(40), primary_key=True),
)
sa.Table(
    "jobs",
    schema,
    sa.Column("key", sa.String(200), primary_key=True),
    sa.Column("table_id", sa.String(40), nullable=False),
    sa.Column("request", sa.LargeBinary, nullable=False),
    sa.Column("is_quick", sa.Boolean, nullable=False),
    sa.Column("due_at", sa.Float, nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("leased_until", sa.Float, nullable=False),
    sa.Column("worker", sa.String(40)),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("token", sa.String(40)),
    sa.Index("jobs_open", "token", "is_quick", "due_at"),
)
sa.Table(
    "ratings",
    schema,
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("seats", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("subject", sa.String(60), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("ordinal", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("wins", sa.Integer, nullable=False),
    sa.Column("updated_at", sa.Float, nullable=False),
    sa.Index("ratings_by_ordinal", "game", "seats", "ordinal"),
    sa.Index("ratings_by_subject", "subject"),
)
sa.Table(
    "results",
    schema,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("subject", sa.String(60), nullable=False),
    sa.Column("rank", sa.Integer, nullable=False),
    sa.Column("score", sa.Integer),
    sa.Column("has_left", sa.Boolean, nullable=False),
    sa.Column("mu_before", sa.Float),
    sa.Column("sigma_before", sa.Float),
    sa.Column("mu_after", sa.Float),
    sa.Column("sigma_after", sa.Float),
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("results_by_subject", "subject", "at", "table_id"),
)
sa.Table(
    "pending_results",
    schema,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
sa.Table(
    "seeks",
    schema,
    sa.Column("player_id", sa.String(40), primary_key=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("owner", sa.String(40), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("clock", sa.Text),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("joined_at", sa.Float, nullable=False),
    sa.Column("seen_at", sa.Float, nullable=False),
    sa.Column("offer_at", sa.Float, nullable=False),
    sa.Column("has_offer", sa.Boolean, nullable=False),
    sa.Column("accepts_bots", sa.Boolean, nullable=False),
    sa.Column("match_id", sa.String(40)),
    sa.Column("nonce", sa.String(128)),
    sa.Column("is_ready", sa.Boolean, nullable=False),
    sa.Index("seeks_by_match", "match_id", "joined_at"),
)
sa.Table(
    "matches",
    schema,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("request", sa.Text, nullable=False),
    sa.Column("commitment", sa.String(64), nullable=False),
    sa.Column("has_bot", sa.Boolean, nullable=False),
    sa.Column("made_at", sa.Float, nullable=False),
    sa.Column("ready_at", sa.Float),
    sa.Column("leased_until", sa.Float, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("opened_at", sa.Float),
    sa.Index("matches_to_open", "opened_at", "leased_until"),
)
sa.Table(
    "webhooks",
    schema,
    sa.Column("player_id", sa.String(40), primary_key=True),
    sa.Column("url", sa.String(600), nullable=False),
    sa.Column("is_discord", sa.Boolean, nullable=False),
    sa.Column("secret", sa.String(80), nullable=False),
    sa.Column("set_at", sa.Float, nullable=False),
    sa.Column("sent_at", sa.Float),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("trouble", sa.String(40)),
    sa.Column("status", sa.Integer),
    sa.Column("off_at", sa.Float),
)
sa.Table(
    "deliveries",
    schema,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("player_id", sa.String(40), nullable=False),
    sa.Column("table_id", sa.String(40), nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("due_at", sa.Float, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("leased_until", sa.Float, nullable=False),
    sa.Column("done_at", sa.Float),
    sa.Column("outcome", sa.String(10)),
    sa.UniqueConstraint("player_id", "table_id", "ply"),
    sa.Index("deliveries_due", "done_at", "due_at"),
)
sa.Table(
    "commit_markers",
    schema,
    sa.Column("writer", sa.String(40), primary_key=True),
    sa.Column("batch", sa.BigInteger, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)


def upgrade() -> None:
    """Create all tables."""
    schema.create_all(op.get_bind(), checkfirst=False)
