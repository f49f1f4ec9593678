"""User input stays text: in answers, pages, component files and logs."""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from pleasance.server.base.logs import set_up_logs
from support import NONCE, PASSWORD
from support.http_client import HttpClient
from support.live_server import LiveServer, open_server

SCRIPT = "<script>alert(1)</script>"
BREAK = "\"'/><img src=x onerror=alert(1)>"


@pytest.fixture
def eve(server: LiveServer) -> Iterator[HttpClient]:
    with server.visit(SCRIPT) as eve:
        yield eve


def test_a_script_in_a_name_or_in_chat_stays_text(eve: HttpClient) -> None:
    table = eve.open_table(is_public=True)
    with eve.connect() as ws:
        ws.watch(table)
        ws.do(table, kind="sit", nonce=NONCE, name=BREAK)
        ws.do(table, kind="sit", nonce=NONCE)
        ws.do(table, kind="start")
        for text in (SCRIPT, BREAK, "</script><script>alert(2)</script>", "javascript:alert(1)"):
            assert ws.do(table, kind="say", text=text)["kind"] == "accepted"
            newest = ws.wait_for(table, eve.read_snapshot(table)["seq"]).entries
            assert newest[max(newest)]["text"] == text, "what was said comes back as it was"
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/log", "/api/tables", "/api/me"):
        assert eve.http.get(path).headers["content-type"].startswith("application/json"), path
    with HttpClient(eve.link) as stranger:
        record = stranger.http.get(f"/api/tables/{table}/record")
    assert record.status_code == 200
    assert record.headers["content-type"].startswith("text/plain")


def test_the_page_runs_nothing_that_people_wrote(eve: HttpClient) -> None:
    table = eve.open_table(is_public=True)
    eve.do(table, kind="sit", nonce=NONCE, name=BREAK)
    eve.do(table, kind="say", text=f"</script>{SCRIPT}")
    for path in ("/", f"/t/{table}", f"/t/{quote(BREAK.replace('/', ''))}", "/t/nosuchtable"):
        answer = eve.http.get(path)
        policy = answer.headers.get("content-security-policy", "")
        assert answer.headers["content-type"].startswith("text/html"), path
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "alert(1)</script>" not in answer.text, path
        assert "<img src=x" not in answer.text, path
        assert not re.search(r"<[^>]+\son\w+=", answer.text), "no handler inside the document"


@pytest.mark.parametrize(
    "path",
    [
        "/page/x/../../../../pyproject.toml",
        "/page/x/..%2f..%2f..%2f..%2fpyproject.toml",
        "/page/x/%2e%2e/%2e%2e/settings.py",
        "/page/x/....//....//settings.py",
        "/page/x/..%5c..%5csettings.py",
        "/page/../settings.py",
        "/page/x/%00style.css",
        "/page/x//etc/passwd",
        "/page/..%2f..%2fsettings.py",
        "/page/assets/..%2f..%2fshell.py",
        "/t/..%2f..%2fpyproject.toml",
        "/..%2fpyproject.toml",
        "//evil.example/%2e%2e",
    ],
)
def test_no_path_leads_out_of_the_files_of_the_page(eve: HttpClient, path: str) -> None:
    answer = eve.http.request("GET", f"{eve.link}{path}")
    assert answer.status_code in {400, 404}, answer.text[:200]
    assert "location" not in answer.headers
    assert "import" not in answer.text


def test_user_input_makes_no_header(eve: HttpClient) -> None:
    inside = quote("x\r\nSet-Cookie: pleasance=forged\r\n\r\n<h1>")
    for path in (f"/t/{inside}", f"/api/tables/{inside}", f"/?language={inside}", f"/{inside}"):
        answer = eve.http.get(path)
        assert "set-cookie" not in answer.headers, path
        assert answer.status_code < 500
    odd = {
        b"X-Request-Id": b"a b\tc",
        b"X-Forwarded-For": b"x",
        b"Accept-Language": b"xx,;q=,de\xff",
        b"Cookie": b"\xff=;;=",
    }
    answer = eve.http.get("/api/me", headers=odd)
    assert answer.headers["x-request-id"] != "a b\tc"
    assert answer.status_code == 401


def test_a_nonce_brings_no_second_line_into_a_record(eve: HttpClient) -> None:
    table = eve.open_table()
    for nonce in (NONCE + "\n", NONCE[:30] + "\n ", " " * 32, f'{NONCE}"]\n[Result "9 9"]'):
        answer = eve.do(table, kind="sit", nonce=nonce)
        assert (answer.status_code, answer.json()["code"]) == (400, "request_unreadable")


