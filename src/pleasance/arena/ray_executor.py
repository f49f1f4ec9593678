"""The executor on a Ray cluster: a running one, or a new one on this machine."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import Any, Self

from pleasance.arena.executors import TaskResult, play_task
from pleasance.arena.plan import Plan
from pleasance.core.errors import extra_needed


class RayExecutor:
    """Executes tasks with Ray; the nodes of the cluster need pleasance installed."""

    def __init__(self, size: int | None = None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        with extra_needed("cluster"):
            import ray  # noqa: PLC0415  (large, and only wanted here)
        self._ray = ray
        self.size = size or 1
        self._is_sized = size is not None
        self._running: list[Any] = []

    def __enter__(self) -> Self:
        self._was_running = self._ray.is_initialized()
        if not self._was_running:
            self._ray.init(logging_level=logging.ERROR, log_to_driver=False)
        if not self._is_sized:
            self.size = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._task = self._ray.remote(play_task)
        return self

    def __exit__(self, *_: object) -> None:
        for task in self._running:
            self._ray.cancel(task, force=True)
        if not self._was_running:
            self._ray.shutdown()

    def submit(self, plan: Plan, numbers: Sequence[int]) -> None:
        """Submit a task to the cluster."""
        self._running.append(self._task.remote(plan, list(numbers)))

    def collect(self) -> Sequence[TaskResult]:
        """Wait for the first task to finish."""
        done, self._running = self._ray.wait(self._running, num_returns=1)
        results: list[TaskResult] = self._ray.get(done)
        return results
