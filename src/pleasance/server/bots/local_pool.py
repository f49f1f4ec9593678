"""A crew of worker processes on this machine, so that no bot starves a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from math import inf
from time import monotonic

from pleasance.games import game_names
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_log
from pleasance.server.base.metrics import QUEUES, THINKING
from pleasance.server.bots.pipe_protocol import Answer, Ready
from pleasance.server.bots.pool import LIMIT, Advice, Thought, expect_seconds, recall_game
from pleasance.server.bots.slots import Job, Slot
from pleasance.server.bots.worker_process import Child, LostError

_LOG = get_log("bots")
_TRIES = 5
"""How many workers may die over one thought before a simpler bot does it."""

_LAST = "random"
"""The bot that fails only when nothing can be chosen at all."""

_REST = (0.0, 0.1, 0.5, 2.0, 5.0)
"""Seconds between workers that die before they have done anything."""


class LocalCrew:
    """Thinks in *processes* workers, and in one more for what is done at once.

    A bot that needs compiled rules waits for them no longer than *patience* seconds after its
    workers were born: then they are being compiled for the first time, and a simpler bot stands in.
    """

    def __init__(
        self,
        processes: int,
        *,
        limit: float = LIMIT,
        patience: float = 3.0,
        most_thoughts: int = 2000,
        games: Sequence[str] | None = None,
    ) -> None:
        self._limit = limit
        self._patience = patience
        self._most_thoughts = most_thoughts
        """After so many a worker is replaced, so that its memory stays bounded."""

        self._games = game_names() if games is None else tuple(games)
        self._slots = [Slot(is_quick=False) for _ in range(processes)]
        self._slots.append(Slot(is_quick=processes > 0))
        self._keepers: list[asyncio.Task[None]] = []
        self._jobs: set[Job] = set()
        self._waiting: list[Job] = []
        self._compiled: set[str] = set()
        """Games that some worker has had ready, so that others find them on disk."""

        self._broken: set[str] = set()
        """Games whose compiled rules cannot be made ready."""

        self._alarm: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """List the processes that are running."""
        return tuple(slot.child.pid for slot in self._slots if slot.child is not None)

    @property
    def thinking(self) -> tuple[int, ...]:
        """List the processes that are about something."""
        return tuple(job.child.pid for job in self._jobs if job.child is not None)

    @property
    def waiting(self) -> int:
        """Count the thoughts that no worker is about yet."""
        return len(self._waiting)

    async def start(self) -> None:
        """Start the workers; they get compiled rules ready in the background."""
        if not self._keepers and not self._is_closed:
            self._keepers = [asyncio.create_task(self._keep(slot)) for slot in self._slots]

    async def think(self, thought: Thought) -> str:
        """Give the choice in notation; when a worker dies over it, another does it again."""
        return (await self.advise(thought)).token

    async def advise(self, thought: Thought) -> Advice:
        """Give the choice, and tell who has made it: a simpler bot may have stood in."""
        if self._is_closed:
            raise UnavailableError("bots_closed")
        expect_seconds(thought.bot), recall_game(thought.game)  # refuse what nobody can do
        await self.start()
        job = Job(thought, asyncio.get_running_loop().create_future())
        job.answer.add_done_callback(lambda _: self._forget(job))
        self._jobs.add(job)
        self._waiting.append(job)
        self._hand_out()
        token = await job.answer
        THINKING.note(monotonic() - job.asked)
        return Advice(token, job.bot)

    async def close(self) -> None:
        """End all workers; thoughts still asked for are refused."""
        self._is_closed = True
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        if self._alarm is not None:
            self._alarm.cancel()
        for job in self._jobs:
            if not job.answer.done():
                job.answer.set_exception(UnavailableError("bots_closed"))

    def _forget(self, job: Job) -> None:
        """Clear away what was answered, or what nobody wants any more."""
        self._jobs.discard(job)
        if job in self._waiting:
            self._waiting.remove(job)
        if job.child is not None and job.answer.cancelled():
            job.child.drop()

    # The workers.

    async def _keep(self, slot: Slot) -> None:
        """Keep a worker in a place for as long as the crew is there."""
        failures = 0
        while True:
            try:
                has_worked = await self._employ(slot)
            except OSError as error:  # too many processes, or no memory for one more
                _LOG.error("worker_not_started", reason=error.strerror)
                has_worked = False
            failures = 0 if has_worked else failures + 1
            await asyncio.sleep(_REST[min(failures, len(_REST) - 1)])

    async def _employ(self, slot: Slot) -> bool:
        """Employ a worker until it dies or has done enough; tell whether it was of any use."""
        child = await Child.start(self._note_ready)
        slot.fill(child)
        try:
            self._warm_up()
            while child.thoughts < self._most_thoughts and not child.is_lost:
                wanted = slot.wanted = asyncio.get_running_loop().create_future()
                self._hand_out()
                await asyncio.wait((wanted, child.lost), return_when=asyncio.FIRST_COMPLETED)
                if wanted.done():
                    await self._see_through(wanted.result(), child)
                else:
                    _LOG.warning("worker_died", pid=child.pid)
        finally:
            slot.fill(None)
            await child.end()
        self._warm_up()
        self._hand_out()
        return child.has_worked

    async def _see_through(self, job: Job, child: Child) -> None:
        """Let a worker think; what does not come out well is done in another way."""
        if job.answer.done():
            return
        job.child = child
        try:
            report = await child.think(job.thought, self._limit)
        except LostError:
            job.deaths += 1
            self._ask_again(job, "its worker died", is_bots_fault=job.deaths >= _TRIES)
        except TimeoutError:
            child.kill()
            self._ask_again(job, f"it thought for over {self._limit:g} s", is_bots_fault=True)
        else:
            if not isinstance(report, Answer):
                self._ask_again(job, report.reason, is_bots_fault=True)
            elif not job.answer.done():
                job.answer.set_result(report.token)
        finally:
            job.child = None

    def _ask_again(self, job: Job, reason: str, *, is_bots_fault: bool) -> None:
        """Put a thought back in its place in the queue, for a simpler bot if this one failed."""
        if job.answer.done():
            return
        _LOG.warning("bot_failed", bot=job.bot, table=job.thought.table, reason=reason)
        if is_bots_fault and job.bot == _LAST:
            job.answer.set_exception(UnavailableError("bot_failed"))
            return
        if is_bots_fault:
            simpler = job.thought.by_stand_in()
            job.thought = simpler if simpler.bot != job.bot else simpler.by(_LAST)
            job.deaths = 0
        self._waiting.append(job)
        self._hand_out()

    # Compiled rules.

    def _note_ready(self, child: Child, ready: Ready) -> None:
        if ready.reason is None:
            child.ready.add(ready.game)
            self._compiled.add(ready.game)
            self._broken.discard(ready.game)
        else:
            _LOG.error("rules_not_compiled", game=ready.game, reason=ready.reason)
            self._broken.add(ready.game)
        self._warm_up()
        self._hand_out()

    def _warm_up(self) -> None:
        """Ask for compiled rules: first of one worker alone, then the others find them on disk."""
        children = [slot.child for slot in self._slots if slot.child is not None]
        for game in self._games:
            for child in children:
                is_led = any(game in other.told for other in children)
                if game not in child.told and (game in self._compiled or not is_led):
                    child.warm(game)

    # Who does what.

    def _hand_out(self) -> None:
        """Give each waiting thought, the most urgent first, to a worker that has nothing to do."""
        if self._is_closed:
            return
        for job in sorted(self._waiting, key=lambda job: job.due):
            if job.needs_kernel and self._deadline(job) <= monotonic():
                job.thought = job.thought.by_stand_in()
            # The last place is for quick thoughts: they leave the other ones free.
            for slot in reversed(self._slots):
                if slot.wanted is not None and slot.is_idle and slot.is_ready(job):
                    self._waiting.remove(job)
                    slot.wanted.set_result(job)
                    break
        self._set_alarm()

    def _deadline(self, job: Job) -> float:
        """Tell until when a thought waits for compiled rules."""
        if any(slot.is_ready(job) for slot in self._slots):
            return inf
        if job.thought.game in self._broken:
            return -inf
        return self._patience + max(slot.since for slot in self._slots if slot.may_take(job))

    def _set_alarm(self) -> None:
        """Look again when the patience of some thought ends."""
        QUEUES.set("bots", len(self._waiting))
        if self._alarm is not None:
            self._alarm.cancel()
        first = min((self._deadline(job) for job in self._waiting if job.needs_kernel), default=inf)
        if first < inf:
            delay = max(0.0, first - monotonic()) + 0.001
            self._alarm = asyncio.get_running_loop().call_later(delay, self._hand_out)