HOSTILE = {
    "deep lists": "a = " + "[" * 40_000 + "]" * 40_000,
    "deep tables": "a = " + "{b = " * 15_000 + "1" + "}" * 15_000,
    "a key of many parts": "a" + ".a" * 49_000 + " = 1",
    "a table of many parts": "[a" + ".a" * 49_000 + "]",
    "a head without an end": "[" + " " * 90_000,
    "many keys of many parts": "\n".join("a." * 45 + f"k{n} = 1" for n in range(900)),
    "many tables": "\n".join(f"[t{n}]" for n in range(11_000)),
    "tables in tables": "\n".join("[[" + ".".join("a" * n) + "]]" for n in range(1, 50)),
    "a huge number": "a = " + "9" * 90_000,
    "a huge hexadecimal number": "a = 0x" + "f" * 90_000,
    "a huge list": "a = [" + "1," * 49_000 + "]",
    "quotes": '"' * 90_000,
    "not a number": "name = nan",
    "a character of nothing": "name = \x00",
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HOSTILE.items()])
def test_a_hostile_component_file_is_refused_quickly(eve: HttpClient, text: str) -> None:
    begin = time.process_time()
    refused = eve.ask("POST", "/api/tables", {"game": "sakura", "seats": 2, "data": text}, 400)
    assert refused["code"].startswith("data_")
    assert len(refused["message"]) < 500
    assert time.process_time() - begin < 2


@pytest.mark.slow
def test_a_component_file_is_not_without_end_and_not_read_without_end(sqlite_url: str) -> None:
    with open_server(sqlite_url, limits_factor=1.0) as server, server.visit("Eve") as eve:
        options = {"game": "sakura", "seats": 2, "data": "x" * 100_001}
        assert eve.ask("POST", "/api/tables", options, 400)["code"] == "request_unreadable"
        options["data"] = "x"
        statuses = [eve.http.post("/api/tables", json=options).status_code for _ in range(40)]
        assert statuses[:30] == [400] * 30
        assert statuses[-1] == 429
        assert eve.open_table(), "the default set is not limited"


ODD = ("\x00", "a\x00b", "\ufffe", "\U0010ffff", "'", '"', "%", "\\", "\u202e", "ß" * 40, "NaN")
"""Texts that a database or encoder might reject."""


@pytest.mark.slow
def test_odd_texts_break_nothing_on_any_database(database_url: str) -> None:
    with open_server(database_url) as server, server.visit("Eve") as eve:
        table = eve.open_table()
        eve.do(table, kind="say", text="something")
        for odd in ODD:
            quoted = quote(odd)
            requests = [
                ("GET", f"/api/tables?game={quoted}", None),
                ("GET", f"/api/tables?after={quoted}", None),
                ("GET", f"/api/tables?after=1.5:{quoted}", None),
                ("GET", f"/api/me/tables?after=inf:{quoted}", None),
                ("GET", f"/api/ratings?game={quoted}", None),
                ("GET", f"/api/players/{quoted}", None),
                ("POST", f"/api/tables/{table}/reports", {"seq": 1, "reason": odd}),
                ("POST", "/api/tables", {"game": odd, "seats": 2}),
                ("PATCH", "/api/me", {"name": odd}),
                ("POST", "/api/session", {"name": odd, "invitation": odd}),
                ("POST", "/api/sign-in", {"name": odd, "password": odd}),
            ]
            for method, path, body in requests:
                answer = eve.http.request(method, path, json=body)
                assert answer.status_code < 500, (method, path, body, answer.text)
            for command in ({"kind": "say", "text": odd}, {"kind": "seat_bot", "bot": odd[:40]}):
                assert eve.do(table, **command).status_code < 500, command
        assert eve.ask("GET", "/health/ready")["status"] == "ready"


def test_a_webhook_to_this_computer_is_refused(server: LiveServer) -> None:
    with server.visit() as eve:
        eve.ask("POST", "/api/account", {"name": "Hooker", "password": PASSWORD}, 201)
        port = server.link.rpartition(":")[2]
        for url in (
            f"http://127.0.0.1:{port}/api/me",
            "http://127.0.0.1/",
            "https://[::1]/",
            "https://localhost/",
            "https://169.254.169.254/latest/meta-data/",
            "https://10.0.0.1/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://[::ffff:127.0.0.1]/",
            "file:///etc/passwd",
            "http://user:secret@127.0.0.1/",
        ):
            refused = eve.http.put("/api/me/webhook", json={"url": url})
            assert refused.status_code in {400, 403}, url
            assert refused.json()["code"].startswith("webhook"), url
        assert eve.ask("GET", "/api/me/webhook") is None


@pytest.mark.slow
def test_no_secret_gets_into_the_logs(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    with open_server(sqlite_url, log_level="debug", log_format="json") as server:
        monkeypatch.setattr("sys.stderr", written)
        set_up_logs(server.settings)
        with server.visit("Ada") as ada:
            ada.create_account("Ada")
            token = ada.create_token("read", "play")["secret"]
            table = ada.open_table()
            with HttpClient(server.link, token=token) as program, program.connect() as ws:
                ws.watch(table)
                ws.do(table, kind="sit", nonce=NONCE)
                ws.send('{"kind": "do", "nonce": "' + NONCE + '"')
                ws.receive("refused")
            ada.http.get(f"/api/tables?after={token}")
            ada.http.post("/api/session", content=f'{{"invitation": "{token}"')
            secrets = [token, NONCE, PASSWORD, ada.http.cookies["pleasance"], table]
    lines = map(json.loads, written.getvalue().splitlines())
    # Our own client in this process logs too; what it says is not the server's.
    logged = str([line for line in lines if not line["logger"].startswith("websockets.client")])
    assert "'path': '/api/tables'" in logged
    for secret in secrets:
        assert secret not in logged
