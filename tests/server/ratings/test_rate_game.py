"""Rating of games: each game once, on every kind of database, with several servers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import Connection, Row, func, insert, select

from pleasance.server.ratings.model import Rating, default_rating
from pleasance.server.ratings.rate_game import apply_pending, has_pending, rate_table
from pleasance.server.store.appends import Append, NewEntry
from pleasance.server.store.schema.ratings import pending_results, ratings, results
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store
from pleasance.table.standings import Standing
from support.rows import add_people, add_person, add_table, build_standings


def rate(store: Store, table: str, *subjects: str, left: tuple[int, ...] = ()) -> bool:
    standings = build_standings(*subjects, left=left)
    return store.write_now(lambda c: rate_table(c, table, standings, game="sakura", at=1.0))


def find(store: Store, subject: str, seats: int = 2) -> tuple[Rating, int, int]:
    """Find a rating, the number of games and of wins."""
    own = select(ratings).where(ratings.c.subject == subject, ratings.c.seats == seats)
    row = store.read_now(lambda connection: connection.execute(own).one())
    assert row.ordinal == pytest.approx(row.mu - 3 * row.sigma)
    return Rating(row.mu, row.sigma), row.games, row.wins


def count(store: Store) -> int:
    whole = select(func.count()).select_from(ratings)
    return store.read_now(lambda connection: connection.execute(whole).scalar_one())


def test_the_winner_rises_and_the_loser_falls_by_as_much(store: Store) -> None:
    assert rate(store, "t1", "ada", "bea")
    (ada, games, wins), (bea, _, losses) = find(store, "ada"), find(store, "bea")
    assert ada.mu - default_rating().mu == pytest.approx(default_rating().mu - bea.mu)
    assert ada.mu > default_rating().mu
    assert ada.sigma < default_rating().sigma
    assert (games, wins, losses) == (1, 1, 0)


def test_a_table_is_rated_once(store: Store) -> None:
    assert rate(store, "t1", "ada", "bea")
    before = find(store, "ada")
    assert not rate(store, "t1", "ada", "bea")
    assert not rate(store, "t1", "bea", "ada")
    assert find(store, "ada") == before


def test_each_number_of_seats_has_its_own_rating(store: Store) -> None:
    rate(store, "t1", "ada", "bea")
    rate(store, "t2", "cas", "bea", "ada")
    assert find(store, "ada", 2)[0].mu > default_rating().mu > find(store, "ada", 3)[0].mu
    assert count(store) == 5


def test_a_bot_is_rated_by_its_name_with_its_budget(store: Store) -> None:
    rate(store, "t1", "bot:ismcts:0.2s", "ada")
    rate(store, "t2", "bot:ismcts:50", "ada")
    assert find(store, "bot:ismcts:0.2s")[1] == 1
    assert find(store, "bot:ismcts:50")[1] == 1


def test_a_bot_on_two_seats_plays_one_game_and_moves_by_the_mean(store: Store) -> None:
    rate(store, "t1", "bot:greedy", "ada", "bot:greedy")
    rating, games, wins = find(store, "bot:greedy", 3)
    assert (games, wins) == (1, 1)
    rate(store, "t2", "bea", "cas", "dan")
    first, last = find(store, "bea", 3)[0], find(store, "dan", 3)[0]
    assert rating.mu == pytest.approx((first.mu + last.mu) / 2)


def test_leaving_is_last_even_with_most_points(store: Store) -> None:
    rate(store, "t1", "ada", "bea", left=(0,))
    assert find(store, "ada")[0].mu < default_rating().mu < find(store, "bea")[0].mu


@pytest.mark.parametrize("rival", ["robot", "twin"])
def test_bots_do_not_rise_by_beating_their_owner_or_each_other(store: Store, rival: str) -> None:
    def meet(connection: Connection) -> None:
        owner = add_person(connection, "Ada")
        add_person(connection, "Robot", kind="bot", owner=owner)
        add_person(connection, "Twin", kind="bot", owner=owner)

    store.write_now(meet)
    assert not rate(store, "t1", "twin" if rival == "robot" else "ada", "robot")
    assert count(store) == 0
    assert rate(store, "t2", "robot", "bea")


def test_the_result_tells_what_the_game_did_to_the_rating(store: Store) -> None:
    rate(store, "t1", "ada", "bea")
    rate(store, "t2", "bea", "ada")
    own = select(results).where(results.c.subject == "ada").order_by(results.c.table_id)
    first, second = store.read_now(lambda connection: connection.execute(own).all())
    assert (first.mu_before, first.sigma_before) == default_rating()
    assert (first.mu_after, first.sigma_after) == (second.mu_before, second.sigma_before)
    assert Rating(second.mu_after, second.sigma_after) == find(store, "ada")[0]
    assert (first.rank, first.score, first.has_left) == (1, 100, False)


@pytest.mark.anyio
async def test_an_end_that_is_not_written_is_not_rated(store: Store) -> None:
    await store.write(lambda connection: add_table(connection, "t1"))

    def also(connection: Connection) -> None:
        rate_table(connection, "t1", build_standings("ada", "bea"), game="sakura", at=1.0)
        raise RuntimeError("the lights go out")

    with pytest.raises(RuntimeError):
        await store.append(Append("t1", 0, (NewEntry("{}"),), {"status": "over"}, also))
    assert count(store) == 0
    state = select(tables.c.status, tables.c.seq)
    assert await store.read(lambda connection: tuple(connection.execute(state).one())) == (
        "running",
        0,
    )


@pytest.mark.anyio
async def test_the_end_of_a_game_and_its_rating_are_written_together(store: Store) -> None:
    await store.write(lambda connection: add_table(connection, "t1"))

    def also(connection: Connection) -> None:
        rate_table(connection, "t1", build_standings("ada", "bea"), game="sakura", at=1.0)

    await store.append(Append("t1", 0, (NewEntry("{}"),), {"status": "over"}, also))
    assert find(store, "ada")[1] == 1


def test_results_that_a_server_left_are_settled_in_the_order_of_their_ends(store: Store) -> None:
    def leave(
        connection: Connection, table: str, standings: tuple[Standing, ...], at: float
    ) -> None:
        connection.execute(insert(pending_results).values(table_id=table, game="sakura", at=at))
        for one in standings:
            facts = {"seat": one.seat, "subject": one.subject, "rank": one.rank, "seats": 2}
            row = {"table_id": table, "game": "sakura", "at": at, "has_left": False, **facts}
            connection.execute(insert(results).values(**row))

    store.write_now(lambda connection: leave(connection, "t1", build_standings("ada", "bea"), 2.0))
    store.write_now(lambda connection: leave(connection, "t2", build_standings("bea", "ada"), 1.0))
    assert store.read_now(has_pending)
    assert store.write_now(apply_pending) == 2
    assert not store.read_now(has_pending)
    own = select(results.c.mu_before).where(results.c.subject == "ada", results.c.table_id == "t2")
    assert (
        store.read_now(lambda connection: connection.execute(own).scalar_one())
        == default_rating().mu
    )
    assert find(store, "ada")[1] == 2


@pytest.mark.slow
@pytest.mark.anyio
async def test_two_servers_rating_the_same_people_at_once_lose_nothing(
    pair: tuple[Store, Store],
) -> None:
    names = ["ada", "bea", "cas", "dan"]
    await pair[0].write(lambda connection: add_people(connection, *names))

    async def rate_one(n: int) -> bool:
        standings = build_standings(names[n % 4], names[(n + 1 + n % 3) % 4])

        def work(connection: Connection) -> bool:
            return rate_table(connection, f"t{n}", standings, game="sakura", at=float(n))

        return await pair[n % 2].write(work)

    assert all(await asyncio.gather(*map(rate_one, range(120))))
    while await pair[0].read(has_pending):
        await pair[0].write(apply_pending)
    check_chains(pair[0], names, games=240)


def list_results(store: Store, name: str) -> Sequence[Row[*tuple[object, ...]]]:
    own = select(results).where(results.c.subject == name)
    return store.read_now(lambda connection: connection.execute(own).all())


def check_chains(store: Store, names: list[str], *, games: int) -> None:
    """Check that each game begins with the rating that another one ended with."""
    assert sum(find(store, name)[1] for name in names) == games
    for name in names:
        rows = list_results(store, name)
        steps = {(row.mu_before, row.sigma_before): (row.mu_after, row.sigma_after) for row in rows}
        assert len(steps) == len(rows) == find(store, name)[1]
        now: tuple[float, float] = default_rating()
        for _ in rows:
            now = steps[now]
        assert now == find(store, name)[0]
