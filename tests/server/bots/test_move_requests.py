"""Move requests hold what the bot's seat knows, and only eligible bots are requested."""

from __future__ import annotations

import os
import pickle
import zlib
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import conformance
from conformance import (
    Configuration,
    every_configuration,
    find_configuration,
    random_game,
)
from pleasance.core.errors import BadSetupError
from pleasance.core.game import Choose
from pleasance.core.levels import LEVELS
from pleasance.games import find_game
from pleasance.i18n.catalog import LANGUAGES
from pleasance.players.registry import fallback_player, player_names
from pleasance.server.base.translate import server_messages
from pleasance.server.bots.eligibility import check_bot, estimate_seconds, is_quick, rated_bots
from pleasance.server.bots.pool import MoveRequest, derive_bot_seed, pack_view, unpack_view
from pleasance.server.bots.select_action import select_action
from pleasance.server.page.routes import show_offer
from server.bots.move_requests import move_request, move_requests

SAKURA = find_game("sakura")


@every_configuration
def test_worlds_that_look_alike_to_a_seat_are_packed_alike(config: Configuration) -> None:
    game, rng = config.game, Random(1)
    for place, (state, turn) in enumerate(random_game(config, 5)):
        if not isinstance(turn, Choose) or place % 5:
            continue
        for seat in turn.seats:
            view = game.view(state, seat)
            assert pack_view(game.view(game.imagine(view, rng), seat)) == pack_view(view)


@pytest.mark.parametrize("name", ["sakura-6", "sanssouci-4-rewards-boars"])
def test_a_packed_view_reads_back(name: str) -> None:
    config = find_configuration(name)
    for state, turn in random_game(config, 2):
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


@pytest.mark.parametrize("harm", [Harm(), os.getcwd, MoveRequest])
def test_nothing_but_views_is_unpacked(harm: object) -> None:
    with pytest.raises(pickle.UnpicklingError, match="no part of a view"):
        unpack_view(zlib.compress(pickle.dumps(harm)))


def test_the_same_seed_gives_the_same_choice_and_another_seed_another() -> None:
    requests = list(move_requests("sanssouci", 2, "random"))
    chosen = [select_action(request) for request in requests]
    assert chosen == [select_action(request) for request in requests]
    moved = [
        request.with_bot("random") for request in move_requests("sanssouci", 2, "random", seed=2)
    ]
    assert chosen != [select_action(request) for request in moved]


def test_luck_follows_from_the_secret_and_the_position() -> None:
    secret = bytes(32)
    places = [(0, 1, 0), (1, 1, 0), (0, 2, 0), (0, 1, 1)]
    seeds = {derive_bot_seed(secret, *place) for place in places}
    assert len(seeds) == len(places)
    assert derive_bot_seed(secret, 0, 1, 0) in seeds
    assert derive_bot_seed(bytes(31) + b"1", 0, 1, 0) not in seeds


def test_a_request_has_one_key_per_bot_and_position() -> None:
    request = move_request("greedy")
    assert request.key == move_request("greedy").key
    assert request.key != request.with_bot("random").key


def test_a_bot_without_time_budget_is_quick() -> None:
    quick = [name for name in player_names() if is_quick(name)]
    assert quick == ["random", "greedy", "planner", "network", *LEVELS]
    assert estimate_seconds("planner") == 0.0
    assert estimate_seconds("ismcts:0.2s") == 0.2
    assert 0 < estimate_seconds("flat") < estimate_seconds("flat:10000")


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
    assert all(server_messages(language).error(refusal.value) for language in LANGUAGES)


def test_a_game_needs_what_its_bots_need() -> None:
    plain = replace(SAKURA, heuristics=None, kernel=None)
    for bot in ("greedy", "planner", "network", "flat", "ismcts:100", "master:9"):
        with pytest.raises(BadSetupError, match="player_needs"):
            check_bot(bot, plain)
    check_bot("random", plain)
    assert (fallback_player(plain), fallback_player(SAKURA)) == ("random", "greedy")


@pytest.mark.parametrize("game", conformance.LEVELED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_five_named_levels_are_offered_before_all_other_bots(game: str, language: str) -> None:
    offer, words = show_offer(game, language), server_messages(language)
    assert offer.levels == (*LEVELS, "master:0.2s")
    assert offer.bots[: len(offer.levels)] == offer.levels
    assert {"random", "greedy", "planner", "network", "flat:1s", "master:2s"} < set(offer.bots)
    names = [words(f"page.bot.{bot.partition(':')[0]}") for bot in offer.levels]
    assert len(set(names)) == len(names)
    for bot in offer.bots:
        check_bot(bot, find_game(game))


def test_rated_tables_take_the_bots_of_every_level() -> None:
    assert set(show_offer("sakura", "en").levels) <= set(rated_bots(SAKURA))
