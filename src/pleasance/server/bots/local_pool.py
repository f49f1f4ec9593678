"""Local bot pool: bot processes on this machine, so that no search starves a socket."""

from __future__ import annotations

import asyncio
from time import monotonic

from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_logger
from pleasance.server.base.metrics import BOT_CHOICE_SECONDS, QUEUE_LENGTHS
from pleasance.server.bots.eligibility import cached_game, estimate_seconds
from pleasance.server.bots.pipe_protocol import Selected
from pleasance.server.bots.pool import MOVE_TIMEOUT_S, BotPool, MoveRequest, SelectedMove
from pleasance.server.bots.process_handle import BotProcessHandle, LostProcessError
from pleasance.server.bots.slots import OpenRequest, ProcessSlot

_LOG = get_logger("bots")
_MAX_DEATHS = 5
"""How many processes may die over one request before the fallback player gets it."""

_LAST_RESORT = "random"
"""The last fallback: it fails only without a legal action."""

_RESTART_DELAYS_S = (0.0, 0.1, 0.5, 2.0, 5.0)
"""Backoff between processes that die before they have done anything."""


class LocalBotPool(BotPool):
    """Computes moves in *processes* bot processes, and in one more for quick requests."""

    def __init__(
        self,
        processes: int,
        *,
        move_timeout: float = MOVE_TIMEOUT_S,
        max_requests: int = 2000,
    ) -> None:
        self._move_timeout = move_timeout
        self._max_requests = max_requests
        """A process is replaced after this number of requests, so that its memory stays bounded."""

        self._slots = [ProcessSlot(is_quick=False) for _ in range(processes)]
        self._slots.append(ProcessSlot(is_quick=processes > 0))
        self._supervisors: list[asyncio.Task[None]] = []
        self._open: set[OpenRequest] = set()
        self._queue: list[OpenRequest] = []
        self._is_closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of all running processes."""
        return tuple(slot.process.pid for slot in self._slots if slot.process is not None)

    @property
    def busy_pids(self) -> tuple[int, ...]:
        """The ids of the processes that compute a request."""
        return tuple(one.process.pid for one in self._open if one.process is not None)

    @property
    def queue_length(self) -> int:
        """The number of requests that no process computes yet."""
        return len(self._queue)

    async def start(self) -> None:
        """Start the processes."""
        if not self._supervisors and not self._is_closed:
            self._supervisors = [asyncio.create_task(self._supervise(slot)) for slot in self._slots]

    async def select_move(self, request: MoveRequest) -> SelectedMove:
        """Compute a request; when a process dies over it, another computes it again."""
        if self._is_closed:
            raise UnavailableError("bots_closed")
        estimate_seconds(request.bot), cached_game(request.game)  # refuse what cannot be computed
        await self.start()
        one = OpenRequest(request, asyncio.get_running_loop().create_future())
        one.result.add_done_callback(lambda _: self._discard(one))
        self._open.add(one)
        self._queue.append(one)
        self._dispatch()
        token = await one.result
        BOT_CHOICE_SECONDS.observe(monotonic() - one.created_at)
        return SelectedMove(token, one.bot)

    async def close(self) -> None:
        """End all processes; open requests are refused."""
        self._is_closed = True
        for supervisor in self._supervisors:
            supervisor.cancel()
        await asyncio.gather(*self._supervisors, return_exceptions=True)
        for one in self._open:
            if not one.result.done():
                one.result.set_exception(UnavailableError("bots_closed"))

    def _discard(self, one: OpenRequest) -> None:
        """Remove a request that was answered or cancelled."""
        self._open.discard(one)
        if one in self._queue:
            self._queue.remove(one)
        if one.process is not None and one.result.cancelled():
            one.process.cancel()

    # Processes.

    async def _supervise(self, slot: ProcessSlot) -> None:
        """Keep a process in a slot for as long as the pool is open."""
        failures = 0
        while True:
            try:
                has_worked = await self._run_process(slot)
            except OSError as error:  # too many processes, or no memory for one more
                _LOG.error("bot_process_not_started", reason=error.strerror)
                has_worked = False
            failures = 0 if has_worked else failures + 1
            await asyncio.sleep(_RESTART_DELAYS_S[min(failures, len(_RESTART_DELAYS_S) - 1)])

    async def _run_process(self, slot: ProcessSlot) -> bool:
        """Run one process until it dies or has done enough; return whether it has worked."""
        process = await BotProcessHandle.start()
        slot.assign_process(process)
        try:
            while process.request_count < self._max_requests and not process.is_lost:
                following = slot.next_request = asyncio.get_running_loop().create_future()
                self._dispatch()
                await asyncio.wait((following, process.lost), return_when=asyncio.FIRST_COMPLETED)
                if following.done():
                    await self._compute(following.result(), process)
                else:
                    _LOG.warning("bot_process_died", pid=process.pid)
        finally:
            slot.assign_process(None)
            await process.end()
        return process.request_count > 0

    async def _compute(self, one: OpenRequest, process: BotProcessHandle) -> None:
        """Let a process compute a request; requeue it where that fails."""
        if one.result.done():
            return
        one.process = process
        try:
            reply = await process.select_action(one.request, self._move_timeout)
        except LostProcessError:
            one.deaths += 1
            self._requeue(one, "its process died", use_fallback=one.deaths >= _MAX_DEATHS)
        except TimeoutError:
            process.kill()
            reason = f"it searched for over {self._move_timeout:g} s"
            self._requeue(one, reason, use_fallback=True)
        else:
            if not isinstance(reply, Selected):
                self._requeue(one, reply.reason, use_fallback=True)
            elif not one.result.done():
                one.result.set_result(reply.token)
        finally:
            one.process = None

    def _requeue(self, one: OpenRequest, reason: str, *, use_fallback: bool) -> None:
        """Put a request back into the queue, for a simpler bot where its own failed."""
        if one.result.done():
            return
        _LOG.warning("bot_failed", bot=one.bot, table=one.request.table, reason=reason)
        if use_fallback and one.bot == _LAST_RESORT:
            one.result.set_exception(UnavailableError("bot_failed"))
            return
        if use_fallback:
            simpler = one.request.with_fallback()
            if simpler.bot == one.bot:
                simpler = simpler.with_bot(_LAST_RESORT)
            one.request = simpler
            one.deaths = 0
        self._queue.append(one)
        self._dispatch()

    # Scheduling.

    def _dispatch(self) -> None:
        """Assign queued requests, the most urgent first, to idle processes."""
        if self._is_closed:
            return
        for one in sorted(self._queue, key=lambda one: one.due_at):
            # The last slot is for quick requests: they leave the other ones free.
            for slot in reversed(self._slots):
                if slot.next_request is not None and slot.is_idle and slot.accepts(one):
                    self._queue.remove(one)
                    slot.next_request.set_result(one)
                    break
        QUEUE_LENGTHS.labels("bots").set(len(self._queue))
