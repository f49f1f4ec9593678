"""Access tokens and remote bots: a token grants its scopes and nothing else."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from pleasance.server.identity.keys import ACCESS_TOKEN_PREFIX, new_secret
from pleasance.server.store.schema.identity import access_tokens
from support.app_client import AppClient, AppHarness

ALL = ["read", "play", "chat", "account"]


def make(browser: AppClient, *scopes: str, **more: object) -> dict[str, Any]:
    body = {"label": "my program", "scopes": scopes or ALL, **more}
    made: dict[str, Any] = browser.ask("POST", "/api/tokens", 201, body)
    return made


def test_a_program_acts_as_the_owner_of_the_token(app: AppHarness) -> None:
    browser = app.browser()
    me = browser.join("Ada")
    made = make(browser, "read", "play")
    assert made["secret"].startswith(ACCESS_TOKEN_PREFIX)
    assert len(made["secret"]) == len(ACCESS_TOKEN_PREFIX) + 43
    program = app.program(made["secret"])
    player = program.ask("GET", "/api/me", 200)
    assert (player["id"], player["scopes"]) == (me["id"], ["play", "read"])
    assert program.post("/api/try/play").text == me["id"]


def test_only_the_hash_of_a_token_is_kept(app: AppHarness) -> None:
    browser, _ = app.visit()
    secret = make(browser)["secret"]
    (row,) = app.store.read_now(lambda c: c.execute(access_tokens.select()).all())
    assert row.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in str(row)
    assert secret not in browser.get("/api/tokens").text


OUTSIDE = [
    # scopes of the token, request, missing scope
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


def test_a_token_without_the_scope_is_refused(app: AppHarness) -> None:
    browser = app.account("Ada")
    for scopes, method, path, missing in OUTSIDE:
        program = app.program(make(browser, *scopes)["secret"])
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


def test_no_token_changes_the_locks_or_makes_tokens(app: AppHarness) -> None:
    browser = app.account("Ada")
    program = app.program(make(browser)["secret"])
    program.headers["Origin"] = "http://play.localhost"
    for method, path, body in FOR_PEOPLE:
        assert program.refusal(method, path, body) == (403, "person_needed"), path


def test_a_revoked_expired_or_forged_token_opens_nothing(app: AppHarness) -> None:
    browser, _ = app.visit()
    made, short = make(browser), make(browser, lasts=60)
    program, brief = app.program(made["secret"]), app.program(short["secret"])
    program.ask("GET", "/api/me", 200)
    brief.ask("GET", "/api/me", 200)
    browser.ask("DELETE", f"/api/tokens/{made['token']['id']}", 204)
    app.clock.advance(60)
    refused = (401, "token_unknown")
    assert program.refusal("GET", "/api/me") == refused
    assert brief.refusal("GET", "/api/me") == refused
    forged = (
        new_secret(ACCESS_TOKEN_PREFIX),
        new_secret(),
        "",
        made["secret"][:-1],
        browser.cookie,
    )
    for secret in forged:
        assert app.program(secret).refusal("GET", "/api/me") == refused
    assert program.refusal("POST", "/api/session", {}) == refused, "and makes no guest"


def test_a_wrong_token_is_not_made_good_by_a_cookie(app: AppHarness) -> None:
    browser, _ = app.visit()
    browser.headers["Authorization"] = f"Bearer {new_secret(ACCESS_TOKEN_PREFIX)}"
    assert browser.refusal("GET", "/api/me") == (401, "token_unknown")


def test_a_password_of_a_proxy_is_no_token(app: AppHarness) -> None:
    browser = app.browser()
    me = browser.join()
    browser.headers["Authorization"] = "Basic YWRhOmxvdmVsYWNl"
    assert browser.ask("GET", "/api/me", 200)["id"] == me["id"]


def test_tokens_are_listed_with_their_last_use_for_their_owner_only(app: AppHarness) -> None:
    ada, bob = app.browser(), app.browser()
    ada.join()
    bob.join()
    made = make(ada, "read")
    (listed,) = ada.ask("GET", "/api/tokens", 200)["items"]
    assert (listed["label"], listed["scopes"], listed["used_at"]) == ("my program", ["read"], None)
    app.program(made["secret"]).ask("GET", "/api/me", 200)
    (listed,) = ada.ask("GET", "/api/tokens", 200)["items"]
    assert listed["used_at"] == app.clock()
    assert bob.ask("GET", "/api/tokens", 200)["items"] == []
    assert bob.refusal("DELETE", f"/api/tokens/{made['token']['id']}") == (404, "token_missing")


def test_an_account_lets_a_bot_play_under_its_own_name(app: AppHarness) -> None:
    browser = app.browser()
    me = browser.claim("Ada")["me"]
    made = browser.ask("POST", "/api/bots", 201, {"name": "Ada's engine"})
    bot = app.program(made["token"]["secret"])
    player = bot.ask("GET", "/api/me", 200)
    assert (player["id"], player["name"], player["kind"]) == (
        made["bot"]["id"],
        "Ada's engine",
        "bot",
    )
    assert player["id"] != me["id"]
    assert player["scopes"] == ["chat", "play", "read"]
    assert bot.post("/api/try/play").status_code == 201
    assert [each["id"] for each in browser.ask("GET", "/api/me/bots", 200)["items"]] == [
        player["id"]
    ]
    more = make(browser, "read", bot=player["id"])
    assert app.program(more["secret"]).ask("GET", "/api/me", 200)["id"] == player["id"]


def test_a_token_with_the_scope_account_makes_a_bot_and_the_bot_makes_none(app: AppHarness) -> None:
    browser = app.account("Ada")
    program = app.program(make(browser)["secret"])
    made = program.ask("POST", "/api/bots", 201, {"name": "engine"})
    bot = app.program(made["token"]["secret"])
    assert bot.refusal("POST", "/api/bots", {"name": "x"}) == (403, "scope_missing")
    fields = {"label": "x", "scopes": ["account"], "bot": made["bot"]["id"]}
    assert browser.refusal("POST", "/api/tokens", fields) == (403, "bot_scopes")


def test_guests_have_no_bots_and_bots_have_one_owner(app: AppHarness) -> None:
    guest, ada = app.browser(), app.browser()
    guest.join()
    assert guest.refusal("POST", "/api/bots", {"name": "x"}) == (403, "account_needed")
    ada.claim("Ada")
    bot = ada.ask("POST", "/api/bots", 201, {"name": "engine"})["bot"]["id"]
    fields = {"label": "x", "scopes": ["read"], "bot": bot}
    assert guest.refusal("POST", "/api/tokens", fields) == (404, "bot_missing")
    assert guest.refusal("DELETE", f"/api/bots/{bot}") == (404, "bot_missing")


def test_a_retired_bot_is_gone_with_its_tokens(app: AppHarness) -> None:
    browser = app.account("Ada")
    made = browser.ask("POST", "/api/bots", 201, {"name": "engine"})
    browser.ask("DELETE", f"/api/bots/{made['bot']['id']}", 204)
    assert app.program(made["token"]["secret"]).refusal("GET", "/api/me") == (401, "token_unknown")
    assert browser.ask("GET", "/api/me/bots", 200)["items"] == []
    assert browser.ask("GET", "/api/tokens", 200)["items"] == []


@pytest.mark.slow
def test_tokens_and_bots_are_not_endless(app: AppHarness) -> None:
    browser = app.account("Ada")
    for _ in range(20):
        browser.ask("POST", "/api/bots", 201, {"name": "engine"})
    assert browser.refusal("POST", "/api/bots", {"name": "engine"}) == (409, "bots_many")
    for _ in range(30):
        make(browser)
    fields = {"label": "x", "scopes": ["read"]}
    assert browser.refusal("POST", "/api/tokens", fields) == (409, "tokens_many")


def test_a_program_needs_no_origin_and_a_scope_that_is_none_is_refused(app: AppHarness) -> None:
    browser, _ = app.visit()
    for scopes in ([], ["everything"], ["read", "admin"], "read"):
        assert browser.post("/api/tokens", json={"label": "x", "scopes": scopes}).status_code == 400
