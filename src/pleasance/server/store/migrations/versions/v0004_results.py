"""How games have ended, so that lists of tables can say so."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, String

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Note for each table how it ended; of those that are over already no list tells."""
    op.add_column("tables", Column("result", String(80), nullable=False, server_default=""))
