"""Where nothing is: a person gets a page that says so, a program the refusal that it can read."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response
from litestar.exceptions import NotFoundException

from pleasance.server.base.translate import server_words
from pleasance.server.http.exception_handlers import answer_misuse
from pleasance.server.page.document import choose_language, make_plain
from pleasance.server.page.responses import HTML, reply

_FOR_PROGRAMS = ("/api/", "/page/")


def answer_lost(request: Request[Any, Any, Any], lost: NotFoundException) -> Response[Any]:
    """Say that nothing is at an address, in the way that whoever asks can read."""
    refusal = answer_misuse(request, lost)
    if refusal.status_code != lost.status_code or not _is_person(request):
        return refusal
    language = choose_language(request, request.query_params.get("language"))
    words = server_words(language)
    page = make_plain(language, words("page.title"), words("error.no_page"))
    return reply(page, HTML, status=lost.status_code)


def _is_person(request: Request[Any, Any, Any]) -> bool:
    """Tell whether a browser was sent here by somebody, and not by a script."""
    if request.url.path.startswith(_FOR_PROGRAMS):
        return False
    return HTML in request.headers.get("accept", "")
