"""Jobs in the database: asked for by servers, leased by workers, answered once.

A job has one key, so that it does not matter how often it is asked for or done: the first answer
counts. What lies in `jobs.thought` is unpacked by workers; only servers write there, never clients.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Float, cast, delete, extract, func, select, update
from sqlalchemy.dialects.postgresql import insert

from pleasance.server.bots.pool import Thought, expect_seconds, is_quick
from pleasance.server.store.schema.bots import jobs

LEASE = 10.0
"""Seconds after which a worker that says nothing is thought to be dead."""

KEPT = 600.0
"""Seconds that an answer is kept, for another server that asks for the same."""

FORGOTTEN = 86_400.0
"""Seconds after which nobody can be waiting for an answer any more."""

_NOW = cast(extract("epoch", func.statement_timestamp()), Float)
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Thought)


class Lease(NamedTuple):
    """A job that one worker is about."""

    thought: Thought
    attempts: int
    """How many workers have had it, this one included."""


class Row(NamedTuple):
    """What is known of a job that was asked for."""

    token: str | None


def ask(connection: Connection, thought: Thought) -> Row:
    """Ask for a thought, unless it has been asked for; tell the answer if there is one."""
    made = insert(jobs).values(
        key=thought.key,
        table_id=thought.table,
        thought=_encoder.encode(thought),
        is_quick=is_quick(thought.bot),
        due_at=_NOW + expect_seconds(thought.bot),
        created_at=_NOW,
        leased_until=0.0,
        attempts=0,
    )
    connection.execute(made.on_conflict_do_nothing())
    return find(connection, thought.key) or Row(None)


def find(connection: Connection, key: str) -> Row | None:
    """Look a job up."""
    row = connection.execute(select(jobs.c.token).where(jobs.c.key == key)).one_or_none()
    return None if row is None else Row(row.token)


def withdraw(connection: Connection, key: str) -> None:
    """Take back a job that nobody waits for; its worker notices soon."""
    connection.execute(delete(jobs).where(jobs.c.key == key, jobs.c.token.is_(None)))


def take(connection: Connection, worker: str, count: int, *, quick: bool) -> list[Lease]:
    """Lease the most urgent jobs that no living worker is about, at most *count*."""
    free = (
        select(jobs.c.key)
        .where(jobs.c.token.is_(None), jobs.c.is_quick == quick, jobs.c.leased_until < _NOW)
        .order_by(jobs.c.due_at)
        .limit(count)
        .with_for_update(skip_locked=True)
    )
    taken = (
        update(jobs)
        .where(jobs.c.key.in_(free.scalar_subquery()))
        .values(leased_until=_NOW + LEASE, worker=worker, attempts=jobs.c.attempts + 1)
        .returning(jobs.c.thought, jobs.c.attempts)
    )
    rows = connection.execute(taken).all()
    return [Lease(_decoder.decode(row.thought), row.attempts) for row in rows]


def renew(connection: Connection, worker: str, keys: Collection[str]) -> set[str]:
    """Go on with some jobs; tell which of them are still wanted and ours."""
    renewed = (
        update(jobs)
        .where(jobs.c.key.in_(keys), jobs.c.worker == worker, jobs.c.token.is_(None))
        .values(leased_until=_NOW + LEASE)
        .returning(jobs.c.key)
    )
    return set(connection.execute(renewed).scalars())


def give_back(connection: Connection, worker: str) -> int:
    """Leave all jobs of a worker to others; count them."""
    given = (
        update(jobs)
        .where(jobs.c.worker == worker, jobs.c.token.is_(None))
        .values(leased_until=0.0, worker=None)
    )
    return connection.execute(given).rowcount


def answer(connection: Connection, key: str, token: str) -> bool:
    """Note the choice, unless another worker was first; tell whether it counts."""
    noted = update(jobs).where(jobs.c.key == key, jobs.c.token.is_(None)).values(token=token)
    return connection.execute(noted).rowcount > 0


def sweep(connection: Connection) -> None:
    """Clear away answers that have been read, and jobs of servers that are no more."""
    is_read = jobs.c.token.is_not(None) & (jobs.c.created_at < _NOW - KEPT)
    connection.execute(delete(jobs).where(is_read | (jobs.c.created_at < _NOW - FORGOTTEN)))
