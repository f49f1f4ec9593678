"""Public leaderboards, profiles and results."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from pleasance.server.base.cursors import encode_cursor
from pleasance.server.matchmaking.personal_data import MATCHMAKING_DATA
from pleasance.server.ratings.leaderboards import MIN_GAMES
from pleasance.server.ratings.rate_game import rate_table
from pleasance.server.store.store import Store
from support.app_client import AppClient, AppHarness
from support.rows import add_person, add_rating, add_table, build_standings


def fill(connection: Connection, ordinals: dict[str, float]) -> None:
    for name, ordinal in ordinals.items():
        add_rating(connection, add_person(connection, name), ordinal)


def read_all(browser: AppClient, path: str, limit: int) -> list[dict[str, object]]:
    """Read all pages of a list."""
    items: list[dict[str, object]] = []
    after = ""
    while True:
        page = browser.ask("GET", f"{path}limit={limit}{after}", 200)
        assert len(page["items"]) <= limit
        items += page["items"]
        if page["next"] is None:
            return items
        after = f"&after={page['next']}"


HUGE = encode_cursor(1.0, "a", 2**70)
LEADERS = "/api/ratings?game=sakura&seats=2&"


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_a_leaderboard_lists_each_player_once(app: AppHarness, store: Store, limit: int) -> None:
    ordinals = {"Ada": 12.0, "Bea": 20.5, "Cas": 12.0, "Dan": 12.0, "Eve": -3.0}
    store.write_now(lambda connection: fill(connection, ordinals))
    browser, _ = app.visit("Zoe")
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


def test_beginners_and_erased_players_are_on_no_leaderboard(app: AppHarness, store: Store) -> None:
    def work(connection: Connection) -> None:
        add_rating(connection, add_person(connection, "Ada"), 5.0)
        add_rating(connection, add_person(connection, "Bea", kind="gone"), 30.0)
        add_rating(connection, add_person(connection, "Cas"), 20.0, games=MIN_GAMES - 1)
        add_rating(connection, "bot:ismcts:0.2s", 4.0, games=MIN_GAMES)

    store.write_now(work)
    browser, _ = app.visit("Zoe")
    found = read_all(browser, LEADERS, 10)
    assert [(item["rank"], item["id"], item["kind"]) for item in found] == [
        (1, "ada", "guest"),
        (2, "bot:ismcts:0.2s", "bot"),
    ]
    assert browser.ask("GET", "/api/players/cas", 200)["ratings"][0]["rank"] is None
    assert browser.ask("GET", "/api/players/ada", 200)["ratings"][0]["rank"] == 1
    assert browser.refusal("GET", "/api/players/bea") == (404, "player_not_found")


def test_a_profile_shows_only_name_kind_and_ratings(app: AppHarness, store: Store) -> None:
    browser, player = app.visit("Ada", language="de")
    store.write_now(lambda connection: add_rating(connection, player, 10.0))
    profile = browser.ask("GET", f"/api/players/{player}", 200)
    assert profile.keys() == {"id", "name", "kind", "ratings"}
    assert (profile["id"], profile["name"], profile["kind"]) == (player, "Ada", "guest")
    (rating,) = profile["ratings"]
    assert (rating["game"], rating["seats"], rating["rating"]) == ("sakura", 2, 10.0)


def test_a_bot_has_a_profile_once_it_has_played(app: AppHarness, store: Store) -> None:
    browser, _ = app.visit("Zoe")
    assert browser.refusal("GET", "/api/players/bot:greedy") == (404, "player_not_found")
    store.write_now(lambda connection: add_rating(connection, "bot:greedy", 10.0))
    profile = browser.ask("GET", "/api/players/bot:greedy", 200)
    assert (profile["name"], profile["kind"]) == ("greedy", "bot")


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_results_come_newest_first_and_each_once(app: AppHarness, store: Store, limit: int) -> None:
    browser, player = app.visit("Ada")

    def play(connection: Connection) -> None:
        for n, at in enumerate([1.0, 3.0, 3.0, 2.0]):
            add_table(connection, f"table{n}")
            order = (player, "bot:greedy") if n else ("bot:greedy", player)
            rate_table(connection, f"table{n}", build_standings(*order), game="sakura", at=at)

    store.write_now(play)
    found = read_all(browser, f"/api/players/{player}/results?", limit)
    assert [item["table"] for item in found] == ["table1", "table2", "table3", "table0"]
    last = found[-1]
    assert (last["rank"], last["score"], last["seat"], last["has_left"]) == (2, 90, 1, False)
    assert last["mu_before"] == 25.0
    assert isinstance(last["mu_after"], float)
    assert last["mu_after"] < 25.0


def test_results_do_not_give_away_tables_that_need_a_link(app: AppHarness, store: Store) -> None:
    browser, player = app.visit("Ada")

    def play(connection: Connection) -> None:
        add_table(connection, "secrettable", is_public=False)
        standings = build_standings(player, "bot:greedy")
        rate_table(connection, "secrettable", standings, game="sakura", at=1.0)

    store.write_now(play)
    stranger, _ = app.visit("Zoe")
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
def test_invalid_lists_are_refused(app: AppHarness, path: str, status: int, code: str) -> None:
    browser, _ = app.visit("Zoe")
    app.site.store.write_now(lambda connection: add_rating(connection, "bot:random", 1.0))
    assert browser.refusal("GET", path) == (status, code)


def test_erasure_removes_ratings_and_the_place_in_the_queue(app: AppHarness, store: Store) -> None:
    browser, player = app.visit("Ada")

    def play(connection: Connection) -> None:
        add_table(connection, "table1")
        rate_table(
            connection, "table1", build_standings(player, "bot:greedy"), game="sakura", at=1.0
        )

    store.write_now(play)
    browser.ask("POST", "/api/queue", 200, {"game": "sakura", "seats": 2})
    exported = store.read_now(lambda connection: MATCHMAKING_DATA.export(connection, player))
    assert isinstance(exported, dict)
    assert [len(exported[part]) for part in ("ratings", "results", "queue")] == [1, 1, 1]
    store.write_now(lambda connection: MATCHMAKING_DATA.erase(connection, player))
    assert browser.ask("GET", "/api/queue", 200)["state"] == "idle"
    assert browser.ask("GET", f"/api/players/{player}", 200)["ratings"] == []
