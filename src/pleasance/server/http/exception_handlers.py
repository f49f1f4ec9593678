"""How refusals are answered over HTTP: a code with parameters, a sentence, and the status."""

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
from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base.errors import ServerError, TooManyError
from pleasance.server.base.logs import get_log
from pleasance.server.base.metrics import REFUSALS
from pleasance.server.base.translate import explain
from pleasance.server.identity.authentication import COUNTED, AnyConnection, Identity, count_request
from pleasance.server.identity.messages import Refusal
from pleasance.server.identity.rate_limits import retry_headers

_CONFLICT = 409
_BROKEN = 500
_log = get_log("http")
_CODES = {
    401: "sign_in",
    403: "forbidden",
    404: "no_page",
    405: "method_unknown",
    413: "too_large",
    415: "media_unknown",
}


def answer_refusal(request: Request[Any, Any, Any], refusal: PleasanceError) -> Response[Refusal]:
    """Say why something was refused."""
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


def answer_misuse(request: Request[Any, Any, Any], misuse: HTTPException) -> Response[Refusal]:
    """Say what is wrong with a request that no handler could take."""
    if COUNTED not in request.scope["state"]:  # nothing is at this address: not even the gate
        try:
            count_request(request, request.app.state.site)
        except TooManyError as refusal:
            return answer_refusal(request, refusal)
    status = misuse.status_code
    if isinstance(misuse, ValidationException):
        reason = _name_fields(misuse)
        return _answer(request, ServerError("request_unreadable", reason=reason), status)
    code = _CODES.get(status, "request_unreadable")
    params = {"reason": misuse.detail[:200]} if code == "request_unreadable" else {}
    return _answer(request, ServerError(code, **params), status)


def answer_depth(request: Request[Any, Any, Any], _: RecursionError) -> Response[Refusal]:
    """Refuse what is nested so deep that nobody can have meant it."""
    return _answer(request, ServerError("request_unreadable", reason="nested too deep"), 400)


def answer_oddity(request: Request[Any, Any, Any], _: DataError) -> Response[Refusal]:
    """Refuse what no database can keep or look for, such as a character of nothing."""
    return _answer(request, ServerError("request_unreadable", reason="cannot be kept"), 400)


def answer_mishap(request: Request[Any, Any, Any], mishap: Exception) -> Response[Refusal]:
    """Say that something broke; what it was stands in the log alone."""
    _log.error("mishap", exc_info=mishap, path=request.url.path)
    return _answer(request, ServerError("broken"), _BROKEN)


def _name_fields(misuse: ValidationException) -> str:
    """Tell which fields are wrong and why, in one line."""
    extra = misuse.extra if isinstance(misuse.extra, list) else []
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
    REFUSALS.add(refusal.code)
    message = explain(refusal, find_language(request), _find_package(refusal))
    body = Refusal(code=refusal.code, params=refusal.params, message=message)
    return Response(body, status_code=status, headers=headers or {}, media_type="application/json")


def find_language(connection: AnyConnection) -> str:
    """Find out in which language to answer: the player's own, or what the browser asks for."""
    identity = connection.scope["state"].get("identity")
    if isinstance(identity, Identity):
        return identity.language
    for part in (connection.headers.get("accept-language") or "").split(","):
        language = part.split(";")[0].strip().lower()[:2]
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


def _find_package(refusal: PleasanceError) -> str | None:
    """Find whose rules refused, where the refusal was raised by a game."""
    trace = refusal.__traceback__
    found = None
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if module.startswith("pleasance.games."):
            found = ".".join(module.split(".")[:3])
        trace = trace.tb_next
    return found


HANDLERS: ExceptionHandlersMap = {
    PleasanceError: answer_refusal,
    HTTPException: answer_misuse,
    RecursionError: answer_depth,
    DataError: answer_oddity,
    Exception: answer_mishap,
}
