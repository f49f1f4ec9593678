"""What a bot is asked: it knows what its seat knows, and nobody asks for a bot that does harm."""

from __future__ import annotations

import os
import pickle
import zlib
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from conformance import Configuration, every_configuration, find_configuration, walk
from pleasance.core.errors import BadSetupError
from pleasance.core.game import Choose
from pleasance.core.levels import LEVELS
from pleasance.games import find_game
from pleasance.i18n.catalog import LANGUAGES
from pleasance.players import player_names
from pleasance.server.base.translate import server_words
from pleasance.server.bots.pool import (
    Thought,
    check_bot,
    expect_seconds,
    find_stand_in,
    is_quick,
    pack_view,
    seed_of,
    unpack_view,
)
from pleasance.server.bots.select_action import think
from pleasance.server.matchmaking.bot_opponents import playable_bots
from pleasance.server.page.routes import show_offer
from server.thoughts import make_thought, make_thoughts

SAKURA = find_game("sakura")


@every_configuration
def test_worlds_that_look_alike_to_a_seat_are_packed_alike(config: Configuration) -> None:
    game, rng = config.game, Random(1)
    for place, (state, turn) in enumerate(walk(config, 5)):
        if not isinstance(turn, Choose) or place % 5:
            continue
        for seat in turn.seats:
            view = game.view(state, seat)
            other = game.view(game.imagine(view, rng), seat)
            assert pack_view(other) == pack_view(view)


@pytest.mark.parametrize("name", ["sakura-6", "sanssouci-4-rewards-boars"])
def test_a_packed_view_reads_back(name: str) -> None:
    config = find_configuration(name)
    for state, turn in walk(config, 2):
        if isinstance(turn, Choose):
            view = config.game.view(state, turn.seats[-1])
            assert unpack_view(pack_view(view)) == view
            assert pack_view(rebuild(view)) == pack_view(view)


def rebuild(value: Any) -> Any:
    """Make a copy in which no part is the same object as another."""
    if not isinstance(value, tuple):
        return value
    parts = [rebuild(part) for part in value]
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


class Harm:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("true",)


@pytest.mark.parametrize("harm", [Harm(), os.getcwd, Thought])
def test_nothing_but_views_is_unpacked(harm: object) -> None:
    with pytest.raises(pickle.UnpicklingError, match="no part of a view"):
        unpack_view(zlib.compress(pickle.dumps(harm)))


def test_the_same_seed_gives_the_same_choice_and_another_seed_another() -> None:
    thoughts = list(make_thoughts("sanssouci", 2, "random"))
    chosen = [think(thought) for thought in thoughts]
    assert chosen == [think(thought) for thought in thoughts]
    moved = [thought.by("random") for thought in make_thoughts("sanssouci", 2, "random", seed=2)]
    assert chosen != [think(thought) for thought in moved]


def test_luck_follows_from_the_secret_and_the_position() -> None:
    secret = bytes(32)
    places = [(0, 1, 0), (1, 1, 0), (0, 2, 0), (0, 1, 1)]
    seeds = {seed_of(secret, *place) for place in places}
    assert len(seeds) == len(places)
    assert seed_of(secret, 0, 1, 0) in seeds
    assert seed_of(bytes(31) + b"1", 0, 1, 0) not in seeds


def test_a_thought_has_one_key_for_one_bot_at_one_position() -> None:
    thought = make_thought("greedy")
    assert thought.key == make_thought("greedy").key
    assert thought.key != thought.by("random").key


def test_who_does_not_think_for_a_set_time_is_quick() -> None:
    quick = [name for name in player_names() if is_quick(name)]
    assert quick == ["random", "greedy", "planner", "network", *LEVELS]
    assert expect_seconds("planner") == 0.0
    assert expect_seconds("ismcts:0.2s") == 0.2
    assert 0 < expect_seconds("flat") < expect_seconds("flat:10000")


@pytest.mark.parametrize("bot", ["random", "planner", "flat", "ismcts:0.2s", "flat:50000"])
def test_a_table_takes_the_bots_there_are(bot: str) -> None:
    check_bot(bot, SAKURA)


@pytest.mark.parametrize(
    ("bot", "code"),
    [
        ("exec:touch here", "player_unknown"),
        ("exec@1s:touch here", "player_unknown"),
        ("", "player_unknown"),
        ("greedy:100", "player_no_budget"),
        ("ismcts:fast", "budget"),
        ("ismcts:11s", "bot_budget"),
        ("flat:50001", "bot_budget"),
    ],
)
def test_a_table_refuses_a_bot_that_does_not_fit(bot: str, code: str) -> None:
    with pytest.raises(BadSetupError) as refusal:
        check_bot(bot, SAKURA)
    assert refusal.value.code == code
    assert all(server_words(language).error(refusal.value) for language in LANGUAGES)


def test_a_game_needs_what_its_bots_need() -> None:
    plain = replace(SAKURA, heuristics=None, kernel=None)
    for bot in ("greedy", "planner", "network", "flat", "ismcts:100", "master:9"):
        with pytest.raises(BadSetupError, match="player_needs"):
            check_bot(bot, plain)
    check_bot("random", plain)
    assert (find_stand_in(plain), find_stand_in(SAKURA)) == ("random", "greedy")


@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_people_are_offered_five_levels_by_name_and_every_other_bot_after_them(
    game: str, language: str
) -> None:
    offer, words = show_offer(game, language), server_words(language)
    assert offer.levels == (*LEVELS, "master:0.2s")
    assert offer.bots[: len(offer.levels)] == offer.levels
    assert {"random", "greedy", "planner", "network", "flat:1s", "master:2s"} < set(offer.bots)
    names = [words(f"page.bot.{bot.partition(':')[0]}") for bot in offer.levels]
    assert len(set(names)) == len(names)
    for bot in offer.bots:
        check_bot(bot, find_game(game))


def test_rated_tables_take_the_bots_of_every_level() -> None:
    assert set(show_offer("sakura", "en").levels) <= set(playable_bots(SAKURA))
