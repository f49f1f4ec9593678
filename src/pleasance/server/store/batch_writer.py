"""Writes a batch of jobs in one transaction (group commit), retrying while the database fails."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from pleasance.server.base.errors import AppendConflictError, UnavailableError
from pleasance.server.base.logs import get_logger
from pleasance.server.store.appends import Append
from pleasance.server.store.database import Database, Fault, classify_error
from pleasance.server.store.dispatcher import WriteJob
from pleasance.server.store.topics import TOPICS_MISSED

_LOG = get_logger("store")

TOPICS: Final = "pleasance.topics"
"""Key in `connection.info` of the topics that the current transaction will publish."""

_RETRY_DELAY_S: Final = 0.05

_MAX_CONFLICT_RETRY_S: Final = 10.0
"""How long to retry a transaction that conflicts with another process."""

_MAX_COMMIT_CHECK_S: Final = 15.0
"""How long to ask for the outcome of a COMMIT that got no answer."""


class _UnknownCommitError(Exception):
    """The outcome of a COMMIT could not be determined in time."""


class BatchWriter:
    """Writes batches over one connection, replaced by another when it is lost."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None
        self._last_fault = Fault.STATEMENT
        """The fault of the last batch; `STATEMENT` means that the database works."""

    def write(self, jobs: Sequence[WriteJob]) -> Sequence[str]:
        """Commit *jobs*, record the outcome in each, and return the topics to publish."""
        start = time.monotonic()
        while True:
            try:
                topics = self._attempt(jobs)
            except _UnknownCommitError as error:
                self._refuse(jobs, Fault.UNAVAILABLE, error)
                return [TOPICS_MISSED]
            except BaseException as error:  # noqa: BLE001  (every job has a waiting caller)
                self.close()
                fault = classify_error(self._database, error)
                if fault.is_local:
                    return self._bisect(jobs, error)
                if time.monotonic() - start >= self._max_retry_s(fault):
                    self._refuse(jobs, fault, error)
                    return ()
            else:
                self._log_fault(Fault.STATEMENT)
                return topics
            time.sleep(_RETRY_DELAY_S)

    def close(self) -> None:
        """Drop the connection; the next batch opens another one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def _max_retry_s(self, fault: Fault) -> float:
        if fault is Fault.CONFLICT:
            return _MAX_CONFLICT_RETRY_S
        # Once the database is known to be away, work is refused at once.
        is_new = fault is not Fault.DISK_FULL and self._last_fault is Fault.STATEMENT
        return self._database.reconnect_timeout_s if is_new else 0.0

    def _log_fault(self, fault: Fault, error: BaseException | None = None) -> None:
        """Log when the database starts to fail and when it works again."""
        if fault is not self._last_fault:
            self._last_fault = fault
            if error is None:
                _LOG.info("storage_back")
            else:
                _LOG.error(fault.code, error=str(error))

    def _refuse(self, jobs: Sequence[WriteJob], fault: Fault, error: BaseException) -> None:
        self._log_fault(fault, error)
        for job in jobs:
            job.error = UnavailableError(fault.code)
            job.error.__cause__ = error

    def _bisect(self, jobs: Sequence[WriteJob], error: BaseException) -> Sequence[str]:
        """Write one half and then the other, until the failing job is alone."""
        if len(jobs) > 1:
            half = len(jobs) // 2
            return [*self.write(jobs[:half]), *self.write(jobs[half:])]
        jobs[0].error = self._job_error(error)
        return ()

    def _job_error(self, error: BaseException) -> Exception:
        """Convert the failure of one job into the exception its caller receives."""
        if classify_error(self._database, error) is not Fault.STATEMENT:
            refusal = UnavailableError(Fault.TIMEOUT.code)
            refusal.__cause__ = error
            return refusal
        if isinstance(error, Exception) and not isinstance(error, StopIteration):
            return error
        # A future refuses StopIteration; KeyboardInterrupt or SystemExit would stop the event loop,
        # and CancelledError would look like a cancelled caller.
        failure = RuntimeError(f"a job ended with {type(error).__name__}")
        failure.__cause__ = error
        return failure

    def _attempt(self, jobs: Sequence[WriteJob]) -> Sequence[str]:
        """Run all *jobs* in one transaction."""
        connection = self._connection = self._connection or self._database.writer.connect()
        topics: list[str] = []
        connection.info[TOPICS] = topics
        bare = [job for job in jobs if _is_bare_append(job)]
        appends = [job.task for job in bare if isinstance(job.task, Append)]
        marker, accepted = self._database.begin(connection, appends)
        for job, append, is_accepted in zip(bare, appends, accepted, strict=True):
            job.error = None if is_accepted else AppendConflictError("overtaken")
            if is_accepted:
                topics.append(append.topic)
        if len(bare) < len(jobs):
            self._run_all(connection, [job for job in jobs if not _is_bare_append(job)])
        self._commit(connection, marker)
        return topics

    def _commit(self, connection: Connection, marker: int | None) -> None:
        """Commit; if no answer comes, check the commit marker."""
        try:
            connection.commit()
        except Exception as error:
            if marker is None or self._database.classify(error) is not Fault.UNAVAILABLE:
                raise
            self.close()
            if not self._check_commit(marker):
                raise

    def _run_all(self, connection: Connection, jobs: Sequence[WriteJob]) -> None:
        """Run the jobs that are more than an append."""
        topics: list[str] = connection.info[TOPICS]
        published = len(topics)
        for job in jobs:
            self._run(connection, job, topics)
        if len(topics) > published:
            self._database.notify(connection, topics[published:])

    def _run(self, connection: Connection, job: WriteJob, topics: list[str]) -> None:
        """Run one job in a savepoint, so that its failure leaves the others alone."""
        published = len(topics)
        job.error = None
        try:
            with connection.begin_nested():
                if isinstance(job.task, Append):
                    self._append(connection, job.task)
                else:
                    job.result = job.task(connection)
        except BaseException as error:  # whatever a job does, the thread must go on
            is_local = classify_error(self._database, error).is_local
            if not is_local or not self._database.is_in_transaction(connection):
                raise
            del topics[published:]
            job.error = self._job_error(error)

    def _append(self, connection: Connection, append: Append) -> None:
        """Append to one log and run what belongs to the append."""
        if not all(self._database.append(connection, [append])):
            raise AppendConflictError("overtaken")
        topics: list[str] = connection.info[TOPICS]
        topics.append(append.topic)
        if append.also is not None:
            append.also(connection)

    def _check_commit(self, marker: int) -> bool:
        """Ask until the database answers whether the COMMIT with *marker* happened."""
        end = time.monotonic() + _MAX_COMMIT_CHECK_S
        while time.monotonic() < end:
            try:
                is_committed = self._database.was_committed(marker)
            except Exception as error:
                if classify_error(self._database, error) is Fault.STATEMENT:
                    raise
            else:
                if is_committed is not None:
                    return is_committed
            time.sleep(_RETRY_DELAY_S)
        raise _UnknownCommitError


def _is_bare_append(job: WriteJob) -> bool:
    """Return whether a job needs no savepoint of its own."""
    return isinstance(job.task, Append) and job.task.also is None
