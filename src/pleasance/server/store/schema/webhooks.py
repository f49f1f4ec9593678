"""The tables of webhooks and of what is to be sent to them."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Table, UniqueConstraint

from pleasance.server.store.meta import metadata

hooks = Table(
    "hooks",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("url", String(600), nullable=False),  # often a secret itself
    Column("is_discord", Boolean, nullable=False),
    Column("secret", String(80), nullable=False),  # signs what we send, so it is kept as it is
    Column("set_at", Float, nullable=False),
    Column("sent_at", Float),
    Column("failures", Integer, nullable=False),  # since the last success
    Column("trouble", String(40)),  # the code of the last failure, if it came after that
    Column("status", Integer),  # what the other side answered then
    Column("off_at", Float),  # when it was switched off after too many
)
"""Where a player wants to be told; one line a player."""

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("player_id", String(40), nullable=False),
    Column("table_id", String(40), nullable=False),
    Column("lines", Integer, nullable=False),  # how many the log had when the turn came
    Column("at", Float, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("leased_until", Float, nullable=False),  # some server sends it until then
    Column("done_at", Float),
    Column("outcome", String(10)),  # sent, passed, failed, off
    UniqueConstraint("player_id", "table_id", "lines"),
    Index("deliveries_due", "done_at", "due_at"),
)
"""What is to be sent; a turn is announced once."""
