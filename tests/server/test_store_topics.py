"""Topics: everybody hears what was written, in every process, after it is on disk."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pytest
from sqlalchemy import Connection

from pleasance.server.store.store import Store
from server.patience import PATIENCE
from server.postgres import Cluster
from server.stores import Ear, add, busy_writer, open_tables, try_append

pytestmark = pytest.mark.anyio

ELSEWHERE = """
import sys
from pleasance.server.store.store import Store
store = Store.open(sys.argv[1])
for topic in sys.stdin.read().split("|"):
    store.write_now(lambda connection: store.publish(connection, topic))
store.close()
"""


async def test_an_append_is_told_once_it_can_be_read(store: Store) -> None:
    open_tables(store, "a")
    ear = Ear(store)
    await store.append(add("a", 0, "one", "two"))
    await ear.wait_for("table:a:2")
    ear.stop()
    await store.append(add("a", 2, "three"))
    await store.read(lambda _: None)
    assert ear.heard == ["table:a:2"]


async def test_who_writes_is_answered_before_topics_tell_it(store: Store) -> None:
    """Else a table would look again for what it has just written itself."""
    open_tables(store, "a")
    order: list[str] = []
    stop = store.subscribe(order.append)
    ear = Ear(store)
    await store.append(add("a", 0, "one"))
    order.append("answered")
    await ear.wait_for("table:a:1")
    stop()
    assert order == ["answered", "table:a:1"]


async def test_what_a_write_publishes_is_told_after_its_commit(store: Store) -> None:
    ear = Ear(store)

    def work(connection: Connection) -> None:
        store.publish(connection, "lobby")
        store.publish(connection, "a topic with spaces: ¡olé!")

    with busy_writer(store):
        waiting = asyncio.ensure_future(store.write(work))
        await asyncio.sleep(0)
        assert ear.heard == []
    await waiting
    await ear.wait_for("a topic with spaces: ¡olé!")
    assert ear.heard == ["lobby", "a topic with spaces: ¡olé!"]


async def test_a_listener_that_fails_silences_nobody(store: Store) -> None:
    def fail(topic: str) -> None:
        raise ValueError(topic)

    store.subscribe(fail)
    ear = Ear(store)
    await store.write(lambda connection: store.publish(connection, "news"))
    await ear.wait_for("news")
    assert await store.write(lambda _: 1) == 1


def test_without_an_event_loop_a_thread_of_the_store_tells(store: Store) -> None:
    heard = threading.Event()
    store.subscribe(lambda topic: heard.set() if topic == "news" else None)
    store.write_now(lambda connection: store.publish(connection, "news"))
    assert heard.wait(PATIENCE)


async def test_other_processes_hear_each_topic_once(postgres_url: str) -> None:
    store = Store.open(postgres_url)
    ear = Ear(store)
    topics = ["one", "a topic with spaces: ¡olé!", "last"]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", ELSEWHERE, postgres_url), stdin=subprocess.PIPE
    )
    await process.communicate("|".join(topics).encode())
    assert process.returncode == 0
    await ear.wait_for("last")
    assert ear.heard == topics
    store.close()


async def test_a_batch_of_many_appends_is_told_to_other_stores_whole(postgres_url: str) -> None:
    here, there = Store.open(postgres_url), Store.open(postgres_url)
    ids = [f"t{n:039}" for n in range(500)]  # far more than one notification holds
    open_tables(here, *ids)
    ear, own = Ear(there), Ear(here)
    await asyncio.gather(*(here.append(add(table, 0, "x")) for table in ids))
    for table in ids:
        await ear.wait_for(f"table:{table}:1")
    assert sorted(ear.heard) == sorted(own.heard) == sorted(f"table:{table}:1" for table in ids)
    here.close()
    there.close()


async def test_after_a_lost_connection_listeners_learn_that_they_may_have_missed_something(
    postgres_url: str, cluster: Cluster
) -> None:
    here, there = Store.open(postgres_url), Store.open(postgres_url)
    open_tables(here, "a")
    ear = Ear(there)
    cluster.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    )
    await ear.wait_for("missed")
    await here.append(add("a", 0, "x"))
    await ear.wait_for("table:a:1")
    here.close()
    there.close()


def test_topics_do_not_wait_for_a_closed_event_loop(store: Store) -> None:
    open_tables(store, "a")

    async def subscribe() -> None:
        store.subscribe(lambda _: None)

    asyncio.run(subscribe())
    try_append(store, add("a", 0, "x"))
