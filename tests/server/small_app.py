"""A small app that runs as the server does: `python small_app.py`.

It finishes requests only once the server stops, so that tests can observe the shutdown.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from litestar import Litestar, WebSocket, get, websocket

from pleasance.server.base.logs import set_up_logs
from pleasance.server.base.settings import load_settings
from pleasance.server.http.health import ROUTES as HEALTH
from pleasance.server.serve import find_link, listen, serve_app


def say(word: str) -> None:
    print(word, flush=True)


def make_small_app(stopping: asyncio.Event, notified: asyncio.Event) -> Litestar:
    @get("/taken")
    async def taken() -> str:
        say("taken")
        await stopping.wait()
        return "done"

    @get("/stuck")
    async def stuck() -> None:
        say("taken")
        await asyncio.Event().wait()

    @websocket("/socket")
    async def follow(socket: WebSocket[Any, Any, Any]) -> None:
        notified.clear()
        await socket.accept()
        await socket.send_text("hello")
        await stopping.wait()
        await socket.send_text("closing")
        notified.set()
        await socket.receive()

    async def say_gone(_app: Litestar) -> None:
        say("store closed")

    return Litestar(
        [*HEALTH[:1], taken, stuck, follow], on_shutdown=[say_gone], logging_config=None
    )


def main() -> None:
    settings = load_settings()
    set_up_logs(settings)
    stopping, notified = asyncio.Event(), asyncio.Event()
    notified.set()  # while no client is connected

    async def stop() -> None:
        say("stopping")
        stopping.set()
        await notified.wait()

    listener = listen(settings.host, settings.port, may_move=False)
    is_orderly = serve_app(
        make_small_app(stopping, notified),
        settings,
        listener,
        on_ready=lambda: say(find_link(settings, listener).link),
        on_stopping=stop,
    )
    sys.exit(0 if is_orderly else 1)


if __name__ == "__main__":
    main()
