"""API tokens and outside bots: a token does what it was made for, and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest

from pleasance.server.identity.keys import TOKEN_PREFIX, new_secret
from pleasance.server.store.schema.identity import api_tokens
from pleasance.server.store.store import Store
from server.visitors import Browser, House

ALL = ["read", "play", "chat", "account"]


@pytest.fixture
def house(store: Store) -> Iterator[House]:
    house = House(store)
    yield house
    house.close()


def make(browser: Browser, *scopes: str, **more: object) -> dict[str, Any]:
    body = {"label": "my program", "scopes": scopes or ALL, **more}
    made: dict[str, Any] = browser.ask("POST", "/api/tokens", 201, body)
    return made


def test_a_program_acts_as_who_made_the_token(house: House) -> None:
    browser = house.browser()
    me = browser.come_in("Ada")
    made = make(browser, "read", "play")
    assert made["secret"].startswith(TOKEN_PREFIX)
    assert len(made["secret"]) == len(TOKEN_PREFIX) + 43
    program = house.program(made["secret"])
    told = program.ask("GET", "/api/me", 200)
    assert (told["id"], told["scopes"]) == (me["id"], ["play", "read"])
    assert program.post("/api/try/play").text == me["id"]


def test_only_the_hash_of_a_token_is_kept(house: House) -> None:
    browser = house.browser()
    browser.come_in()
    secret = make(browser)["secret"]
    (row,) = house.store.read_now(lambda c: c.execute(api_tokens.select()).all())
    assert row.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in str(row)
    assert secret not in browser.get("/api/tokens").text


OUTSIDE = [
    # what the token is good for, what is asked, and what it would need
    (["read"], "POST", "/api/try/play", "play"),
    (["read", "chat"], "POST", "/api/try/play", "play"),
    (["read"], "POST", "/api/try/anything", "play"),
    (["play"], "GET", "/api/me", "read"),
    (["read", "play"], "PATCH", "/api/me", "account"),
    (["read", "play", "chat"], "GET", "/api/tokens", "account"),
    (["read", "play", "chat"], "GET", "/api/me/export", "account"),
    (["read", "play", "chat"], "POST", "/api/bots", "account"),
    (["read", "play", "chat"], "DELETE", "/api/tokens/abcdefgh", "account"),
]


def test_a_token_without_the_scope_is_refused(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    for scopes, method, path, missing in OUTSIDE:
        program = house.program(make(browser, *scopes)["secret"])
        answer = program.request(method, path, json={"name": "x"} if method != "GET" else None)
        assert answer.status_code == 403, path
        assert answer.json()["code"] == "scope_missing"
        assert answer.json()["params"] == {"scope": missing}


FOR_PEOPLE: list[tuple[str, str, object]] = [
    ("POST", "/api/tokens", {"label": "more", "scopes": ALL}),
    ("POST", "/api/account", {"name": "Eve", "password": "violet anchor seventeen"}),
    ("PUT", "/api/account/password", {"password": "copper meadow forty-two"}),
    ("POST", "/api/account/recovery-codes", None),
    ("POST", "/api/passkeys/options", {}),
    ("GET", "/api/passkeys", None),
    ("DELETE", "/api/session", None),
    ("DELETE", "/api/me?name=Ada", None),
]


def test_no_token_changes_the_locks_or_makes_tokens(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    program = house.program(make(browser)["secret"])
    program.headers["Origin"] = "http://play.localhost"
    for method, path, body in FOR_PEOPLE:
        assert program.refusal(method, path, body) == (403, "person_needed"), path


def test_a_token_that_was_taken_back_has_expired_or_was_made_up_opens_nothing(
    house: House,
) -> None:
    browser = house.browser()
    browser.come_in()
    made, short = make(browser), make(browser, lasts=60)
    program, brief = house.program(made["secret"]), house.program(short["secret"])
    program.ask("GET", "/api/me", 200)
    brief.ask("GET", "/api/me", 200)
    browser.ask("DELETE", f"/api/tokens/{made['token']['id']}", 204)
    house.clock.wait(60)
    refused = (401, "token_unknown")
    assert program.refusal("GET", "/api/me") == refused
    assert brief.refusal("GET", "/api/me") == refused
    forged = (new_secret(TOKEN_PREFIX), new_secret(), "", made["secret"][:-1], browser.cookie)
    for secret in forged:
        assert house.program(secret).refusal("GET", "/api/me") == refused
    assert program.refusal("POST", "/api/session", {}) == refused, "and makes no guest"


def test_a_wrong_token_is_not_made_good_by_a_cookie(house: House) -> None:
    browser = house.browser()
    browser.come_in()
    browser.headers["Authorization"] = f"Bearer {new_secret(TOKEN_PREFIX)}"
    assert browser.refusal("GET", "/api/me") == (401, "token_unknown")


def test_a_password_of_a_proxy_is_no_token(house: House) -> None:
    browser = house.browser()
    me = browser.come_in()
    browser.headers["Authorization"] = "Basic YWRhOmxvdmVsYWNl"
    assert browser.ask("GET", "/api/me", 200)["id"] == me["id"]


def test_tokens_are_listed_with_their_last_use_for_their_owner_only(house: House) -> None:
    ada, bob = house.browser(), house.browser()
    ada.come_in()
    bob.come_in()
    made = make(ada, "read")
    (listed,) = ada.ask("GET", "/api/tokens", 200)["items"]
    assert (listed["label"], listed["scopes"], listed["used_at"]) == ("my program", ["read"], None)
    house.program(made["secret"]).ask("GET", "/api/me", 200)
    (listed,) = ada.ask("GET", "/api/tokens", 200)["items"]
    assert listed["used_at"] == house.clock()
    assert bob.ask("GET", "/api/tokens", 200)["items"] == []
    path = f"/api/tokens/{made['token']['id']}"
    assert bob.refusal("DELETE", path) == (404, "token_missing")


def test_an_account_lets_a_bot_play_under_its_own_name(house: House) -> None:
    browser = house.browser()
    me = browser.claim("Ada")["me"]
    made = browser.ask("POST", "/api/bots", 201, {"name": "Ada's engine"})
    bot = house.program(made["token"]["secret"])
    told = bot.ask("GET", "/api/me", 200)
    assert (told["id"], told["name"], told["kind"]) == (made["bot"]["id"], "Ada's engine", "bot")
    assert told["id"] != me["id"]
    assert told["scopes"] == ["chat", "play", "read"]
    assert bot.post("/api/try/play").status_code == 201
    assert [each["id"] for each in browser.ask("GET", "/api/me/bots", 200)["items"]] == [told["id"]]
    more = make(browser, "read", bot=told["id"])
    assert house.program(more["secret"]).ask("GET", "/api/me", 200)["id"] == told["id"]


def test_a_token_with_the_scope_account_makes_a_bot_and_the_bot_makes_none(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    program = house.program(make(browser)["secret"])
    made = program.ask("POST", "/api/bots", 201, {"name": "engine"})
    bot = house.program(made["token"]["secret"])
    assert bot.refusal("POST", "/api/bots", {"name": "x"}) == (403, "scope_missing")
    asked = {"label": "x", "scopes": ["account"], "bot": made["bot"]["id"]}
    assert browser.refusal("POST", "/api/tokens", asked) == (403, "bot_scopes")


def test_a_guest_has_no_bots_and_nobody_has_those_of_others(house: House) -> None:
    guest, ada = house.browser(), house.browser()
    guest.come_in()
    assert guest.refusal("POST", "/api/bots", {"name": "x"}) == (403, "account_needed")
    ada.claim("Ada")
    bot = ada.ask("POST", "/api/bots", 201, {"name": "engine"})["bot"]["id"]
    asked = {"label": "x", "scopes": ["read"], "bot": bot}
    assert guest.refusal("POST", "/api/tokens", asked) == (404, "bot_missing")
    assert guest.refusal("DELETE", f"/api/bots/{bot}") == (404, "bot_missing")


def test_a_retired_bot_is_gone_with_its_tokens(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    made = browser.ask("POST", "/api/bots", 201, {"name": "engine"})
    browser.ask("DELETE", f"/api/bots/{made['bot']['id']}", 204)
    bot = house.program(made["token"]["secret"])
    assert bot.refusal("GET", "/api/me") == (401, "token_unknown")
    assert browser.ask("GET", "/api/me/bots", 200)["items"] == []
    assert browser.ask("GET", "/api/tokens", 200)["items"] == []


def test_tokens_and_bots_are_not_endless(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    for _ in range(20):
        browser.ask("POST", "/api/bots", 201, {"name": "engine"})
    assert browser.refusal("POST", "/api/bots", {"name": "engine"}) == (409, "bots_many")
    for _ in range(30):
        make(browser)
    asked = {"label": "x", "scopes": ["read"]}
    assert browser.refusal("POST", "/api/tokens", asked) == (409, "tokens_many")


def test_a_program_needs_no_origin_and_a_scope_that_is_none_is_refused(house: House) -> None:
    browser = house.browser()
    browser.come_in()
    for scopes in ([], ["everything"], ["read", "admin"], "read"):
        answer = browser.post("/api/tokens", json={"label": "x", "scopes": scopes})
        assert answer.status_code == 400
