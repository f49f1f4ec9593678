"""Bot opponents near a player's strength, by measured or observed ratings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Connection

from conformance import games_with
from pleasance.core.game import AnyGame
from pleasance.core.levels import LEVELS
from pleasance.games import find_game
from pleasance.server.bots.eligibility import rated_bots
from pleasance.server.matchmaking.bot_opponents import MIN_BOT_GAMES, choose_bots
from pleasance.server.ratings.model import default_rating, initial_rating, measured_rating
from pleasance.server.ratings.rate_game import rate_table
from pleasance.server.store.store import Store
from support.rows import add_people, add_rating, build_standings

SAKURA = find_game("sakura")
RATED = games_with(lambda game: game.heuristics and game.heuristics.ratings)
TABLES = [(name, seats) for name in RATED for seats in find_game(name).spec.seats]


def choose(store: Store, game: AnyGame, seats: int, *, mu: float, count: int = 1) -> set[str]:
    """Choose bots for a player of this strength."""
    return set(store.write_now(lambda one: choose_bots(one, game, seats, mu=mu, count=count)))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_all_levels_are_rated_at_every_table_and_in_order(name: str, seats: int) -> None:
    game = find_game(name)
    assert game.heuristics is not None
    assert game.heuristics.ratings is not None
    found = game.heuristics.ratings[seats]
    ladder = [found[bot][0] for bot in ("random", *LEVELS, "master")]
    assert ladder == sorted(ladder)
    assert set(found) < {bot.partition(":")[0] for bot in rated_bots(game)}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_new_player_is_offered_medium_bots(name: str, seats: int, store: Store) -> None:
    bots = choose(store, find_game(name), seats, mu=default_rating().mu, count=2)
    assert len(bots) == 2
    assert bots.isdisjoint({"random", "master:0.2s"})


def test_the_strongest_are_offered_the_master(store: Store) -> None:
    assert choose(store, SAKURA, 2, mu=60.0) == {"master:0.2s"}


@pytest.mark.parametrize(
    ("games", "offered"), [(MIN_BOT_GAMES - 1, "master:0.2s"), (MIN_BOT_GAMES, "ismcts:0.2s")]
)
def test_observed_ratings_outweigh_measured_ones(games: int, offered: str, store: Store) -> None:
    store.write_now(lambda one: add_rating(one, "bot:ismcts:0.2s", 54.0, games))
    assert choose(store, SAKURA, 2, mu=60.0) == {offered}


def test_the_strongest_bot_stays_the_strongest_after_its_first_games(store: Store) -> None:
    def win(connection: Connection) -> None:
        for n in range(MIN_BOT_GAMES):
            add_people(connection, player := f"player{n}")
            standings = build_standings("bot:master:0.2s", player)
            assert rate_table(connection, f"t{n}", standings, game="sakura", at=float(n))

    store.write_now(win)
    assert choose(store, SAKURA, 2, mu=60.0) == {"master:0.2s"}


def test_a_bot_begins_with_what_was_measured_and_a_person_does_not() -> None:
    found = measured_rating(SAKURA, 2, "master:0.2s")
    assert found is not None
    assert (
        initial_rating("sakura", 2, "bot:master:0.2s")
        == initial_rating("sakura", 2, "bot:master")
        == found
    )
    assert (
        initial_rating("sakura", 2, "ada")
        == initial_rating("sakura", 2, "bot:flat:9")
        == default_rating()
    )
    assert initial_rating("another", 2, "bot:master") == default_rating()


@pytest.mark.parametrize(("mu", "offered"), [(0.0, "random"), (25.0, "planner"), (60.0, "ismcts")])
def test_an_unrated_game_offers_bots_by_level(mu: float, offered: str, store: Store) -> None:
    assert SAKURA.heuristics is not None
    plain = SAKURA.heuristics._replace(
        ratings=None, network_values=None, search_values=None, levels=()
    )
    bots = choose(store, replace(SAKURA, heuristics=plain), 2, mu=mu, count=2)
    assert offered in {bot.partition(":")[0] for bot in bots}
