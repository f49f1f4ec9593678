"""Logs: one line for each event on the standard error stream, for people or as JSON.

Everything passes through `scrub`, whoever logs it: we, uvicorn, the database.
"""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, TextIO

import structlog
from structlog.contextvars import bind_contextvars, clear_contextvars, merge_contextvars
from structlog.typing import EventDict, Processor, WrappedLogger

from pleasance.server.base.redact import HIDDEN, is_secret, scrub

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from pleasance.server.base.settings import Settings

_INTERNAL = ("_record", "_from_structlog")
_TALKATIVE = ("uvicorn", "uvicorn.error", "httpx", "httpcore", "sqlalchemy", "alembic", "asyncio")
RAW = "pleasance.raw"
"""Where a socket finds the way to its client and back that passes through nothing else."""

_SOUND_ID = re.compile(r"[A-Za-z0-9._-]{4,64}")


def get_log(name: str) -> structlog.stdlib.BoundLogger:
    """Give the logger of a part of the server: `get_log("rooms").info("room_loaded", table=id)`.

    The first word names the event; what belongs to it follows by name.
    """
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(f"pleasance.{name}")
    return logger


def hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Hide every secret of an event, whether its name or its looks give it away."""
    return {
        name: value if name in _INTERNAL else HIDDEN if is_secret(name) else scrub(value)
        for name, value in event.items()
    }


_FACTS: list[Processor] = [
    merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    hide_secrets,
]
"""What happens to every event on its way, ours or of another library."""

# At once, so that nothing is said aloud in a process that never sets up its logs.
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_FACTS,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
)


def set_up_logs(settings: Settings, stream: TextIO | None = None) -> None:
    """Send all logs of this process to *stream*, else to the standard error stream."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_FACTS,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(settings, handler.stream),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    # What these tell below a warning is noise, or tells what was asked.
    for name in _TALKATIVE:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.WARNING)


def _renderers(settings: Settings, stream: TextIO) -> list[Processor]:
    """Choose how a line looks."""
    if settings.log_format == "json":
        return [structlog.processors.JSONRenderer(ensure_ascii=False)]
    return [
        structlog.dev.ConsoleRenderer(
            colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    ]


def log_requests(app: ASGIApp, *, trusts_proxy: bool = False) -> ASGIApp:
    """Log one line for each request, without what its address might give away.

    A path may name a private table, so only its template is logged; what follows the path never is.
    """
    log = get_log("http")

    async def logged(scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["type"]
        if kind not in {"http", "websocket"}:
            return await app(scope, receive, send)
        identity = _request_id(scope, trusts_proxy=trusts_proxy)
        clear_contextvars()
        bind_contextvars(request=identity)
        facts: dict[str, Any] = {"method": scope.get("method", "SOCKET")}
        if "method" not in scope:
            offered = scope["extensions"] or {}
            scope["extensions"] = {**offered, RAW: {"send": send, "receive": receive}}
        start = time.perf_counter()
        # What goes over a socket is not looked at: that would cost every message something.
        answer = _answering(send, facts, identity) if "method" in scope else send
        try:
            await app(scope, receive, answer)
        finally:
            seconds = round(time.perf_counter() - start, 6)
            path = scope.get("path_template") or "unknown"
            log.info("request", path=path, seconds=seconds, **facts)

    return logged


def _answering(send: Send, facts: MutableMapping[str, Any], identity: str) -> Send:
    """Notice the status of an answer, and let it tell the number of the request."""

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            facts["status"] = message["status"]
            headers = [*message["headers"], (b"x-request-id", identity.encode())]
            message = {**message, "headers": headers}
        await send(message)

    return answer


def _request_id(scope: Scope, *, trusts_proxy: bool) -> str:
    """Give a request a number, the one of the proxy where we trust one."""
    if trusts_proxy:
        for name, value in scope["headers"]:
            if name == b"x-request-id" and _SOUND_ID.fullmatch(value.decode("latin-1")):
                return value.decode("latin-1")
    return secrets.token_hex(6)
