"""A web server on this computer that records the requests of webhooks."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

Responder: TypeAlias = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class ReceivedRequest:
    """One request."""

    line: str
    headers: dict[str, str]
    body: bytes


def respond(status: int, *headers: str, body: bytes = b"") -> Responder:
    """Make a plain answer."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        head = [f"HTTP/1.1 {status} So", f"Content-Length: {len(body)}", *headers, "", ""]
        writer.write("\r\n".join(head).encode() + body)
        await writer.drain()

    return answer


@dataclass
class Receiver:
    """A server that receives webhooks."""

    port: int = 0
    calls: int = 0
    """The number of connections."""

    requests: list[ReceivedRequest] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    answer: Responder = field(default_factory=lambda: respond(204))

    def url(self, path: str = "/hook", host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            pairs = (line.split(": ", 1) for line in head[1:] if line)
            headers = {name.lower(): value for name, value in pairs}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.requests.append(ReceivedRequest(head[0], headers, body))
            self.arrived.set()
            await self.answer(writer)
        except (OSError, EOFError):
            pass  # the caller has hung up
        finally:
            writer.close()


@asynccontextmanager
async def receive(trust: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """Listen on a port that the system chooses, on both kinds of addresses of this computer."""
    receiver = Receiver()
    server = await asyncio.start_server(receiver.take, "127.0.0.1", 0, ssl=trust)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
