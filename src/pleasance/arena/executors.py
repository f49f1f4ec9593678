"""Executors of arena tasks: in this process or in a process pool."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from time import perf_counter
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from pleasance.arena.duplicate_match import DuplicateMatch, play_match, prepare_players
from pleasance.arena.plan import Plan
from pleasance.core.errors import PleasanceError

_TARGET_TASK_S = 1.0
"""The target duration of a task, long enough that dispatch costs next to nothing."""


class LostWorkerError(PleasanceError):
    """Reports a worker that ended before its task did: killed, or out of memory."""


class TaskResult(NamedTuple):
    """The result of one task."""

    matches: tuple[DuplicateMatch, ...]
    seconds: float


class Executor(Protocol):
    """Executes tasks of several matches each, in any order."""

    size: int
    """The number of tasks executed at the same time."""

    def __enter__(self) -> Self:
        """Start the workers."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        """Stop the workers; running tasks are dropped."""

    def submit(self, plan: Plan, numbers: Sequence[int]) -> None:
        """Submit matches as one task."""

    def collect(self) -> Sequence[TaskResult]:
        """Wait until at least one task is done; return the results."""


def play_task(plan: Plan, numbers: Sequence[int]) -> TaskResult:
    """Play some matches in this process and time them."""
    prepare_players(plan)  # loading would make matches look slow
    started = perf_counter()
    matches = tuple(play_match(plan, number) for number in numbers)
    return TaskResult(matches, perf_counter() - started)


def play_matches(
    plan: Plan, numbers: Sequence[int], executor: Executor
) -> Iterator[DuplicateMatch]:
    """Play matches with an executor, in the order they finish; tasks grow to about a second."""
    seconds, played = 0.0, 0
    remaining = list(reversed(numbers))
    pending = 0
    while remaining or pending:
        while remaining and pending < executor.size + 1:
            # The first tasks hold one match; they show how long one takes.
            fitting = int(_TARGET_TASK_S * played / seconds) if played else 1
            even = len(remaining) // (2 * executor.size)
            size = max(1, min(fitting, even))
            executor.submit(plan, [remaining.pop() for _ in range(min(size, len(remaining)))])
            pending += 1
        for done in executor.collect():
            pending -= 1
            seconds += done.seconds
            played += len(done.matches)
            yield from done.matches


def count_cores() -> int:
    """Count the cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class SerialExecutor:
    """Executes tasks in this process."""

    size = 1

    def __init__(self) -> None:
        self._tasks: list[tuple[Plan, Sequence[int]]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tasks.clear()

    def submit(self, plan: Plan, numbers: Sequence[int]) -> None:
        """Queue the task until `collect`."""
        self._tasks.append((plan, numbers))

    def collect(self) -> Sequence[TaskResult]:
        """Execute the oldest task."""
        return [play_task(*self._tasks.pop(0))]


class ProcessExecutor:
    """Executes tasks in a pool of processes."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._running: set[Future[TaskResult]] = set()
        self._other_children = set(active_children())

    def __enter__(self) -> Self:
        # Arrays are small here: threads inside each process would only get into each other's way.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        context = get_context("spawn")
        self._pool = ProcessPoolExecutor(self.size, mp_context=context, initializer=_ignore_sigint)
        return self

    @property
    def workers(self) -> set[int]:
        """Return the process ids of the workers."""
        return {child.pid for child in set(active_children()) - self._other_children if child.pid}

    def __exit__(self, *_: object) -> None:
        if self._running:
            for child in set(active_children()) - self._other_children:
                child.terminate()
        self._pool.shutdown(cancel_futures=True)

    def submit(self, plan: Plan, numbers: Sequence[int]) -> None:
        """Submit a task to the pool."""
        with _sigint_blocked(), _lost_workers_reported():
            self._running.add(self._pool.submit(play_task, plan, numbers))

    def collect(self) -> Sequence[TaskResult]:
        """Wait for the first task to finish."""
        done, self._running = wait(self._running, return_when=FIRST_COMPLETED)
        # A dead worker fails all running tasks, but completed ones still count.
        completed = [task for task in done if not isinstance(task.exception(), BrokenProcessPool)]
        with _lost_workers_reported():
            return [task.result() for task in completed or done]


@contextmanager
def _lost_workers_reported() -> Iterator[None]:
    """Convert a broken pool into `LostWorkerError`."""
    try:
        yield
    except BrokenProcessPool as error:
        raise LostWorkerError("arena_worker") from error


def _ignore_sigint() -> None:
    """Ignore Ctrl-C in a worker; the main process handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Block Ctrl-C while a worker starts; here it is only delivered later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
