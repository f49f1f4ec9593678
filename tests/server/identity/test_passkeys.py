"""Passkeys with real keys and signatures."""

from __future__ import annotations

from typing import Any

from pleasance.server.base.settings import ServerSettings
from pleasance.server.identity.passkeys import CHALLENGE_LIFETIME_S
from pleasance.server.identity.sessions import RECENT_SIGN_IN_S
from pleasance.server.store.store import Store
from server.identity.authenticator import PRESENT, Authenticator
from support.app_client import ORIGIN, AppClient, AppHarness

NEW, ENTER = "/api/passkeys", "/api/sign-in/passkey"


def register(browser: AppClient, key: Authenticator, name: str | None = None) -> dict[str, Any]:
    """Make a passkey and have it kept."""
    offer = browser.ask("POST", f"{NEW}/options", 201, {"name": name})
    made = {"challenge": offer["challenge"], "credential": key.create(offer["options"])}
    added: dict[str, Any] = browser.ask("POST", NEW, 201, made)
    return added


def claimed(app: AppHarness) -> tuple[Authenticator, dict[str, Any]]:
    """Claim an account with a new passkey."""
    browser, key = app.browser(), Authenticator(ORIGIN)
    browser.join()
    return key, register(browser, key, "Ada")


def sign_in(browser: AppClient, key: Authenticator, **more: Any) -> tuple[int, str]:
    """Sign in with a passkey; return status and error code."""
    offer = browser.ask("POST", f"{ENTER}/options", 200)
    return send(browser, offer, key.get(offer["options"], **more))


def send(browser: AppClient, offer: dict[str, Any], credential: object) -> tuple[int, str]:
    body = {"challenge": offer["challenge"], "credential": credential}
    return browser.refusal("POST", ENTER, body)


def test_a_guest_claims_an_account_with_a_passkey_and_comes_back_with_it(app: AppHarness) -> None:
    guest, key = app.browser(), Authenticator(ORIGIN)
    me = guest.join("A guest")
    added = register(guest, key, "Ada")
    assert added["me"]["id"] == me["id"]
    assert (added["me"]["name"], added["me"]["kind"]) == ("Ada", "account")
    assert added["me"]["account"]["has_password"] is False
    assert len(added["recovery_codes"]) == 8
    elsewhere = app.browser()
    assert sign_in(elsewhere, key) == (200, "")
    assert elsewhere.ask("GET", "/api/me", 200)["id"] == me["id"]
    assert sign_in(elsewhere, key) == (200, ""), "the count of signatures goes on"


def test_the_options_ask_for_a_key_that_knows_its_owner_and_is_verified(app: AppHarness) -> None:
    browser = app.browser()
    me = browser.join()
    options = browser.ask("POST", f"{NEW}/options", 201, {"name": "Ada"})["options"]
    assert options["rp"] == {"id": "play.localhost", "name": "Pleasance"}
    assert options["user"]["name"] == "Ada"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    wanted = browser.ask("POST", f"{ENTER}/options", 200)["options"]
    assert wanted["rpId"] == "play.localhost"
    assert wanted["allowCredentials"] == []
    assert me["can_use_passkeys"] is True


def test_an_unknown_passkey_opens_nothing(app: AppHarness) -> None:
    claimed(app)
    assert sign_in(app.browser(), Authenticator(ORIGIN)) == (401, "passkey_refused")


def test_what_was_signed_on_another_page_opens_nothing(app: AppHarness) -> None:
    key, _ = claimed(app)
    assert sign_in(app.browser(), key, origin="https://evil.example") == (401, "passkey_refused")
    browser, other = app.browser(), Authenticator("https://evil.example")
    browser.join()
    offer = browser.ask("POST", f"{NEW}/options", 201, {"name": "Bob"})
    made = {"challenge": offer["challenge"], "credential": other.create(offer["options"])}
    assert browser.refusal("POST", NEW, made) == (401, "passkey_refused")


def test_what_was_signed_for_another_challenge_opens_nothing(app: AppHarness) -> None:
    key, _ = claimed(app)
    browser = app.browser()
    first, second = (browser.ask("POST", f"{ENTER}/options", 200) for _ in range(2))
    assert send(browser, second, key.get(first["options"])) == (401, "passkey_refused")


def test_a_challenge_is_good_once_and_not_for_long(app: AppHarness) -> None:
    key, _ = claimed(app)
    browser = app.browser()
    offer = browser.ask("POST", f"{ENTER}/options", 200)
    signed = key.get(offer["options"])
    assert send(browser, offer, signed) == (200, "")
    assert send(app.browser(), offer, signed) == (401, "passkey_late")
    late = browser.ask("POST", f"{ENTER}/options", 200)
    app.clock.advance(CHALLENGE_LIFETIME_S)
    assert send(browser, late, key.get(late["options"])) == (401, "passkey_late")


def test_a_failed_attempt_uses_the_challenge_up(app: AppHarness) -> None:
    key, _ = claimed(app)
    browser = app.browser()
    offer = browser.ask("POST", f"{ENTER}/options", 200)
    assert send(browser, offer, {"id": "nothing"}) == (401, "passkey_refused")
    assert send(browser, offer, key.get(offer["options"])) == (401, "passkey_late")


def test_of_two_answers_to_one_challenge_one_succeeds(app: AppHarness) -> None:
    key, _ = claimed(app)
    browser = app.browser()
    offer = browser.ask("POST", f"{ENTER}/options", 200)
    body = {"challenge": offer["challenge"], "credential": key.get(offer["options"])}
    answers = app.send_all([(browser, ("POST", ENTER, body))] * 5)
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401, 401]


