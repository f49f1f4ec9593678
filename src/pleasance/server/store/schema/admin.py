"""The table of invitations; only a hash of each code is kept."""

from __future__ import annotations

from sqlalchemy import Column, Float, String, Table

from pleasance.server.store.meta import metadata

invitations = Table(
    "invitations",
    metadata,
    Column("code_hash", String(64), primary_key=True),  # SHA-256
    Column("made_at", Float, nullable=False),
    Column("used_by", String(40)),  # the player admitted with it
    Column("used_at", Float),
)
