"""Malformed, oversized and forged messages are refused, and the server goes on."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from websockets.frames import Frame, Opcode

from pleasance.server.serve import MAX_MESSAGE_BYTES
from support import NONCE
from support.http_client import HttpClient
from support.live_server import LiveServer
from support.ws_client import WsClient, seat_all

DEEP = "[" * 7000 + "]" * 7000
SIT = {"kind": "do", "key": "k", "table": "abcdefgh", "command": {"kind": "sit", "nonce": NONCE}}


def changed(**fields: object) -> str:
    """Build requests with invalid fields."""
    return json.dumps({**SIT, **fields})


UNREADABLE = {
    "nothing": "",
    "no JSON": "hello",
    "half of it": '{"kind": "ping", "ke',
    "two of them": '{"kind": "ping", "key": "a"}{"kind": "ping", "key": "b"}',
    "a list": '["ping"]',
    "a number": "12",
    "null": "null",
    "no kind": '{"key": "a"}',
    "another kind": '{"kind": "shutdown", "key": "a"}',
    "a kind that is no text": '{"kind": ["ping"], "key": "a"}',
    "a command of another kind": changed(command={"kind": "shutdown"}),
    "an unknown field": '{"kind": "ping", "key": "a", "extra": 1}',
    "an unknown field within": changed(command={"kind": "start", "player": "somebody"}),
    "no key": '{"kind": "ping"}',
    "an empty key": '{"kind": "ping", "key": ""}',
    "a long key": json.dumps({"kind": "ping", "key": "k" * 65}),
    "a key with a colon": '{"kind": "ping", "key": "a:b"}',
    "a key with a line break": '{"kind": "ping", "key": "a\\n"}',
    "a table with a slash": changed(table="..%2fpasswords"),
    "a table with a quote": changed(table="abcdefgh' OR 1=1"),
    "a table that is a number": changed(table=12345678),
    "not a number": '{"kind": "watch", "key": "a", "table": "abcdefgh", "since": NaN}',
    "infinity": '{"kind": "watch", "key": "a", "table": "abcdefgh", "since": Infinity}',
    "a fraction": '{"kind": "watch", "key": "a", "table": "abcdefgh", "since": 1.5}',
    "a negative number": '{"kind": "watch", "key": "a", "table": "abcdefgh", "since": -1}',
    "a huge exponent": '{"kind": "watch", "key": "a", "table": "abcdefgh", "since": 1e999999}',
    "a huge seat": changed(command={"kind": "undo", "seat": 10**300}),
    "a negative seat": changed(command={"kind": "undo", "seat": -1}),
    "a seat that is true": changed(command={"kind": "undo", "seat": True}),
    "a nonce that is none": changed(command={"kind": "sit", "nonce": "zz" * 16}),
    "a long nonce": changed(command={"kind": "sit", "nonce": "00" * 65}),
    "a long text": changed(command={"kind": "say", "text": "x" * 501}),
    "half of a pair": '{"kind": "ping", "key": "\\ud800"}',
    "a depth without end": DEEP,
    "a depth within": '{"kind": "ping", "key": ' + DEEP + "}",
    "an unknown field that is deep": '{"kind": "ping", "key": "a", "extra": ' + DEEP + "}",
    "a huge number": '{"kind": "ping", "key": ' + "9" * 15_000 + "}",
}


@pytest.fixture
def ws(ada: HttpClient) -> Iterator[WsClient]:
    with ada.connect() as ws:
        yield ws


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in UNREADABLE.items()])
def test_a_message_that_cannot_be_read_is_refused_in_words(ws: WsClient, text: str) -> None:
    assert len(text) < MAX_MESSAGE_BYTES
    ws.send(text)
    refused = ws.receive("refused")
    assert (refused["key"], refused["code"]) == (None, "message_unreadable")
    assert refused["message"]
    assert len(json.dumps(refused)) < 1000
    assert ws.ask("ping")["kind"] == "pong", "the server goes on"


def test_of_two_fields_of_one_name_only_one_is_believed(ada: HttpClient, ws: WsClient) -> None:
    table = ada.open_table()
    ws.send(
        f'{{"kind": "do", "kind": "do", "key": "a", "key": "b", "table": "{table}", '
        '"command": {"kind": "say", "text": "one", "text": "two"}}'
    )
    assert ws.receive("accepted", "refused")["key"] == "b"
    assert [line["text"] for line in ada.read_log(table)] == ["two"]


def test_a_frame_of_bytes_is_refused(ws: WsClient) -> None:
    ws.send(b'{"kind": "ping", "key": "a"}')
    assert ws.receive("refused")["code"] == "message_unreadable"
    assert ws.ask("ping")["kind"] == "pong"


def send_frame(ws: WsClient, *frames: Frame) -> None:
    """Send frames past what the library would allow."""
    for frame in frames:
        ws.wire.sendall(frame.serialize(mask=True))


@pytest.mark.parametrize("data", [b'{"kind": "\xff"}', b"\xc3", b"\xed\xa0\x80"])
def test_text_that_is_no_text_ends_the_connection(ws: WsClient, data: bytes) -> None:
    send_frame(ws, Frame(Opcode.TEXT, data))
    assert ws.receive_until_close()[1] == 1007


def test_an_oversized_message_ends_the_connection(ws: WsClient) -> None:
    ws.send(json.dumps({"kind": "ping", "key": "x" * MAX_MESSAGE_BYTES}))
    assert ws.receive_until_close()[1] == 1009


def test_a_message_in_many_pieces_is_not_longer_for_that(ws: WsClient) -> None:
    piece = b"x" * 1000
    send_frame(ws, Frame(Opcode.TEXT, piece, fin=False))
    for _ in range(MAX_MESSAGE_BYTES // 1000):
        send_frame(ws, Frame(Opcode.CONT, piece, fin=False))
    assert ws.receive_until_close()[1] == 1009


def test_a_client_that_sends_only_nonsense_is_disconnected(ws: WsClient) -> None:
    for _ in range(20):
        ws.send("nonsense")
    assert ws.receive_until_close()[1] == 1008


def test_an_oversized_body_is_refused_whether_or_not_it_tells_its_length(ada: HttpClient) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(400):
            yield b" " * 1024

    body = b'{"game": "' + b"x" * 300_000 + b'"}'
    for content in (body, pieces()):
        answer = ada.http.post(
            "/api/tables", content=content, headers={"Content-Type": "application/json"}
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert ada.ask("GET", "/api/me/tables")["items"] == []


@pytest.mark.parametrize(
    "body",
    ["", "[]", "null", '{"game": NaN}', DEEP, '{"game": "sakura", "seats": 2, "extra": 1}', "\xff"],
)
def test_a_body_that_cannot_be_read_is_refused_in_words(ada: HttpClient, body: str) -> None:
    for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded", "x/y"):
        answer = ada.http.post(
            "/api/tables", content=body.encode("latin-1"), headers={"Content-Type": kind}
        )
        assert answer.status_code in {400, 415}, answer.text
        assert answer.json()["message"]


def test_players_play_only_their_own_seats(ada: HttpClient, server: LiveServer) -> None:
    table = ada.open_table()
    with (
        server.visit("Ben") as ben,
        server.visit("Eve") as eve,
        ada.connect() as a,
        ben.connect() as b,
        eve.connect() as e,
    ):
        seat_all(table, [a, b])
        found = ada.mirrors[table].find_choice()
        assert found
        choice = a.make_choice(table, found[0], found[1][0])
        before = ada.read_log(table)
        kinds = ("undo", "resign", "leave", "reclaim_seat", "request_takeback")
        for ws in (b, e):
            for command in (choice, *({"kind": kind, "seat": 0} for kind in kinds)):
                assert ws.do(table, **command)["code"] == "not_your_seat", command
        assert e.do(table, kind="choose", seat=5, token="1", ply=0)["code"] == "seat_unknown"
        assert ben.do(table, **choice).status_code == 409
        assert ada.read_log(table) == before


def send_raw(server: LiveServer, head: str) -> bytes:
    """Send a request as it is; give the first line of the answer."""
    address = urlsplit(server.link)
    with socket.create_connection((address.hostname, address.port)) as wire:
        wire.sendall(head.encode("latin-1"))
        return wire.makefile("rb").readline()


@pytest.mark.parametrize(
    "head",
    [
        "GET /api/games\r\n\r\n",
        "GET /api/games HTTP/1.1\r\n\r\n",
        "GET /api/games HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        "GET /api/games HTTP/1.1\r\nHost: localhost\r\nX: " + "x" * 100_000 + "\r\n\r\n",
        "GET /" + "x" * 100_000 + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        (
            "POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
            "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        "\x00\x01\x02\x03\r\n\r\n",
    ],
)
def test_an_invalid_request_breaks_nothing(server: LiveServer, ada: HttpClient, head: str) -> None:
    line = send_raw(server, head)
    assert not line or b" 4" in line or line == b"HTTP/1.1 200 OK\r\n", line
    assert b" 500" not in line
    assert ada.ask("GET", "/health/live")["status"] == "live"
