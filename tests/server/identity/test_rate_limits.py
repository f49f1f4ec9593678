"""Rate limits: token buckets refuse, refill and stay small in memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pleasance.server.base.errors import BadRequestError, TooManyRequestsError
from pleasance.server.base.settings import ServerSettings
from pleasance.server.http.all_routes import IDENTITY_ROUTES
from pleasance.server.identity.rate_limits import (
    RATE_LIMITS,
    RateLimiter,
    client_address,
    retry_headers,
)
from pleasance.server.store.store import Store
from support.app_client import AppClient, AppHarness, ManualClock


@pytest.fixture
def limited(sqlite_url: str) -> Iterator[AppHarness]:
    """Open an app with a hundredth of the usual rate limits."""
    store = Store.open(sqlite_url)
    app = AppHarness(store, ServerSettings(limits_factor=0.01, trusts_proxy=True))
    yield app
    app.close()
    store.close()


def spend(limits: RateLimiter, rule: str, who: str, times: int) -> int:
    """Spend until refused; return the number of successes."""
    for done in range(times):
        try:
            limits.charge(rule, who)
        except TooManyRequestsError:
            return done
    return times


def test_a_bucket_is_emptied_at_once_and_fills_with_time() -> None:
    clock = ManualClock()
    limits = RateLimiter(clock)
    burst, pace = RATE_LIMITS["sign_in"]
    assert spend(limits, "sign_in", "a", 1000) == burst
    clock.advance(3 / pace)
    assert spend(limits, "sign_in", "a", 1000) == 3
    clock.advance(1_000_000)
    assert spend(limits, "sign_in", "a", 1000) == burst, "it holds no more than at first"


def test_a_refusal_says_when_to_come_again_and_keeps_its_word() -> None:
    clock = ManualClock()
    limits = RateLimiter(clock)
    spend(limits, "create_account", "a", 1000)
    with pytest.raises(TooManyRequestsError) as refused:
        limits.charge("create_account", "a")
    seconds = int(retry_headers(refused.value)["Retry-After"])
    clock.advance(seconds - 1.5)
    with pytest.raises(TooManyRequestsError):
        limits.charge("create_account", "a")
    clock.advance(1.5)
    limits.charge("create_account", "a")
    assert retry_headers(BadRequestError("name_empty")) == {}


def test_everybody_has_a_bucket_for_each_rule() -> None:
    limits = RateLimiter(ManualClock())
    spend(limits, "create_account", "a", 1000)
    limits.charge("create_account", "b")
    limits.charge("sign_in", "a")


def test_a_successful_sign_in_is_refunded() -> None:
    limits = RateLimiter(ManualClock())
    for _ in range(1000):
        limits.charge("failed_sign_in_address", "a")
        limits.refund("failed_sign_in_address", "a")
    limits.refund("failed_sign_in_address", "a")
    assert (
        spend(limits, "failed_sign_in_address", "a", 1000)
        == RATE_LIMITS["failed_sign_in_address"].burst
    )


def test_a_factor_makes_all_buckets_larger_or_smaller_and_zero_lifts_the_limits() -> None:
    burst = RATE_LIMITS["create_account"].burst
    assert spend(RateLimiter(ManualClock(), 3), "create_account", "a", 1000) == 3 * burst
    assert spend(RateLimiter(ManualClock(), 0.01), "create_account", "a", 1000) == 1, (
        "nobody is shut out"
    )
    assert spend(RateLimiter(ManualClock(), 0), "create_account", "a", 1000) == 1000


def test_a_clock_that_goes_back_takes_nothing_away() -> None:
    clock = ManualClock()
    limits = RateLimiter(clock)
    limits.charge("create_account", "a")
    clock.advance(-1_000_000)
    limits.charge("create_account", "a")


def test_a_million_addresses_take_little_memory_and_reset_no_limit() -> None:
    clock = ManualClock()
    limits = RateLimiter(clock, max_buckets=1000)
    taken = 0
    for number in range(20_000):
        clock.advance(0.001)
        limits.charge("guest", f"stranger {number}")
        if number % 100 == 0:
            taken += spend(limits, "guest", "one", 1)
    assert len(limits) == 1000
    assert taken <= RATE_LIMITS["guest"].burst + 20 * RATE_LIMITS["guest"].per_second + 1


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "trusts_proxy", "found"),
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
    peer: str | None, forwarded_for: str | None, found: str, *, trusts_proxy: bool
) -> None:
    headers = {} if forwarded_for is None else {"x-forwarded-for": forwarded_for}
    assert client_address(peer, headers, trusts_proxy=trusts_proxy) == found


def test_an_address_with_too_many_requests_has_to_wait(limited: AppHarness) -> None:
    browser = limited.browser()
    answers = [browser.get("/api/me") for _ in range(10)]
    assert [answer.status_code for answer in answers] == [401] * 6 + [429] * 4
    assert answers[-1].json()["code"] == "too_many"
    assert int(answers[-1].headers["Retry-After"]) == 1
    other = limited.browser()
    other.headers["X-Forwarded-For"] = "198.51.100.7"
    assert other.get("/api/me").status_code == 401
    limited.clock.advance(1)
    assert browser.get("/api/me").status_code == 401


@pytest.mark.parametrize(("method", "path"), [("GET", "/nowhere"), ("PUT", "/api/me")])
def test_unrouted_requests_are_charged(limited: AppHarness, method: str, path: str) -> None:
    browser = limited.browser()
    status = {"GET": 404, "PUT": 405}[method]
    answers = [browser.request(method, path) for _ in range(10)]
    assert [answer.status_code for answer in answers] == [status] * 6 + [429] * 4
    assert answers[-1].headers["Retry-After"] == "1"
    assert browser.get("/api/me").status_code == 429, "it is one and the same bucket"


def send_many(browser: AppClient, times: int) -> dict[int, int]:
    """Send many requests; count the answers by status."""
    return Counter(browser.get("/api/me").status_code for _ in range(times))


@pytest.mark.slow
def test_a_flooding_client_does_not_block_others_at_its_address(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    app = AppHarness(store, ServerSettings(limits_factor=0.05))
    ada, ben, stranger = app.browser(), app.browser(), app.browser()
    for browser in (ada, ben):
        browser.join()
        assert browser.get("/api/me").status_code == 200
    assert send_many(ada, 300) == {200: 9, 429: 291}, "more than the address may ask for"
    assert send_many(ben, 5) == {200: 5}
    assert send_many(stranger, 3) == {401: 3}
    assert send_many(stranger, 300)[429] > 250
    assert send_many(ben, 4) == {200: 4}, "nor does a stranger"
    app.close()
    store.close()


def test_many_at_one_address_have_a_limit_together() -> None:
    limits = RateLimiter(ManualClock(), 0.1)
    most = int(RATE_LIMITS["address"].burst * 0.1)
    cookies = [f"cookie {n}" for n in range(100)]
    for cookie in cookies:
        limits.remember_credential(cookie, f"player of {cookie}")
    for n in range(most):
        assert limits.charge_request("203.0.113.9", cookies[n % 100])
    with pytest.raises(TooManyRequestsError):
        limits.charge_request("203.0.113.9", cookies[0])
    assert limits.charge_request("198.51.100.7", cookies[0])


def test_a_cookie_that_is_good_no_more_counts_as_a_stranger() -> None:
    limits = RateLimiter(ManualClock(), max_buckets=2)
    assert not limits.charge_request("a", "cookie")
    limits.remember_credential("cookie", "ada")
    assert limits.charge_request("a", "cookie")
    limits.remember_credential("cookie", None)
    assert not limits.charge_request("a", "cookie")
    for n in range(3):
        limits.remember_credential(f"cookie {n}", "ada")
    assert [limits.charge_request("a", f"cookie {n}") for n in range(3)] == [False, True, True]


def test_health_and_metrics_are_never_limited(limited: AppHarness) -> None:
    browser = limited.browser("http://any-name.example")
    answers = {
        browser.get(path).status_code for path in ("/health/live", "/metrics") for _ in range(50)
    }
    assert answers == {200}


def test_one_player_on_many_addresses_is_one_player(limited: AppHarness) -> None:
    browser, _ = limited.visit()
    codes = []
    for number in range(5):
        browser.headers["X-Forwarded-For"] = f"198.51.100.{number}"
        codes.append(browser.get("/api/me").status_code)
    assert codes == [200, 200, 429, 429, 429]


def test_new_guests_and_new_accounts_from_one_address_are_limited(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    app = AppHarness(store, ServerSettings(limits_factor=0.1))
    codes = [app.browser().post("/api/session", json={}).status_code for _ in range(8)]
    assert codes == [200] * 6 + [429] * 2
    app.clock.advance(300)
    browser, _ = app.visit()
    browser.ask("POST", "/api/account", 201, {"name": "Ada", "password": "violet anchor seventeen"})
    second, _ = app.visit()
    body = {"name": "Bob", "password": "violet anchor seventeen"}
    assert second.refusal("POST", "/api/account", body) == (429, "too_many")
    app.close()
    store.close()


def test_players_cannot_be_made_and_deleted_without_end(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    app = AppHarness(store, ServerSettings(limits_factor=0.1))
    codes = []
    for _ in range(5):
        browser = app.browser()
        name = browser.join()["name"]
        codes.append(browser.request("DELETE", f"/api/me?name={name}").status_code)
    assert codes == [204] * 3 + [429] * 2
    app.close()
    store.close()


def test_the_page_about_accounts_tells_every_limit_and_every_address() -> None:
    page = (Path(__file__).parents[3] / "docs" / "guide" / "accounts.md").read_text()
    for name, (burst, pace) in RATE_LIMITS.items():
        assert re.search(rf"\| `{name}` \| [^|]+ \| {burst:g} \| {1 / pace:g} s \|", page), name
    for handler in IDENTITY_ROUTES:
        for path in handler.paths:
            shown = re.sub(r":str", "", path)
            for method in handler.http_methods:
                assert f"`{method} {shown}`" in page, (method, shown)
