"""Bookkeeping of a local bot pool: open requests, and slots that each hold one bot process."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import monotonic

from pleasance.server.bots.eligibility import estimate_seconds, is_quick
from pleasance.server.bots.pool import MoveRequest
from pleasance.server.bots.process_handle import BotProcessHandle


@dataclass(eq=False)
class OpenRequest:
    """A move request that a caller awaits."""

    request: MoveRequest
    result: asyncio.Future[str]
    created_at: float = field(default_factory=monotonic)
    deaths: int = 0
    """How many processes have died computing it."""

    process: BotProcessHandle | None = None
    """The process that computes it."""

    @property
    def bot(self) -> str:
        """The bot that has to select an action."""
        return self.request.bot

    @property
    def due_at(self) -> float:
        """The scheduling deadline: arrival plus estimated duration."""
        return self.created_at + estimate_seconds(self.bot)


@dataclass(eq=False)
class ProcessSlot:
    """A slot for one bot process, which is replaced when it dies or has done enough."""

    is_quick: bool
    """Whether it accepts only quick requests, so that none of them queues behind long searches."""

    process: BotProcessHandle | None = None
    next_request: asyncio.Future[OpenRequest] | None = None
    """Pending while the process is idle."""

    @property
    def is_idle(self) -> bool:
        """Return whether its process waits for a request."""
        return self.next_request is not None and not self.next_request.done()

    def assign_process(self, process: BotProcessHandle | None) -> None:
        """Put a process into the slot, or leave it empty."""
        self.process = process
        self.next_request = None

    def accepts(self, request: OpenRequest) -> bool:
        """Return whether the slot takes a request of this length."""
        return is_quick(request.bot) or not self.is_quick
