"""The house boxes as files: a start for whoever writes down their own."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath

from pleasance.core.data import load_house
from pleasance.games import find_game
from pleasance.server.page.responses import TEXT, reply


@get("/page/boxes/{game:str}", sync_to_thread=False, include_in_schema=False)
def read_box(game: FromPath[str]) -> Response[bytes]:
    """Give the component file of a game."""
    return reply(load_house(find_game(game).spec.package), TEXT)


ROUTES = [read_box]
