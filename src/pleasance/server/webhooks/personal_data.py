"""What webhooks keep about a player: to take along, or to be forgotten."""

from __future__ import annotations

from sqlalchemy import Connection, select

from pleasance.server.http.webhooks_api import forget_hook
from pleasance.server.identity.personal_data import Keeper, named_in
from pleasance.server.store.schema.webhooks import deliveries, hooks


def export(connection: Connection, player: str) -> object:
    """List a player's webhook, without its secret, and what was sent there."""
    facts = [column for column in hooks.c if column.name not in {"player_id", "secret"}]
    told = (deliveries.c.table_id, deliveries.c.at, deliveries.c.outcome)
    found = connection.execute(select(*facts).where(hooks.c.player_id == player)).mappings()
    sent = select(*told).where(deliveries.c.player_id == player).order_by(deliveries.c.at)
    return {
        "hook": [dict(row) for row in found],
        "deliveries": [dict(row) for row in connection.execute(sent).mappings()],
    }


KEEPER = Keeper("hooks", export, forget_hook, named_in(hooks.c.player_id, deliveries.c.player_id))
