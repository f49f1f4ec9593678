"""The webhook settings over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select, update

from pleasance.server.store.schema.webhooks import deliveries, webhooks
from pleasance.server.store.store import Store
from pleasance.server.webhooks.deliveries import enqueue_turn
from pleasance.server.webhooks.personal_data import WEBHOOK_DATA
from support.app_client import AppHarness, open_app

HERE = "http://127.0.0.1:4711/in?token=abc"


@pytest.fixture
def app(store: Store) -> Iterator[AppHarness]:
    with open_app(store, webhook_allows_private=True) as app:
        yield app


def test_the_secret_is_shown_when_the_webhook_is_set_and_never_again(app: AppHarness) -> None:
    browser, _ = app.visit("Ada")
    assert browser.ask("GET", "/api/me/webhook", 200) is None
    first = browser.ask("PUT", "/api/me/webhook", 200, {"url": HERE})
    assert first["secret"].startswith("whsec_")
    answers = browser.ask("GET", "/api/me/webhook", 200)
    assert answers == {**first, "secret": None}
    assert answers == {
        "url": HERE,
        "is_discord": False,
        "set_at": app.clock(),
        "sent_at": None,
        "failures": 0,
        "trouble": None,
        "is_off": False,
        "secret": None,
    }
    second = browser.ask("PUT", "/api/me/webhook", 200, {"url": HERE, "is_discord": True})
    assert second["secret"] != first["secret"]
    assert second["is_discord"]


def test_a_host_has_one_name_with_a_dot_at_its_end_or_without(app: AppHarness) -> None:
    browser, _ = app.visit("Ada")
    body = {"url": "http://localhost.:4711/in?token=abc."}
    answers = browser.ask("PUT", "/api/me/webhook", 200, body)
    assert answers["url"] == "http://localhost:4711/in?token=abc."


def test_a_webhook_can_be_taken_away(app: AppHarness, store: Store) -> None:
    browser, player = app.visit("Ada")
    browser.ask("PUT", "/api/me/webhook", 200, {"url": HERE})
    store.write_now(lambda connection: enqueue_turn(connection, player, "t1", ply=1, at=0.0))
    browser.ask("DELETE", "/api/me/webhook", 204)
    browser.ask("DELETE", "/api/me/webhook", 204)
    assert browser.ask("GET", "/api/me/webhook", 200) is None
    assert store.read_now(lambda connection: connection.execute(select(deliveries)).all()) == []


def test_players_see_only_their_own_webhook(app: AppHarness) -> None:
    ada, _ = app.visit("Ada")
    ada.ask("PUT", "/api/me/webhook", 200, {"url": HERE})
    bea, _ = app.visit("Bea")
    assert bea.ask("GET", "/api/me/webhook", 200) is None


def test_a_token_needs_to_be_good_for_the_account(app: AppHarness) -> None:
    browser, _ = app.visit("Ada")
    fields = {"label": "bot", "scopes": ["read", "play"]}
    secret = browser.ask("POST", "/api/tokens", 201, fields)["secret"]
    browser.cookies.clear()
    browser.headers["Authorization"] = f"Bearer {secret}"
    assert browser.refusal("GET", "/api/me/webhook") == (403, "scope_missing")
    assert browser.refusal("PUT", "/api/me/webhook", {"url": HERE}) == (403, "scope_missing")


def test_a_disabled_webhook_says_so_until_it_is_set_again(app: AppHarness, store: Store) -> None:
    browser, _ = app.visit("Ada", language="de")
    browser.ask("PUT", "/api/me/webhook", 200, {"url": HERE})
    off = {"off_at": 5.0, "failures": 15, "trouble": "webhook_answer", "status": 500}
    store.write_now(lambda connection: connection.execute(update(webhooks).values(**off)).rowcount)
    answers = browser.ask("GET", "/api/me/webhook", 200)
    assert (answers["is_off"], answers["failures"]) == (True, 15)
    assert answers["trouble"].startswith("Die Adresse für Nachrichten antwortete mit Status 500")
    assert not browser.ask("PUT", "/api/me/webhook", 200, {"url": HERE})["is_off"]
    assert browser.ask("GET", "/api/me/webhook", 200)["trouble"] is None


@pytest.mark.parametrize(
    ("url", "refusal"),
    [
        ("http://127.0.0.1/", (403, "webhook_private")),
        ("http://localhost/", (403, "webhook_private")),
        ("http://[::ffff:127.0.0.1]/", (403, "webhook_private")),
        ("https://169.254.169.254/latest/meta-data", (403, "webhook_private")),
        ("http://192.168.1.1/", (403, "webhook_private")),
        ("https://example.com:22/", (403, "webhook_port")),
        ("http://2130706433/", (400, "webhook_url")),
        ("http://0x7f.0.0.1/", (400, "webhook_url")),
        ("file:///etc/passwd", (400, "webhook_url")),
        ("https://a\u0000b.example/", (400, "webhook_url")),
        ("https://no..name/", (400, "webhook_unresolved")),
        ("short", (400, "request_unreadable")),
        ("https://example.com/" + "x" * 600, (400, "request_unreadable")),
    ],
)
def test_a_private_webhook_is_refused(store: Store, url: str, refusal: tuple[int, str]) -> None:
    with open_app(store) as app:
        browser, _ = app.visit("Ada")
        assert browser.refusal("PUT", "/api/me/webhook", {"url": url}) == refusal
        assert browser.ask("GET", "/api/me/webhook", 200) is None


@pytest.mark.parametrize("body", [{}, {"url": 5}, {"url": HERE, "secret": "mine"}, []])
def test_what_cannot_be_read_is_refused(app: AppHarness, body: object) -> None:
    browser, _ = app.visit("Ada")
    assert browser.refusal("PUT", "/api/me/webhook", body) == (400, "request_unreadable")


def test_exported_data_names_the_webhook_but_not_the_secret(app: AppHarness, store: Store) -> None:
    browser, player = app.visit("Ada")
    secret = browser.ask("PUT", "/api/me/webhook", 200, {"url": HERE})["secret"]
    exported = store.read_now(lambda connection: WEBHOOK_DATA.export(connection, player))
    assert HERE in str(exported)
    assert secret not in str(exported)
    store.write_now(lambda connection: WEBHOOK_DATA.erase(connection, player))
    assert browser.ask("GET", "/api/me/webhook", 200) is None
