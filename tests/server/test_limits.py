"""Limits: who knocks too often waits; who waits gets in; memory stays small."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pleasance.server.base.errors import BadRequestError, TooManyError
from pleasance.server.base.settings import Settings
from pleasance.server.http.middleware import ROUTES
from pleasance.server.identity.rate_limits import RULES, Limits, find_address, retry_headers
from pleasance.server.store.store import Store
from server.visitors import Browser, Clock, House


@pytest.fixture
def small(sqlite_url: str) -> Iterator[House]:
    """A house with a hundredth of the usual patience."""
    store = Store.open(sqlite_url)
    house = House(store, Settings(limits_factor=0.01, trusts_proxy=True))
    yield house
    house.close()
    store.close()


def spend(limits: Limits, rule: str, who: str, times: int) -> int:
    """Spend until it is refused; tell how often it was not."""
    for done in range(times):
        try:
            limits.spend(rule, who)
        except TooManyError:
            return done
    return times


def test_a_bucket_is_emptied_at_once_and_fills_with_time() -> None:
    clock = Clock()
    limits = Limits(clock)
    burst, pace = RULES["sign_in"]
    assert spend(limits, "sign_in", "a", 1000) == burst
    clock.wait(3 / pace)
    assert spend(limits, "sign_in", "a", 1000) == 3
    clock.wait(1_000_000)
    assert spend(limits, "sign_in", "a", 1000) == burst, "it holds no more than at first"


def test_a_refusal_says_when_to_come_again_and_keeps_its_word() -> None:
    clock = Clock()
    limits = Limits(clock)
    spend(limits, "claim", "a", 1000)
    with pytest.raises(TooManyError) as refused:
        limits.spend("claim", "a")
    seconds = int(retry_headers(refused.value)["Retry-After"])
    clock.wait(seconds - 1.5)
    with pytest.raises(TooManyError):
        limits.spend("claim", "a")
    clock.wait(1.5)
    limits.spend("claim", "a")
    assert retry_headers(BadRequestError("name_empty")) == {}


def test_everybody_has_a_bucket_for_each_rule() -> None:
    limits = Limits(Clock())
    spend(limits, "claim", "a", 1000)
    limits.spend("claim", "b")
    limits.spend("sign_in", "a")


def test_what_was_right_is_given_back() -> None:
    limits = Limits(Clock())
    for _ in range(1000):
        limits.spend("wrong_here", "a")
        limits.give_back("wrong_here", "a")
    limits.give_back("wrong_here", "a")
    assert spend(limits, "wrong_here", "a", 1000) == RULES["wrong_here"].burst


def test_a_factor_makes_all_buckets_larger_or_smaller_and_zero_lifts_the_limits() -> None:
    burst = RULES["claim"].burst
    assert spend(Limits(Clock(), 3), "claim", "a", 1000) == 3 * burst
    assert spend(Limits(Clock(), 0.01), "claim", "a", 1000) == 1, "nobody is shut out"
    assert spend(Limits(Clock(), 0), "claim", "a", 1000) == 1000


def test_a_clock_that_goes_back_takes_nothing_away() -> None:
    clock = Clock()
    limits = Limits(clock)
    limits.spend("claim", "a")
    clock.wait(-1_000_000)
    limits.spend("claim", "a")


def test_a_million_strangers_take_little_memory_and_do_not_free_the_one_who_knocks() -> None:
    clock = Clock()
    limits = Limits(clock, most=1000)
    taken = 0
    for number in range(20_000):
        clock.wait(0.001)
        limits.spend("guest", f"stranger {number}")
        if number % 100 == 0:
            taken += spend(limits, "guest", "one", 1)
    assert len(limits) == 1000
    assert taken <= RULES["guest"].burst + 20 * RULES["guest"].per_second + 1


@pytest.mark.parametrize(
    ("peer", "told", "trusts_proxy", "found"),
    [
        ("203.0.113.9", None, False, "203.0.113.9"),
        ("203.0.113.9", "198.51.100.7", False, "203.0.113.9"),
        ("127.0.0.1", "198.51.100.7", False, "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7", True, "198.51.100.7"),
        ("10.0.0.2", "1.1.1.1, 198.51.100.7", True, "198.51.100.7"),
        ("8.8.4.4", "198.51.100.7", True, "8.8.4.4"),  # no proxy of ours
        (None, "198.51.100.7", True, "198.51.100.7"),  # through a socket file
        ("127.0.0.1", "nonsense", True, "nonsense"),
        ("2001:db8:1:2:3:4:5:6", None, False, "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", None, False, "203.0.113.9"),
        (None, None, False, "local"),
    ],
)
def test_the_address_is_the_one_that_cannot_be_made_up(
    peer: str | None, told: str | None, found: str, *, trusts_proxy: bool
) -> None:
    headers = {} if told is None else {"x-forwarded-for": told}
    assert find_address(peer, headers, trusts_proxy=trusts_proxy) == found


def test_an_address_that_asks_too_often_is_told_to_wait(small: House) -> None:
    browser = small.browser()
    answers = [browser.get("/api/me") for _ in range(10)]
    assert [answer.status_code for answer in answers] == [401] * 6 + [429] * 4
    assert answers[-1].json()["code"] == "too_many"
    assert int(answers[-1].headers["Retry-After"]) == 1
    other = small.browser()
    other.headers["X-Forwarded-For"] = "198.51.100.7"
    assert other.get("/api/me").status_code == 401
    small.clock.wait(1)
    assert browser.get("/api/me").status_code == 401


@pytest.mark.parametrize(("method", "path"), [("GET", "/nowhere"), ("PUT", "/api/me")])
def test_what_leads_nowhere_is_counted_too(small: House, method: str, path: str) -> None:
    browser = small.browser()
    status = {"GET": 404, "PUT": 405}[method]
    answers = [browser.request(method, path) for _ in range(10)]
    assert [answer.status_code for answer in answers] == [status] * 6 + [429] * 4
    assert answers[-1].headers["Retry-After"] == "1"
    assert browser.get("/api/me").status_code == 429, "it is one and the same bucket"


def knock(browser: Browser, times: int) -> dict[int, int]:
    """Ask again and again; count the answers of each kind."""
    return Counter(browser.get("/api/me").status_code for _ in range(times))


def test_who_asks_far_too_often_shuts_out_nobody_else_at_the_same_address(
    sqlite_url: str,
) -> None:
    store = Store.open(sqlite_url)
    house = House(store, Settings(limits_factor=0.05))
    ada, ben, stranger = house.browser(), house.browser(), house.browser()
    for browser in (ada, ben):
        browser.come_in()
        assert browser.get("/api/me").status_code == 200
    assert knock(ada, 300) == {200: 9, 429: 291}, "more than the address may ask for"
    assert knock(ben, 5) == {200: 5}
    assert knock(stranger, 3) == {401: 3}
    assert knock(stranger, 300)[429] > 250
    assert knock(ben, 4) == {200: 4}, "nor does a stranger"
    house.close()
    store.close()


def test_many_at_one_address_have_a_limit_together() -> None:
    limits = Limits(Clock(), 0.1)
    most = int(RULES["address"].burst * 0.1)
    cookies = [f"cookie {n}" for n in range(100)]
    for cookie in cookies:
        limits.recognize(cookie, f"player of {cookie}")
    for n in range(most):
        assert limits.knock("203.0.113.9", cookies[n % 100])
    with pytest.raises(TooManyError):
        limits.knock("203.0.113.9", cookies[0])
    assert limits.knock("198.51.100.7", cookies[0])


def test_a_cookie_that_is_good_no_more_counts_as_a_stranger() -> None:
    limits = Limits(Clock(), most=2)
    assert not limits.knock("a", "cookie")
    limits.recognize("cookie", "ada")
    assert limits.knock("a", "cookie")
    limits.recognize("cookie", None)
    assert not limits.knock("a", "cookie")
    for n in range(3):
        limits.recognize(f"cookie {n}", "ada")
    assert [limits.knock("a", f"cookie {n}") for n in range(3)] == [False, True, True]


def test_health_and_metrics_are_never_limited(small: House) -> None:
    browser = small.browser("http://any-name.example")
    answers = {
        browser.get(path).status_code for path in ("/health/live", "/metrics") for _ in range(50)
    }
    assert answers == {200}


def test_one_player_on_many_addresses_is_one_player(small: House) -> None:
    browser = small.browser()
    browser.come_in()
    codes = []
    for number in range(5):
        browser.headers["X-Forwarded-For"] = f"198.51.100.{number}"
        codes.append(browser.get("/api/me").status_code)
    assert codes == [200, 200, 429, 429, 429]


def test_new_guests_and_new_accounts_from_one_address_are_limited(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    house = House(store, Settings(limits_factor=0.1))
    codes = [house.browser().post("/api/session", json={}).status_code for _ in range(8)]
    assert codes == [200] * 6 + [429] * 2
    house.clock.wait(300)
    browser = house.browser()
    browser.come_in()
    claim = {"name": "Ada", "password": "violet anchor seventeen"}
    browser.ask("POST", "/api/account", 201, claim)
    second = house.browser()
    second.come_in()
    body = {"name": "Bob", "password": "violet anchor seventeen"}
    assert second.refusal("POST", "/api/account", body) == (429, "too_many")
    house.close()
    store.close()


def test_players_cannot_be_made_and_deleted_without_end(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    house = House(store, Settings(limits_factor=0.1))
    codes = []
    for _ in range(5):
        browser = house.browser()
        name = browser.come_in()["name"]
        codes.append(browser.request("DELETE", f"/api/me?name={name}").status_code)
    assert codes == [204] * 3 + [429] * 2
    house.close()
    store.close()


def test_the_page_about_accounts_tells_every_limit_and_every_address() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guide" / "accounts.md").read_text()
    for name, (burst, pace) in RULES.items():
        assert re.search(rf"\| `{name}` \| [^|]+ \| {burst:g} \| {1 / pace:g} s \|", page), name
    for handler in ROUTES:
        for path in handler.paths:
            shown = re.sub(r":str", "", path)
            for method in handler.http_methods:
                assert f"`{method} {shown}`" in page, (method, shown)
