"""The socket: one connection of one client, its requests and the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from sqlalchemy import Connection, select

from pleasance import __version__
from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import BadRequestError, ForbiddenError, SignInError, TooManyError
from pleasance.server.base.logs import RAW, get_log
from pleasance.server.base.messages import Accepted, Pong, Refused, Welcome
from pleasance.server.base.metrics import CONNECTIONS, REFUSALS
from pleasance.server.base.requests import Do, Ping, Request, Say, Unwatch, Watch
from pleasance.server.base.translate import explain
from pleasance.server.http.exception_handlers import find_language
from pleasance.server.http.websocket_protocol import EXTENSION
from pleasance.server.identity.authentication import Identity, allow, identify
from pleasance.server.identity.rate_limits import Limits, find_address
from pleasance.server.live.client import Client
from pleasance.server.live.site import Here, Site
from pleasance.server.store.schema.rooms import mutes

AnySocket: TypeAlias = WebSocket[Any, Any, Any]

MOST_TABLES = 32
"""How many tables one connection may follow."""

BREATHER = 0.05
"""Seconds for which nothing more is read from who asks too often: what they send piles up there."""

_MOST_MISTAKES = 20
_POLICY = 1008
_AGAIN = 1012
_TRY_LATER = 1013
_decoder: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_log = get_log("socket")


class Sitting:
    """What one connection asks for, request by request."""

    def __init__(
        self, site: Site, you: Identity | None, client: Client, *, limits: Limits, address: str
    ) -> None:
        self._site = site
        self._limits = limits
        self._payer = address if you is None else you.id
        self._you = you
        self._client = client
        self._mistakes = 0
        self.is_busy = False
        """Whether a request is being carried out."""

    @property
    def is_hopeless(self) -> bool:
        """Tell whether the client sends nothing but what cannot be read."""
        return self._mistakes >= _MOST_MISTAKES

    async def take(self, text: str) -> None:
        """Carry out one request; whatever is wrong with it, the answer says so."""
        request: Request | None = None
        self.is_busy = True
        try:
            request = self._read(text)
            self._limits.spend("socket", self._payer)
            await self._carry_out(request)
        except PleasanceError as refusal:
            self._refuse(request, refusal)
            if isinstance(refusal, TooManyError):
                await asyncio.sleep(BREATHER)
        finally:
            self.is_busy = False

    def _read(self, text: str) -> Request:
        try:
            return _decoder.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._mistakes += 1
            raise BadRequestError("message_unreadable", reason=str(error)[:200]) from error

    async def _carry_out(self, request: Request) -> None:
        match request:
            case Do():
                await self._do(request)
            case Ping(key):
                self._client.answer(Pong(key, self._site.clock()))
            case Watch(key, table, since):
                await self._watch(table, since)
                self._client.answer(Accepted(key))
            case Unwatch(key, table):
                self._leave(table)
                self._client.answer(Accepted(key))

    async def _do(self, request: Do) -> None:
        if self._you is None:
            raise SignInError("sign_in")
        allow(self._you, "chat" if isinstance(request.command, Say) else "play")
        answer = await self._site.hub.do(
            request.table, self._you, request.key, request.command, asker=self._client
        )
        self._client.answer(answer)

    async def _watch(self, table: str, since: int | None) -> None:
        if self._you is not None:
            allow(self._you, "read")
        watching = self._client.watching
        if table not in watching and len(watching) >= MOST_TABLES:
            raise BadRequestError("too_many_tables", most=MOST_TABLES)
        live = await self._site.hub.find(table)
        if self._you is not None and self._you.id in live.room.banned:
            raise ForbiddenError("banned")
        await self._site.hub.welcome_back(live, self._client.player)
        await live.watch(self._client, since)
        watching[table] = live
        self._site.hub.door.turn_away(live)  # who was banned a moment ago
        self._site.hub.door.tell_presence(live)

    def _leave(self, table: str) -> None:
        live = self._client.watching.pop(table, None)
        if live is not None:
            live.watchers.discard(self._client)
            self._site.hub.door.tell_presence(live)

    def leave_all(self) -> None:
        """Follow nothing any more."""
        for table in tuple(self._client.watching):
            self._leave(table)

    def _refuse(self, request: Request | None, refusal: PleasanceError) -> None:
        """Say why a request is refused, and how far its table is: who follows it knows all of it.

        What was told of the table waits before this answer, so that none need ask what changed.
        """
        REFUSALS.add(refusal.code)
        live = self._site.hub.rooms.get(request.table) if isinstance(request, Do) else None
        seq, package = (0, None) if live is None else (live.told, live.room.game.spec.package)
        message = explain(refusal, self._client.language, package)
        key = None if request is None else request.key
        self._client.answer(Refused(key, refusal.code, refusal.params, message, seq))


@websocket("/live")
async def live(socket: AnySocket, site: Here) -> None:
    """Follow tables and do things there."""
    door = site.hub.door
    with door.arriving() as changed:
        you = await identify(socket, site)
        player = None if you is None else you.id
        muted = await site.store.read(lambda connection: read_mutes(connection, player))
        push = _find_ways(socket, EXTENSION).get("push")
        client = Client(player, muted, push=push, language=find_language(socket))
        await socket.accept()
        door.connect(client)
    CONNECTIONS.add()
    over = _greet(client, you, site)
    if player in changed:
        client.part("identity")
    peer = socket.client.host if socket.client else None
    address = find_address(peer, socket.headers, trusts_proxy=site.settings.trusts_proxy)
    sitting = Sitting(site, you, client, limits=socket.app.state.limits, address=address)
    try:
        await _converse(socket, sitting, client)
    finally:
        if over is not None:
            over.cancel()
        door.disconnect(client)
        sitting.leave_all()
        CONNECTIONS.add(-1)


def _greet(client: Client, you: Identity | None, site: Site) -> asyncio.TimerHandle | None:
    """Tell a client who it is; give what ends the connection together with its token."""
    client.answer(
        Welcome(
            player=client.player or "",
            name="" if you is None else you.name,
            version=__version__,
            heartbeat=site.settings.heartbeat,
            now=site.clock(),
        )
    )
    if you is None or you.until is None:
        return None
    left = max(0.0, you.until - site.clock())
    return asyncio.get_running_loop().call_later(left, client.part, "identity")


async def _converse(socket: AnySocket, sitting: Sitting, client: Client) -> None:
    """Listen and send at the same time, until one of both has come to an end."""
    listening = asyncio.create_task(_listen(socket, sitting, client))
    sending = asyncio.create_task(_send_all(socket, client))
    try:
        await asyncio.wait((listening, sending), return_when=asyncio.FIRST_COMPLETED)
    finally:
        client.let_go()
        sending.cancel()
        if not sitting.is_busy:  # what was begun is finished, whoever is still there
            listening.cancel()
        ends = await asyncio.gather(listening, sending, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception):
            if not isinstance(end, WebSocketDisconnect):
                _log.error("socket_failed", exc_info=end)
            raise end


async def _listen(socket: AnySocket, sitting: Sitting, client: Client) -> None:
    """Read requests until the client goes, or sends nothing but nonsense."""
    receive = _find_ways(socket, RAW)["receive"]
    while not sitting.is_hopeless:
        if client.is_full:
            await client.has_room()
        if client.is_gone:
            return
        event = await receive()
        if event["type"] == "websocket.disconnect":
            return
        await sitting.take(event.get("text") or "")
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(_POLICY)


async def _send_all(socket: AnySocket, client: Client) -> None:
    """Send what waits; end once the client is gone or shall go."""
    raw: Callable[[dict[str, str]], Coroutine[Any, Any, None]] = _find_ways(socket, RAW)["send"]

    def send(text: str) -> Coroutine[Any, Any, None]:
        return raw({"type": "websocket.send", "text": text})

    try:
        await client.send_all(send)
        await socket.close(_AGAIN)
    except (WebSocketDisconnect, RuntimeError, OSError) as error:
        _log.debug("socket_gone", reason=type(error).__name__)
    except PleasanceError as trouble:  # a table could not be shown: who comes back will see it
        _log.warning("socket_dropped", reason=trouble.code)
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await socket.close(_TRY_LATER)


def _find_ways(socket: AnySocket, name: str) -> dict[str, Callable[..., Any]]:
    """Find the ways to the client and back that cost least, since each message takes them."""
    offered: dict[str, Any] = socket.scope.get("extensions") or {}
    return dict(offered.get(name, {}))


def read_mutes(connection: Connection, player: str | None) -> frozenset[str]:
    """Name whose words a player does not want to read."""
    wanted = select(mutes.c.muted_id).where(mutes.c.player_id == player)
    return frozenset(connection.scalars(wanted))


ROUTES = [live]
