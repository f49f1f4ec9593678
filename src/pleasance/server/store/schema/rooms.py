"""The tables of tables: what each was opened with, its log, and who may not come back."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text

from pleasance.server.store.meta import metadata

tables = Table(
    "tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("plan", Text, nullable=False),  # JSON: what the table was opened with, the secret too
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("is_rated", Boolean, nullable=False),
    Column("owner", String(40), nullable=False),
    Column("status", String(10), nullable=False),  # open, running, over, closed
    Column("lines", Integer, nullable=False),  # how many lines the log has
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Column("due_at", Float),  # when somebody's time is up, or the table is abandoned
    Column("waits_for_bot", Boolean, nullable=False),
    Column("waits_for", String(10), nullable=False, server_default=""),  # seats of people: "02"
    Column("result", String(80), nullable=False, server_default=""),  # points and rank: "98:1 81:2"
    Index("tables_listed", "status", "is_public", "changed_at"),
    Index("tables_due", "status", "due_at"),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(40), ForeignKey("tables.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("body", Text, nullable=False),  # JSON of one entry
    Column("key", String(120)),  # whose request it was, and the key it had
)

sitters = Table(
    "sitters",
    metadata,
    Column("table_id", String(40), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", String(40)),
    Column("bot", String(60)),
    Index("sitters_by_player", "player_id", "table_id"),
)
"""Who sits where, to find a player's tables; follows from the logs."""

reports = Table(
    "reports",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("table_id", String(40), ForeignKey("tables.id"), nullable=False),
    Column("line", Integer, nullable=False),
    Column("by", String(40), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("closed_at", Float),
)
"""What somebody finds should not have been said."""

mutes = Table(
    "mutes",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("muted_id", String(40), primary_key=True),
)
"""Whose words a player does not want to read."""
