"""Thinking itself: from a thought to a choice in notation."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, AnyView, Choose, Draw
from pleasance.core.playout import Player
from pleasance.games import find_game
from pleasance.players import find_player, needs_kernel, player_names, takes_budget
from pleasance.server.bots.pool import Thought, make_rng_seed, unpack_view


def think(thought: Thought) -> str:
    """Let the bot of a thought choose, in this process."""
    bot = _find_bot(thought.bot, thought.game, thought.options, thought.data)
    view = unpack_view(thought.view)
    choice = bot(view, Random(make_rng_seed(thought)))
    assert choice in view.legal, f"{thought.bot} chose what is not legal"
    return str(choice)


@lru_cache(maxsize=16)
def open_game(name: str, options: tuple[str, ...], data: str | None) -> AnyGame:
    """Fit a game with its options and components; tables often share them."""
    return find_game(name).configure(options, data)


@lru_cache(maxsize=32)
def _find_bot(name: str, game: str, options: tuple[str, ...], data: str | None) -> Player[Any, Any]:
    return find_player(name, open_game(game, options, data))


def rehearse(name: str) -> None:
    """Let every bot that needs compiled rules choose once, so that later none has to wait."""
    game = find_game(name)
    if game.kernel is None:
        return
    view = _find_choice(game)
    for kind in filter(needs_kernel, player_names()):
        bot = f"{kind}:2" if takes_budget(kind) else kind
        try:
            player = _find_bot(bot, name, (), None)
        except BadSetupError:
            continue  # the game lacks something that this bot needs
        player(view, Random(0))


def _find_choice(game: AnyGame) -> AnyView[Any]:
    """Play at random to the first turn proper; show it to a seat with something to choose."""
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
