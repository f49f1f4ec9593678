"""Structured logging: one line per event on the standard error stream, as text or JSON.

Every event passes through `redact`, also those of uvicorn and the database.
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

from pleasance.server.base.redact import REDACTED, is_secret_name, redact

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from pleasance.server.base.settings import ServerSettings

_INTERNAL = ("_record", "_from_structlog")
_NOISY_LOGGERS = (
    "uvicorn",
    "uvicorn.error",
    "httpx",
    "httpcore",
    "sqlalchemy",
    "alembic",
    "asyncio",
)
RAW_CHANNEL = "pleasance.raw"
"""Key of an ASGI extension: the server's own `send` and `receive`, without middleware around."""

_VALID_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{4,64}")


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return the logger of a part of the server.

    Example: `get_logger("rooms").info("room_loaded", table=id)`. The first word names the event;
    its fields follow by name.
    """
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(f"pleasance.{name}")
    return logger


def redact_event(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Redact every secret of an event, by its name or its pattern."""
    return {
        name: value if name in _INTERNAL else REDACTED if is_secret_name(name) else redact(value)
        for name, value in event.items()
    }


_COMMON_PROCESSORS: list[Processor] = [
    merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    redact_event,
]
"""Processors for every event, ours or of another library."""

# On import, so that nothing is printed in a process that never sets up its logs.
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_COMMON_PROCESSORS,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
)


def set_up_logs(settings: ServerSettings, stream: TextIO | None = None) -> None:
    """Send all logs of this process to *stream*, else to the standard error stream."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_COMMON_PROCESSORS,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(settings, handler.stream),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    # Below a warning these log noise, or request parameters.
    for name in _NOISY_LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.WARNING)


def _renderers(settings: ServerSettings, stream: TextIO) -> list[Processor]:
    """Choose the processors that format a line."""
    if settings.log_format == "json":
        return [structlog.processors.JSONRenderer(ensure_ascii=False)]
    return [
        structlog.dev.ConsoleRenderer(
            colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    ]


def log_requests(app: ASGIApp, *, trusts_proxy: bool = False) -> ASGIApp:
    """Wrap *app* in ASGI middleware that logs one line for each request.

    A path may name a private table, so only its template is logged, and the query string never.
    """
    log = get_logger("http")

    async def logged(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            return await app(scope, receive, send)
        request_id = _request_id(scope, trusts_proxy=trusts_proxy)
        clear_contextvars()
        bind_contextvars(request=request_id)
        fields: dict[str, Any] = {"method": scope.get("method", "SOCKET")}
        if "method" not in scope:
            extensions = scope["extensions"] or {}
            scope["extensions"] = {**extensions, RAW_CHANNEL: {"send": send, "receive": receive}}
        start = time.perf_counter()
        # Messages of a socket are not wrapped: that would slow each of them down.
        observed_send = _observe_response(send, fields, request_id) if "method" in scope else send
        try:
            await app(scope, receive, observed_send)
        finally:
            seconds = round(time.perf_counter() - start, 6)
            path = scope.get("path_template") or "unknown"
            log.info("request", path=path, seconds=seconds, **fields)

    return logged


def _observe_response(send: Send, fields: MutableMapping[str, Any], request_id: str) -> Send:
    """Record the status of a response and add the header `X-Request-ID`."""

    async def observed_send(message: Message) -> None:
        if message["type"] == "http.response.start":
            fields["status"] = message["status"]
            headers = [*message["headers"], (b"x-request-id", request_id.encode())]
            message = {**message, "headers": headers}
        await send(message)

    return observed_send


def _request_id(scope: Scope, *, trusts_proxy: bool) -> str:
    """Return an id for a request: that of a trusted proxy, else a new one."""
    if trusts_proxy:
        for name, value in scope["headers"]:
            if name == b"x-request-id" and _VALID_REQUEST_ID.fullmatch(value.decode("latin-1")):
                return value.decode("latin-1")
    return secrets.token_hex(6)
