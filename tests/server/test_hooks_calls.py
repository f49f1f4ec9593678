"""Calling a webhook: the checked address, the name's certificate, no redirects, no patience."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing
from pathlib import Path

import pytest

from pleasance.core.errors import PleasanceError
from pleasance.server.webhooks.pinned_client import call
from server.receiver import make_certificate, receive, say

pytestmark = pytest.mark.anyio
NAME = "hooks.example"


class Names:
    """A name server that may change its mind."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self, host: str, port: int) -> tuple[str, ...]:
        self.asked += 1
        assert host == NAME
        assert port
        return (self.answers[min(self.asked, len(self.answers)) - 1],)


async def test_body_and_headers_arrive_with_the_name_that_was_called() -> None:
    async with receive() as receiver:
        url = receiver.url("/api/hook?wait=true", host=NAME)
        sent = {"Content-Type": "application/json", "X-Own": "yes"}
        names = Names("127.0.0.1")
        answer = await call(url, b'{"a": 1}', sent, allows_private=True, resolve=names)
    (letter,) = receiver.letters
    assert answer.is_good
    assert letter.line == "POST /api/hook?wait=true HTTP/1.1"
    assert letter.body == b'{"a": 1}'
    assert letter.headers["host"] == f"{NAME}:{receiver.port}"
    assert (letter.headers["content-type"], letter.headers["x-own"]) == ("application/json", "yes")


async def test_a_name_is_looked_up_once_so_that_it_cannot_change_after_the_check() -> None:
    names = Names("127.0.0.1", "127.0.0.2")
    async with receive() as receiver:
        url = receiver.url(host=NAME)
        await call(url, b"", {}, allows_private=True, resolve=names)
        assert (names.asked, receiver.calls) == (1, 1)


async def test_a_name_that_leads_to_this_computer_is_refused() -> None:
    names = Names("127.0.0.1")
    with pytest.raises(PleasanceError, match="hook_private"):
        await call(f"http://{NAME}/", b"", {}, allows_private=False, resolve=names)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(status: int) -> None:
    async with receive() as inside, receive() as outside:
        outside.answer = say(status, f"Location: {inside.url('/private')}")
        answer = await call(outside.url(), b"secret", {}, allows_private=True)
        assert (answer.status, answer.is_good) == (status, False)
        assert (outside.calls, inside.calls) == (1, 0)


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with receive() as proxy, receive() as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url(""))
        await call(receiver.url(), b"", {}, allows_private=True)
        assert (proxy.calls, receiver.calls) == (0, 1)


async def test_a_certificate_must_be_that_of_the_name(tmp_path: Path) -> None:
    serving, trust = make_certificate(tmp_path, NAME)
    other, _ = make_certificate(tmp_path, "other.example")
    names = Names("127.0.0.1")
    async with receive(serving) as receiver:
        url = receiver.url(host=NAME, scheme="https")
        answer = await call(url, b"", {}, allows_private=True, resolve=names, trust=trust)
        assert answer.is_good
        with pytest.raises(PleasanceError, match="hook_unreachable"):  # nobody vouches for it
            await call(url, b"", {}, allows_private=True, resolve=names)
        by_address = receiver.url(scheme="https")
        with pytest.raises(PleasanceError, match="hook_unreachable"):  # not the name it has
            await call(by_address, b"", {}, allows_private=True, trust=trust)
    async with receive(other) as receiver:
        trust.load_verify_locations(tmp_path / "other.example.crt")
        url = receiver.url(host=NAME, scheme="https")
        with pytest.raises(PleasanceError, match="hook_unreachable"):
            await call(url, b"", {}, allows_private=True, resolve=names, trust=trust)
        assert receiver.letters == []


async def test_a_dot_at_the_end_of_a_name_is_in_nobodys_way(tmp_path: Path) -> None:
    serving, trust = make_certificate(tmp_path, NAME)
    names = Names("127.0.0.1")
    async with receive(serving) as receiver:
        url = receiver.url(host=f"{NAME}.", scheme="https")
        answer = await call(url, b"", {}, allows_private=True, resolve=names, trust=trust)
    assert answer.is_good
    assert receiver.letters[0].headers["host"] == f"{NAME}:{receiver.port}"


async def test_a_server_that_never_answers_is_given_up() -> None:
    async with receive() as receiver:

        async def stall(writer: asyncio.StreamWriter) -> None:
            await writer.wait_closed()

        receiver.answer = stall
        with pytest.raises(PleasanceError, match="hook_slow"):
            await call(receiver.url(), b"", {}, allows_private=True, patience=0.1)


async def test_a_server_whose_answer_drips_is_given_up() -> None:
    async with receive() as receiver:

        async def drip(writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 200 So\r\nContent-Length: 9999\r\n\r\n")
            while not writer.is_closing():
                writer.write(b".")
                await writer.drain()
                await asyncio.sleep(0.02)

        receiver.answer = drip
        with pytest.raises(PleasanceError, match="hook_slow"):
            await call(receiver.url(), b"", {}, allows_private=True, patience=0.1)


async def test_of_an_endless_answer_only_the_beginning_is_read() -> None:
    async with receive() as receiver:
        sent = 0

        async def pour(writer: asyncio.StreamWriter) -> None:
            nonlocal sent
            writer.write(b"HTTP/1.1 200 So\r\nContent-Length: 1000000000000\r\n\r\n")
            while not writer.is_closing():
                writer.write(b"." * 65_536)
                sent += 65_536
                await writer.drain()

        receiver.answer = pour
        answer = await call(receiver.url(), b"", {}, allows_private=True)
        assert answer.is_good
        assert sent < 50_000_000


@pytest.mark.parametrize(
    "nonsense", [b"", b"hello\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\n: x\r\n\r\n"]
)
async def test_who_speaks_no_http_counts_as_unreachable(nonsense: bytes) -> None:
    async with receive() as receiver:

        async def babble(writer: asyncio.StreamWriter) -> None:
            writer.write(nonsense)
            await writer.drain()

        receiver.answer = babble
        with pytest.raises(PleasanceError, match="hook_unreachable"):
            await call(receiver.url(), b"", {}, allows_private=True)


async def test_where_nobody_listens_counts_as_unreachable() -> None:
    with closing(socket.socket()) as kept:  # so that nobody else begins to listen there
        kept.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{kept.getsockname()[1]}/hook"
        with pytest.raises(PleasanceError, match="hook_unreachable"):
            await call(url, b"", {}, allows_private=True)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("120", 120.0), ("0.5", 0.5), ("-5", None), ("nan", None), ("inf", None), ("soon", None)],
)
async def test_an_answer_may_ask_for_patience(header: str, seconds: float | None) -> None:
    async with receive() as receiver:
        receiver.answer = say(429, f"Retry-After: {header}")
        answer = await call(receiver.url(), b"", {}, allows_private=True)
    assert (answer.status, answer.retry_after, answer.is_good) == (429, seconds, False)
