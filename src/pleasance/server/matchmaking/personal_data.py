"""What ratings and the queue keep about a player: to take along, or to be forgotten."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select

from pleasance.server.identity.personal_data import Keeper, named_in
from pleasance.server.store.schema.ratings import ratings, results, waiting


def export(connection: Connection, player: str) -> object:
    """List a player's ratings and results, and what the player waits for."""
    places = (waiting.c.game, waiting.c.seats, waiting.c.options, waiting.c.joined_at)
    wanted = {
        "ratings": select(ratings).where(ratings.c.subject == player),
        "results": select(results).where(results.c.subject == player).order_by(results.c.at),
        "queue": select(*places).where(waiting.c.player_id == player),
    }
    return {
        name: [dict(row) for row in connection.execute(found).mappings()]
        for name, found in wanted.items()
    }


def forget(connection: Connection, player: str) -> None:
    """Remove a player's ratings; results stay, since others were rated by them, without a name."""
    connection.execute(delete(ratings).where(ratings.c.subject == player))
    connection.execute(delete(waiting).where(waiting.c.player_id == player))


KEEPER = Keeper(
    "ratings",
    export,
    forget,
    named_in(ratings.c.subject, results.c.subject, waiting.c.player_id, waiting.c.owner),
)
