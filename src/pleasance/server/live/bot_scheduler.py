"""Bot scheduler: requests a move for each bot that must choose, and executes the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_logger
from pleasance.server.bots.pool import BotPool, MoveRequest, derive_bot_seed, pack_view
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.log_append import bots_to_move
from pleasance.server.live.pending import RoomCommand
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room

_log = get_logger("bots")


class BotScheduler:
    """Requests one move for each choice that a bot must make."""

    def __init__(self, bot_pool: BotPool) -> None:
        self._bot_pool = bot_pool
        self._tasks: dict[str, dict[str, asyncio.Task[None]]] = {}
        """For each table its running tasks, by the key of the move request."""

    def schedule(self, live: LiveRoom) -> None:
        """Request the moves that bots must make now, and cancel all others of this table."""
        seats = bots_to_move(live.room)
        known = self._tasks.get(live.id, {})
        if not seats and not known:
            return
        requests = {request.key: request for request in _make_move_requests(live, seats)}
        for key in known.keys() - requests.keys():
            if known[key] is not asyncio.current_task():
                known[key].cancel()
        for key, request in requests.items():
            if key not in known:
                task = asyncio.create_task(self._choose(live, request))
                self._tasks.setdefault(live.id, {})[key] = task
                task.add_done_callback(self._forget(live.id, key))

    def is_scheduled(self, table: str) -> bool:
        """Return whether a move is requested for this table."""
        return table in self._tasks

    async def stop(self) -> None:
        """Cancel all requests; they are made again after the next start."""
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

    async def _choose(self, live: LiveRoom, request: MoveRequest) -> None:
        """Choose for a bot, unless the table has moved on meanwhile."""
        try:
            token = await self._bot_pool.select_action(request)
            await live.execute(_bind_move(request, token))
        except UnavailableError as error:
            # Housekeeping finds tables that wait for a bot, and requests the move again.
            _log.warning("bot_waits", table=live.id, trouble=error.code)
        except PleasanceError as refusal:
            _log.info("bot_overtaken", table=live.id, reason=refusal.code)


def _make_move_requests(live: LiveRoom, seats: tuple[Seat, ...]) -> Iterator[MoveRequest]:
    for seat in seats:
        bot = live.room.places[seat].plays
        assert bot is not None, "a bot plays"
        yield make_move_request(live.id, live.room, seat, bot)


def make_move_request(table: str, room: Room, seat: Seat, bot: str) -> MoveRequest:
    """Make the request for a bot's move at *seat*; it holds only what the seat sees."""
    game, config = room.table, room.config
    assert game is not None, "a game is on"
    return MoveRequest(
        table=table,
        ply=game.ply,
        revision=game.revision,
        seat=seat,
        bot=bot,
        game=config.game,
        options=config.options,
        data=config.data,
        seed=derive_bot_seed(bytes.fromhex(config.bot_seed), seat, game.ply, game.revision),
        view=pack_view(game.view(seat)),
    )


def _bind_move(request: MoveRequest, token: str) -> RoomCommand:
    def choose(room: Room) -> tuple[Entry, ...]:
        seat = Seat(request.seat)
        if room.places[seat].plays != request.bot:
            return ()  # its player is back
        return commands.choose(room, seat, token, ply=request.ply, revision=request.revision)

    return choose
