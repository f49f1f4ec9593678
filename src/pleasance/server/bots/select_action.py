"""Selects the action of a move request in this process."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from pleasance.core.game import AnyGame
from pleasance.core.playout import Player
from pleasance.games import find_game
from pleasance.players.registry import make_player
from pleasance.server.bots.pool import MoveRequest, make_rng_seed, unpack_view


def select_action(request: MoveRequest) -> str:
    """Let the bot of a request choose; return the token of its action."""
    player = _find_player(request.bot, request.game, request.options, request.data)
    view = unpack_view(request.view)
    choice = player(view, Random(make_rng_seed(request)))
    assert choice in view.legal, f"{request.bot} chose what is not legal"
    return str(choice)


@lru_cache(maxsize=16)
def _configure_game(name: str, options: tuple[str, ...], data: str | None) -> AnyGame:
    """Configure a game with options and components; tables often share them."""
    return find_game(name).configure(options, data)


@lru_cache(maxsize=32)
def _find_player(
    name: str, game: str, options: tuple[str, ...], data: str | None
) -> Player[Any, Any]:
    return make_player(name, _configure_game(game, options, data))
