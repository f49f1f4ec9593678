"""The table of thoughts that wait for a worker on some machine."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, Integer, LargeBinary, String, Table

from pleasance.server.store.meta import metadata

jobs = Table(
    "jobs",
    metadata,
    Column("key", String(200), primary_key=True),  # table, seat, position and bot
    Column("table_id", String(40), nullable=False),
    Column("thought", LargeBinary, nullable=False),  # written and read by this program only
    Column("is_quick", Boolean, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("leased_until", Float, nullable=False),  # 0 while nobody is about it
    Column("worker", String(40)),
    Column("attempts", Integer, nullable=False),
    Column("token", String(40)),  # the choice, once it is made
    Index("jobs_open", "token", "is_quick", "due_at"),
)
"""All times are those of the database, so that the clocks of other machines do not matter."""
