"""Access control: forged and replayed cookies and tokens, other origins, private tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import monotonic
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection
from websockets.exceptions import InvalidStatus

from pleasance.server.http import socket
from pleasance.server.identity.rate_limits import RATE_LIMITS
from pleasance.server.live.connections import read_mutes
from support import NONCE, TIMEOUT_S
from support.http_client import HttpClient
from support.live_server import LiveServer, open_server


def make_token(server: LiveServer, name: str, *scopes: str, **more: Any) -> tuple[str, str]:
    """Make an access token of a new account; return its id and its secret."""
    with server.visit() as owner:
        owner.create_account(name)
        made = owner.create_token(*scopes, **more)
        return made["token"]["id"], made["secret"]


def connect_as(client: HttpClient, **headers: str) -> str:
    """Open a socket; tell as whom one came in, or with which status one was refused."""
    try:
        with client.connect({}, headers=headers) as ws:
            return str(ws.welcome["player"]) or "nobody"
    except InvalidStatus as refused:
        return str(refused.response.status_code)


@pytest.mark.slow
def test_a_forged_cookie_opens_nothing(server: LiveServer, ada: HttpClient) -> None:
    secret = ada.http.cookies["pleasance"]
    assert connect_as(ada) == ada.id
    changed = (secret[:-1], secret + "A", secret[::-1])
    for cookie in (*changed, "x", ada.id, "' OR 1=1 --", "%00", "A" * 3000):
        assert connect_as(ada, Cookie=f"pleasance={cookie}") in {"nobody", "403"}, cookie
        headers = {"Cookie": f"pleasance={cookie}", "Origin": server.link}
        answer = httpx.post(
            f"{server.link}/api/tables", headers=headers, json={}, timeout=TIMEOUT_S
        )
        assert answer.status_code in {400, 401}, cookie
        answer = httpx.get(f"{server.link}/api/me", headers=headers, timeout=TIMEOUT_S)
        assert answer.status_code == 401


def test_a_cookie_is_void_after_signing_out(server: LiveServer, ada: HttpClient) -> None:
    cookie = f"pleasance={ada.http.cookies['pleasance']}"
    ada.ask("DELETE", "/api/session", status=204)
    assert connect_as(ada, Cookie=cookie) == "nobody"
    replayed = httpx.get(f"{server.link}/api/me", headers={"Cookie": cookie}, timeout=TIMEOUT_S)
    assert replayed.status_code == 401


def test_a_token_that_is_made_up_taken_back_or_too_old_opens_nothing(server: LiveServer) -> None:
    with server.visit() as owner:
        owner.create_account("Tess")
        made = owner.create_token("read", "play")
        program = HttpClient(server.link, token=made["secret"])
        with program, program.connect() as ws:
            assert ws.welcome["player"] == owner.id
            owner.ask("DELETE", f"/api/tokens/{made['token']['id']}", status=204)
            assert ws.receive_until_close()[0][-1] == {"kind": "closing", "reason": "identity"}
            assert connect_as(program) == "403"
            assert program.http.get("/api/me").status_code == 401
    for secret in ("plz_", "plz_x", made["secret"] + "x", "Basic", "plz_%00"):
        with HttpClient(server.link, token=secret) as stranger:
            assert connect_as(stranger) == "403", secret
            assert stranger.http.get("/api/me").status_code == 401


def test_a_token_expires(server: LiveServer) -> None:
    _, secret = make_token(server, "Expired", "read", lasts=60)
    with HttpClient(server.link, token=secret) as program:
        assert program.ask("GET", "/api/me")["kind"] == "account"
        clock, server.site.clock = server.site.clock, lambda: 1e12
        try:
            assert connect_as(program) == "403"
            assert program.ask("GET", "/api/me", status=401)["code"] == "token_unknown"
        finally:
            server.site.clock = clock


@pytest.mark.slow
def test_a_token_does_only_what_it_is_good_for(server: LiveServer, ada: HttpClient) -> None:
    table = ada.open_table()
    sit, say = {"kind": "sit", "nonce": NONCE}, {"kind": "say", "text": "hello"}
    for scope, wanted in {"read": set(), "play": {"sit"}, "chat": {"say"}}.items():
        _, secret = make_token(server, f"Only {scope}", scope)
        with HttpClient(server.link, token=secret) as program, program.connect() as ws:
            for command in (sit, say):
                kinds = [ws.do(table, **command)["kind"], program.do(table, **command).is_success]
                is_allowed = command["kind"] in wanted
                assert kinds[0] == ("accepted" if is_allowed else "refused"), (scope, command)
                assert is_allowed or not kinds[1]
            watched = ws.ask("watch", table=table)
            assert watched["kind"] == ("accepted" if scope == "read" else "refused")
            for path in ("/api/tokens", "/api/me/export"):
                assert program.ask("GET", path, status=403)["code"] == "scope_missing"
            ws.do(table, kind="leave", seat=0)


def test_another_site_gets_neither_socket_nor_change(server: LiveServer, ada: HttpClient) -> None:
    for origin in ("http://evil.example", "null", server.link + ".evil.example", "https://evil"):
        assert connect_as(ada, Origin=origin) == "403"
        answer = ada.http.post("/api/tables", json={}, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site")
        assert "access-control-allow-origin" not in answer.headers
    del ada.http.headers["Origin"]
    assert connect_as(ada) == "403", "a cookie without an origin"
    plain = {"Content-Type": "text/plain", "Origin": "http://evil.example"}
    assert ada.http.post("/api/session", content="{}", headers=plain).status_code == 403


def test_a_rebound_host_name_is_not_answered(server: LiveServer, ada: HttpClient) -> None:
    port = server.link.rpartition(":")[2]
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "", "a b"):
        headers = {"Host": host, "Origin": f"http://{host}"}
        for path in ("/", "/api/me", "/api/tables", "/schema/openapi.json"):
            assert ada.http.get(path, headers=headers).status_code in {400, 403}, (host, path)
        assert ada.http.post("/api/session", json={}, headers=headers).status_code in {400, 403}


def test_a_private_table_is_in_no_list(server: LiveServer, ada: HttpClient) -> None:
    private, public = ada.open_table(), ada.open_table(is_public=True)
    with server.visit("Eve") as eve:
        for status in ("open", "running", "over"):
            assert private not in str(eve.ask("GET", f"/api/tables?status={status}&limit=100"))
        assert public in str(eve.ask("GET", "/api/tables?limit=100"))
        assert eve.ask("GET", "/api/me/tables")["items"] == []
        assert private not in str(eve.ask("GET", f"/api/players/{ada.id}"))
    assert private in str(ada.ask("GET", "/api/me/tables"))


def test_all_unknown_tables_look_alike(server: LiveServer) -> None:
    with server.visit("Eve") as eve, eve.connect() as ws:
        refusals = set()
        for table in ("aaaaaaaaaaaa", "zzzzzzzz", "0" * 40):
            for path in ("", "/log", "/record"):
                answer = eve.http.get(f"/api/tables/{table}{path}")
                refusals.add((answer.status_code, answer.text))
            refused = ws.ask("watch", table=table, key="k")
            assert refused["code"] == "no_table"
            assert table not in str(refused)
        assert len(refusals) == 1
        assert next(iter(refusals))[0] == 404


def count_until_refused(server: LiveServer, name: str) -> int:
    """Guess table ids over HTTP until the rate limit is reached."""
    with server.visit(name) as eve:
        for guesses in range(1000):
            answer = eve.http.get(f"/api/tables/guess{guesses:07}")
            if answer.status_code == 429:
                assert int(answer.headers["retry-after"]) >= 1
                return guesses
            assert answer.status_code == 404
    raise AssertionError("guessing was never limited")


@pytest.mark.slow
def test_guessing_is_limited_without_blocking_others(sqlite_url: str) -> None:
    with open_server(sqlite_url, limits_factor=0.05) as server, server.visit("Ada") as ada:
        assert count_until_refused(server, "Eve") < 30
        assert ada.ask("GET", "/api/me")["name"] == "Ada"
        assert ada.open_table()


@pytest.mark.slow
@pytest.mark.parametrize("is_known", [True, False])
def test_guessing_over_the_socket_is_limited_too(sqlite_url: str, is_known: bool) -> None:
    with open_server(sqlite_url, limits_factor=0.05) as server, server.visit("Ada") as ada:
        eve = server.visit("Eve") if is_known else HttpClient(server.link)
        with eve, eve.connect() as ws, ada.connect() as other:
            since = monotonic()
            codes = [ws.ask("watch", table=f"guess{n:07}")["code"] for n in range(60)]
            assert codes[:10] == ["no_table"] * 10
            assert "too_many" in codes
            burst, pace = (number * 0.05 for number in RATE_LIMITS["socket"])
            assert codes.count("no_table") <= burst + pace * (monotonic() - since) + 1
            assert other.ask("ping")["kind"] == "pong"


@pytest.mark.slow
def test_a_flood_of_commands_is_limited_for_its_sender_only(sqlite_url: str) -> None:
    with (
        open_server(sqlite_url, limits_factor=0.1) as server,
        server.visit("Ada") as ada,
        server.visit("Eve") as eve,
        ada.connect() as a,
        eve.connect() as e,
        eve.connect({}) as tab,
    ):
        table = ada.open_table()
        a.watch(table)
        command = {"kind": "say", "text": "spam"}
        since = monotonic()
        for n in range(100):
            for name, ws in (("e", e), ("t", tab)):
                request = {"key": f"{name}{n}", "table": table, "command": command}
                ws.send({"kind": "do", **request})
        answers = [e.receive_answer(f"e{n}") for n in range(100)]
        answers += [tab.receive_answer(f"t{n}") for n in range(100)]
        refused = [answer for answer in answers if answer["kind"] == "refused"]
        assert {answer["code"] for answer in refused} == {"too_many"}
        burst, pace = (number * 0.1 for number in RATE_LIMITS["socket"])
        assert 200 - len(refused) <= burst + pace * (monotonic() - since) + 1
        assert a.do(table, kind="say", text="still here")["kind"] == "accepted"


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/{table}%0A",
        "/api/tables?status=open%0A",
        "/api/players/{player}%0A",
        "/api/tables/{table}%0A/log",
    ],
)
def test_a_line_break_is_no_end_of_a_name(ada: HttpClient, path: str) -> None:
    answer = ada.http.get(path.format(table=ada.open_table(), player=ada.id))
    assert answer.status_code == 400
    assert answer.json()["code"] == "request_unreadable"


def find_patterns(schema: object) -> Iterator[str]:
    """Find every pattern of a schema."""
    if isinstance(schema, dict):
        for name, part in schema.items():
            if name == "pattern" and isinstance(part, str):
                yield part
            yield from find_patterns(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from find_patterns(part)


def test_no_pattern_of_the_api_lets_a_line_break_follow(server: LiveServer) -> None:
    with HttpClient(server.link) as client:
        schema = client.http.get("/schema/openapi.json").raise_for_status().text
    patterns = set(find_patterns(json.loads(schema)))
    assert len(patterns) >= 6
    assert {pattern for pattern in patterns if pattern.endswith("$")} == set()


def test_a_socket_ends_with_the_token_that_opened_it(server: LiveServer) -> None:
    clock, now = server.site.clock, server.site.clock()
    try:
        server.site.clock = lambda: now
        _, secret = make_token(server, "Flora", "read", "play", lasts=60)
        server.site.clock = lambda: now + 59.9
        with HttpClient(server.link, token=secret) as program, program.connect() as ws:
            messages, code = ws.receive_until_close()
    finally:
        server.site.clock = clock
    assert messages == [{"kind": "closing", "reason": "identity"}]
    assert code == 1012


def test_a_token_revoked_in_handshake(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.visit() as owner:
        owner.create_account("Primrose")
        made = owner.create_token("read", "play")

        def read(connection: Connection, player: str | None) -> frozenset[str]:
            owner.ask("DELETE", f"/api/tokens/{made['token']['id']}", status=204)
            return read_mutes(connection, player)

        monkeypatch.setattr(socket, "read_mutes", read)
        with HttpClient(server.link, token=made["secret"]) as program, program.connect() as ws:
            messages, code = ws.receive_until_close()
    assert messages == [{"kind": "closing", "reason": "identity"}]
    assert code == 1012
