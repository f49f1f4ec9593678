"""The house component files, as a template for one's own."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath

from pleasance.core.data import load_builtin_components
from pleasance.games import find_game
from pleasance.server.page.responses import TEXT, reply


@get("/page/boxes/{game:str}", sync_to_thread=False, include_in_schema=False)
def read_box(game: FromPath[str]) -> Response[bytes]:
    """Read the component file of a game."""
    return reply(load_builtin_components(find_game(game).spec.package), TEXT)


ROUTES = [read_box]