def test_a_copied_passkey_is_found_by_its_count(app: AppHarness) -> None:
    key, _ = claimed(app)
    for _ in range(3):
        assert sign_in(app.browser(), key) == (200, "")
    key.count = 1
    assert sign_in(app.browser(), key) == (401, "passkey_refused")


def test_a_passkey_without_a_check_of_its_owner_opens_nothing(app: AppHarness) -> None:
    key, _ = claimed(app)
    key.flags = PRESENT
    assert sign_in(app.browser(), key) == (401, "passkey_refused")


def test_a_passkey_opens_no_account_but_its_own(app: AppHarness) -> None:
    key, _ = claimed(app)
    key.user = app.browser().claim("Bob")["me"]["id"].encode()
    assert sign_in(app.browser(), key) == (401, "passkey_refused")


def test_a_signature_that_was_changed_opens_nothing(app: AppHarness) -> None:
    key, _ = claimed(app)
    browser = app.browser()
    for part in ("signature", "authenticatorData", "clientDataJSON", "userHandle"):
        for value in ("", "AAAA", "é", None, 7):
            offer = browser.ask("POST", f"{ENTER}/options", 200)
            signed = key.get(offer["options"])
            signed["response"][part] = value
            if part == "userHandle" and value is None:
                continue  # a key may leave out whose it is
            assert send(browser, offer, signed) == (401, "passkey_refused"), (part, value)


def test_what_is_no_passkey_is_refused(app: AppHarness) -> None:
    browser, _ = app.visit()
    for made in ({}, {"id": 7}, {"id": "é", "rawId": "é", "response": {}}):
        offer = browser.ask("POST", f"{NEW}/options", 201, {"name": "Ada"})
        body = {"challenge": offer["challenge"], "credential": made}
        assert browser.refusal("POST", NEW, body) == (401, "passkey_refused")
    assert browser.ask("GET", "/api/me", 200)["kind"] == "guest"


def test_a_challenge_for_one_guest_is_of_no_use_to_another(app: AppHarness) -> None:
    ada, eve, key = app.browser(), app.browser(), Authenticator(ORIGIN)
    ada.join()
    eve.join()
    offer = ada.ask("POST", f"{NEW}/options", 201, {"name": "Ada"})
    made = {"challenge": offer["challenge"], "credential": key.create(offer["options"])}
    assert eve.refusal("POST", NEW, made) == (401, "passkey_late")


def test_passkeys_are_refused_where_browsers_offer_none(app: AppHarness) -> None:
    for origin in ("http://192.168.1.20:8040", "https://192.168.1.20", "http://127.0.0.1:8040"):
        browser = app.browser(origin)
        assert browser.join()["can_use_passkeys"] is False
        refused = (403, "passkey_insecure")
        assert browser.refusal("POST", f"{NEW}/options", {"name": "Ada"}) == refused
        assert browser.refusal("POST", f"{ENTER}/options") == refused


def test_a_passkey_of_one_server_name_does_not_work_under_another(store: Store) -> None:
    settings = ServerSettings(
        origins=("https://one.example", "https://two.example"), limits_factor=100
    )
    app = AppHarness(store, settings)
    browser, key = app.browser("https://one.example"), Authenticator("https://one.example")
    browser.join()
    register(browser, key, "Ada")
    assert sign_in(app.browser("https://one.example"), key) == (200, "")
    key.origin = "https://two.example"
    assert sign_in(app.browser("https://two.example"), key) == (401, "passkey_refused")
    app.close()


def test_an_account_adds_and_removes_passkeys_but_not_its_last_way_in(app: AppHarness) -> None:
    key, second = Authenticator(ORIGIN), Authenticator(ORIGIN)
    browser, _ = app.visit()
    first = register(browser, key, "Ada")["passkey"]["id"]
    assert browser.refusal("DELETE", f"{NEW}/{first}") == (409, "last_way_in")
    app.clock.advance(1)
    added = register(browser, second)
    assert added["recovery_codes"] is None
    listed = browser.ask("GET", NEW, 200)["items"]
    assert [each["id"] for each in listed] == [first, added["passkey"]["id"]]
    browser.ask("DELETE", f"{NEW}/{first}", 204)
    assert sign_in(app.browser(), key) == (401, "passkey_refused")
    assert sign_in(app.browser(), second) == (200, "")
    browser.ask("PUT", "/api/account/password", 200, {"password": "violet anchor seventeen"})
    browser.ask("DELETE", f"{NEW}/{added['passkey']['id']}", 204)
    assert browser.refusal("DELETE", f"{NEW}/{first}") == (404, "passkey_missing")


def test_a_passkey_is_added_only_soon_after_signing_in(app: AppHarness) -> None:
    browser = app.account("Ada")
    app.clock.advance(RECENT_SIGN_IN_S + 1)
    assert browser.refusal("POST", f"{NEW}/options", {}) == (403, "sign_in_again")


def test_a_passkey_is_registered_once(app: AppHarness) -> None:
    key, _ = claimed(app)
    other, _ = app.visit()
    offer = other.ask("POST", f"{NEW}/options", 201, {"name": "Bob"})
    made = {"challenge": offer["challenge"], "credential": key.create(offer["options"])}
    assert other.refusal("POST", NEW, made) == (409, "passkey_known")
    assert other.ask("GET", "/api/me", 200)["kind"] == "guest", "nothing is half done"


def test_a_passkey_signs_in_from_a_guest_session(app: AppHarness) -> None:
    key, added = claimed(app)
    browser = app.browser()
    guest = browser.join("Just looking")
    old = browser.cookie
    assert sign_in(browser, key) == (200, "")
    assert browser.ask("GET", "/api/me", 200)["id"] == added["me"]["id"] != guest["id"]
    assert browser.cookie != old
