"""The tables of webhooks and of their deliveries."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Table, UniqueConstraint

from pleasance.server.store.meta import metadata

webhooks = Table(
    "webhooks",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("url", String(600), nullable=False),  # often a secret itself
    Column("is_discord", Boolean, nullable=False),
    Column("secret", String(80), nullable=False),  # signs deliveries, so it is kept in clear
    Column("set_at", Float, nullable=False),
    Column("sent_at", Float),
    Column("failures", Integer, nullable=False),  # since the last success
    Column("trouble", String(40)),  # code of the last failure, if newer than that
    Column("status", Integer),  # HTTP status of that answer
    Column("off_at", Float),  # when too many failures disabled it
)
"""The webhook of each player who set one."""

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("player_id", String(40), nullable=False),
    Column("table_id", String(40), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("leased_until", Float, nullable=False),  # of the server that sends it
    Column("done_at", Float),
    Column("outcome", String(10)),  # sent, passed, failed, off
    UniqueConstraint("player_id", "table_id", "ply"),
    Index("deliveries_due", "done_at", "due_at"),
)
"""Turns to announce, each once."""
