"""Texts over the socket arrive whole, however the network and the client cut them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from pleasance.server.http.socket import Sitting
from server.house import House, open_house
from server.talks import Talk

UNREADABLE = 1007
TOO_LARGE = 1009
BROKEN = 4500
LARGEST = 16 * 1024


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path_factory.mktemp('frames')}/frames.db") as house:
        yield house


@pytest.fixture
def talk(house: House) -> Iterator[Talk]:
    with house.visit("Ada") as ada, ada.connect() as talk:
        yield talk


def ping(key: str, size: int = 0) -> bytes:
    """Write a request for a pong, *size* bytes long."""
    return json.dumps({"kind": "ping", "key": key}).encode().ljust(size)


def frame(body: bytes, kind: Opcode = Opcode.TEXT, *, is_last: bool = True) -> bytes:
    return Frame(kind, body, fin=is_last).serialize(mask=True)


def hear_pongs(talk: Talk, count: int) -> list[str]:
    return [talk.hear("pong")["key"] for _ in range(count)]


@pytest.mark.parametrize("size", [125, 126, 127, 128, 4000, LARGEST])
def test_a_text_of_any_size_is_read(talk: Talk, size: int) -> None:
    talk.wire.sendall(frame(ping("a", size)))
    assert hear_pongs(talk, 1) == ["a"]


def test_texts_that_come_together_are_read_in_order(talk: Talk) -> None:
    keys = [f"k{n}" for n in range(50)]
    talk.wire.sendall(b"".join(frame(ping(key)) for key in keys))
    assert hear_pongs(talk, len(keys)) == keys


def test_a_text_may_come_byte_by_byte(talk: Talk) -> None:
    for byte in frame(ping("slow")) + frame(ping("next")):
        talk.wire.sendall(bytes((byte,)))
    talk.wire.sendall(frame(ping("whole")))
    assert hear_pongs(talk, 3) == ["slow", "next", "whole"]


def test_a_text_in_fragments_is_put_together_and_goes_before_the_next(talk: Talk) -> None:
    text = ping("parts")
    talk.wire.sendall(frame(text[:5], is_last=False))
    talk.wire.sendall(frame(b"still here?", Opcode.PING))
    talk.wire.sendall(frame(text[5:9], Opcode.CONT, is_last=False))
    talk.wire.sendall(frame(text[9:], Opcode.CONT))
    talk.wire.sendall(frame(ping("after")))
    assert hear_pongs(talk, 2) == ["parts", "after"]


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
def test_what_the_protocol_forbids_ends_the_connection(talk: Talk, wrong: bytes, code: int) -> None:
    talk.wire.sendall(wrong)
    with pytest.raises(ConnectionClosed) as closed:
        talk.hear("pong")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


def test_what_breaks_on_our_side_ends_the_connection_and_stands_in_the_log(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def break_down(*_: object) -> None:
        raise RuntimeError("out of ink")

    monkeypatch.setattr(Sitting, "_carry_out", break_down)
    talk.wire.sendall(frame(ping("a")))
    with pytest.raises(ConnectionClosed) as closed:
        talk.hear("pong")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == BROKEN
    assert "socket_failed" in caplog.text
    assert "out of ink" in caplog.text
