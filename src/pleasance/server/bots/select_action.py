"""Selects the action of a move request in this process, and warms up the kernels it needs."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, AnyView, Choose, Draw
from pleasance.core.playout import Player
from pleasance.games import find_game
from pleasance.players.registry import make_player, player_names, takes_budget, uses_kernel
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


def warm_up(name: str) -> None:
    """Let every bot that needs the kernel of a game choose once, so that later none has to wait."""
    game = find_game(name)
    if game.kernel is None:
        return
    view = _play_to_first_choice(game)
    for kind in filter(uses_kernel, player_names()):
        bot = f"{kind}:2" if takes_budget(kind) else kind
        try:
            player = _find_player(bot, name, (), None)
        except BadSetupError:
            continue  # the game lacks something that this bot needs
        player(view, Random(0))


def _play_to_first_choice(game: AnyGame) -> AnyView[Any]:
    """Play at random to the first turn after the setup; return the view of a seat that chooses."""
    rng = Random(0)
    state = game.start(game.spec.seats[0])
    while True:
        turn = game.turn(state)
        if isinstance(turn, Choose):
            view: AnyView[Any] = game.view(state, turn.seats[0])
            if game.number(state) and len(view.legal) > 1:
                return view
            choices = [rng.choice(game.legal(state, seat)) for seat in turn.seats]
            state = game.play(state, choices)
        else:
            assert isinstance(turn, Draw), f"{game.spec.name} ends before anybody may choose"
            state = game.reveal(state, rng.choice(game.chances(state))[0])
