"""The queue over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pleasance.server.http.queue_api import find_offer
from pleasance.server.matchmaking.matching import match_once
from pleasance.server.matchmaking.queue import GONE_AFTER
from pleasance.server.matchmaking.seek import Match, MatchRequest
from pleasance.server.store.store import Store
from server.salon import Salon, open_salon
from server.visitors import Browser

NONCE = "00" * 16
WISH = {"game": "sakura", "seats": 2}


@pytest.fixture
def salon(store: Store) -> Iterator[Salon]:
    with open_salon(store, queue_bot_after=15.0) as salon:
        yield salon


def match(salon: Salon) -> list[Match]:
    """Do what is due in the queue, opening nothing."""

    async def make_table(request: MatchRequest) -> str:
        return request.table

    return salon.runner.run(match_once(salon.site.store, make_table, salon.clock()))


def give(browser: Browser) -> None:
    """Add to the draws of the table that was found."""
    state = browser.ask("GET", "/api/queue", 200)
    assert (state["state"], state["table"]) == ("found", None)
    answer = {"commitment": state["commitment"], "nonce": NONCE}
    assert browser.ask("POST", "/api/queue/nonce", 200, answer)["state"] == "opening"


def test_two_browsers_wait_and_are_told_their_table(salon: Salon) -> None:
    (ada, ada_id), (bea, bea_id) = salon.visit("Ada"), salon.visit("Bea")
    assert ada.ask("GET", "/api/queue", 200)["state"] == "idle"
    state = ada.ask("POST", "/api/queue", 200, WISH)
    assert (state["state"], state["position"], state["waiting"]) == ("waiting", 1, 1)
    salon.clock.wait(4)
    assert bea.ask("POST", "/api/queue", 200, {**WISH, "clock": None})["position"] == 2
    assert match(salon) == []
    give(ada)
    give(bea)
    (found,) = match(salon)
    assert set(found.players) == {ada_id, bea_id}
    for browser in (ada, bea):
        state = browser.ask("GET", "/api/queue", 200)
        assert (state["state"], state["table"]) == ("matched", found.table)
    ada.ask("DELETE", "/api/queue", 204)
    assert ada.ask("GET", "/api/queue", 200)["state"] == "idle"


def test_other_clocks_are_other_wishes(salon: Salon) -> None:
    (ada, _), (bea, _) = salon.visit("Ada"), salon.visit("Bea")
    ada.ask("POST", "/api/queue", 200, {**WISH, "clock": {"move": 30, "bank": 600}})
    state = bea.ask("POST", "/api/queue", 200, {**WISH, "clock": {"move": 86400}})
    assert state["clock"] == {"move": 86400.0, "bank": 0.0}
    assert match(salon) == []


def test_who_waits_alone_takes_a_bot_when_it_is_offered(salon: Salon) -> None:
    browser, player = salon.visit("Ada")
    browser.ask("POST", "/api/queue", 200, WISH)
    assert browser.refusal("POST", "/api/queue/bot", {"accepts": True}) == (409, "queue_no_offer")
    salon.clock.wait(15)
    match(salon)
    assert browser.ask("GET", "/api/queue", 200)["has_offer"]
    offered = salon.runner.run(find_offer(salon.site, player))
    assert offered is not None
    assert (offered.table, offered.has_bot) == (None, True)
    assert not browser.ask("POST", "/api/queue/bot", 200, {"accepts": True})["has_offer"]
    assert match(salon) == []
    offered = salon.runner.run(find_offer(salon.site, player))
    assert offered is not None
    assert (offered.table, offered.has_bot) == (None, False)  # only the nonce is missing
    give(browser)
    (found,) = match(salon)
    offered = salon.runner.run(find_offer(salon.site, player))
    assert offered is not None
    assert (offered.table, offered.has_bot) == (found.table, True)


def test_asking_keeps_the_place_and_silence_loses_it(salon: Salon) -> None:
    (ada, _), (bea, _) = salon.visit("Ada"), salon.visit("Bea")
    ada.ask("POST", "/api/queue", 200, WISH)
    bea.ask("POST", "/api/queue", 200, {**WISH, "seats": 3})
    for _ in range(3):
        salon.clock.wait(GONE_AFTER / 2)
        assert ada.ask("GET", "/api/queue", 200)["state"] == "waiting"
        match(salon)
    assert bea.ask("GET", "/api/queue", 200)["state"] == "idle"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "request_unreadable"),
        ({**WISH, "game": "chess"}, "game_unknown"),
        ({**WISH, "seats": 1}, "seats"),
        ({**WISH, "seats": 7}, "request_unreadable"),
        ({**WISH, "options": ["nothing"]}, "option_unknown"),
        ({**WISH, "clock": {"move": 1}}, "request_unreadable"),
        ({**WISH, "player": "somebody"}, "request_unreadable"),
    ],
)
def test_what_cannot_be_played_is_refused(salon: Salon, body: object, code: str) -> None:
    browser, _ = salon.visit("Ada")
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
def test_a_nonce_that_nobody_asked_for_is_refused(
    salon: Salon, body: object, refusal: tuple[int, str]
) -> None:
    browser, _ = salon.visit("Ada")
    browser.ask("POST", "/api/queue", 200, WISH)
    assert browser.refusal("POST", "/api/queue/nonce", body) == refusal


def test_strangers_do_not_wait(salon: Salon) -> None:
    browser, _ = salon.visit("Ada")
    browser.cookies.clear()
    for method, path, body in (
        ("POST", "/api/queue", WISH),
        ("GET", "/api/queue", None),
        ("DELETE", "/api/queue", None),
        ("POST", "/api/queue/bot", {"accepts": True}),
        ("POST", "/api/queue/nonce", {"commitment": "0" * 64, "nonce": NONCE}),
    ):
        assert browser.refusal(method, path, body) == (401, "sign_in")
