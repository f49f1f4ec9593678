"""Personal data of ratings and matchmaking: export and erasure."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select

from pleasance.server.identity.personal_data import PersonalDataSource, referenced_in
from pleasance.server.store.schema.ratings import ratings, results, seeks


def export(connection: Connection, player: str) -> object:
    """Export a player's ratings, results and seek."""
    places = (seeks.c.game, seeks.c.seats, seeks.c.options, seeks.c.joined_at)
    wanted = {
        "ratings": select(ratings).where(ratings.c.subject == player),
        "results": select(results).where(results.c.subject == player).order_by(results.c.at),
        "queue": select(*places).where(seeks.c.player_id == player),
    }
    return {
        name: [dict(row) for row in connection.execute(found).mappings()]
        for name, found in wanted.items()
    }


def erase(connection: Connection, player: str) -> None:
    """Erase a player's ratings and seek; results stay, unnamed, since others were rated by them."""
    connection.execute(delete(ratings).where(ratings.c.subject == player))
    connection.execute(delete(seeks).where(seeks.c.player_id == player))


MATCHMAKING_DATA = PersonalDataSource(
    "ratings",
    export,
    erase,
    referenced_in(ratings.c.subject, results.c.subject, seeks.c.player_id, seeks.c.owner),
)
