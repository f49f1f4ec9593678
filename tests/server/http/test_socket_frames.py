"""WebSocket frames arrive whole, however network and client fragment them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from pleasance.server.http.socket import SocketSession
from support.live_server import LiveServer, open_server
from support.ws_client import WsClient

UNREADABLE = 1007
TOO_LARGE = 1009
BROKEN = 4500
LARGEST = 16 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with open_server(f"sqlite:///{tmp_path_factory.mktemp('frames')}/frames.db") as server:
        yield server


@pytest.fixture
def ws(server: LiveServer) -> Iterator[WsClient]:
    with server.visit("Ada") as ada, ada.connect() as ws:
        yield ws


def ping(key: str, size: int = 0) -> bytes:
    """Encode a ping of *size* bytes."""
    return json.dumps({"kind": "ping", "key": key}).encode().ljust(size)


def frame(body: bytes, kind: Opcode = Opcode.TEXT, *, is_last: bool = True) -> bytes:
    return Frame(kind, body, fin=is_last).serialize(mask=True)


def receive_pongs(ws: WsClient, count: int) -> list[str]:
    return [ws.receive("pong")["key"] for _ in range(count)]


@pytest.mark.parametrize("size", [125, 126, 127, 128, 4000, LARGEST])
def test_a_text_of_any_size_is_read(ws: WsClient, size: int) -> None:
    ws.wire.sendall(frame(ping("a", size)))
    assert receive_pongs(ws, 1) == ["a"]


def test_texts_that_come_together_are_read_in_order(ws: WsClient) -> None:
    keys = [f"k{n}" for n in range(50)]
    ws.wire.sendall(b"".join(frame(ping(key)) for key in keys))
    assert receive_pongs(ws, len(keys)) == keys


def test_a_text_may_come_byte_by_byte(ws: WsClient) -> None:
    for byte in frame(ping("slow")) + frame(ping("next")):
        ws.wire.sendall(bytes((byte,)))
    ws.wire.sendall(frame(ping("whole")))
    assert receive_pongs(ws, 3) == ["slow", "next", "whole"]


def test_a_text_in_fragments_is_put_together_and_goes_before_the_next(ws: WsClient) -> None:
    text = ping("parts")
    ws.wire.sendall(frame(text[:5], is_last=False))
    ws.wire.sendall(frame(b"still here?", Opcode.PING))
    ws.wire.sendall(frame(text[5:9], Opcode.CONT, is_last=False))
    ws.wire.sendall(frame(text[9:], Opcode.CONT))
    ws.wire.sendall(frame(ping("after")))
    assert receive_pongs(ws, 2) == ["parts", "after"]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (frame(b'{"kind": "ping", "key": "\xff"}'), UNREADABLE),
        (frame(ping("a", LARGEST + 1)), TOO_LARGE),
        (frame(ping("a"), is_last=False) + frame(ping("b")), 1002),
        (Frame(Opcode.TEXT, ping("a")).serialize(mask=False), 1002),
    ],
    ids=["no text", "too large", "begun within another", "not masked"],
)
def test_a_protocol_error_ends_the_connection(ws: WsClient, wrong: bytes, code: int) -> None:
    ws.wire.sendall(wrong)
    with pytest.raises(ConnectionClosed) as closed:
        ws.receive("pong")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


def test_what_breaks_on_our_side_ends_the_connection_and_stands_in_the_log(
    ws: WsClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail_inside(*_: object) -> None:
        raise RuntimeError("out of ink")

    monkeypatch.setattr(SocketSession, "_execute", fail_inside)
    ws.wire.sendall(frame(ping("a")))
    with pytest.raises(ConnectionClosed) as closed:
        ws.receive("pong")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == BROKEN
    assert "socket_failed" in caplog.text
    assert "out of ink" in caplog.text
