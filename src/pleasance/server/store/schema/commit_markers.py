"""Commit markers: each writer stores the number of its latest transaction inside it.

A COMMIT gets no answer if the connection is lost. The marker then shows whether it happened.
PostgreSQL's own transaction ids cannot: after a crash an id may be given to another transaction.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, String, Table

from pleasance.server.store.meta import metadata

commit_markers = Table(
    "commit_markers",
    metadata,
    Column("writer", String(40), primary_key=True),
    Column("batch", BigInteger, nullable=False),
    Column("at", Float, nullable=False),
)
"""The last batch of each writing process."""
