"""Covers: a picture of each game in play, for the lobby."""

from __future__ import annotations

import asyncio
from functools import cache
from random import Random

from litestar import Response, get
from litestar.params import FromPath

from pleasance.core.fair import SECRET_BYTES, Fair
from pleasance.core.messages import LANGUAGES, load_words
from pleasance.core.playout import play_out
from pleasance.games import find_game, game_names
from pleasance.players import find_player
from pleasance.server.bots.crew import find_stand_in
from pleasance.server.errors import UnknownError
from pleasance.server.page.files import make_stamp
from pleasance.server.page.replies import FOREVER, NEVER, SVG, reply

_FAR = 0.55
"""How far the game on a cover has come."""


@cache
def draw_cover(name: str, language: str) -> str:
    """Draw a game somewhere after its middle, played by quick bots; always the same one."""
    game = find_game(name)
    assert game.picture is not None, f"{name} has no pictures"
    seats = game.spec.seats[0]
    player = find_player(find_stand_in(game), game)
    fair = Fair(bytes(SECRET_BYTES), (None,) * seats)
    played = play_out(game, [player] * seats, fair, rngs=[Random(n) for n in range(seats)])
    state = played.steps[int(len(played.steps) * _FAR)].after
    return game.picture(game.view(state, None), load_words(language, game.spec.package))


@get("/page/{stamp:str}/covers/{language:str}/{name:str}", include_in_schema=False)
async def read_cover(
    stamp: FromPath[str], language: FromPath[str], name: FromPath[str]
) -> Response[bytes]:
    """Give the cover of a game: `sakura.svg`."""
    game = name.removesuffix(".svg")
    if language not in LANGUAGES or game not in game_names() or find_game(game).picture is None:
        raise UnknownError("no_page")
    drawn = await asyncio.to_thread(draw_cover, game, language)
    return reply(drawn, SVG, cache=FOREVER if stamp == make_stamp() else NEVER)


ROUTES = [read_cover]
