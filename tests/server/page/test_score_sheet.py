"""The score_sheet at the end: what brought points, part by part."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from conformance import Configuration, every_configuration
from pleasance.core.game import AnyGame, Choose, Over
from pleasance.games import find_game
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.server.page.score_sheet import score_sheet


def play_out(game: AnyGame, state: Any, rng: Random) -> Any:
    """Play to the end at random."""
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Choose):
            state = game.play(state, [rng.choice(game.legal(state, seat)) for seat in turn.seats])
        else:
            state = game.reveal(state, rng.choice(game.chances(state))[0])
    return state


@every_configuration
def test_the_parts_of_a_tally_add_up_to_the_scores(config: Configuration) -> None:
    game = config.game
    for n, language in enumerate(LANGUAGES):
        state = play_out(game, game.start(config.seats), Random(n))
        parts = score_sheet(game, state, load_messages(language, game.spec.package))
        sums = [sum(part.shares[seat].points for part in parts) for seat in range(config.seats)]
        assert tuple(sums) == game.scores(state)


@pytest.mark.parametrize("language", LANGUAGES)
def test_parts_are_counted_in_the_order_of_the_rules(language: str) -> None:
    game = find_game("sanssouci")
    words = load_messages(language, game.spec.package)
    order = [words(key) for key in words.keys("part.")]
    for seed in range(8):
        state = play_out(game, game.start(3), Random(seed))
        labels = [part.label for part in score_sheet(game, state, words)]
        assert labels == sorted(labels, key=order.index)
        assert len(labels) == len(set(labels))
