"""Rates finished games, each exactly once, however many servers are running.

The transaction that ends a game stores its result and updates the ratings too, unless another
server holds the advisory lock. Nothing waits for that lock, so servers cannot deadlock over
ratings; results left over are applied a moment later by the next server that gets it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Row, delete, exists, func, insert, select, update

from pleasance.core.game import Seat
from pleasance.server.ratings.model import Rating, initial_rating, update_ratings
from pleasance.server.store.appends import TransactionWork
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.ratings import pending_results, ratings, results
from pleasance.table.entries import ChooseEntry, Entry
from pleasance.table.room import Room
from pleasance.table.standings import Holder, Standing, counts, make_standings

_ADVISORY_LOCK = 0x706C7A01
"""The PostgreSQL lock that a server holds until commit while it updates ratings."""

_BATCH_SIZE = 50


def rate_finished_game(table: str, room: Room, entries: Sequence[Entry]) -> TransactionWork | None:
    """Rate a game in the transaction of the entry that ends it (a commit callback)."""
    standings = _find_standings(room) if entries and room.status == "over" else None
    if standings is None:
        return None
    game, at = room.config.game, entries[-1].at

    def work(connection: Connection) -> None:
        rate_table(connection, table, standings, game=game, at=at)

    return work


def _find_standings(room: Room) -> tuple[Standing, ...] | None:
    """Rank the seats of a finished rated game; `None` if there is none or it does not count."""
    table = room.table
    if table is None or room.ending is None or not room.config.is_rated:
        return None
    is_finished = room.ending == "finished"
    gone = sorted((place.left, Seat(n)) for n, place in enumerate(room.places) if place.left)
    standings = make_standings(
        [Holder(place.player, place.bot) for place in room.places],
        winners=table.game.winners(table.final_state()) if is_finished else (),
        scores=table.scores if is_finished else None,
        left=[seat for _, seat in gone],
    )
    chose = {entry.seat for entry, _ in room.log if isinstance(entry, ChooseEntry)}
    return standings if counts(standings, chose) else None


def rate_table(
    connection: Connection, table_id: str, standings: Sequence[Standing], *, game: str, at: float
) -> bool:
    """Rate a finished game; return whether it is new and counts.

    The table decides whether every seat has chosen at least once: `counts` of its standings.
    """
    known = select(results.c.seat).where(results.c.table_id == table_id).limit(1)
    if connection.execute(known).first() is not None or not _have_rivals(connection, standings):
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
    connection.execute(insert(pending_results).values(table_id=table_id, game=game, at=at))
    apply_pending(connection)
    return True


def _have_rivals(connection: Connection, standings: Sequence[Standing]) -> bool:
    """Return whether each seat has another owner; a bot account counts as its owner."""
    subjects = [standing.subject for standing in standings]
    people = [standing.player for standing in standings if standing.player is not None]
    found = select(players.c.id, players.c.owner).where(players.c.id.in_(people))
    owner_of = {row.id: row.owner for row in connection.execute(found)}
    owners = {owner_of.get(person) or person for person in people}
    return len(owners) == len(people) and len(set(subjects)) > 1


def has_pending(connection: Connection) -> bool:
    """Return whether results have not been applied to the ratings yet."""
    return bool(connection.scalar(select(exists().select_from(pending_results))))


def apply_pending(connection: Connection) -> int:
    """Apply pending results to the ratings in the order the games ended; return how many."""
    if not _try_lock(connection):
        return 0
    table_id = pending_results.c.table_id
    due = select(pending_results).order_by(pending_results.c.at, table_id).limit(_BATCH_SIZE)
    tables = connection.execute(due).all()
    for table in tables:
        _apply_result(connection, table)
        connection.execute(delete(pending_results).where(table_id == table.table_id))
    return len(tables)


def _try_lock(connection: Connection) -> bool:
    """Acquire the advisory lock unless another server holds it; SQLite has one writer anyway."""
    if connection.dialect.name != "postgresql":
        return True
    return bool(connection.scalar(select(func.pg_try_advisory_xact_lock(_ADVISORY_LOCK))))


def _apply_result(connection: Connection, table: Row[str, str, float]) -> None:
    """Update the ratings of the subjects of one game."""
    ended = select(results).where(results.c.table_id == table.table_id).order_by(results.c.seat)
    standings = [_read_standing(row) for row in connection.execute(ended)]
    key = (table.game, len(standings))
    subjects = sorted({standing.subject for standing in standings})
    known = {subject: _find_rating(connection, key, subject) for subject in subjects}
    before = {subject: old or initial_rating(*key, subject) for subject, old in known.items()}
    after = update_ratings(before, standings)
    for subject in subjects:
        own = [standing for standing in standings if standing.subject == subject]
        old, new = before[subject], after[subject]
        _save_rating(connection, key, own, old=known[subject], new=new, at=table.at)
        connection.execute(
            update(results)
            .where(results.c.table_id == table.table_id, results.c.subject == subject)
            .values(
                mu_before=old.mu, sigma_before=old.sigma, mu_after=new.mu, sigma_after=new.sigma
            )
        )


def _read_standing(row: Row[*tuple[object, ...]]) -> Standing:
    """Convert a row of results."""
    is_bot = row.subject.startswith("bot:")
    return Standing(
        seat=Seat(row.seat),
        player=None if is_bot else row.subject,
        bot=row.subject.removeprefix("bot:") if is_bot else None,
        rank=row.rank,
        score=row.score,
        has_left=row.has_left,
    )


def _find_rating(connection: Connection, key: tuple[str, int], subject: str) -> Rating | None:
    found = connection.execute(
        select(ratings.c.mu, ratings.c.sigma)
        .where(ratings.c.game == key[0], ratings.c.seats == key[1])
        .where(ratings.c.subject == subject)
    ).first()
    return None if found is None else Rating(found.mu, found.sigma)


def _save_rating(
    connection: Connection,
    key: tuple[str, int],
    own: Sequence[Standing],
    *,
    old: Rating | None,
    new: Rating,
    at: float,
) -> None:
    """Store the rating of a subject after one game on *own* seats."""
    has_won = int(any(standing.rank == 1 for standing in own))
    values = {"mu": new.mu, "sigma": new.sigma, "ordinal": new.ordinal, "updated_at": at}
    place = {"game": key[0], "seats": key[1], "subject": own[0].subject}
    if old is None:
        connection.execute(insert(ratings).values(**place, **values, games=1, wins=has_won))
        return
    same = [ratings.c[name] == value for name, value in place.items()]
    more = {"games": ratings.c.games + 1, "wins": ratings.c.wins + has_won}
    connection.execute(update(ratings).where(*same).values(**values, **more))
