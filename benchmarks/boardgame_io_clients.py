"""Load-test clients of boardgame.io: socket.io over a bare WebSocket."""

from __future__ import annotations

import asyncio
import re
import secrets
from random import Random
from time import perf_counter

from load_clients import HOST, SEATS, Counters, TableState
from websocket_client import Connection, connect

CELLS = 400
"""The board size at which a message is as long as one of our updates on average."""

_PATH = "/socket.io/?EIO=4&transport=websocket"
_PING, _PONG, _JOIN, _EVENT = b"2", b"3", b"40/cells,", b"42/cells,"
_STATE = re.compile(rb'"_stateID":(\d+)')
_TURN = re.compile(rb'"currentPlayer":"(\d)"')


class Player:
    """One player at one match."""

    def __init__(self, table: TableState, number: int, rng: Random) -> None:
        self.table = table
        self.number = number
        self.is_eager = False
        """`True` to choose at once."""

        self.ready: bytes | None = None
        """The number of the state in which this player can choose."""

        self._me = b"%d" % number
        self._rng = rng
        self._joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._socket: Connection | None = None

    async def sit(self, port: int) -> None:
        """Connect and follow the match; the first client creates it."""
        self._socket = await connect(HOST, port, _PATH, {}, receive=self.receive)
        self._send(_JOIN)
        await self._joined

    def leave(self) -> None:
        """End the connection."""
        assert self._socket is not None, "connected"
        self._socket.close()

    def receive(self, message: bytes) -> None:
        """Handle a message; choose at once if eager."""
        if message.startswith(_EVENT):
            self._look(message)
        elif message == _PING:
            self._send(_PONG)
        elif message.startswith(_JOIN):
            match, seats = self.table.id.encode(), len(self.table.seen)
            self._send(_EVENT + b'["sync","%b","%b",null,%d]' % (match, self._me, seats))

    def choose(self) -> None:
        """Write into a random cell."""
        assert self.ready is not None, "may choose"
        state, table = self.ready, self.table
        self.ready = None
        if table.sent_seq < 0:
            table.sent_seq, table.sent_at = max(table.seen), perf_counter()
        table.counters.choices += table.counters.is_counting
        self._send(
            b'42/cells,["update",{"type":"MAKE_MOVE","payload":{"type":"put","args":[%d],'
            b'"playerID":"%b","credentials":null}},%b,"%b","%b"]'
            % (self._rng.randrange(CELLS), self._me, state, table.id.encode(), self._me)
        )

    def _send(self, message: bytes) -> None:
        assert self._socket is not None, "connected"
        self._socket.send(message)

    def _look(self, message: bytes) -> None:
        """Parse only the needed parts of a message."""
        counters, table = self.table.counters, self.table
        state, turn = _STATE.search(message), _TURN.search(message)
        if state is None or turn is None:
            return  # the list of connected players
        if not self._joined.done():
            self._joined.set_result(None)
        if counters.is_counting:
            counters.views += 1
            counters.bytes += len(message)
        table.see(self.number, int(state[1]))
        if turn[1] == self._me:
            self.ready = state[1]
            if self.is_eager:
                self.choose()


async def seat_all(port: int, tables: int, counters: Counters) -> list[Player]:
    """Open matches and seat players, as many at each as at our tables."""
    players = []
    for n in range(tables):
        table = TableState(secrets.token_hex(6), counters, [0] * SEATS[n % len(SEATS)])
        for number in range(len(table.seen)):
            player = Player(table, number, Random(1000 * n + number))
            await player.sit(port)
            players.append(player)
    return players
