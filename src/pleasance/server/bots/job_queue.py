"""Job queue in the database: servers enqueue move requests, workers lease and complete them.

Jobs are idempotent: a job has one key, so it may be enqueued or computed any number of times and
the first result counts. Workers unpickle `jobs.request`; only servers write it, never clients.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Float, cast, delete, extract, func, select, update
from sqlalchemy.dialects.postgresql import insert

from pleasance.server.bots.eligibility import estimate_seconds, is_quick
from pleasance.server.bots.pool import MoveRequest
from pleasance.server.store.schema.bots import jobs

LEASE_S = 10.0
"""A worker that has not renewed its lease for so long is considered dead."""

RESULT_RETENTION_S = 600.0
"""How long a result is kept for another server that requests the same move."""

MAX_JOB_AGE_S = 86_400.0
"""No server waits for a job that is older."""

_NOW = cast(extract("epoch", func.statement_timestamp()), Float)
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(MoveRequest)


class LeasedJob(NamedTuple):
    """A job that one worker computes."""

    request: MoveRequest
    attempts: int
    """How many workers have leased it, this one included."""


class JobResult(NamedTuple):
    """The result of a job, if there is one yet."""

    token: str | None


def enqueue(connection: Connection, request: MoveRequest) -> JobResult:
    """Enqueue a move request unless it is queued already; return its result if there is one."""
    job = insert(jobs).values(
        key=request.key,
        table_id=request.table,
        request=_encoder.encode(request),
        is_quick=is_quick(request.bot),
        due_at=_NOW + estimate_seconds(request.bot),
        created_at=_NOW,
        leased_until=0.0,
        attempts=0,
    )
    connection.execute(job.on_conflict_do_nothing())
    return find_result(connection, request.key) or JobResult(None)


def find_result(connection: Connection, key: str) -> JobResult | None:
    """Look a job up; `None` where there is no such job."""
    row = connection.execute(select(jobs.c.token).where(jobs.c.key == key)).one_or_none()
    return None if row is None else JobResult(row.token)


def withdraw(connection: Connection, key: str) -> None:
    """Delete a job that no server waits for; its worker stops when it next renews the lease."""
    connection.execute(delete(jobs).where(jobs.c.key == key, jobs.c.token.is_(None)))


def lease_jobs(connection: Connection, worker: str, count: int, *, quick: bool) -> list[LeasedJob]:
    """Lease the most urgent jobs without a live lease, at most *count*."""
    free = (
        select(jobs.c.key)
        .where(jobs.c.token.is_(None), jobs.c.is_quick == quick, jobs.c.leased_until < _NOW)
        .order_by(jobs.c.due_at)
        .limit(count)
        .with_for_update(skip_locked=True)
    )
    leased = (
        update(jobs)
        .where(jobs.c.key.in_(free.scalar_subquery()))
        .values(leased_until=_NOW + LEASE_S, worker=worker, attempts=jobs.c.attempts + 1)
        .returning(jobs.c.request, jobs.c.attempts)
    )
    rows = connection.execute(leased).all()
    return [LeasedJob(_decoder.decode(row.request), row.attempts) for row in rows]


def renew_leases(connection: Connection, worker: str, keys: Collection[str]) -> set[str]:
    """Renew the leases of a worker; return the keys that are still wanted and its own."""
    renewed = (
        update(jobs)
        .where(jobs.c.key.in_(keys), jobs.c.worker == worker, jobs.c.token.is_(None))
        .values(leased_until=_NOW + LEASE_S)
        .returning(jobs.c.key)
    )
    return set(connection.execute(renewed).scalars())


def release_leases(connection: Connection, worker: str) -> int:
    """Release all leases of a worker so that others take its jobs; return how many."""
    released = (
        update(jobs)
        .where(jobs.c.worker == worker, jobs.c.token.is_(None))
        .values(leased_until=0.0, worker=None)
    )
    return connection.execute(released).rowcount


def complete(connection: Connection, key: str, token: str) -> bool:
    """Store the result unless another worker was first; return whether this one counts."""
    completed = update(jobs).where(jobs.c.key == key, jobs.c.token.is_(None)).values(token=token)
    return connection.execute(completed).rowcount > 0


def delete_expired(connection: Connection) -> None:
    """Delete old results and jobs of servers that are gone."""
    is_read = jobs.c.token.is_not(None) & (jobs.c.created_at < _NOW - RESULT_RETENTION_S)
    connection.execute(delete(jobs).where(is_read | (jobs.c.created_at < _NOW - MAX_JOB_AGE_S)))
