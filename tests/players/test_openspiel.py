"""OpenSpiel's searches play our games: as OpenSpiel knows games, honestly, and the same by luck."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest

from conformance import find_configuration, random_game
from pleasance.arena.duplicate_match import play_match
from pleasance.arena.estimates import measure_player
from pleasance.arena.plan import Plan
from pleasance.core.errors import BadSetupError
from pleasance.core.game import Choose
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.players.registry import OPENSPIEL_PLAYERS, make_player, player_names, with_budget
from pleasance.players.subprocess_player import resolve_player

TABLES = ["pond-2", "sanssouci-2", "sanssouci-4-rewards-boars", "sakura-2-tactical", "sakura-5"]


@pytest.mark.parametrize("name", OPENSPIEL_PLAYERS)
def test_without_openspiel_its_searches_are_refused_in_one_line(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "pleasance.players.openspiel", raising=False)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadSetupError, match="extra_missing") as refusal:
        resolve_player(f"{name}:10", find_configuration("pond-2").game)
    for language in LANGUAGES:
        assert "pleasance[openspiel]" in load_messages(language).error(refusal.value)


@pytest.mark.parametrize("name", OPENSPIEL_PLAYERS)
def test_they_are_guests_of_the_arena_and_sit_at_no_table(name: str) -> None:
    assert with_budget(name) == f"{name}:200"
    assert name not in player_names()
    with pytest.raises(BadSetupError, match="player_unknown"):
        make_player(f"{name}:10", find_configuration("pond-2").game)


def views(table: str, seed: int) -> list[Any]:
    """List some views of seats that have to choose."""
    config = find_configuration(table)
    found = [
        config.game.view(state, turn.seats[-1])
        for state, turn in random_game(config, seed)
        if isinstance(turn, Choose)
    ]
    return [view for view in found if len(view.legal) > 1][:: max(1, len(found) // 4)]


@pytest.mark.slow
@pytest.mark.parametrize("name", OPENSPIEL_PLAYERS)
@pytest.mark.parametrize("table", TABLES)
def test_a_search_of_openspiel_chooses_what_is_legal(table: str, name: str) -> None:
    """The same again from the same luck, and nothing else where only what is hidden differs."""
    pytest.importorskip("pyspiel")
    game = find_configuration(table).game
    player = resolve_player(f"{name}:60", game)
    for place, view in enumerate(views(table, 4)):
        choice = player(view, Random(place))
        assert choice in view.legal
        assert player(view, Random(place)) == choice
        seen = game.view(game.imagine(view, Random(place)), view.seat)
        assert player(seen, Random(place)) == choice


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_openspiel_plays_our_games_to_the_end_as_its_own(table: str) -> None:
    """Simultaneous choices of others stay hidden from a seat."""
    pytest.importorskip("pyspiel")
    from pleasance.players.openspiel import SpielGame

    config = find_configuration(table)
    rng = Random(3)
    state = SpielGame(config.game, config.seats, first=1).new_initial_state()
    while not state.is_terminal():
        codes = state.legal_actions()
        assert codes == sorted(codes)
        if state.is_chance_node():
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        else:
            seat = state.current_player()
            world = state.resample_from_infostate(seat, rng.random)
            assert world.current_player() == seat
            assert world.information_state_string() == state.information_state_string()
        other = state.clone()
        state.apply_action(rng.choice(codes))
        assert other.legal_actions() == codes
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.returns()) <= 1


@pytest.mark.slow
def test_tree_search_of_openspiel_beats_chance() -> None:
    pytest.importorskip("pyspiel")
    plan = Plan(game="sanssouci", seats=2, players=("openspiel-ismcts:30", "random"))
    measured = measure_player(play_match(plan, 0), 0)
    assert measured is not None
    assert measured.share == 1
