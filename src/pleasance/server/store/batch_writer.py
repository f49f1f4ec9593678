"""One batch of jobs in one transaction, whatever the database is going through."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from pleasance.server.base.errors import OvertakenError, UnavailableError
from pleasance.server.base.logs import get_log
from pleasance.server.store.appends import Append
from pleasance.server.store.database import MISSED, Database, Fault, find_fault
from pleasance.server.store.dispatcher import Job

_LOG = get_log("store")

TOPICS: Final = "pleasance.topics"
"""Under this name a connection of the writer holds what its transaction tells."""

_PAUSE: Final = 0.05
"""Seconds between attempts."""

_CLASH: Final = 10.0
"""Seconds to try again what gets in the way of another process."""

_UNSURE: Final = 15.0
"""Seconds to find out whether a COMMIT without an answer has happened."""


class _UnsureError(Exception):
    """Nobody can tell in time whether a COMMIT has happened."""


class Scribe:
    """Writes batches over one connection, and over another one when that is lost."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None
        self._trouble = Fault.MISTAKE
        """What the last batch ran into; a mistake of its own is none of the database."""

    def write(self, jobs: Sequence[Job]) -> Sequence[str]:
        """Commit *jobs*; note in each how it ended; give the topics to tell listeners."""
        start = time.monotonic()
        while True:
            try:
                topics = self._attempt(jobs)
            except _UnsureError as error:
                self._refuse(jobs, Fault.AWAY, error)
                return [MISSED]
            except BaseException as error:  # noqa: BLE001  (somebody waits for an answer to each job)
                self.close()
                fault = find_fault(self._database, error)
                if fault.is_local:
                    return self._split(jobs, error)
                if time.monotonic() - start >= self._patience(fault):
                    self._refuse(jobs, fault, error)
                    return ()
            else:
                self._note(Fault.MISTAKE)
                return topics
            time.sleep(_PAUSE)

    def close(self) -> None:
        """Give the connection up; the next batch gets another one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def _patience(self, fault: Fault) -> float:
        """Tell for how many seconds to try again."""
        if fault is Fault.CLASH:
            return _CLASH
        # Once the database is known to be away, work is refused at once.
        is_news = fault is not Fault.FULL and self._trouble is Fault.MISTAKE
        return self._database.patience if is_news else 0.0

    def _note(self, fault: Fault, error: BaseException | None = None) -> None:
        """Log when the database gets into trouble and when it is out of it."""
        if fault is not self._trouble:
            self._trouble = fault
            if error is None:
                _LOG.info("storage_back")
            else:
                _LOG.error(fault.code, error=str(error))

    def _refuse(self, jobs: Sequence[Job], fault: Fault, error: BaseException) -> None:
        """Answer all *jobs* that they cannot be done now."""
        self._note(fault, error)
        for job in jobs:
            job.error = UnavailableError(fault.code)
            job.error.__cause__ = error

    def _split(self, jobs: Sequence[Job], error: BaseException) -> Sequence[str]:
        """Write one half and then the other, until the job at fault is alone."""
        if len(jobs) > 1:
            half = len(jobs) // 2
            return [*self.write(jobs[:half]), *self.write(jobs[half:])]
        jobs[0].error = self._word(error)
        return ()

    def _word(self, error: BaseException) -> Exception:
        """Turn what went wrong with one job into what is said to who waits for it."""
        if find_fault(self._database, error) is not Fault.MISTAKE:
            refusal = UnavailableError(Fault.STUCK.code)
            refusal.__cause__ = error
            return refusal
        if isinstance(error, Exception) and not isinstance(error, StopIteration):
            return error
        # These mean something else to an event loop.
        failure = RuntimeError(f"a job ended with {type(error).__name__}")
        failure.__cause__ = error
        return failure

    def _attempt(self, jobs: Sequence[Job]) -> Sequence[str]:
        """Do all *jobs* in one transaction."""
        connection = self._connection = self._connection or self._database.writer.connect()
        topics: list[str] = []
        connection.info[TOPICS] = topics
        plain = [job for job in jobs if _is_plain(job)]
        appends = [job.task for job in plain if isinstance(job.task, Append)]
        ticket, taken = self._database.begin(connection, appends)
        for job, append, is_taken in zip(plain, appends, taken, strict=True):
            job.error = None if is_taken else OvertakenError("overtaken")
            if is_taken:
                topics.append(append.topic)
        if len(plain) < len(jobs):
            self._work_all(connection, [job for job in jobs if not _is_plain(job)])
        self._commit(connection, ticket)
        return topics

    def _commit(self, connection: Connection, ticket: int | None) -> None:
        """Commit, or find out what became of a COMMIT without an answer."""
        try:
            connection.commit()
        except Exception as error:
            if ticket is None or self._database.judge(error) is not Fault.AWAY:
                raise
            self.close()
            if not self._find_out(ticket):
                raise

    def _work_all(self, connection: Connection, jobs: Sequence[Job]) -> None:
        """Do the jobs that are more than an append."""
        topics: list[str] = connection.info[TOPICS]
        known = len(topics)
        for job in jobs:
            self._work(connection, job, topics)
        if len(topics) > known:
            self._database.notify(connection, topics[known:])

    def _work(self, connection: Connection, job: Job, topics: list[str]) -> None:
        """Do one job in a savepoint: if it fails, the others do not."""
        known = len(topics)
        job.error = None
        try:
            with connection.begin_nested():
                if isinstance(job.task, Append):
                    self._append(connection, job.task)
                else:
                    job.result = job.task(connection)
        except BaseException as error:  # whatever a job does, the thread must go on
            is_local = find_fault(self._database, error).is_local
            if not is_local or not self._database.is_writing(connection):
                raise
            del topics[known:]
            job.error = self._word(error)

    def _append(self, connection: Connection, append: Append) -> None:
        """Add to one log, with what belongs to it."""
        if not all(self._database.append(connection, [append])):
            raise OvertakenError("overtaken")
        topics: list[str] = connection.info[TOPICS]
        topics.append(append.topic)
        if append.also is not None:
            append.also(connection)

    def _find_out(self, ticket: int) -> bool:
        """Ask what became of a COMMIT that got no answer, until the database tells."""
        end = time.monotonic() + _UNSURE
        while time.monotonic() < end:
            try:
                is_done = self._database.was_committed(ticket)
            except Exception as error:
                if find_fault(self._database, error) is Fault.MISTAKE:
                    raise
            else:
                if is_done is not None:
                    return is_done
            time.sleep(_PAUSE)
        raise _UnsureError


def _is_plain(job: Job) -> bool:
    """Tell whether a job needs no savepoint of its own."""
    return isinstance(job.task, Append) and job.task.also is None
