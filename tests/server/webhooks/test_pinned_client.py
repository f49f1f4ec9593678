"""Webhook calls: the checked address, the name's certificate, no redirects, short timeouts."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing
from pathlib import Path

import pytest

from pleasance.core.errors import PleasanceError
from pleasance.server.webhooks.pinned_client import post
from server.webhooks.receiver import Receiver, receive, respond
from support.certificates import make_certificate

pytestmark = pytest.mark.anyio
NAME = "hooks.example"


class Names:
    """A name server that may change its mind."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.lookups = 0

    async def __call__(self, host: str, port: int) -> tuple[str, ...]:
        self.lookups += 1
        assert host == NAME
        assert port
        return (self.answers[min(self.lookups, len(self.answers)) - 1],)


async def test_body_and_headers_arrive_with_the_name_that_was_called(receiver: Receiver) -> None:
    url = receiver.url("/api/hook?wait=true", host=NAME)
    sent = {"Content-Type": "application/json", "X-Own": "yes"}
    answer = await post(url, b'{"a": 1}', sent, allows_private=True, resolve=Names("127.0.0.1"))
    (request,) = receiver.requests
    assert answer.is_success
    assert request.line == "POST /api/hook?wait=true HTTP/1.1"
    assert request.body == b'{"a": 1}'
    assert request.headers["host"] == f"{NAME}:{receiver.port}"
    assert (request.headers["content-type"], request.headers["x-own"]) == (
        "application/json",
        "yes",
    )


async def test_a_name_is_resolved_once_so_that_it_cannot_be_rebound(receiver: Receiver) -> None:
    names = Names("127.0.0.1", "127.0.0.2")
    await post(receiver.url(host=NAME), b"", {}, allows_private=True, resolve=names)
    assert (names.lookups, receiver.calls) == (1, 1)


async def test_a_name_that_leads_to_this_computer_is_refused() -> None:
    names = Names("127.0.0.1")
    with pytest.raises(PleasanceError, match="webhook_private"):
        await post(f"http://{NAME}/", b"", {}, allows_private=False, resolve=names)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(status: int) -> None:
    async with receive() as inside, receive() as outside:
        outside.answer = respond(status, f"Location: {inside.url('/private')}")
        answer = await post(outside.url(), b"secret", {}, allows_private=True)
        assert (answer.status, answer.is_success) == (status, False)
        assert (outside.calls, inside.calls) == (1, 0)


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with receive() as proxy, receive() as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url(""))
        await post(receiver.url(), b"", {}, allows_private=True)
        assert (proxy.calls, receiver.calls) == (0, 1)


async def test_a_certificate_must_be_that_of_the_name(tmp_path: Path) -> None:
    own, other = (make_certificate(tmp_path, name) for name in (NAME, "other.example"))
    trust = own.client_context()
    names = Names("127.0.0.1")
    async with receive(own.server_context()) as receiver:
        url = receiver.url(host=NAME, scheme="https")
        answer = await post(url, b"", {}, allows_private=True, resolve=names, ssl_context=trust)
        assert answer.is_success
        with pytest.raises(PleasanceError, match="webhook_unreachable"):  # an unknown authority
            await post(url, b"", {}, allows_private=True, resolve=names)
        by_address = receiver.url(scheme="https")
        with pytest.raises(PleasanceError, match="webhook_unreachable"):  # not the name it has
            await post(by_address, b"", {}, allows_private=True, ssl_context=trust)
    async with receive(other.server_context()) as receiver:
        trust.load_verify_locations(other.cert)
        url = receiver.url(host=NAME, scheme="https")
        with pytest.raises(PleasanceError, match="webhook_unreachable"):
            await post(url, b"", {}, allows_private=True, resolve=names, ssl_context=trust)
        assert receiver.requests == []


async def test_a_trailing_dot_of_a_name_does_no_harm(tmp_path: Path) -> None:
    own = make_certificate(tmp_path, NAME)
    trust = own.client_context()
    names = Names("127.0.0.1")
    async with receive(own.server_context()) as receiver:
        url = receiver.url(host=f"{NAME}.", scheme="https")
        answer = await post(url, b"", {}, allows_private=True, resolve=names, ssl_context=trust)
    assert answer.is_success
    assert receiver.requests[0].headers["host"] == f"{NAME}:{receiver.port}"


async def test_a_server_that_never_answers_is_given_up(receiver: Receiver) -> None:

    async def stall(writer: asyncio.StreamWriter) -> None:
        await writer.wait_closed()

    receiver.answer = stall
    with pytest.raises(PleasanceError, match="webhook_slow"):
        await post(receiver.url(), b"", {}, allows_private=True, timeout_s=0.1)


@pytest.mark.slow
async def test_a_server_whose_answer_drips_is_given_up(receiver: Receiver) -> None:

    async def drip(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 So\r\nContent-Length: 9999\r\n\r\n")
        while not writer.is_closing():
            writer.write(b".")
            await writer.drain()
            await asyncio.sleep(0.02)

    receiver.answer = drip
    with pytest.raises(PleasanceError, match="webhook_slow"):
        await post(receiver.url(), b"", {}, allows_private=True, timeout_s=0.1)


async def test_of_an_endless_answer_only_the_beginning_is_read(receiver: Receiver) -> None:
    sent = 0

    async def pour(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 So\r\nContent-Length: 1000000000000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"." * 65_536)
            sent += 65_536
            await writer.drain()

    receiver.answer = pour
    assert (await post(receiver.url(), b"", {}, allows_private=True)).is_success
    assert sent < 50_000_000


@pytest.mark.parametrize(
    "nonsense", [b"", b"hello\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\n: x\r\n\r\n"]
)
async def test_a_server_without_http_is_unreachable(nonsense: bytes, receiver: Receiver) -> None:

    async def babble(writer: asyncio.StreamWriter) -> None:
        writer.write(nonsense)
        await writer.drain()

    receiver.answer = babble
    with pytest.raises(PleasanceError, match="webhook_unreachable"):
        await post(receiver.url(), b"", {}, allows_private=True)


async def test_a_closed_port_counts_as_unreachable() -> None:
    with closing(socket.socket()) as kept:  # so that no other program listens there
        kept.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{kept.getsockname()[1]}/hook"
        with pytest.raises(PleasanceError, match="webhook_unreachable"):
            await post(url, b"", {}, allows_private=True)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("120", 120.0), ("0.5", 0.5), ("-5", None), ("nan", None), ("inf", None), ("soon", None)],
)
async def test_retry_after_is_read(header: str, seconds: float | None, receiver: Receiver) -> None:
    receiver.answer = respond(429, f"Retry-After: {header}")
    answer = await post(receiver.url(), b"", {}, allows_private=True)
    assert (answer.status, answer.retry_after, answer.is_success) == (429, seconds, False)
