"""The exception handler for 404: a page for people, a JSON error for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from litestar import Request, Response
from litestar.exceptions import NotFoundException

from pleasance.server.base.translate import server_messages
from pleasance.server.page.document import choose_language, make_message_page
from pleasance.server.page.responses import HTML, reply

NotFoundHandler: TypeAlias = Callable[[Request[Any, Any, Any], NotFoundException], Response[Any]]

_API_PREFIXES = ("/api/", "/page/")


def make_not_found_handler(on_api_error: NotFoundHandler) -> NotFoundHandler:
    """Make the handler; *on_api_error* answers programs."""

    def on_not_found(request: Request[Any, Any, Any], error: NotFoundException) -> Response[Any]:
        response = on_api_error(request, error)
        if response.status_code != error.status_code or not _is_navigation(request):
            return response
        language = choose_language(request, request.query_params.get("language"))
        words = server_messages(language)
        page = make_message_page(language, words("page.title"), words("error.no_page"))
        return reply(page, HTML, status=error.status_code)

    return on_not_found


def _is_navigation(request: Request[Any, Any, Any]) -> bool:
    """Return whether a person opened this address in a browser, rather than a script."""
    is_api = request.url.path.startswith(_API_PREFIXES)
    return not is_api and HTML in request.headers.get("accept", "")
