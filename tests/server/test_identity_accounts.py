"""Accounts with passwords and recovery codes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pleasance.server.base.errors import BadRequestError
from pleasance.server.base.settings import Settings
from pleasance.server.identity import passwords
from pleasance.server.identity.accounts import set_password
from pleasance.server.identity.passwords import HASHER, NOBODY, check_password
from pleasance.server.identity.rate_limits import RULES
from pleasance.server.identity.sessions import PROOF_LIFETIME
from pleasance.server.store.schema.identity import accounts, recovery_codes
from pleasance.server.store.store import Store
from server.authenticator import Authenticator
from server.visitors import HERE, PASSWORD, House, code_of

OTHER = "copper meadow forty-two"


@pytest.fixture
def house(store: Store) -> Iterator[House]:
    house = House(store)
    yield house
    house.close()


def test_a_guest_who_claims_an_account_stays_the_same_player(house: House) -> None:
    browser = house.browser()
    guest = browser.come_in("Somebody new")
    old = browser.cookie
    done = browser.ask("POST", "/api/account", 201, {"name": "Ada", "password": PASSWORD})
    assert (done["me"]["id"], done["me"]["name"]) == (guest["id"], "Ada")
    assert done["me"]["account"]["is_proved"] is True
    assert browser.ask("GET", "/api/me", 200)["kind"] == "account"
    thief = house.browser()
    thief.cookies.set("pleasance", old)
    assert thief.refusal("GET", "/api/me") == (401, "sign_in"), "the guest's cookie is over"


def test_somebody_comes_back_with_name_and_password(house: House) -> None:
    me = house.browser().claim("Ada Lovelace")["me"]
    for typed in ("Ada Lovelace", "ada lovelace", " ADA  LOVELACE ", "AdaLovelace"):
        answer = house.browser().sign_in(typed)
        assert answer.status_code == 200
        assert answer.json()["id"] == me["id"]


def test_a_wrong_password_and_a_wrong_name_are_refused_alike(house: House) -> None:
    house.browser().claim("Ada")
    wrong = [house.browser().sign_in("Ada", OTHER), house.browser().sign_in("Nobody", OTHER)]
    assert [code_of(answer) for answer in wrong] == [(401, "sign_in_refused")] * 2
    assert wrong[0].text == wrong[1].text


def test_as_much_is_computed_for_an_account_that_is_not_there(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.browser().claim("Ada")
    guest, key = house.browser(), Authenticator(HERE)
    guest.come_in()
    asked = guest.ask("POST", "/api/passkeys/options", 201, {"name": "Eve"})
    made = {"challenge": asked["challenge"], "credential": key.create(asked["options"])}
    guest.ask("POST", "/api/passkeys", 201, made)
    compared: list[str] = []

    class Watched:
        def verify(self, known: str, password: str) -> bool:
            compared.append(known.rsplit("$", 2)[0])
            return HASHER.verify(known, password)

    monkeypatch.setattr(passwords, "HASHER", Watched())
    for name in ("Ada", "Nobody", "Eve"):  # with a password, not there, with a passkey only
        assert code_of(house.browser().sign_in(name, OTHER)) == (401, "sign_in_refused")
    assert compared == ["$argon2id$v=19$m=19456,t=2,p=1"] * 3
    assert not HASHER.check_needs_rehash(NOBODY)


def test_a_password_that_is_changed_while_it_is_compared_opens_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = house.browser().claim("Ada")["me"]["id"]

    class Slow:
        def verify(self, known: str, password: str) -> bool:
            """Compare; meanwhile the owner sets another password, which ends all sessions."""
            is_right = HASHER.verify(known, password)
            house.store.write_now(lambda c: set_password(c, me, HASHER.hash(OTHER)))
            return is_right

    monkeypatch.setattr(passwords, "HASHER", Slow())
    assert code_of(house.browser().sign_in("Ada")) == (401, "sign_in_refused")


def test_a_password_is_kept_as_argon2_and_nothing_else(house: House) -> None:
    house.browser().claim("Ada")
    (row,) = house.store.read_now(lambda c: c.execute(accounts.select()).all())
    assert row.password.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert HASHER.verify(row.password, PASSWORD)


def test_a_name_is_taken_however_it_is_written(house: House) -> None:
    house.browser().claim("Ada")
    browser = house.browser()
    browser.come_in()
    for name in ("ada", "ADA", " A d a ", "\uff21da", "A\u00adda"):
        body = {"name": name, "password": PASSWORD}
        assert browser.refusal("POST", "/api/account", body) == (409, "name_taken"), name
    assert browser.ask("GET", "/api/me", 200)["kind"] == "guest"


def test_of_many_who_claim_one_name_at_once_one_gets_it(house: House) -> None:
    browsers = [house.browser() for _ in range(4)]
    for browser in browsers:
        browser.come_in()
    wish = ("POST", "/api/account", {"name": "Ada", "password": PASSWORD})
    answers = house.all_at_once([(browser, wish) for browser in browsers])
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    count = house.store.read_now(lambda c: len(c.execute(accounts.select()).all()))
    assert count == 1


def test_nobody_claims_twice(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    body = {"name": "Bob", "password": PASSWORD}
    assert browser.refusal("POST", "/api/account", body) == (409, "has_account")


def test_an_account_changes_its_name_and_is_found_under_the_new_one(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    house.browser().claim("Bob")
    assert browser.refusal("PATCH", "/api/me", {"name": "BOB"}) == (409, "name_taken")
    browser.ask("PATCH", "/api/me", 200, {"name": "Augusta"})
    assert house.browser().sign_in("augusta").status_code == 200
    assert house.browser().sign_in("Ada").status_code == 401


def test_signing_in_switches_who_one_is_and_leaves_the_guest_alone(house: House) -> None:
    account = house.browser().claim("Ada")["me"]
    browser = house.browser()
    guest = browser.come_in("Passing by")
    old = browser.cookie
    assert browser.sign_in("Ada").json()["id"] == account["id"]
    assert browser.ask("GET", "/api/me", 200)["id"] == account["id"] != guest["id"]
    thief = house.browser()
    thief.cookies.set("pleasance", old)
    assert thief.refusal("GET", "/api/me") == (401, "sign_in")


def test_a_changed_password_ends_all_other_sessions(house: House) -> None:
    here, there = house.browser(), house.browser()
    here.claim("Ada")
    assert there.sign_in("Ada").status_code == 200
    here.ask("PUT", "/api/account/password", 200, {"password": OTHER})
    here.ask("GET", "/api/me", 200)
    assert there.refusal("GET", "/api/me") == (401, "sign_in")
    assert there.sign_in("Ada", PASSWORD).status_code == 401
    assert there.sign_in("Ada", OTHER).status_code == 200


def test_the_locks_are_changed_only_soon_after_signing_in(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    house.clock.wait(PROOF_LIFETIME + 1)
    refused = (403, "sign_in_again")
    assert browser.ask("GET", "/api/me", 200)["account"]["is_proved"] is False
    assert browser.refusal("PUT", "/api/account/password", {"password": OTHER}) == refused
    assert browser.refusal("POST", "/api/account/recovery-codes") == refused
    assert browser.refusal("DELETE", "/api/me?name=Ada") == refused
    assert browser.sign_in("Ada").status_code == 200
    browser.ask("POST", "/api/account/recovery-codes", 201)


def test_each_recovery_code_opens_the_account_once(house: House) -> None:
    here = house.browser()
    codes = here.claim("Ada")["recovery_codes"]
    assert len(set(codes)) == 8
    browser = house.browser()
    body = {"name": "ada", "code": f" {codes[0].upper().replace('-', ' ')} "}
    me = browser.ask("POST", "/api/sign-in/recovery", 200, body)
    assert me["account"]["recovery_codes"] == 7
    assert here.refusal("GET", "/api/me") == (401, "sign_in"), "whoever was in is out"
    refused = (401, "sign_in_refused")
    assert house.browser().refusal("POST", "/api/sign-in/recovery", body) == refused
    browser.ask("PUT", "/api/account/password", 200, {"password": OTHER})
    assert house.browser().sign_in("Ada", OTHER).status_code == 200


def test_a_recovery_code_sent_five_times_at_once_opens_once(house: House) -> None:
    codes = house.browser().claim("Ada")["recovery_codes"]
    wish = ("POST", "/api/sign-in/recovery", {"name": "Ada", "code": codes[3]})
    answers = house.browser().at_once([wish] * 5)
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401, 401]


def test_a_code_of_one_account_does_not_open_another(house: House) -> None:
    codes = house.browser().claim("Ada")["recovery_codes"]
    house.browser().claim("Bob")
    for name in ("Bob", "Nobody"):
        body = {"name": name, "code": codes[0]}
        refused = house.browser().refusal("POST", "/api/sign-in/recovery", body)
        assert refused == (401, "sign_in_refused")


def test_new_codes_replace_the_old_ones_and_only_hashes_are_kept(house: House) -> None:
    browser = house.browser()
    old = browser.claim("Ada")["recovery_codes"]
    new = browser.ask("POST", "/api/account/recovery-codes", 201)["recovery_codes"]
    rows = house.store.read_now(lambda c: c.execute(recovery_codes.select()).all())
    assert len(rows) == 8
    assert not any(code in str(rows) for code in (*old, *new))
    body = {"name": "Ada", "code": old[0]}
    refused = house.browser().refusal("POST", "/api/sign-in/recovery", body)
    assert refused == (401, "sign_in_refused")


def test_wrong_passwords_are_limited_by_name_and_address_but_the_owner_gets_in(
    store: Store,
) -> None:
    house = House(store, Settings(trusts_proxy=True))
    house.browser().claim("Ada")
    thief = house.browser()
    thief.headers["X-Forwarded-For"] = "203.0.113.9"
    codes = [code_of(thief.sign_in("ada", OTHER)) for _ in range(7)]
    burst = int(RULES["wrong_here"].burst)
    assert codes == [(401, "sign_in_refused")] * burst + [(429, "too_many")] * (7 - burst)
    answer = thief.sign_in("ADA", PASSWORD)
    assert answer.status_code == 429, "the right one is of no use now"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert house.browser().sign_in("Ada").status_code == 200, "from elsewhere it works"
    house.clock.wait(int(answer.headers["Retry-After"]))
    assert thief.sign_in("Ada", OTHER).status_code == 401
    house.close()


def test_many_addresses_together_do_not_guess_a_password_either(store: Store) -> None:
    house = House(store, Settings(trusts_proxy=True))
    house.browser().claim("Ada")
    statuses = []
    for number in range(60):
        thief = house.browser()
        thief.headers["X-Forwarded-For"] = f"203.0.113.{number}"
        body = {"name": "Ada", "code": "aaaa-bbbb-cccc-dddd"}
        statuses.append(thief.post("/api/sign-in/recovery", json=body).status_code)
    assert statuses.count(401) == int(RULES["wrong"].burst)
    assert statuses.count(429) == 60 - statuses.count(401)
    house.close()


def test_signing_in_rightly_is_not_counted_as_guessing(store: Store) -> None:
    house = House(store, Settings())
    house.browser().claim("Ada")
    for _ in range(2 * int(RULES["wrong_here"].burst)):
        assert house.browser().sign_in("Ada").status_code == 200
    house.close()


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
def test_a_password_nobody_tries_first_will_do(password: str) -> None:
    check_password(password, "Ada Lovelace")
