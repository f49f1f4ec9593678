"""Runs the server: listens, starts the app, stops without losing what was taken."""

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
from pleasance.server.base.links import EVERYWHERE, find_addresses, make_link
from pleasance.server.base.logs import get_log, log_requests, set_up_logs
from pleasance.server.base.metrics import IS_COMPILED
from pleasance.server.base.single_instance import Running, claim_database
from pleasance.server.http.health import Phase, set_phase
from pleasance.server.http.websocket_protocol import LeanSocket

if TYPE_CHECKING:
    from litestar import Litestar
    from uvicorn._types import ASGIApplication

    from pleasance.server.base.settings import Settings

LARGEST_MESSAGE: Final = 16 * 1024
"""Bytes of one message of a client; the longest that makes sense has a tenth of that."""

PATIENCE: Final = 15
"""Seconds that what was taken may take to finish once the server stops."""

_FAREWELL: Final = 3
"""Seconds for telling everybody that the server stops."""

_NEXT_PORTS: Final = 20
_NEW_VALUES: Final = 50_000
"""After so many new values the collector looks at them."""

OnReady = Callable[[Running], None]
OnStopping = Callable[[], Awaitable[None]]


def run_server(
    settings: Settings, *, on_ready: OnReady | None = None, may_move: bool = False
) -> bool:
    """Serve until somebody stops it; tell whether it ended in good order.

    A port that is taken is refused, or left for the next free one if it *may_move*. Of two servers
    on the same database file the second learns where the first is: `AlreadyRunning`.
    """
    set_up_logs(settings)
    with (
        claim_database(settings.database) as claim,
        closing(listen(settings.host, settings.port, may_move=may_move)) as listener,
    ):
        settings = replace(settings, port=listener.getsockname()[1])  # where it really is
        running = find_link(settings, listener)
        claim.tell(running)
        from pleasance.server.app import make_app, make_site  # noqa: PLC0415  (takes its time)

        site = make_site(settings)
        try:
            return serve_app(
                make_app(site),
                settings,
                listener,
                on_ready=lambda: on_ready and on_ready(running),
                on_stopping=site.hub.close,
            )
        except SystemExit as error:  # uvicorn gives up like this, after logging why
            raise UnavailableError("start_failed") from error
        finally:
            site.store.close()  # the app does it too, unless it never started


def find_link(settings: Settings, listener: socket.socket) -> Running:
    """Find out under which link people reach what listens."""
    host, port = listener.getsockname()[:2]
    is_open = host == EVERYWHERE or not (host.startswith("127.") or host == "::1")
    if settings.public_url:
        return Running(settings.public_url, is_open)
    if host in {EVERYWHERE, "::"}:
        host = next(iter(find_addresses()), "127.0.0.1")
    return Running(make_link(host, port), is_open)


def listen(host: str, port: int, *, may_move: bool) -> socket.socket:
    """Listen on *port*; where it is taken and we *may_move*, on the next one that is free."""
    ports = (port, *range(port + 1, port + _NEXT_PORTS), 0) if may_move else (port,)
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
    """Say what is wrong with an address where we cannot listen."""
    if isinstance(error, PermissionError):
        return BadSetupError("port_forbidden", port=str(port))
    return BadSetupError("host_unknown", host=host)


def serve_app(
    app: Litestar,
    settings: Settings,
    listener: socket.socket,
    *,
    on_ready: Callable[[], object] | None = None,
    on_stopping: OnStopping | None = None,
) -> bool:
    """Run *app* on what listens until a signal comes; tell whether it ended in good order."""
    server = make_server(app, settings, on_ready=on_ready, on_stopping=on_stopping)
    server.run(sockets=[listener])
    return not server.force_exit


def make_server(
    app: Litestar,
    settings: Settings,
    *,
    on_ready: Callable[[], object] | None = None,
    on_stopping: OnStopping | None = None,
) -> uvicorn.Server:
    """Make what runs *app*; it listens once it is given something to listen on."""
    logged = log_requests(cast("Any", app), trusts_proxy=settings.trusts_proxy)
    config = uvicorn.Config(
        cast("ASGIApplication", logged),
        http="httptools",
        ws=LeanSocket,
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=settings.heartbeat,
        ws_ping_timeout=settings.heartbeat,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        # What a proxy tells is read where it is needed (`find_address`, `is_secure`): the library
        # would take a neighbor in a private network for one more proxy and believe what it says.
        proxy_headers=False,
        timeout_graceful_shutdown=PATIENCE,
    )
    return _Server(config, app, on_ready, on_stopping)


def _calm_collector() -> None:
    """Let the collector of garbage look less often, and never again at what stays anyway.

    Tables are full of small immutable values, hardly any of them in cycles; looking through all of
    them again and again took a sixth of the time of a busy server.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_VALUES, 20, 20)


class _Server(uvicorn.Server):
    """Tells when it is ready and when it stops, and ends well after a signal."""

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
        self._log = get_log("serve")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        set_phase(self._app, Phase.STARTING)
        await super().startup(sockets)
        _calm_collector()
        set_phase(self._app, Phase.READY)
        self._log.info("ready", process=os.getpid(), is_compiled=IS_COMPILED)
        if self._on_ready and not self.should_exit:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        set_phase(self._app, Phase.STOPPING)
        self._log.info("stopping", connections=len(self.server_state.connections))
        for server in self.servers:
            server.close()  # nobody new, before those who are here are told
        if self._on_stopping and not self.force_exit:
            with suppress(TimeoutError):  # somebody does not listen: we tell no longer
                async with asyncio.timeout(_FAREWELL):
                    await self._on_stopping()
        await super().shutdown(sockets)
        self._log.info("stopped", is_forced=self.force_exit)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first signal, hurry at the second; unlike uvicorn, do not die of it after."""
        if threading.current_thread() is not threading.main_thread():
            yield  # signals are not for us there
            return
        names = ("SIGINT", "SIGTERM", "SIGBREAK")
        heeded = [getattr(signal, name) for name in names if hasattr(signal, name)]
        before = {number: signal.signal(number, self.handle_exit) for number in heeded}
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
