"""The book-keeping of a crew: what is asked for, and the places where workers do it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import monotonic

from pleasance.players import needs_kernel
from pleasance.server.bots.pool import Thought, expect_seconds, is_quick, recall_game
from pleasance.server.bots.worker_process import Child


@dataclass(eq=False)
class Job:
    """A thought that somebody waits for."""

    thought: Thought
    answer: asyncio.Future[str]
    asked: float = field(default_factory=monotonic)
    deaths: int = 0
    """How many workers have died over it."""

    child: Child | None = None
    """The worker that is about it."""

    @property
    def bot(self) -> str:
        """Name who has to choose."""
        return self.thought.bot

    @property
    def due(self) -> float:
        """Tell when it should be done: who waits long enough comes before whoever is quick."""
        return self.asked + expect_seconds(self.bot)

    @property
    def needs_kernel(self) -> bool:
        """Tell whether only a worker with compiled rules can do it."""
        return needs_kernel(self.bot) and recall_game(self.thought.game).kernel is not None


@dataclass(eq=False)
class Slot:
    """A place for a worker: when one dies or has done enough, another takes it."""

    is_quick: bool
    """Whether it takes only what is done at once, so that nobody waits behind long thoughts."""

    child: Child | None = None
    since: float = field(default_factory=monotonic)
    """When the last worker came or went."""

    wanted: asyncio.Future[Job] | None = None
    """Open while the worker has nothing to do."""

    @property
    def is_idle(self) -> bool:
        """Tell whether the worker waits for something to do."""
        return self.wanted is not None and not self.wanted.done()

    def fill(self, child: Child | None) -> None:
        """Let a worker take the place, or leave it empty."""
        self.child = child
        self.wanted = None
        self.since = monotonic()

    def may_take(self, job: Job) -> bool:
        """Tell whether this is the place for a thought."""
        return is_quick(job.bot) or not self.is_quick

    def is_ready(self, job: Job) -> bool:
        """Tell whether there is a worker with all that a thought needs."""
        if self.child is None or not self.may_take(job):
            return False
        return not job.needs_kernel or job.thought.game in self.child.ready
