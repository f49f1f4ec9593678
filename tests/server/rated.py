"""What tests of ratings, the queue and webhooks share: people, tables, standings."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, insert

from pleasance.core.game import Seat
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.ratings import ratings
from pleasance.server.store.schema.rooms import tables
from pleasance.table.standings import Holder, Standing, make_standings


def add_person(
    connection: Connection,
    name: str,
    *,
    kind: str = "guest",
    owner: str | None = None,
    language: str = "en",
) -> str:
    """Write down a player whose id is the name in small letters."""
    row = {"id": name.lower(), "name": name, "kind": kind, "language": language, "owner": owner}
    connection.execute(insert(players).values(**row, created_at=0.0, seen_at=0.0))
    return name.lower()


def add_people(connection: Connection, *names: str) -> None:
    """Write down several players."""
    for name in names:
        add_person(connection, name)


def add_table(connection: Connection, table: str, *, is_public: bool = True) -> None:
    """Write down a table, as far as others need it."""
    connection.execute(
        insert(tables).values(
            id=table,
            plan="{}",
            game="sakura",
            seats=2,
            is_public=is_public,
            is_rated=True,
            owner="ada",
            status="running",
            lines=0,
            created_at=0.0,
            changed_at=0.0,
            waits_for_bot=False,
        )
    )


def stand(*subjects: str, left: Sequence[int] = ()) -> tuple[Standing, ...]:
    """Make standings: who is named first has won, each next one has ten points less."""
    holders = [
        Holder(None, name.removeprefix("bot:")) if name.startswith("bot:") else Holder(name, None)
        for name in subjects
    ]
    scores = [100 - 10 * place for place in range(len(subjects))]
    return make_standings(
        holders, winners=(Seat(0),), scores=scores, left=[Seat(seat) for seat in left]
    )


def add_rating(connection: Connection, subject: str, floor: float, games: int = 9) -> None:
    """Write down how strong somebody is at Sakura for two."""
    facts = {"mu": floor + 6.0, "sigma": 2.0, "floor": floor, "wins": 3, "updated_at": 0.0}
    place = {"game": "sakura", "seats": 2, "subject": subject, "games": games}
    connection.execute(insert(ratings).values(**place, **facts))
