"""Pub/sub: every process receives a topic, after the write is on disk."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pytest
from sqlalchemy import Connection

from pleasance.server.store.store import Store
from support import TIMEOUT_S
from support.postgres import Cluster
from support.rows import TopicRecorder, append_now, busy_writer, make_append, open_tables

pytestmark = pytest.mark.anyio

ELSEWHERE = """
import sys
from pleasance.server.store.store import Store
store = Store.open(sys.argv[1])
for topic in sys.stdin.read().split("|"):
    store.write_now(lambda connection: store.publish(connection, topic))
store.close()
"""


async def test_an_append_is_published_once_it_can_be_read(store: Store) -> None:
    open_tables(store, "a")
    recorder = TopicRecorder(store)
    await store.append(make_append("a", 0, "one", "two"))
    await recorder.wait_for("table:a:2")
    recorder.stop()
    await store.append(make_append("a", 2, "three"))
    await store.read(lambda _: None)
    assert recorder.topics == ["table:a:2"]


async def test_a_writer_is_answered_before_its_topic_is_published(store: Store) -> None:
    """Otherwise a room would read back its own entries."""
    open_tables(store, "a")
    order: list[str] = []
    stop = store.subscribe(order.append)
    recorder = TopicRecorder(store)
    await store.append(make_append("a", 0, "one"))
    order.append("answered")
    await recorder.wait_for("table:a:1")
    stop()
    assert order == ["answered", "table:a:1"]


async def test_topics_are_published_after_the_commit(store: Store) -> None:
    recorder = TopicRecorder(store)

    def work(connection: Connection) -> None:
        store.publish(connection, "lobby")
        store.publish(connection, "a topic with spaces: ¡olé!")

    with busy_writer(store):
        waiting = asyncio.ensure_future(store.write(work))
        await asyncio.sleep(0)
        assert recorder.topics == []
    await waiting
    await recorder.wait_for("a topic with spaces: ¡olé!")
    assert recorder.topics == ["lobby", "a topic with spaces: ¡olé!"]


async def test_a_failing_listener_silences_no_other(store: Store) -> None:
    def fail(topic: str) -> None:
        raise ValueError(topic)

    store.subscribe(fail)
    recorder = TopicRecorder(store)
    await store.write(lambda connection: store.publish(connection, "news"))
    await recorder.wait_for("news")
    assert await store.write(lambda _: 1) == 1


def test_without_an_event_loop_a_thread_of_the_store_tells(store: Store) -> None:
    topics = threading.Event()
    store.subscribe(lambda topic: topics.set() if topic == "news" else None)
    store.write_now(lambda connection: store.publish(connection, "news"))
    assert topics.wait(TIMEOUT_S)


@pytest.mark.slow
async def test_other_processes_hear_each_topic_once(postgres_url: str) -> None:
    store = Store.open(postgres_url)
    recorder = TopicRecorder(store)
    expected = ["one", "a topic with spaces: ¡olé!", "last"]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", ELSEWHERE, postgres_url), stdin=subprocess.PIPE
    )
    await process.communicate("|".join(expected).encode())
    assert process.returncode == 0
    await recorder.wait_for("last")
    assert recorder.topics == expected
    store.close()


async def test_a_batch_is_published_whole_to_other_stores(postgres_url: str) -> None:
    here, there = Store.open(postgres_url), Store.open(postgres_url)
    ids = [f"t{n:039}" for n in range(500)]  # far more than one notification holds
    open_tables(here, *ids)
    recorder, own = TopicRecorder(there), TopicRecorder(here)
    await asyncio.gather(*(here.append(make_append(table, 0, "x")) for table in ids))
    for table in ids:
        await recorder.wait_for(f"table:{table}:1")
    assert (
        sorted(recorder.topics) == sorted(own.topics) == sorted(f"table:{table}:1" for table in ids)
    )
    here.close()
    there.close()


@pytest.mark.slow
async def test_after_a_lost_connection_listeners_learn_that_they_may_have_missed_something(
    postgres_url: str, cluster: Cluster
) -> None:
    here, there = Store.open(postgres_url), Store.open(postgres_url)
    open_tables(here, "a")
    recorder = TopicRecorder(there)
    cluster.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    )
    await recorder.wait_for("missed")
    await here.append(make_append("a", 0, "x"))
    await recorder.wait_for("table:a:1")
    here.close()
    there.close()


def test_topics_do_not_wait_for_a_closed_event_loop(store: Store) -> None:
    open_tables(store, "a")

    async def subscribe() -> None:
        store.subscribe(lambda _: None)

    asyncio.run(subscribe())
    append_now(store, make_append("a", 0, "x"))
