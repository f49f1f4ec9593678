"""Accounts with passwords and recovery codes."""

from __future__ import annotations

import pytest

from pleasance.server.base.errors import BadRequestError
from pleasance.server.base.settings import ServerSettings
from pleasance.server.identity import passwords
from pleasance.server.identity.accounts import set_password
from pleasance.server.identity.passwords import DUMMY_HASH, HASHER, check_password
from pleasance.server.identity.rate_limits import RATE_LIMITS
from pleasance.server.identity.sessions import RECENT_SIGN_IN_S
from pleasance.server.store.schema.identity import accounts, recovery_codes
from pleasance.server.store.store import Store
from server.identity.authenticator import Authenticator
from support import PASSWORD
from support.app_client import ORIGIN, AppHarness, status_and_code

OTHER = "copper meadow forty-two"


def test_claiming_an_account_keeps_the_player(app: AppHarness) -> None:
    browser = app.browser()
    guest = browser.join("Somebody new")
    old = browser.cookie
    done = browser.ask("POST", "/api/account", 201, {"name": "Ada", "password": PASSWORD})
    assert (done["me"]["id"], done["me"]["name"]) == (guest["id"], "Ada")
    assert done["me"]["account"]["is_proved"] is True
    assert browser.ask("GET", "/api/me", 200)["kind"] == "account"
    thief = app.browser()
    thief.cookies.set("pleasance", old)
    assert thief.refusal("GET", "/api/me") == (401, "sign_in"), "the guest's cookie is over"


def test_name_and_password_sign_in(app: AppHarness) -> None:
    me = app.browser().claim("Ada Lovelace")["me"]
    for typed in ("Ada Lovelace", "ada lovelace", " ADA  LOVELACE ", "AdaLovelace"):
        answer = app.browser().sign_in(typed)
        assert answer.status_code == 200
        assert answer.json()["id"] == me["id"]


def test_a_wrong_password_and_a_wrong_name_are_refused_alike(app: AppHarness) -> None:
    app.browser().claim("Ada")
    wrong = [app.browser().sign_in("Ada", OTHER), app.browser().sign_in("Nobody", OTHER)]
    assert [status_and_code(answer) for answer in wrong] == [(401, "sign_in_refused")] * 2
    assert wrong[0].text == wrong[1].text


