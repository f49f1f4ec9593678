"""Passkeys, with real keys and signatures: the right one opens, everything else does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pleasance.server.base.settings import Settings
from pleasance.server.identity.passkeys import PATIENCE
from pleasance.server.identity.sessions import PROOF_LIFETIME
from pleasance.server.store.store import Store
from server.authenticator import PRESENT, Authenticator
from server.visitors import HERE, Browser, House

NEW, ENTER = "/api/passkeys", "/api/sign-in/passkey"


@pytest.fixture
def house(store: Store) -> Iterator[House]:
    house = House(store)
    yield house
    house.close()


def register(browser: Browser, key: Authenticator, name: str | None = None) -> dict[str, Any]:
    """Make a passkey and have it kept."""
    asked = browser.ask("POST", f"{NEW}/options", 201, {"name": name})
    made = {"challenge": asked["challenge"], "credential": key.create(asked["options"])}
    added: dict[str, Any] = browser.ask("POST", NEW, 201, made)
    return added


def claimed(house: House) -> tuple[Authenticator, dict[str, Any]]:
    """Claim an account with a new passkey."""
    browser, key = house.browser(), Authenticator(HERE)
    browser.come_in()
    return key, register(browser, key, "Ada")


def enter(browser: Browser, key: Authenticator, **more: Any) -> tuple[int, str]:
    """Try to sign in with a passkey; tell what came of it."""
    asked = browser.ask("POST", f"{ENTER}/options", 200)
    return send(browser, asked, key.get(asked["options"], **more))


def send(browser: Browser, asked: dict[str, Any], credential: object) -> tuple[int, str]:
    body = {"challenge": asked["challenge"], "credential": credential}
    return browser.refusal("POST", ENTER, body)


def test_a_guest_claims_an_account_with_a_passkey_and_comes_back_with_it(house: House) -> None:
    guest, key = house.browser(), Authenticator(HERE)
    me = guest.come_in("A guest")
    added = register(guest, key, "Ada")
    assert added["me"]["id"] == me["id"]
    assert (added["me"]["name"], added["me"]["kind"]) == ("Ada", "account")
    assert added["me"]["account"]["has_password"] is False
    assert len(added["recovery_codes"]) == 8
    elsewhere = house.browser()
    assert enter(elsewhere, key) == (200, "")
    assert elsewhere.ask("GET", "/api/me", 200)["id"] == me["id"]
    assert enter(elsewhere, key) == (200, ""), "the count of signatures goes on"


def test_the_options_ask_for_a_key_that_knows_its_owner_and_is_verified(house: House) -> None:
    browser = house.browser()
    me = browser.come_in()
    options = browser.ask("POST", f"{NEW}/options", 201, {"name": "Ada"})["options"]
    assert options["rp"] == {"id": "play.localhost", "name": "Pleasance"}
    assert options["user"]["name"] == "Ada"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    wanted = browser.ask("POST", f"{ENTER}/options", 200)["options"]
    assert wanted["rpId"] == "play.localhost"
    assert wanted["allowCredentials"] == []
    assert me["can_use_passkeys"] is True


def test_an_unknown_passkey_opens_nothing(house: House) -> None:
    claimed(house)
    assert enter(house.browser(), Authenticator(HERE)) == (401, "passkey_refused")


def test_what_was_signed_on_another_page_opens_nothing(house: House) -> None:
    key, _ = claimed(house)
    assert enter(house.browser(), key, origin="https://evil.example") == (401, "passkey_refused")
    browser, other = house.browser(), Authenticator("https://evil.example")
    browser.come_in()
    asked = browser.ask("POST", f"{NEW}/options", 201, {"name": "Bob"})
    made = {"challenge": asked["challenge"], "credential": other.create(asked["options"])}
    assert browser.refusal("POST", NEW, made) == (401, "passkey_refused")


def test_what_was_signed_for_another_challenge_opens_nothing(house: House) -> None:
    key, _ = claimed(house)
    browser = house.browser()
    first, second = (browser.ask("POST", f"{ENTER}/options", 200) for _ in range(2))
    assert send(browser, second, key.get(first["options"])) == (401, "passkey_refused")


def test_a_challenge_is_good_once_and_not_for_long(house: House) -> None:
    key, _ = claimed(house)
    browser = house.browser()
    asked = browser.ask("POST", f"{ENTER}/options", 200)
    signed = key.get(asked["options"])
    assert send(browser, asked, signed) == (200, "")
    assert send(house.browser(), asked, signed) == (401, "passkey_late")
    late = browser.ask("POST", f"{ENTER}/options", 200)
    house.clock.wait(PATIENCE)
    assert send(browser, late, key.get(late["options"])) == (401, "passkey_late")


def test_a_failed_attempt_uses_the_challenge_up(house: House) -> None:
    key, _ = claimed(house)
    browser = house.browser()
    asked = browser.ask("POST", f"{ENTER}/options", 200)
    assert send(browser, asked, {"id": "nothing"}) == (401, "passkey_refused")
    assert send(browser, asked, key.get(asked["options"])) == (401, "passkey_late")


def test_of_two_who_answer_one_challenge_at_once_one_gets_in(house: House) -> None:
    key, _ = claimed(house)
    browser = house.browser()
    asked = browser.ask("POST", f"{ENTER}/options", 200)
    body = {"challenge": asked["challenge"], "credential": key.get(asked["options"])}
    answers = browser.at_once([("POST", ENTER, body)] * 5)
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401, 401]


def test_a_copied_passkey_is_found_by_its_count(house: House) -> None:
    key, _ = claimed(house)
    for _ in range(3):
        assert enter(house.browser(), key) == (200, "")
    key.count = 1
    assert enter(house.browser(), key) == (401, "passkey_refused")


def test_a_passkey_without_a_check_of_its_owner_opens_nothing(house: House) -> None:
    key, _ = claimed(house)
    key.flags = PRESENT
    assert enter(house.browser(), key) == (401, "passkey_refused")


def test_a_passkey_opens_no_account_but_its_own(house: House) -> None:
    key, _ = claimed(house)
    key.user = house.browser().claim("Bob")["me"]["id"].encode()
    assert enter(house.browser(), key) == (401, "passkey_refused")


def test_a_signature_that_was_changed_opens_nothing(house: House) -> None:
    key, _ = claimed(house)
    browser = house.browser()
    for part in ("signature", "authenticatorData", "clientDataJSON", "userHandle"):
        for value in ("", "AAAA", "é", None, 7):
            asked = browser.ask("POST", f"{ENTER}/options", 200)
            signed = key.get(asked["options"])
            signed["response"][part] = value
            if part == "userHandle" and value is None:
                continue  # a key may leave out whose it is
            assert send(browser, asked, signed) == (401, "passkey_refused"), (part, value)


def test_what_is_no_passkey_is_refused(house: House) -> None:
    browser = house.browser()
    browser.come_in()
    for made in ({}, {"id": 7}, {"id": "é", "rawId": "é", "response": {}}):
        asked = browser.ask("POST", f"{NEW}/options", 201, {"name": "Ada"})
        body = {"challenge": asked["challenge"], "credential": made}
        assert browser.refusal("POST", NEW, body) == (401, "passkey_refused")
    assert browser.ask("GET", "/api/me", 200)["kind"] == "guest"


def test_a_challenge_for_one_guest_is_of_no_use_to_another(house: House) -> None:
    ada, eve, key = house.browser(), house.browser(), Authenticator(HERE)
    ada.come_in()
    eve.come_in()
    asked = ada.ask("POST", f"{NEW}/options", 201, {"name": "Ada"})
    made = {"challenge": asked["challenge"], "credential": key.create(asked["options"])}
    assert eve.refusal("POST", NEW, made) == (401, "passkey_late")


def test_passkeys_are_refused_where_browsers_offer_none(house: House) -> None:
    for origin in ("http://192.168.1.20:8040", "https://192.168.1.20", "http://127.0.0.1:8040"):
        browser = house.browser(origin)
        assert browser.come_in()["can_use_passkeys"] is False
        refused = (403, "passkey_insecure")
        assert browser.refusal("POST", f"{NEW}/options", {"name": "Ada"}) == refused
        assert browser.refusal("POST", f"{ENTER}/options") == refused


def test_a_passkey_made_under_one_name_of_the_server_does_not_work_under_another(
    store: Store,
) -> None:
    settings = Settings(origins=("https://one.example", "https://two.example"), limits_factor=100)
    house = House(store, settings)
    browser, key = house.browser("https://one.example"), Authenticator("https://one.example")
    browser.come_in()
    register(browser, key, "Ada")
    assert enter(house.browser("https://one.example"), key) == (200, "")
    key.origin = "https://two.example"
    assert enter(house.browser("https://two.example"), key) == (401, "passkey_refused")
    house.close()


def test_an_account_adds_and_removes_passkeys_but_not_its_last_way_in(house: House) -> None:
    key, second = Authenticator(HERE), Authenticator(HERE)
    browser = house.browser()
    browser.come_in()
    first = register(browser, key, "Ada")["passkey"]["id"]
    assert browser.refusal("DELETE", f"{NEW}/{first}") == (409, "last_way_in")
    house.clock.wait(1)
    added = register(browser, second)
    assert added["recovery_codes"] is None
    listed = browser.ask("GET", NEW, 200)["items"]
    assert [each["id"] for each in listed] == [first, added["passkey"]["id"]]
    browser.ask("DELETE", f"{NEW}/{first}", 204)
    assert enter(house.browser(), key) == (401, "passkey_refused")
    assert enter(house.browser(), second) == (200, "")
    browser.ask("PUT", "/api/account/password", 200, {"password": "violet anchor seventeen"})
    browser.ask("DELETE", f"{NEW}/{added['passkey']['id']}", 204)
    assert browser.refusal("DELETE", f"{NEW}/{first}") == (404, "passkey_missing")


def test_a_passkey_is_added_only_soon_after_signing_in(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    house.clock.wait(PROOF_LIFETIME + 1)
    assert browser.refusal("POST", f"{NEW}/options", {}) == (403, "sign_in_again")


def test_a_passkey_is_registered_once(house: House) -> None:
    key, _ = claimed(house)
    other = house.browser()
    other.come_in()
    asked = other.ask("POST", f"{NEW}/options", 201, {"name": "Bob"})
    made = {"challenge": asked["challenge"], "credential": key.create(asked["options"])}
    assert other.refusal("POST", NEW, made) == (409, "passkey_known")
    assert other.ask("GET", "/api/me", 200)["kind"] == "guest", "nothing is half done"


def test_somebody_with_a_passkey_signs_in_from_a_guest_session(house: House) -> None:
    key, added = claimed(house)
    browser = house.browser()
    guest = browser.come_in("Just looking")
    old = browser.cookie
    assert enter(browser, key) == (200, "")
    assert browser.ask("GET", "/api/me", 200)["id"] == added["me"]["id"] != guest["id"]
    assert browser.cookie != old
