"""Who does the work of an arena: this process, all cores, or a cluster."""

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

from pleasance.arena.plan import Plan
from pleasance.arena.play import Match, get_ready, play_match
from pleasance.core.errors import PleasanceError

_TASK_SECONDS = 1.0
"""How long a task should take at least, so that handing it over costs nothing."""


class LostWorkerError(PleasanceError):
    """Report a worker that ended before its task did: killed, or out of memory."""


class Done(NamedTuple):
    """What came of one task."""

    matches: tuple[Match, ...]
    seconds: float


class Crew(Protocol):
    """Plays tasks of several matches each, in any order."""

    size: int
    """How many tasks are played at the same time."""

    def __enter__(self) -> Self:
        """Call the workers."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        """Send the workers home; what they are about is dropped."""

    def submit(self, plan: Plan, numbers: Sequence[int]) -> None:
        """Hand over matches to be played."""

    def collect(self) -> Sequence[Done]:
        """Wait until at least one task is done."""


def play_task(plan: Plan, numbers: Sequence[int]) -> Done:
    """Play some matches in this process."""
    get_ready(plan)  # compiling and loading would make matches look slow
    started = perf_counter()
    matches = tuple(play_match(plan, number) for number in numbers)
    return Done(matches, perf_counter() - started)


def play_matches(plan: Plan, numbers: Sequence[int], crew: Crew) -> Iterator[Match]:
    """Play matches with a crew and give each when it is done; tasks grow to about a second."""
    spent, played = 0.0, 0
    left = list(reversed(numbers))
    waiting = 0
    while left or waiting:
        while left and waiting < crew.size + 1:
            # The first tasks hold one match; they show how long one takes.
            fitting = int(_TASK_SECONDS * played / spent) if played else 1
            even = len(left) // (2 * crew.size)
            size = max(1, min(fitting, even))
            crew.submit(plan, [left.pop() for _ in range(min(size, len(left)))])
            waiting += 1
        for done in crew.collect():
            waiting -= 1
            spent += done.seconds
            played += len(done.matches)
            yield from done.matches


def count_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Alone:
    """Plays in this process."""

    size = 1

    def __init__(self) -> None:
        self._tasks: list[tuple[Plan, Sequence[int]]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tasks.clear()

    def submit(self, plan: Plan, numbers: Sequence[int]) -> None:
        """Keep the task until it is asked for."""
        self._tasks.append((plan, numbers))

    def collect(self) -> Sequence[Done]:
        """Play the oldest task."""
        return [play_task(*self._tasks.pop(0))]


class Cores:
    """Plays in as many processes as there are cores, or as are asked for."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._running: set[Future[Done]] = set()
        self._strangers = set(active_children())

    def __enter__(self) -> Self:
        # Arrays are small here: threads inside each process would only get into each other's way.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        context = get_context("spawn")
        self._pool = ProcessPoolExecutor(self.size, mp_context=context, initializer=_ignore_ctrl_c)
        return self

    @property
    def workers(self) -> set[int]:
        """Tell the processes that play, by their numbers."""
        return {child.pid for child in set(active_children()) - self._strangers if child.pid}

    def __exit__(self, *_: object) -> None:
        if self._running:
            for child in set(active_children()) - self._strangers:
                child.terminate()
        self._pool.shutdown(cancel_futures=True)

    def submit(self, plan: Plan, numbers: Sequence[int]) -> None:
        """Hand a task to the next free process."""
        with _holding_ctrl_c(), _missing_workers():
            self._running.add(self._pool.submit(play_task, plan, numbers))

    def collect(self) -> Sequence[Done]:
        """Wait for the first task to be done."""
        done, self._running = wait(self._running, return_when=FIRST_COMPLETED)
        # When a worker dies all that is under way fails, but what was done before still counts.
        whole = [task for task in done if not isinstance(task.exception(), BrokenProcessPool)]
        with _missing_workers():
            return [task.result() for task in whole or done]


@contextmanager
def _missing_workers() -> Iterator[None]:
    """Say in one line that a worker is gone."""
    try:
        yield
    except BrokenProcessPool as error:
        raise LostWorkerError("arena_worker") from error


def _ignore_ctrl_c() -> None:
    """Leave it to the process that the keyboard talks to."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _holding_ctrl_c() -> Iterator[None]:
    """Let a process be born deaf to Ctrl-C; for us it only comes a little later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
