"""Leaderboards, profiles and results, as everybody may read them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection

from pleasance.server.base.cursors import write_cursor
from pleasance.server.matchmaking.personal_data import KEEPER
from pleasance.server.ratings.leaderboards import LEAST_GAMES
from pleasance.server.ratings.rate_game import rate_table
from pleasance.server.store.store import Store
from server.rated import add_person, add_rating, add_table, stand
from server.salon import Salon, open_salon
from server.visitors import Browser


@pytest.fixture
def salon(store: Store) -> Iterator[Salon]:
    with open_salon(store) as salon:
        yield salon


def fill(connection: Connection, floors: dict[str, float]) -> None:
    for name, floor in floors.items():
        add_rating(connection, add_person(connection, name), floor)


def read_all(browser: Browser, path: str, limit: int) -> list[dict[str, object]]:
    """Turn all pages of a list."""
    items: list[dict[str, object]] = []
    after = ""
    while True:
        page = browser.ask("GET", f"{path}limit={limit}{after}", 200)
        assert len(page["items"]) <= limit
        items += page["items"]
        if page["next"] is None:
            return items
        after = f"&after={page['next']}"


HUGE = write_cursor(1.0, "a", 2**70)
LEADERS = "/api/ratings?game=sakura&seats=2&"


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_a_leaderboard_names_everybody_once_however_it_is_turned(
    salon: Salon, store: Store, limit: int
) -> None:
    floors = {"Ada": 12.0, "Bea": 20.5, "Cas": 12.0, "Dan": 12.0, "Eve": -3.0}
    store.write_now(lambda connection: fill(connection, floors))
    browser, _ = salon.visit("Zoe")
    found = read_all(browser, LEADERS, limit)
    assert [(item["rank"], item["name"], item["rating"]) for item in found] == [
        (1, "Bea", 20.5),
        (2, "Ada", 12.0),
        (2, "Cas", 12.0),
        (2, "Dan", 12.0),
        (5, "Eve", -3.0),
    ]
    assert found[0] == {
        "rank": 1,
        "id": "bea",
        "name": "Bea",
        "kind": "guest",
        "rating": 20.5,
        "mu": 26.5,
        "sigma": 2.0,
        "games": 9,
        "wins": 3,
    }


def test_beginners_and_who_is_gone_stand_on_no_leaderboard(salon: Salon, store: Store) -> None:
    def work(connection: Connection) -> None:
        add_rating(connection, add_person(connection, "Ada"), 5.0)
        add_rating(connection, add_person(connection, "Bea", kind="gone"), 30.0)
        add_rating(connection, add_person(connection, "Cas"), 20.0, games=LEAST_GAMES - 1)
        add_rating(connection, "bot:ismcts:0.2s", 4.0, games=LEAST_GAMES)

    store.write_now(work)
    browser, _ = salon.visit("Zoe")
    found = read_all(browser, LEADERS, 10)
    assert [(item["rank"], item["id"], item["kind"]) for item in found] == [
        (1, "ada", "guest"),
        (2, "bot:ismcts:0.2s", "bot"),
    ]
    profile = browser.ask("GET", "/api/players/cas", 200)
    assert profile["ratings"][0]["rank"] is None
    assert browser.ask("GET", "/api/players/ada", 200)["ratings"][0]["rank"] == 1
    assert browser.refusal("GET", "/api/players/bea") == (404, "player_not_found")


def test_a_profile_shows_name_kind_and_ratings_and_nothing_else(salon: Salon, store: Store) -> None:
    browser, player = salon.visit("Ada", language="de")
    store.write_now(lambda connection: add_rating(connection, player, 10.0))
    profile = browser.ask("GET", f"/api/players/{player}", 200)
    assert profile.keys() == {"id", "name", "kind", "ratings"}
    assert (profile["id"], profile["name"], profile["kind"]) == (player, "Ada", "guest")
    (rating,) = profile["ratings"]
    assert (rating["game"], rating["seats"], rating["rating"]) == ("sakura", 2, 10.0)


def test_a_bot_has_a_profile_once_it_has_played(salon: Salon, store: Store) -> None:
    browser, _ = salon.visit("Zoe")
    assert browser.refusal("GET", "/api/players/bot:greedy") == (404, "player_not_found")
    store.write_now(lambda connection: add_rating(connection, "bot:greedy", 10.0))
    profile = browser.ask("GET", "/api/players/bot:greedy", 200)
    assert (profile["name"], profile["kind"]) == ("greedy", "bot")


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_results_come_newest_first_and_each_once(salon: Salon, store: Store, limit: int) -> None:
    browser, player = salon.visit("Ada")

    def play(connection: Connection) -> None:
        for n, at in enumerate([1.0, 3.0, 3.0, 2.0]):
            add_table(connection, f"table{n}")
            order = (player, "bot:greedy") if n else ("bot:greedy", player)
            rate_table(connection, f"table{n}", stand(*order), game="sakura", at=at)

    store.write_now(play)
    found = read_all(browser, f"/api/players/{player}/results?", limit)
    assert [item["table"] for item in found] == ["table1", "table2", "table3", "table0"]
    last = found[-1]
    assert (last["rank"], last["score"], last["seat"], last["has_left"]) == (2, 90, 1, False)
    assert last["mu_before"] == 25.0
    assert isinstance(last["mu_after"], float)
    assert last["mu_after"] < 25.0


def test_results_do_not_give_away_tables_that_need_a_link(salon: Salon, store: Store) -> None:
    browser, player = salon.visit("Ada")

    def play(connection: Connection) -> None:
        add_table(connection, "secrettable", is_public=False)
        standings = stand(player, "bot:greedy")
        rate_table(connection, "secrettable", standings, game="sakura", at=1.0)

    store.write_now(play)
    stranger, _ = salon.visit("Zoe")
    path = f"/api/players/{player}/results"
    assert browser.ask("GET", path, 200)["items"][0]["table"] == "secrettable"
    answer = stranger.get(path)
    assert answer.json()["items"][0]["table"] is None
    assert "secrettable" not in answer.text
    bot = stranger.get("/api/players/bot:greedy/results")
    assert bot.json()["items"][0]["rank"] == 2
    assert "secrettable" not in bot.text


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/ratings?game=chess&seats=2", 400, "game_unknown"),
        ("/api/ratings?game=sakura&seats=1", 400, "seats"),
        ("/api/ratings?game=sakura&seats=two", 400, "request_unreadable"),
        ("/api/ratings?game=sakura&seats=2&limit=101", 400, "request_unreadable"),
        ("/api/ratings?game=sakura&seats=2&limit=0", 400, "request_unreadable"),
        ("/api/ratings?game=sakura&seats=2&after=nonsense", 400, "cursor"),
        ("/api/ratings?game=sakura&seats=2&after=%C3%A9", 400, "cursor"),
        ("/api/ratings?game=sakura&seats=2&after=WzEuMCwiXHUwMDAwIl0", 400, "cursor"),
        ("/api/players/nobody", 404, "player_not_found"),
        ("/api/players/nobody/results", 404, "player_not_found"),
        ("/api/players/a%00b", 400, "request_unreadable"),
        ("/api/players/bot:random/results?after=" + HUGE, 400, "cursor"),
    ],
)
def test_what_cannot_be_listed_is_refused_and_breaks_nothing(
    salon: Salon, path: str, status: int, code: str
) -> None:
    browser, _ = salon.visit("Zoe")
    salon.site.store.write_now(lambda connection: add_rating(connection, "bot:random", 1.0))
    assert browser.refusal("GET", path) == (status, code)


def test_who_is_forgotten_loses_the_ratings_and_the_place_in_the_queue(
    salon: Salon, store: Store
) -> None:
    browser, player = salon.visit("Ada")

    def play(connection: Connection) -> None:
        add_table(connection, "table1")
        rate_table(connection, "table1", stand(player, "bot:greedy"), game="sakura", at=1.0)

    store.write_now(play)
    wish = {"game": "sakura", "seats": 2}
    browser.ask("POST", "/api/queue", 200, wish)
    kept = store.read_now(lambda connection: KEEPER.export(connection, player))
    assert isinstance(kept, dict)
    assert [len(kept[part]) for part in ("ratings", "results", "queue")] == [1, 1, 1]
    store.write_now(lambda connection: KEEPER.forget(connection, player))
    assert browser.ask("GET", "/api/queue", 200)["state"] == "idle"
    assert browser.ask("GET", f"/api/players/{player}", 200)["ratings"] == []
