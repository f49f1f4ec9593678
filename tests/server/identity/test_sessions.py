"""Sessions of guests and their cookies."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import get_args

import pytest

from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.admin.invitations import make_invitation
from pleasance.server.base.settings import ServerSettings
from pleasance.server.identity.keys import new_secret
from pleasance.server.identity.messages import Language
from pleasance.server.identity.sessions import SESSION_LIFETIME_S
from pleasance.server.store.schema.identity import players, sessions
from pleasance.server.store.store import Store
from support.app_client import AppHarness, status_and_code


def test_a_guest_joins_and_is_recognized(app: AppHarness) -> None:
    browser = app.browser()
    me = browser.join("Ada")
    assert (me["name"], me["kind"], me["account"]) == ("Ada", "guest", None)
    assert browser.ask("GET", "/api/me", 200)["id"] == me["id"]


def test_coming_in_twice_makes_one_guest(app: AppHarness) -> None:
    browser = app.browser()
    first, cookie = browser.join("Ada"), browser.cookie
    assert browser.join("Bob") == first
    assert browser.cookie == cookie
    assert app.store.read_now(lambda c: len(c.execute(players.select()).all())) == 1


def test_a_guest_without_a_name_gets_one_in_their_language(app: AppHarness) -> None:
    for language, word in (("en", "Guest"), ("es", "Invitado"), ("de", "Gast")):
        browser = app.browser()
        browser.headers["Accept-Language"] = f"fr-FR, {language};q=0.8"
        for me in (app.browser().join(language=language), browser.join()):
            assert me["language"] == language
            assert me["name"].split(" ")[0] == word
            assert me["name"].split(" ")[1].isdigit()


def test_the_schema_knows_the_languages_of_the_catalogs() -> None:
    assert get_args(Language) == LANGUAGES


def test_only_the_hash_of_a_cookie_is_kept(app: AppHarness) -> None:
    browser, _ = app.visit()
    rows = app.store.read_now(lambda c: c.execute(sessions.select()).all())
    assert browser.cookie not in str(rows)
    assert hashlib.sha256(browser.cookie.encode()).hexdigest() == rows[0].digest


def test_the_cookie_is_http_only_same_site_and_secure_over_https(store: Store) -> None:
    forwarded = {"X-Forwarded-Proto": "https"}
    for settings, headers, is_secure in (
        (ServerSettings(), {}, False),
        (ServerSettings(), forwarded, False),
        (ServerSettings(trusts_proxy=True), forwarded, True),
        (ServerSettings(is_https=True), {}, True),
    ):
        app = AppHarness(store, settings)
        browser = app.browser(f"http{'s' if is_secure else ''}://play.localhost")
        answer = browser.post("/api/session", json={}, headers=headers)
        facts = {fact.strip().lower() for fact in answer.headers["set-cookie"].split(";")[1:]}
        assert {"httponly", "samesite=lax", "path=/"} <= facts
        assert ("secure" in facts) == is_secure
        assert answer.headers["cache-control"] == "no-store"
        app.close()


def test_a_forged_cookie_opens_nothing(app: AppHarness) -> None:
    guest, _ = app.visit()
    digest = hashlib.sha256(guest.cookie.encode()).hexdigest()
    for forged in ("", "x", new_secret(), digest, guest.cookie[:-1], guest.cookie + "x", '"'):
        stranger = app.browser()
        stranger.headers["Cookie"] = f"pleasance={forged}"
        assert stranger.refusal("GET", "/api/me") == (401, "sign_in")


def test_a_session_ends_when_it_is_not_used_and_lasts_when_it_is(app: AppHarness) -> None:
    used, unused = app.browser(), app.browser()
    used.join()
    unused.join()
    app.clock.advance(SESSION_LIFETIME_S - 1)
    used.ask("GET", "/api/me", 200)
    app.clock.advance(2)
    used.ask("GET", "/api/me", 200)
    assert unused.refusal("GET", "/api/me") == (401, "sign_in")
    app.browser().join()
    left = app.store.read_now(lambda c: len(c.execute(sessions.select()).all()))
    assert left == 2, "what is over is cleared away"


def test_a_cookie_is_of_no_use_after_signing_out(app: AppHarness) -> None:
    browser, _ = app.visit()
    stolen = browser.cookie
    browser.ask("DELETE", "/api/session", 204)
    assert "pleasance" not in browser.cookies
    thief = app.browser()
    thief.cookies.set("pleasance", stolen)
    assert thief.refusal("GET", "/api/me") == (401, "sign_in")
    assert thief.refusal("POST", "/api/try/anything") == (401, "sign_in")


def test_signing_out_everywhere_ends_all_sessions_and_here_only_this(app: AppHarness) -> None:
    phone, laptop, tablet = app.browser(), app.browser(), app.browser()
    phone.claim("Ada")
    for browser in (laptop, tablet):
        assert browser.sign_in("Ada").status_code == 200
    phone.ask("DELETE", "/api/session", 204)
    laptop.ask("GET", "/api/me", 200)
    laptop.ask("DELETE", "/api/session?all=true", 204)
    assert tablet.refusal("GET", "/api/me") == (401, "sign_in")


def test_a_guest_changes_name_and_language(app: AppHarness) -> None:
    browser, _ = app.visit("Ada")
    browser.ask("PATCH", "/api/me", 200, {"name": " Ada  L. "})
    browser.ask("PATCH", "/api/me", 200, {"language": "de"})
    me = browser.ask("GET", "/api/me", 200)
    assert (me["name"], me["language"]) == ("Ada L.", "de")


def test_script_in_a_name_is_kept_as_the_text_it_is(app: AppHarness) -> None:
    browser = app.browser()
    evil = "<script>alert(1)</script>"
    assert browser.join(f"\u202e{evil}\x00\n")["name"] == evil
    assert browser.get("/api/me").headers["content-type"] == "application/json"


def test_two_guests_may_have_one_name(app: AppHarness) -> None:
    first, second = app.browser().join("Ada"), app.browser().join("Ada")
    assert first["id"] != second["id"]


def test_where_an_invitation_is_needed_it_lets_one_guest_in(store: Store) -> None:
    app = AppHarness(store, ServerSettings(invitation_only=True))
    code = store.write_now(lambda c: make_invitation(c, app.clock()))
    browser = app.browser()
    assert browser.refusal("POST", "/api/session", {})[0] == 403
    browser.join(invitation=code)
    assert app.browser().refusal("POST", "/api/session", {"invitation": code})[0] == 403
    assert store.read_now(lambda c: len(c.execute(players.select()).all())) == 1, "no half session"
    app.close()


def test_a_secret_is_in_no_log_and_no_answer_even_when_we_fail(
    app: AppHarness, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    browser = app.account("Ada")
    secret = browser.ask("POST", "/api/tokens", 201, {"label": "x", "scopes": ["read"]})["secret"]
    answers = [browser.get("/api/try/fail"), app.program(secret).get("/api/try/fail")]
    assert [answer.status_code for answer in answers] == [500, 500]
    answers += [
        browser.post("/api/sign-in", json={"name": "Ada", "password": "open sesame please"}),
        browser.post("/api/sign-in", json={"name": "Ada", "password": ["open sesame please"]}),
        browser.post("/api/sign-in", content=b'{"name": "Ada", "password": "open sesame please'),
        app.program(secret + "x").get("/api/me"),
        browser.post("/api/session", json={}, headers={"Origin": "http://evil.example"}),
    ]
    answered = "".join(answer.text for answer in answers)
    logged = caplog.text + "".join(capsys.readouterr())
    assert "GET http://play.localhost/api/me" in caplog.text, "the log is not empty"
    for hidden in (browser.cookie, secret, "open sesame"):
        assert hidden not in answered
        assert hidden not in logged


def test_every_refusal_of_a_guest_has_words_in_every_language(app: AppHarness) -> None:
    for language in LANGUAGES:
        browser = app.browser()
        browser.headers["Accept-Language"] = language
        answer = browser.get("/api/me")
        assert status_and_code(answer) == (401, "sign_in")
        assert len(json.loads(answer.text)["message"]) > 20
