"""The game tables: their configuration, event log, seatings, reports and mutes."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text

from pleasance.server.store.meta import metadata

tables = Table(
    "tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("config", Text, nullable=False),  # JSON of the TableConfig, the secret too
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("is_rated", Boolean, nullable=False),
    Column("owner", String(40), nullable=False),
    Column("status", String(10), nullable=False),  # open, running, over, closed
    Column("seq", Integer, nullable=False),  # of the newest entry; 0 without one
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Column("due_at", Float),  # when a clock runs out, or the table is archived
    Column("waits_for_bot", Boolean, nullable=False),
    Column(
        "waits_for", String(10), nullable=False, server_default=""
    ),  # seats of people to move: "02"
    Column("result", String(80), nullable=False, server_default=""),  # points and rank: "98:1 81:2"
    Index("tables_listed", "status", "is_public", "changed_at"),
    Index("tables_due", "status", "due_at"),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(40), ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("body", Text, nullable=False),  # JSON of one entry
    Column("idempotency_key", String(120)),  # player and key of the request
)

seatings = Table(
    "seatings",
    metadata,
    Column("table_id", String(40), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", String(40)),
    Column("bot", String(60)),
    Index("seatings_by_player", "player_id", "table_id"),
)
"""Players and bots by seat, derived from the logs, to find a player's tables."""

reports = Table(
    "reports",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("table_id", String(40), ForeignKey("tables.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("reporter_id", String(40), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("closed_at", Float),
)
"""Chat entries that players reported."""

mutes = Table(
    "mutes",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("muted_id", String(40), primary_key=True),
)
"""Players whose chat a player does not want to read."""
