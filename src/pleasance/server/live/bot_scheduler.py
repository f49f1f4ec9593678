"""Bots at live tables: whose turn it is thinks elsewhere, and chooses when it has thought."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_log
from pleasance.server.bots.pool import Crew, Thought, pack_view, seed_of
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.log_append import bots_to_choose
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room

_log = get_log("bots")


class Attendants:
    """Lets bots think, once for each choice they have to make."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._tasks: dict[str, dict[str, asyncio.Task[None]]] = {}
        """For each table what is thought about, by the key of the thought."""

    def look_after(self, live: LiveRoom) -> None:
        """Let the bots think that must choose now, and no others."""
        seats = bots_to_choose(live.room)
        known = self._tasks.get(live.id, {})
        if not seats and not known:
            return
        thoughts = {thought.key: thought for thought in _make_thoughts(live, seats)}
        for key in known.keys() - thoughts.keys():
            if known[key] is not asyncio.current_task():
                known[key].cancel()
        for key, thought in thoughts.items():
            if key not in known:
                task = asyncio.create_task(self._choose(live, thought))
                self._tasks.setdefault(live.id, {})[key] = task
                task.add_done_callback(self._forget(live.id, key))

    def is_thinking_at(self, table: str) -> bool:
        """Tell whether a bot thinks for this table."""
        return table in self._tasks

    async def stop(self) -> None:
        """Let nobody think any more; who has to choose will think again after the next start."""
        tasks = [task for group in self._tasks.values() for task in group.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, table: str, key: str) -> Callable[[asyncio.Task[None]], None]:
        def forget(task: asyncio.Task[None]) -> None:
            group = self._tasks.get(table, {})
            if group.get(key) is task:
                del group[key]
            if not group:
                self._tasks.pop(table, None)

        return forget

    async def _choose(self, live: LiveRoom, thought: Thought) -> None:
        """Choose for a bot; that the table has gone on meanwhile is no mishap."""
        try:
            token = await self._crew.think(thought)
            await live.change(_make_wish(thought, token))
        except UnavailableError as trouble:
            # Whoever looks for tables that wait for a bot will find this one.
            _log.warning("bot_waits", table=live.id, trouble=trouble.code)
        except PleasanceError as refusal:
            _log.info("bot_overtaken", table=live.id, reason=refusal.code)


def _make_thoughts(live: LiveRoom, seats: tuple[Seat, ...]) -> Iterator[Thought]:
    for seat in seats:
        bot = live.room.places[seat].plays
        assert bot is not None, "a bot plays"
        yield make_thought(live.id, live.room, seat, bot)


def make_thought(table: str, room: Room, seat: Seat, bot: str) -> Thought:
    """Gather what a bot may know that chooses for *seat*: what the seat itself sees."""
    game, plan = room.table, room.plan
    assert game is not None, "a game is on"
    return Thought(
        table=table,
        ply=game.ply,
        undone=game.undone,
        seat=seat,
        bot=bot,
        game=plan.game,
        options=plan.options,
        data=plan.data,
        seed=seed_of(bytes.fromhex(plan.luck), seat, game.ply, game.undone),
        view=pack_view(game.view(seat)),
    )


def _make_wish(thought: Thought, token: str) -> Callable[[Room], tuple[Entry, ...]]:
    def wish(room: Room) -> tuple[Entry, ...]:
        seat = Seat(thought.seat)
        if room.places[seat].plays != thought.bot:
            return ()  # its player is back
        return commands.choose(room, seat, token, ply=thought.ply, undone=thought.undone)

    return wish