def test_unknown_accounts_take_as_long(app: AppHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    app.browser().claim("Ada")
    guest, key = app.browser(), Authenticator(ORIGIN)
    guest.join()
    offer = guest.ask("POST", "/api/passkeys/options", 201, {"name": "Eve"})
    made = {"challenge": offer["challenge"], "credential": key.create(offer["options"])}
    guest.ask("POST", "/api/passkeys", 201, made)
    compared: list[str] = []

    class Watched:
        def verify(self, known: str, password: str) -> bool:
            compared.append(known.rsplit("$", 2)[0])
            return HASHER.verify(known, password)

    monkeypatch.setattr(passwords, "HASHER", Watched())
    for name in ("Ada", "Nobody", "Eve"):  # with a password, not there, with a passkey only
        assert status_and_code(app.browser().sign_in(name, OTHER)) == (401, "sign_in_refused")
    assert compared == ["$argon2id$v=19$m=19456,t=2,p=1"] * 3
    assert not HASHER.check_needs_rehash(DUMMY_HASH)


def test_a_password_changed_in_comparison(app: AppHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    me = app.browser().claim("Ada")["me"]["id"]

    class Slow:
        def verify(self, known: str, password: str) -> bool:
            """Compare while the owner sets another password, which ends all sessions."""
            is_right = HASHER.verify(known, password)
            app.store.write_now(lambda c: set_password(c, me, HASHER.hash(OTHER)))
            return is_right

    monkeypatch.setattr(passwords, "HASHER", Slow())
    assert status_and_code(app.browser().sign_in("Ada")) == (401, "sign_in_refused")


def test_a_password_is_kept_as_argon2_and_nothing_else(app: AppHarness) -> None:
    app.browser().claim("Ada")
    (row,) = app.store.read_now(lambda c: c.execute(accounts.select()).all())
    assert row.password.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert HASHER.verify(row.password, PASSWORD)


def test_a_name_is_taken_however_it_is_written(app: AppHarness) -> None:
    app.browser().claim("Ada")
    browser, _ = app.visit()
    for name in ("ada", "ADA", " A d a ", "\uff21da", "A\u00adda"):
        body = {"name": name, "password": PASSWORD}
        assert browser.refusal("POST", "/api/account", body) == (409, "name_taken"), name
    assert browser.ask("GET", "/api/me", 200)["kind"] == "guest"


def test_of_many_claims_of_one_name_one_succeeds(app: AppHarness) -> None:
    browsers = [app.browser() for _ in range(4)]
    for browser in browsers:
        browser.join()
    spec = ("POST", "/api/account", {"name": "Ada", "password": PASSWORD})
    answers = app.send_all([(browser, spec) for browser in browsers])
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert app.store.read_now(lambda c: len(c.execute(accounts.select()).all())) == 1


def test_an_account_is_claimed_once(app: AppHarness) -> None:
    browser = app.account("Ada")
    body = {"name": "Bob", "password": PASSWORD}
    assert browser.refusal("POST", "/api/account", body) == (409, "has_account")


def test_an_account_changes_its_name_and_is_found_under_the_new_one(app: AppHarness) -> None:
    browser = app.account("Ada")
    app.browser().claim("Bob")
    assert browser.refusal("PATCH", "/api/me", {"name": "BOB"}) == (409, "name_taken")
    browser.ask("PATCH", "/api/me", 200, {"name": "Augusta"})
    assert app.browser().sign_in("augusta").status_code == 200
    assert app.browser().sign_in("Ada").status_code == 401


def test_signing_in_switches_the_player_and_keeps_the_guest(app: AppHarness) -> None:
    account = app.browser().claim("Ada")["me"]
    browser = app.browser()
    guest = browser.join("Passing by")
    old = browser.cookie
    assert browser.sign_in("Ada").json()["id"] == account["id"]
    assert browser.ask("GET", "/api/me", 200)["id"] == account["id"] != guest["id"]
    thief = app.browser()
    thief.cookies.set("pleasance", old)
    assert thief.refusal("GET", "/api/me") == (401, "sign_in")


def test_a_changed_password_ends_all_other_sessions(app: AppHarness) -> None:
    here, there = app.browser(), app.browser()
    here.claim("Ada")
    assert there.sign_in("Ada").status_code == 200
    here.ask("PUT", "/api/account/password", 200, {"password": OTHER})
    here.ask("GET", "/api/me", 200)
    assert there.refusal("GET", "/api/me") == (401, "sign_in")
    assert there.sign_in("Ada", PASSWORD).status_code == 401
    assert there.sign_in("Ada", OTHER).status_code == 200


def test_the_locks_are_changed_only_soon_after_signing_in(app: AppHarness) -> None:
    browser = app.account("Ada")
    app.clock.advance(RECENT_SIGN_IN_S + 1)
    refused = (403, "sign_in_again")
    assert browser.ask("GET", "/api/me", 200)["account"]["is_proved"] is False
    assert browser.refusal("PUT", "/api/account/password", {"password": OTHER}) == refused
    assert browser.refusal("POST", "/api/account/recovery-codes") == refused
    assert browser.refusal("DELETE", "/api/me?name=Ada") == refused
    assert browser.sign_in("Ada").status_code == 200
    browser.ask("POST", "/api/account/recovery-codes", 201)


def test_each_recovery_code_opens_the_account_once(app: AppHarness) -> None:
    here = app.browser()
    codes = here.claim("Ada")["recovery_codes"]
    assert len(set(codes)) == 8
    browser = app.browser()
    body = {"name": "ada", "code": f" {codes[0].upper().replace('-', ' ')} "}
    assert browser.ask("POST", "/api/sign-in/recovery", 200, body)["account"]["recovery_codes"] == 7
    assert here.refusal("GET", "/api/me") == (401, "sign_in"), "other sessions have ended"
    refused = (401, "sign_in_refused")
    assert app.browser().refusal("POST", "/api/sign-in/recovery", body) == refused
    browser.ask("PUT", "/api/account/password", 200, {"password": OTHER})
    assert app.browser().sign_in("Ada", OTHER).status_code == 200


def test_a_recovery_code_sent_five_times_at_once_opens_once(app: AppHarness) -> None:
    codes = app.browser().claim("Ada")["recovery_codes"]
    spec = ("POST", "/api/sign-in/recovery", {"name": "Ada", "code": codes[3]})
    answers = app.send_all([(app.browser(), spec)] * 5)
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401, 401]


def test_a_code_of_one_account_does_not_open_another(app: AppHarness) -> None:
    codes = app.browser().claim("Ada")["recovery_codes"]
    app.browser().claim("Bob")
    for name in ("Bob", "Nobody"):
        body = {"name": name, "code": codes[0]}
        refused = app.browser().refusal("POST", "/api/sign-in/recovery", body)
        assert refused == (401, "sign_in_refused")


def test_new_codes_replace_the_old_ones_and_only_hashes_are_kept(app: AppHarness) -> None:
    browser = app.browser()
    old = browser.claim("Ada")["recovery_codes"]
    new = browser.ask("POST", "/api/account/recovery-codes", 201)["recovery_codes"]
    rows = app.store.read_now(lambda c: c.execute(recovery_codes.select()).all())
    assert len(rows) == 8
    assert not any(code in str(rows) for code in (*old, *new))
    body = {"name": "Ada", "code": old[0]}
    assert app.browser().refusal("POST", "/api/sign-in/recovery", body) == (401, "sign_in_refused")


@pytest.mark.slow
def test_wrong_passwords_are_limited_by_name_and_address_except_for_the_owner(store: Store) -> None:
    app = AppHarness(store, ServerSettings(trusts_proxy=True))
    app.browser().claim("Ada")
    thief = app.browser()
    thief.headers["X-Forwarded-For"] = "203.0.113.9"
    codes = [status_and_code(thief.sign_in("ada", OTHER)) for _ in range(7)]
    burst = int(RATE_LIMITS["failed_sign_in_address"].burst)
    assert codes == [(401, "sign_in_refused")] * burst + [(429, "too_many")] * (7 - burst)
    answer = thief.sign_in("ADA", PASSWORD)
    assert answer.status_code == 429, "the right one is of no use now"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert app.browser().sign_in("Ada").status_code == 200, "from elsewhere it works"
    app.clock.advance(int(answer.headers["Retry-After"]))
    assert thief.sign_in("Ada", OTHER).status_code == 401
    app.close()


def test_many_addresses_together_do_not_guess_a_password_either(store: Store) -> None:
    app = AppHarness(store, ServerSettings(trusts_proxy=True))
    app.browser().claim("Ada")
    statuses = []
    for number in range(60):
        thief = app.browser()
        thief.headers["X-Forwarded-For"] = f"203.0.113.{number}"
        body = {"name": "Ada", "code": "aaaa-bbbb-cccc-dddd"}
        statuses.append(thief.post("/api/sign-in/recovery", json=body).status_code)
    assert statuses.count(401) == int(RATE_LIMITS["failed_sign_in"].burst)
    assert statuses.count(429) == 60 - statuses.count(401)
    app.close()


@pytest.mark.slow
def test_signing_in_rightly_is_not_counted_as_guessing(store: Store) -> None:
    app = AppHarness(store, ServerSettings())
    app.browser().claim("Ada")
    for _ in range(2 * int(RATE_LIMITS["failed_sign_in_address"].burst)):
        assert app.browser().sign_in("Ada").status_code == 200
    app.close()


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("short one", "password_short"),
        ("x" * 201, "password_long"),
        ("password123", "password_common"),
        ("P@ssw0rd!!!!", "password_common"),
        ("1234567890", "password_common"),
        ("0987654321", "password_common"),
        ("aaaaaaaaaaaa", "password_common"),
        ("abababababab", "password_common"),
        ("passwortpasswort", "password_common"),
        ("Qwertzuiop1", "password_common"),
        ("contraseña123", "password_common"),
        ("iloveyou2026!", "password_common"),
        ("Ada Lovelace 1", "password_is_name"),
        ("adalovelace", "password_is_name"),
    ],
)
def test_a_password_that_is_tried_first_is_refused(password: str, code: str) -> None:
    with pytest.raises(BadRequestError) as refused:
        check_password(password, "Ada Lovelace")
    assert refused.value.code == code


@pytest.mark.parametrize(
    "password",
    [
        PASSWORD,
        OTHER,
        "Tr0ub4dor&3x",
        "correcthorsebattery",
        "密码很长很长很长很长",
        "ada likes pears",
    ],
)
def test_an_uncommon_password_is_accepted(password: str) -> None:
    check_password(password, "Ada Lovelace")
