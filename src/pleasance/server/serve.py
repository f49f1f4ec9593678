"""Runs the server: listens, starts the app, and stops gracefully without losing requests."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, cast

import uvicorn

from pleasance.core.errors import BadSetupError
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.links import IPV4_WILDCARD, find_addresses, format_url
from pleasance.server.base.logs import get_logger, log_requests, set_up_logs
from pleasance.server.base.metrics import IS_COMPILED
from pleasance.server.base.single_instance import RunningServer, hold_address_file
from pleasance.server.http.health import Phase, set_phase
from pleasance.server.http.websocket_protocol import WebSocketProtocol

if TYPE_CHECKING:
    from litestar import Litestar
    from uvicorn._types import ASGIApplication

    from pleasance.server.base.settings import ServerSettings

MAX_MESSAGE_BYTES: Final = 16 * 1024
"""Bytes of one message of a client: ten times the longest sensible one."""

SHUTDOWN_TIMEOUT_S: Final = 15
"""Seconds for running requests to finish once the server stops."""

_ANNOUNCE_TIMEOUT_S: Final = 3
"""Seconds for announcing the stop to all clients."""

_PORT_ATTEMPTS: Final = 20
_GC_THRESHOLD: Final = 50_000
"""New objects before a garbage collection."""

OnReady = Callable[[RunningServer], None]
OnStopping = Callable[[], Awaitable[None]]


def run_server(
    settings: ServerSettings, *, on_ready: OnReady | None = None, may_move: bool = False
) -> bool:
    """Serve until stopped; return whether it ended gracefully.

    A port that is taken is refused, or left for the next free one if it *may_move*. Of two servers
    on the same database file the second learns where the first is: `AlreadyRunningError`.
    """
    set_up_logs(settings)
    with (
        hold_address_file(settings.database) as claim,
        closing(listen(settings.host, settings.port, may_move=may_move)) as listener,
    ):
        settings = replace(settings, port=listener.getsockname()[1])  # where it really is
        running = find_link(settings, listener)
        claim.write(running)
        from pleasance.server.app import make_app, make_site  # noqa: PLC0415  (takes its time)

        site = make_site(settings)
        try:
            return serve_app(
                make_app(site),
                settings,
                listener,
                on_ready=lambda: on_ready and on_ready(running),
                on_stopping=site.hub.connections.announce_stop,
            )
        except SystemExit as error:  # uvicorn gives up like this, after logging why
            raise UnavailableError("start_failed") from error
        finally:
            site.store.close()  # the app does it too, unless it never started


def find_link(settings: ServerSettings, listener: socket.socket) -> RunningServer:
    """Find the link under which people reach the listener."""
    host, port = listener.getsockname()[:2]
    is_open = host == IPV4_WILDCARD or not (host.startswith("127.") or host == "::1")
    if settings.public_url:
        return RunningServer(settings.public_url, is_open)
    if host in {IPV4_WILDCARD, "::"}:
        host = next(iter(find_addresses()), "127.0.0.1")
    return RunningServer(format_url(host, port), is_open)


def listen(host: str, port: int, *, may_move: bool) -> socket.socket:
    """Listen on *port*; if it is taken and the server *may_move*, on the next free one."""
    ports = (port, *range(port + 1, port + _PORT_ATTEMPTS), 0) if may_move else (port,)
    for each in ports:
        try:
            return _listen(host, each)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise _refuse_address(error, host, port) from error
    raise BadSetupError("port_taken", port=str(port))


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere this would let two servers share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)  # at once: only then is the port ours
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _refuse_address(error: OSError, host: str, port: int) -> BadSetupError:
    """Explain why an address cannot be used."""
    if isinstance(error, PermissionError):
        return BadSetupError("port_forbidden", port=str(port))
    return BadSetupError("host_unknown", host=host)


def serve_app(
    app: Litestar,
    settings: ServerSettings,
    listener: socket.socket,
    *,
    on_ready: Callable[[], object] | None = None,
    on_stopping: OnStopping | None = None,
) -> bool:
    """Run *app* on a listener until a signal comes; return whether it ended gracefully."""
    server = make_server(app, settings, on_ready=on_ready, on_stopping=on_stopping)
    server.run(sockets=[listener])
    return not server.force_exit


def make_server(
    app: Litestar,
    settings: ServerSettings,
    *,
    on_ready: Callable[[], object] | None = None,
    on_stopping: OnStopping | None = None,
) -> uvicorn.Server:
    """Make the server that runs *app*."""
    logged = log_requests(cast("Any", app), trusts_proxy=settings.trusts_proxy)
    config = uvicorn.Config(
        cast("ASGIApplication", logged),
        http="httptools",
        ws=WebSocketProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=settings.heartbeat,
        ws_ping_timeout=settings.heartbeat,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        # Proxy headers are read where needed (`client_address`, `is_secure`): uvicorn would trust
        # any neighbor in a private network as a proxy.
        proxy_headers=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
    )
    return _Server(config, app, on_ready, on_stopping)


def _tune_garbage_collector() -> None:
    """Collect garbage less often, and never scan long-lived objects again.

    Rooms hold many small immutable values, hardly any of them in cycles; scanning them took a sixth
    of the time of a busy server.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, 20, 20)


class _Server(uvicorn.Server):
    """Reports readiness and the stop, and ends gracefully after a signal."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: Litestar,
        on_ready: Callable[[], object] | None,
        on_stopping: OnStopping | None,
    ) -> None:
        super().__init__(config)
        self._app = app
        self._on_ready = on_ready
        self._on_stopping = on_stopping
        self._log = get_logger("serve")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        set_phase(self._app, Phase.STARTING)
        await super().startup(sockets)
        _tune_garbage_collector()
        set_phase(self._app, Phase.READY)
        self._log.info("ready", process=os.getpid(), is_compiled=IS_COMPILED)
        if self._on_ready and not self.should_exit:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        set_phase(self._app, Phase.STOPPING)
        self._log.info("stopping", connections=len(self.server_state.connections))
        for server in self.servers:
            server.close()  # no new clients before the stop is announced
        if self._on_stopping and not self.force_exit:
            with suppress(TimeoutError):  # a slow client: the stop cannot wait
                async with asyncio.timeout(_ANNOUNCE_TIMEOUT_S):
                    await self._on_stopping()
        await super().shutdown(sockets)
        self._log.info("stopped", is_forced=self.force_exit)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first signal, force it at the second; unlike uvicorn, raise neither again."""
        if threading.current_thread() is not threading.main_thread():
            yield  # only the main thread gets signals
            return
        names = ("SIGINT", "SIGTERM", "SIGBREAK")
        signals = [getattr(signal, name) for name in names if hasattr(signal, name)]
        before = {number: signal.signal(number, self.handle_exit) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  (as uvicorn calls it)
        if self.force_exit:
            os._exit(1)  # what was acknowledged is on disk long since
        self.force_exit = self.should_exit
        self.should_exit = True
