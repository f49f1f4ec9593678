"""The WebSocket endpoint: requests of one client and their responses, with backpressure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeAlias, assert_never

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from pleasance import __version__
from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import (
    BadRequestError,
    ForbiddenError,
    NotAuthenticatedError,
    TooManyRequestsError,
)
from pleasance.server.base.logs import RAW_CHANNEL, get_logger
from pleasance.server.base.messages import Accepted, Pong, Refused, Welcome
from pleasance.server.base.metrics import CONNECTIONS, count_refusal
from pleasance.server.base.requests import Execute, Ping, Request, Say, Unwatch, Watch
from pleasance.server.base.translate import error_message
from pleasance.server.http.websocket_protocol import EXTENSION
from pleasance.server.identity.authentication import Identity, authenticate, check_scope
from pleasance.server.identity.dependencies import find_language
from pleasance.server.identity.rate_limits import RateLimiter, client_address
from pleasance.server.live.client import Client
from pleasance.server.live.connections import read_mutes
from pleasance.server.live.site import Site, SiteDep

AnySocket: TypeAlias = WebSocket[Any, Any, Any]

MAX_WATCHED_TABLES = 32
"""Tables that one connection may watch."""

RATE_LIMIT_PAUSE_S = 0.05
"""Seconds without reading after a rate limit error: backpressure reaches the client through TCP."""

_MAX_INVALID_MESSAGES = 20
_CLOSE_POLICY_VIOLATION = 1008
_CLOSE_SERVICE_RESTART = 1012
_CLOSE_TRY_AGAIN_LATER = 1013
_decoder: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_log = get_logger("socket")


class SocketSession:
    """Executes the requests of one connection."""

    def __init__(
        self, site: Site, you: Identity | None, client: Client, *, limits: RateLimiter, address: str
    ) -> None:
        self._site = site
        self._limits = limits
        self._rate_limit_key = address if you is None else you.id
        self._you = you
        self._client = client
        self._invalid_messages = 0
        self.is_busy = False
        """Whether a request is being carried out."""

    @property
    def has_failed(self) -> bool:
        """Return whether the client has sent too many invalid messages."""
        return self._invalid_messages >= _MAX_INVALID_MESSAGES

    async def execute(self, text: str) -> None:
        """Execute one request; an error becomes a response."""
        request: Request | None = None
        self.is_busy = True
        try:
            request = self._read(text)
            self._limits.charge("socket", self._rate_limit_key)
            await self._execute(request)
        except PleasanceError as refusal:
            self._refuse(request, refusal)
            if isinstance(refusal, TooManyRequestsError):
                await asyncio.sleep(RATE_LIMIT_PAUSE_S)
        finally:
            self.is_busy = False

    def _read(self, text: str) -> Request:
        try:
            return _decoder.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._invalid_messages += 1
            raise BadRequestError("message_unreadable", reason=str(error)[:200]) from error

    async def _execute(self, request: Request) -> None:
        match request:
            case Execute():
                await self._do(request)
            case Ping(key):
                self._client.enqueue(Pong(key, self._site.clock()))
            case Watch(key, table, since):
                await self._watch(table, since)
                self._client.enqueue(Accepted(key))
            case Unwatch(key, table):
                self._unwatch(table)
                self._client.enqueue(Accepted(key))
            case _:
                assert_never(request)

    async def _do(self, request: Execute) -> None:
        if self._you is None:
            raise NotAuthenticatedError("sign_in")
        check_scope(self._you, "chat" if isinstance(request.command, Say) else "play")
        answer = await self._site.hub.execute(
            request.table, self._you, request.key, request.command, requester=self._client
        )
        self._client.enqueue(answer)

    async def _watch(self, table: str, since: int | None) -> None:
        if self._you is not None:
            check_scope(self._you, "read")
        watching = self._client.watching
        if table not in watching and len(watching) >= MAX_WATCHED_TABLES:
            raise BadRequestError("too_many_tables", most=MAX_WATCHED_TABLES)
        live = await self._site.hub.find(table)
        if self._you is not None and self._you.id in live.room.banned:
            raise ForbiddenError("banned")
        await self._site.hub.return_seats(live, self._client.player)
        await live.watch(self._client, since)
        watching[table] = live
        self._site.hub.connections.remove_banned(live)  # a ban may have come meanwhile
        self._site.hub.connections.send_presence(live)

    def _unwatch(self, table: str) -> None:
        live = self._client.watching.pop(table, None)
        if live is not None:
            live.watchers.discard(self._client)
            self._site.hub.connections.send_presence(live)

    def unwatch_all(self) -> None:
        """Stop watching all tables."""
        for table in tuple(self._client.watching):
            self._unwatch(table)

    def _refuse(self, request: Request | None, refusal: PleasanceError) -> None:
        """Answer a refused request with the error and the newest published seq of its table.

        Updates of the table are queued before this response, so the client has them already.
        """
        live = self._site.hub.rooms.get(request.table) if isinstance(request, Execute) else None
        seq, package = (
            (0, None) if live is None else (live.published_seq, live.room.game.spec.package)
        )
        count_refusal(refusal, package)
        message = error_message(refusal, self._client.language, package)
        key = None if request is None else request.key
        self._client.enqueue(Refused(key, refusal.code, refusal.params, message, seq))


@websocket("/live")
async def live(socket: AnySocket, site: SiteDep) -> None:
    """Watch tables and send commands to them."""
    connections = site.hub.connections
    with connections.handshake() as changed:
        you = await authenticate(socket, site)
        player = None if you is None else you.id
        muted = await site.store.read(lambda connection: read_mutes(connection, player))
        push = _find_extension(socket, EXTENSION).get("push")
        client = Client(player, muted, push=push, language=find_language(socket))
        await socket.accept()
        connections.connect(client)
    CONNECTIONS.inc()
    expiry = _welcome(client, you, site)
    if player in changed:
        client.close("identity")
    peer = socket.client.host if socket.client else None
    address = client_address(peer, socket.headers, trusts_proxy=site.settings.trusts_proxy)
    session = SocketSession(site, you, client, limits=socket.app.state.limits, address=address)
    try:
        await _run_session(socket, session, client)
    finally:
        if expiry is not None:
            expiry.cancel()
        connections.disconnect(client)
        session.unwatch_all()
        CONNECTIONS.dec()


def _welcome(client: Client, you: Identity | None, site: Site) -> asyncio.TimerHandle | None:
    """Send the welcome; return the timer that closes the connection when its token expires."""
    client.enqueue(
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
    return asyncio.get_running_loop().call_later(left, client.close, "identity")


async def _run_session(socket: AnySocket, session: SocketSession, client: Client) -> None:
    """Receive and send concurrently, until one of both ends."""
    listening = asyncio.create_task(_listen(socket, session, client))
    sending = asyncio.create_task(_send_all(socket, client))
    try:
        await asyncio.wait((listening, sending), return_when=asyncio.FIRST_COMPLETED)
    finally:
        client.mark_gone()
        sending.cancel()
        if not session.is_busy:  # a running request is finished even without its client
            listening.cancel()
        ends = await asyncio.gather(listening, sending, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception):
            if not isinstance(end, WebSocketDisconnect):
                _log.error("socket_failed", exc_info=end)
            raise end


async def _listen(socket: AnySocket, session: SocketSession, client: Client) -> None:
    """Read requests until the client disconnects, or has sent too many invalid messages."""
    receive = _find_extension(socket, RAW_CHANNEL)["receive"]
    while not session.has_failed:
        if client.is_full:
            await client.wait_for_space()
        if client.is_gone:
            return
        event = await receive()
        if event["type"] == "websocket.disconnect":
            return
        await session.execute(event.get("text") or "")
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(_CLOSE_POLICY_VIOLATION)


async def _send_all(socket: AnySocket, client: Client) -> None:
    """Send the outbox; return once the client is gone or the connection is closing."""
    raw: Callable[[dict[str, str]], Coroutine[Any, Any, None]] = _find_extension(
        socket, RAW_CHANNEL
    )["send"]

    def send(text: str) -> Coroutine[Any, Any, None]:
        return raw({"type": "websocket.send", "text": text})

    try:
        await client.send_all(send)
        await socket.close(_CLOSE_SERVICE_RESTART)
    except (WebSocketDisconnect, RuntimeError, OSError) as error:
        _log.debug("socket_gone", reason=type(error).__name__)
    except PleasanceError as trouble:  # a snapshot failed: the client gets it when it reconnects
        _log.warning("socket_dropped", reason=trouble.code)
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await socket.close(_CLOSE_TRY_AGAIN_LATER)


def _find_extension(socket: AnySocket, name: str) -> dict[str, Callable[..., Any]]:
    """Find the server's fast send and receive functions, if it offers them."""
    offered: dict[str, Any] = socket.scope.get("extensions") or {}
    return dict(offered.get(name, {}))


ROUTES = [live]
