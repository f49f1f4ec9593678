"""The queue over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pleasance.server.matchmaking.matchmaker import run_round
from pleasance.server.matchmaking.queue import SEEK_TIMEOUT_S, find_offer
from pleasance.server.matchmaking.seek import Match, MatchRequest
from pleasance.server.store.store import Store
from support.app_client import AppClient, AppHarness, open_app

NONCE = "00" * 16
SEEK = {"game": "sakura", "seats": 2}


@pytest.fixture
def app(store: Store) -> Iterator[AppHarness]:
    with open_app(store, queue_bot_after=15.0) as app:
        yield app


def match(app: AppHarness) -> list[Match]:
    """Match once, without opening tables."""

    async def make_table(request: MatchRequest) -> str:
        return request.table

    return app.runner.run(run_round(app.site.store, make_table, app.clock()))


def read_offer(app: AppHarness, player: str) -> tuple[str | None, bool]:
    """Find the offer to a player: its table, and whether a bot plays."""
    offered = app.runner.run(find_offer(app.store, player, app.clock()))
    assert offered is not None
    return offered.table, offered.has_bot


def submit_nonce(browser: AppClient) -> None:
    """Add to the draws of the table that was found."""
    state = browser.ask("GET", "/api/queue", 200)
    assert (state["state"], state["table"]) == ("found", None)
    answer = {"commitment": state["commitment"], "nonce": NONCE}
    assert browser.ask("POST", "/api/queue/nonce", 200, answer)["state"] == "opening"


def test_two_browsers_wait_and_get_their_table(app: AppHarness) -> None:
    (ada, ada_id), (bea, bea_id) = app.visit("Ada"), app.visit("Bea")
    assert ada.ask("GET", "/api/queue", 200)["state"] == "idle"
    state = ada.ask("POST", "/api/queue", 200, SEEK)
    assert (state["state"], state["position"], state["waiting"]) == ("waiting", 1, 1)
    app.clock.advance(4)
    assert bea.ask("POST", "/api/queue", 200, {**SEEK, "clock": None})["position"] == 2
    assert match(app) == []
    submit_nonce(ada)
    submit_nonce(bea)
    (found,) = match(app)
    assert set(found.players) == {ada_id, bea_id}
    for browser in (ada, bea):
        state = browser.ask("GET", "/api/queue", 200)
        assert (state["state"], state["table"]) == ("matched", found.table)
    ada.ask("DELETE", "/api/queue", 204)
    assert ada.ask("GET", "/api/queue", 200)["state"] == "idle"


def test_other_clocks_are_other_seeks(app: AppHarness) -> None:
    (ada, _), (bea, _) = app.visit("Ada"), app.visit("Bea")
    ada.ask("POST", "/api/queue", 200, {**SEEK, "clock": {"move": 30, "bank": 600}})
    state = bea.ask("POST", "/api/queue", 200, {**SEEK, "clock": {"move": 86400}})
    assert state["clock"] == {"move": 86400.0, "bank": 0.0}
    assert match(app) == []


def test_a_player_alone_in_the_queue_is_offered_a_bot(app: AppHarness) -> None:
    browser, player = app.visit("Ada")
    browser.ask("POST", "/api/queue", 200, SEEK)
    assert browser.refusal("POST", "/api/queue/bot", {"accepts": True}) == (409, "queue_no_offer")
    app.clock.advance(15)
    match(app)
    assert browser.ask("GET", "/api/queue", 200)["has_offer"]
    assert read_offer(app, player) == (None, True)
    assert not browser.ask("POST", "/api/queue/bot", 200, {"accepts": True})["has_offer"]
    assert match(app) == []
    assert read_offer(app, player) == (None, False)  # only the nonce is missing
    submit_nonce(browser)
    (found,) = match(app)
    assert read_offer(app, player) == (found.table, True)


def test_asking_keeps_the_place_and_silence_loses_it(app: AppHarness) -> None:
    (ada, _), (bea, _) = app.visit("Ada"), app.visit("Bea")
    ada.ask("POST", "/api/queue", 200, SEEK)
    bea.ask("POST", "/api/queue", 200, {**SEEK, "seats": 3})
    for _ in range(3):
        app.clock.advance(SEEK_TIMEOUT_S / 2)
        assert ada.ask("GET", "/api/queue", 200)["state"] == "waiting"
        match(app)
    assert bea.ask("GET", "/api/queue", 200)["state"] == "idle"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "request_unreadable"),
        ({**SEEK, "game": "chess"}, "game_unknown"),
        ({**SEEK, "seats": 1}, "seats"),
        ({**SEEK, "seats": 7}, "request_unreadable"),
        ({**SEEK, "options": ["nothing"]}, "option_unknown"),
        ({**SEEK, "clock": {"move": 1}}, "request_unreadable"),
        ({**SEEK, "player": "somebody"}, "request_unreadable"),
    ],
)
def test_what_cannot_be_played_is_refused(app: AppHarness, body: object, code: str) -> None:
    browser, _ = app.visit("Ada")
    assert browser.refusal("POST", "/api/queue", body) == (400, code)
    assert browser.ask("GET", "/api/queue", 200)["state"] == "idle"


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"commitment": "0" * 64, "nonce": NONCE}, (409, "queue_no_match")),
        ({"commitment": "0" * 64, "nonce": "xyz"}, (400, "request_unreadable")),
        ({"commitment": "0" * 63, "nonce": NONCE}, (400, "request_unreadable")),
        ({"nonce": NONCE}, (400, "request_unreadable")),
    ],
)
def test_extra_nonces_are_refused(app: AppHarness, body: object, refusal: tuple[int, str]) -> None:
    browser, _ = app.visit("Ada")
    browser.ask("POST", "/api/queue", 200, SEEK)
    assert browser.refusal("POST", "/api/queue/nonce", body) == refusal


def test_strangers_do_not_wait(app: AppHarness) -> None:
    browser, _ = app.visit("Ada")
    browser.cookies.clear()
    for method, path, body in (
        ("POST", "/api/queue", SEEK),
        ("GET", "/api/queue", None),
        ("DELETE", "/api/queue", None),
        ("POST", "/api/queue/bot", {"accepts": True}),
        ("POST", "/api/queue/nonce", {"commitment": "0" * 64, "nonce": NONCE}),
    ):
        assert browser.refusal(method, path, body) == (401, "sign_in")
