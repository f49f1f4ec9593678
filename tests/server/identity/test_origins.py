"""Origin checks: requests of other sites are refused, over HTTP and at the handshake."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from litestar import WebSocket, websocket
from litestar.types import Message

from pleasance.server.base.errors import ForbiddenError
from pleasance.server.base.settings import ServerSettings
from pleasance.server.identity.dependencies import OptionalIdentityDep
from pleasance.server.identity.origins import check_host, check_origin
from pleasance.server.store.schema.identity import players
from pleasance.server.store.store import Store
from support.app_client import ORIGIN, AppHarness

PLAIN = ServerSettings()
NAMED = ServerSettings(origins=("https://games.example",), is_https=True)


@pytest.fixture
def app(sqlite_url: str) -> Iterator[AppHarness]:
    store = Store.open(sqlite_url)
    app = AppHarness(store)
    yield app
    app.close()
    store.close()


def is_ours(settings: ServerSettings, **headers: str) -> bool:
    try:
        check_origin({name.replace("_", "-"): text for name, text in headers.items()}, settings)
    except ForbiddenError as refusal:
        return refusal.code != "cross_site"
    return True


def is_known(settings: ServerSettings, host: str) -> bool:
    try:
        check_host({"host": host}, settings)
    except ForbiddenError as refusal:
        return refusal.code != "host_unknown"
    return True


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8040", "localhost:8040"),
        ("http://192.168.1.20:8040", "192.168.1.20:8040"),
        ("http://[::1]:8040", "[::1]:8040"),
        ("http://games.example", "games.example"),
        ("https://games.example", "games.example"),  # an undeclared proxy
        ("https://games.example", "games.example:443"),
        ("HTTP://Games.Example", "games.example"),
    ],
)
def test_our_own_page_may_talk_to_us(origin: str, host: str) -> None:
    assert is_ours(PLAIN, origin=origin, host=host, cookie="pleasance=x")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://localhost:3000",
        "http://localhost",
        "http://localhost:8040.evil.example",
        "http://evil.example/localhost:8040",
        "http://localhost:8040@evil.example",
        "ftp://localhost:8040",
        "null",
        "",
        "http://[",
        "http://localhost:99999",
        "localhost:8040",
    ],
)
def test_a_page_of_another_site_may_not(origin: str) -> None:
    assert not is_ours(PLAIN, origin=origin, host="localhost:8040", cookie="pleasance=x")
    assert not is_ours(PLAIN, origin=origin, host="localhost:8040"), "without a cookie neither"


def test_pages_the_host_has_named_may_talk_to_us() -> None:
    assert is_ours(NAMED, origin="https://games.example", host="127.0.0.1:8040")
    assert not is_ours(NAMED, origin="http://games.example", host="games.example")
    assert not is_ours(NAMED, origin="https://other.example", host="games.example")


def test_a_page_without_https_is_another_page_where_we_have_https() -> None:
    secure = ServerSettings(is_https=True)
    assert is_ours(secure, origin="https://localhost", host="localhost")
    assert not is_ours(secure, origin="http://localhost", host="localhost")


def test_a_browser_that_tells_no_origin_must_tell_that_it_is_our_page() -> None:
    assert is_ours(PLAIN, host="localhost", sec_fetch_site="same-origin", cookie="pleasance=x")
    for sent_by in ("cross-site", "same-site", "none"):
        assert not is_ours(PLAIN, host="localhost", sec_fetch_site=sent_by)
    assert not is_ours(PLAIN, host="localhost", cookie="a=b; pleasance=x")


def test_a_program_without_our_cookie_needs_no_origin() -> None:
    assert is_ours(PLAIN, host="localhost", authorization="Bearer plz_x")
    assert is_ours(PLAIN, host="localhost", cookie="other=x")


def test_a_proxy_tells_the_name_only_where_it_is_trusted() -> None:
    request = {"origin": "https://games.example", "host": "10.0.0.5:8040"}
    forwarded = {"x_forwarded_host": "games.example", "x_forwarded_proto": "https"}
    assert not is_ours(PLAIN, **request, **forwarded)
    assert is_ours(ServerSettings(trusts_proxy=True), **request, **forwarded)


def test_only_local_host_names_are_answered_by_default() -> None:
    own = socket.gethostname()
    for host in ("localhost", "localhost:8040", "127.0.0.1:8040", "[::1]:8040", "192.168.1.20"):
        assert is_known(PLAIN, host), host
    assert is_known(PLAIN, f"{own}:8040")
    assert is_known(PLAIN, f"{own.split('.')[0]}.local")
    for host in (
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "",
        "[",
        "a b",
        "a" * 300 + ".localhost",
    ):
        assert not is_known(PLAIN, host), host


def test_only_configured_host_names_are_answered() -> None:
    for host in ("games.example", "GAMES.example:443", "localhost:8040", "127.0.0.1"):
        assert is_known(NAMED, host), host
    for host in ("evil.example", f"{socket.gethostname()}:8040", "sub.games.example"):
        assert not is_known(NAMED, host), host


def test_a_cross_site_request_changes_nothing(app: AppHarness) -> None:
    browser = app.account("Ada")
    body = '{"name": "Eve"}'
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://evil.example", "Content-Type": "text/plain"},
    ):
        answer = browser.request("PATCH", "/api/me", content=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site")
    assert browser.ask("GET", "/api/me", 200)["name"] == "Ada"


def test_another_site_cannot_sign_a_player_in(app: AppHarness) -> None:
    app.browser().claim("Eve")
    victim = app.browser(page="http://evil.example")
    answer = victim.sign_in("Eve")
    assert (answer.status_code, answer.json()["code"]) == (403, "cross_site")
    assert victim.refusal("POST", "/api/session", {}) == (403, "cross_site")
    assert app.store.read_now(lambda c: len(c.execute(players.select()).all())) == 1


def test_a_name_that_was_made_to_lead_here_gets_no_answer(app: AppHarness) -> None:
    browser = app.browser("http://rebound.example")
    assert browser.refusal("POST", "/api/session", {}) == (403, "host_unknown")
    assert browser.refusal("GET", "/api/me") == (403, "host_unknown")


@websocket("/try/socket")
async def greet(socket: WebSocket[Any, Any, Any], visitor: OptionalIdentityDep) -> None:
    await socket.accept(headers={"x-you": "nobody" if visitor is None else visitor.id})
    await socket.close()


def handshake(app: AppHarness, **headers: str) -> Message:
    """Open a socket as a browser does; give the first answer."""
    sent: list[Message] = []
    scope: Any = {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": "/try/socket",
        "raw_path": b"/try/socket",
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), text.encode()) for name, text in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8040),
        "subprotocols": [],
        "extensions": {},
    }

    async def receive() -> Message:
        return {"type": "websocket.connect"}  # type: ignore[typeddict-item]  # all there is

    async def send(message: Message) -> None:
        sent.append(message)

    app.runner.run(app.app(scope, receive, send))  # type: ignore[arg-type]  # the same by other names
    return sent[0]


def test_a_page_of_another_site_opens_no_socket(app: AppHarness) -> None:
    app.app.register(greet)
    host = ORIGIN.removeprefix("http://")
    browser = app.browser()
    me = browser.join()["id"].encode()
    cookie = f"pleasance={browser.cookie}"
    ours, program = (
        handshake(app, host=host, origin=ORIGIN, cookie=cookie),
        handshake(app, host=host),
    )
    assert ours["type"] == program["type"] == "websocket.accept"
    assert (b"x-you", me) in ours["headers"]
    assert (b"x-you", b"nobody") in program["headers"]
    for wrong in (
        {"origin": "http://evil.example", "cookie": cookie},
        {"origin": "null"},
        {"cookie": cookie},
    ):
        refused = handshake(app, host=host, **wrong)
        assert refused["type"] == "websocket.close"
        assert (refused["code"], refused["reason"]) == (4403, "cross_site")
    opens_nothing = handshake(app, host=host, authorization="Bearer plz_made_up")
    assert opens_nothing["type"] == "websocket.close"
    assert (opens_nothing["code"], opens_nothing["reason"]) == (4401, "token_unknown")
    rebound = handshake(app, host="evil.example", origin="http://evil.example")
    assert rebound["type"] == "websocket.close"
    assert rebound["reason"] == "host_unknown"
