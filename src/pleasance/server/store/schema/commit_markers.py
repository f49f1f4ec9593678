"""Receipts: each process notes in each transaction how many it has made.

A COMMIT may get no answer because the connection is lost. The receipt then tells whether it has
happened. The number that PostgreSQL itself gives a transaction does not: after a crash the same
number may be given again, to another transaction.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, String, Table

from pleasance.server.store.meta import metadata

receipts = Table(
    "receipts",
    metadata,
    Column("writer", String(40), primary_key=True),
    Column("batch", BigInteger, nullable=False),
    Column("at", Float, nullable=False),
)
"""The last batch of each process that writes; of no interest to anybody else."""
