"""Players for load tests of boardgame.io: they speak socket.io over a bare WebSocket."""

from __future__ import annotations

import asyncio
import re
import secrets
from random import Random
from time import perf_counter

from crowd import HOST, SEATS, Desk, Totals
from frames import Frames, connect

CELLS = 400
"""With so many cells what a player is sent is as long as one of our updates on average."""

_PATH = "/socket.io/?EIO=4&transport=websocket"
_PING, _PONG, _JOIN, _EVENT = b"2", b"3", b"40/cells,", b"42/cells,"
_STATE = re.compile(rb'"_stateID":(\d+)')
_TURN = re.compile(rb'"currentPlayer":"(\d)"')


class Player:
    """One player at one match."""

    def __init__(self, desk: Desk, number: int, rng: Random) -> None:
        self.desk = desk
        self.number = number
        self.is_eager = False
        """Whether to choose at once."""

        self.ready: bytes | None = None
        """The number of the state in which this player may choose."""

        self._me = b"%d" % number
        self._rng = rng
        self._joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._frames: Frames | None = None

    async def sit(self, port: int) -> None:
        """Connect and follow the match; the first who asks for it opens it."""
        self._frames = await connect(HOST, port, _PATH, {}, receive=self.receive)
        self._send(_JOIN)
        await self._joined

    def leave(self) -> None:
        """End the connection."""
        assert self._frames is not None, "connected"
        self._frames.close()

    def receive(self, message: bytes) -> None:
        """Take a message; choose at once if eager."""
        if message.startswith(_EVENT):
            self._look(message)
        elif message == _PING:
            self._send(_PONG)
        elif message.startswith(_JOIN):
            match, seats = self.desk.id.encode(), len(self.desk.seen)
            self._send(_EVENT + b'["sync","%b","%b",null,%d]' % (match, self._me, seats))

    def choose(self) -> None:
        """Write into some cell."""
        assert self.ready is not None, "may choose"
        state, desk = self.ready, self.desk
        self.ready = None
        if desk.asked < 0:
            desk.asked, desk.asked_at = max(desk.seen), perf_counter()
        desk.totals.choices += desk.totals.is_counting
        self._send(
            b'42/cells,["update",{"type":"MAKE_MOVE","payload":{"type":"put","args":[%d],'
            b'"playerID":"%b","credentials":null}},%b,"%b","%b"]'
            % (self._rng.randrange(CELLS), self._me, state, desk.id.encode(), self._me)
        )

    def _send(self, message: bytes) -> None:
        assert self._frames is not None, "connected"
        self._frames.send(message)

    def _look(self, message: bytes) -> None:
        """Read just what is needed of a message."""
        totals, desk = self.desk.totals, self.desk
        state, turn = _STATE.search(message), _TURN.search(message)
        if state is None or turn is None:
            return  # who else is connected
        if not self._joined.done():
            self._joined.set_result(None)
        if totals.is_counting:
            totals.views += 1
            totals.bytes += len(message)
        desk.see(self.number, int(state[1]))
        if turn[1] == self._me:
            self.ready = state[1]
            if self.is_eager:
                self.choose()


async def seat_all(port: int, tables: int, totals: Totals) -> list[Player]:
    """Open matches and seat players, as many at each as at our tables."""
    players = []
    for n in range(tables):
        desk = Desk(secrets.token_hex(6), totals, [0] * SEATS[n % len(SEATS)])
        for number in range(len(desk.seen)):
            player = Player(desk, number, Random(1000 * n + number))
            await player.sit(port)
            players.append(player)
    return players
