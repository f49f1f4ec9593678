"""Exception handlers: each error becomes a status and a body with code, parameters and message."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap
from sqlalchemy.exc import DataError

from pleasance.core.errors import (
    BadRecordError,
    IllegalActionError,
    PleasanceError,
    StaleChoiceError,
)
from pleasance.server.base.errors import ServerError, TooManyRequestsError
from pleasance.server.base.logs import get_logger
from pleasance.server.base.metrics import count_refusal
from pleasance.server.base.translate import error_message
from pleasance.server.identity.authentication import CHARGED_TO_PLAYER, charge_connection
from pleasance.server.identity.dependencies import find_language
from pleasance.server.identity.messages import Refusal
from pleasance.server.identity.rate_limits import retry_headers

_CONFLICT = 409
_BROKEN = 500
_log = get_logger("http")
_CODES = {
    401: "sign_in",
    403: "forbidden",
    404: "no_page",
    405: "method_unknown",
    413: "too_large",
    415: "media_unknown",
}


def on_refusal(request: Request[Any, Any, Any], refusal: PleasanceError) -> Response[Refusal]:
    """Answer a refusal; a stale choice and an illegal action get 409."""
    if isinstance(refusal, ServerError):
        status = refusal.status
    elif isinstance(refusal, IllegalActionError | StaleChoiceError):
        status = _CONFLICT
    elif isinstance(refusal, BadRecordError):
        _log.error("log_broken", reason=str(refusal))
        status = _BROKEN
    else:
        status = 400
    return _answer(request, refusal, status, retry_headers(refusal))


def on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Refusal]:
    """Answer a request that reached no endpoint, or that could not be parsed."""
    if (
        CHARGED_TO_PLAYER not in request.scope["state"]
    ):  # the middleware runs only where a route exists
        try:
            charge_connection(request, request.app.state.site)
        except TooManyRequestsError as refusal:
            return on_refusal(request, refusal)
    status = error.status_code
    if isinstance(error, ValidationException):
        reason = _name_fields(error)
        return _answer(request, ServerError("request_unreadable", reason=reason), status)
    code = _CODES.get(status, "request_unreadable")
    params = {"reason": error.detail[:200]} if code == "request_unreadable" else {}
    return _answer(request, ServerError(code, **params), status)


def on_recursion_error(request: Request[Any, Any, Any], _: RecursionError) -> Response[Refusal]:
    """Answer 400 when a body is nested too deeply to be parsed."""
    return _answer(request, ServerError("request_unreadable", reason="nested too deep"), 400)


def on_data_error(request: Request[Any, Any, Any], _: DataError) -> Response[Refusal]:
    """Answer 400 when the database rejects a value, for example text with a NUL character."""
    return _answer(request, ServerError("request_unreadable", reason="cannot be kept"), 400)


def on_unexpected(request: Request[Any, Any, Any], error: Exception) -> Response[Refusal]:
    """Answer 500; the details go to the log only."""
    _log.error("unexpected_error", exc_info=error, path=request.url.path)
    return _answer(request, ServerError("broken"), _BROKEN)


def _name_fields(error: ValidationException) -> str:
    """List the invalid fields and the reasons, in one line."""
    extra = error.extra if isinstance(error.extra, list) else []
    wrong = [
        f"{item.get('key', 'data')}: {item['message']}"
        for item in extra
        if isinstance(item, dict) and "message" in item
    ]
    return "; ".join(wrong)[:300] or "-"


def _answer(
    request: Request[Any, Any, Any],
    refusal: PleasanceError,
    status: int,
    headers: dict[str, str] | None = None,
) -> Response[Refusal]:
    package = _find_package(refusal)
    count_refusal(refusal, package)
    message = error_message(refusal, find_language(request), package)
    body = Refusal(code=refusal.code, params=refusal.params, message=message)
    return Response(body, status_code=status, headers=headers or {}, media_type="application/json")


def _find_package(refusal: PleasanceError) -> str | None:
    """Find the package of the game that raised a refusal."""
    trace = refusal.__traceback__
    found = None
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if module.startswith("pleasance.games."):
            found = ".".join(module.split(".")[:3])
        trace = trace.tb_next
    return found


HANDLERS: ExceptionHandlersMap = {
    PleasanceError: on_refusal,
    HTTPException: on_http_error,
    RecursionError: on_recursion_error,
    DataError: on_data_error,
    Exception: on_unexpected,
}
