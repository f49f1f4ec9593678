"""Rating a game that has ended, once, whichever servers are at it.

Servers commit many things at once, so two of them could wait for each other's ratings in turn.
Nobody waits here: the transaction that ends a game notes its result, and moves the ratings itself
if no other server is moving any; else they are settled a moment later by whoever comes first.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Row, delete, exists, func, insert, select, update

from pleasance.core.game import Seat
from pleasance.server.ratings.initial_ratings import begin
from pleasance.server.ratings.model import Rating, move
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.ratings import ratings, results, unsettled
from pleasance.table.standings import Standing

_SETTLING = 0x706C7A01
"""The advisory lock of PostgreSQL that whoever moves ratings holds until the commit."""

_BATCH = 50


def rate_table(
    connection: Connection,
    table_id: str,
    standings: Sequence[Standing],
    *,
    game: str,
    at: float,
) -> bool:
    """Rate a game that has ended; tell whether it was news and counts.

    Whether every seat has chosen once is for the table to say: `counts` of its standings.
    """
    known = select(results.c.seat).where(results.c.table_id == table_id).limit(1)
    if connection.execute(known).first() is not None or not _are_rivals(connection, standings):
        return False
    common = {"table_id": table_id, "game": game, "seats": len(standings), "at": at}
    rows = [
        {
            **common,
            "seat": standing.seat,
            "subject": standing.subject,
            "rank": standing.rank,
            "score": standing.score,
            "has_left": standing.has_left,
        }
        for standing in standings
    ]
    connection.execute(insert(results), rows)
    connection.execute(insert(unsettled).values(table_id=table_id, game=game, at=at))
    settle(connection)
    return True


def _are_rivals(connection: Connection, standings: Sequence[Standing]) -> bool:
    """Tell whether nobody holds two seats, alone or by programs of the same owner."""
    subjects = [standing.subject for standing in standings]
    people = [standing.player for standing in standings if standing.player is not None]
    found = select(players.c.id, players.c.owner).where(players.c.id.in_(people))
    owners = {row.id: row.owner for row in connection.execute(found)}
    behind = [owners.get(person) or person for person in people]
    return len(set(behind)) == len(people) and len(set(subjects)) > 1


def has_unsettled(connection: Connection) -> bool:
    """Tell whether results wait to be settled."""
    return bool(connection.scalar(select(exists().select_from(unsettled))))


def settle(connection: Connection) -> int:
    """Let results move the ratings in the order the games ended; count the games."""
    if not _is_alone(connection):
        return 0
    due = select(unsettled).order_by(unsettled.c.at, unsettled.c.table_id).limit(_BATCH)
    tables = connection.execute(due).all()
    for table in tables:
        _settle_table(connection, table)
        connection.execute(delete(unsettled).where(unsettled.c.table_id == table.table_id))
    return len(tables)


def _is_alone(connection: Connection) -> bool:
    """Tell whether no other server moves ratings; on SQLite there is one writer anyway."""
    if connection.dialect.name != "postgresql":
        return True
    return bool(connection.scalar(select(func.pg_try_advisory_xact_lock(_SETTLING))))


def _settle_table(connection: Connection, table: Row[str, str, float]) -> None:
    """Move the ratings of those who played one game."""
    ended = select(results).where(results.c.table_id == table.table_id).order_by(results.c.seat)
    standings = [_read_standing(row) for row in connection.execute(ended)]
    key = (table.game, len(standings))
    subjects = sorted({standing.subject for standing in standings})
    known = {subject: _find(connection, key, subject) for subject in subjects}
    before = {subject: rating or begin(*key, subject) for subject, rating in known.items()}
    after = move(before, standings)
    for subject in subjects:
        own = [standing for standing in standings if standing.subject == subject]
        _save(connection, key, own, old=known[subject], new=after[subject], at=table.at)
        _note(connection, table.table_id, subject, before[subject], new=after[subject])


def _read_standing(row: Row[*tuple[object, ...]]) -> Standing:
    """Read how a seat ended."""
    is_bot = row.subject.startswith("bot:")
    return Standing(
        seat=Seat(row.seat),
        player=None if is_bot else row.subject,
        bot=row.subject.removeprefix("bot:") if is_bot else None,
        rank=row.rank,
        score=row.score,
        has_left=row.has_left,
    )


def _find(connection: Connection, key: tuple[str, int], subject: str) -> Rating | None:
    """Find a rating."""
    found = connection.execute(
        select(ratings.c.mu, ratings.c.sigma)
        .where(ratings.c.game == key[0], ratings.c.seats == key[1])
        .where(ratings.c.subject == subject)
    ).first()
    return None if found is None else Rating(found.mu, found.sigma)


def _save(
    connection: Connection,
    key: tuple[str, int],
    own: Sequence[Standing],
    *,
    old: Rating | None,
    new: Rating,
    at: float,
) -> None:
    """Keep a rating that has moved by one game on *own* seats."""
    has_won = int(any(standing.rank == 1 for standing in own))
    values = {"mu": new.mu, "sigma": new.sigma, "floor": new.floor, "updated_at": at}
    place = {"game": key[0], "seats": key[1], "subject": own[0].subject}
    if old is None:
        connection.execute(insert(ratings).values(**place, **values, games=1, wins=has_won))
        return
    same = [ratings.c[name] == value for name, value in place.items()]
    more = {"games": ratings.c.games + 1, "wins": ratings.c.wins + has_won}
    connection.execute(update(ratings).where(*same).values(**values, **more))


def _note(connection: Connection, table_id: str, subject: str, old: Rating, *, new: Rating) -> None:
    """Write beside the result what it did."""
    connection.execute(
        update(results)
        .where(results.c.table_id == table_id, results.c.subject == subject)
        .values(mu_before=old.mu, sigma_before=old.sigma, mu_after=new.mu, sigma_after=new.sigma)
    )
