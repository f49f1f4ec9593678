"""Personal data of webhooks: export and erasure."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select

from pleasance.server.identity.personal_data import PersonalDataSource, referenced_in
from pleasance.server.store.schema.webhooks import deliveries, webhooks


def export(connection: Connection, player: str) -> object:
    """Export a player's webhook, without its secret, and its deliveries."""
    facts = [column for column in webhooks.c if column.name not in {"player_id", "secret"}]
    found = connection.execute(select(*facts).where(webhooks.c.player_id == player)).mappings()
    columns = (deliveries.c.table_id, deliveries.c.at, deliveries.c.outcome)
    sent = select(*columns).where(deliveries.c.player_id == player).order_by(deliveries.c.at)
    return {
        "webhook": [dict(row) for row in found],
        "deliveries": [dict(row) for row in connection.execute(sent).mappings()],
    }


def delete_webhook(connection: Connection, player: str) -> None:
    """Delete a player's webhook and its deliveries."""
    connection.execute(delete(deliveries).where(deliveries.c.player_id == player))
    connection.execute(delete(webhooks).where(webhooks.c.player_id == player))


WEBHOOK_DATA = PersonalDataSource(
    "webhooks", export, delete_webhook, referenced_in(webhooks.c.player_id, deliveries.c.player_id)
)
