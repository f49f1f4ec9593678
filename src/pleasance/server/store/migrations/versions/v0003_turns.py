"""Whose turn it is, so that lists of tables can say so."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, String

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Note for each table which people must choose; running ones are told with their next line."""
    op.add_column("tables", Column("waits_for", String(10), nullable=False, server_default=""))
