"""The job queue of bot moves, which workers on any machine lease."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, Integer, LargeBinary, String, Table

from pleasance.server.store.meta import metadata

jobs = Table(
    "jobs",
    metadata,
    Column("key", String(200), primary_key=True),  # table, seat, position and bot
    Column("table_id", String(40), nullable=False),
    Column("request", LargeBinary, nullable=False),  # an encoded MoveRequest
    Column("is_quick", Boolean, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("leased_until", Float, nullable=False),  # 0 while no worker has the lease
    Column("worker", String(40)),
    Column("attempts", Integer, nullable=False),
    Column("token", String(40)),  # notation of the choice, once it is made
    Index("jobs_open", "token", "is_quick", "due_at"),
)
"""All times are those of the database, so the clocks of workers do not matter."""
