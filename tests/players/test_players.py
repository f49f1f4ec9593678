"""Players see a view, choose what is legal, and are the same again with the same luck."""

from dataclasses import replace
from random import Random

import pytest

import conformance
from pleasance.core.errors import BadSetupError
from pleasance.core.game import Choose
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.players.registry import make_player, players_by_strength

POND = conformance.find_configuration("pond-2")
FITTING = [
    pytest.param(config, spec.named("2"), id=f"{config.name}-{spec.name}")
    for config in conformance.CONFIGURATIONS
    for spec in players_by_strength(config.game)
]


@pytest.mark.slow
@pytest.mark.parametrize(("config", "name"), FITTING)
def test_a_player_chooses_what_is_legal(config: conformance.Configuration, name: str) -> None:
    game = config.game
    player = make_player(name, game)
    for place, (state, turn) in enumerate(conformance.random_game(config, 1)):
        if not isinstance(turn, Choose) or place % 3:
            continue
        for seat in turn.seats:
            view = game.view(state, seat)
            choice = player(view, Random(place))
            assert choice in view.legal
            assert player(view, Random(place)) == choice


@conformance.every_configuration
def test_greedy_weighs_each_legal_choice(config: conformance.Configuration) -> None:
    game, rng = config.game, Random(1)
    assert game.heuristics is not None
    for place, (state, turn) in enumerate(conformance.random_game(config, 2)):
        if isinstance(turn, Choose) and not place % 3:
            for seat in turn.seats:
                view = game.view(state, seat)
                assert set(game.heuristics.immediate_values(view, rng)) == set(view.legal)


@pytest.mark.slow
@conformance.every_configuration
def test_greedy_scores_more_than_random(config: conformance.Configuration) -> None:
    game, margin = config.game, 0.0
    for seed in range(12):
        seat = seed % config.seats
        names = ["random"] * config.seats
        names[seat] = "greedy"
        scores = game.scores(conformance.play_game(config, seed, *names).state)
        margin += scores[seat] - (sum(scores) - scores[seat]) / (config.seats - 1)
    assert margin > 0


def test_greedy_breaks_ties_by_luck() -> None:
    game = POND.game
    assert game.heuristics is not None
    indifferent = game.heuristics._replace(
        immediate_values=lambda view, _: dict.fromkeys(view.legal, 0.0)
    )
    player = make_player("greedy", replace(game, heuristics=indifferent))
    views = [
        game.view(state, turn.seats[0])
        for state, turn in conformance.random_game(POND, 3)
        if isinstance(turn, Choose)
    ]
    view = next(view for view in views if len(view.legal) > 1)
    assert {player(view, Random(seed)) for seed in range(20)} == set(view.legal)


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(BadSetupError, match="player_unknown") as refusal:
        make_player("clever", POND.game)
    assert "random, greedy" in load_messages("en").error(refusal.value)


def test_greedy_needs_the_judgment_of_the_game() -> None:
    with pytest.raises(BadSetupError, match="player_needs_heuristics") as refusal:
        make_player("greedy", replace(POND.game, heuristics=None))
    assert all(load_messages(language).error(refusal.value) for language in LANGUAGES)
