"""Backpressure: clients that are slow, silent or gone, and a server that stops."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from pleasance.server.http.websocket_protocol import WebSocketProtocol
from pleasance.server.live.client import OUTBOX_LIMIT, Client
from support import TIMEOUT_S
from support.http_client import HttpClient
from support.live_server import LiveServer, open_server
from support.ws_client import Message, WsClient, play, seat_all

pytestmark = pytest.mark.slow

WORDS = "x" * 500


@pytest.fixture
def server(sqlite_url: str) -> Iterator[LiveServer]:
    with open_server(sqlite_url, heartbeat=1.0) as server:
        # What the system itself would keep for a slow client is made small.
        server._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        yield server


def find_client(server: LiveServer, player: str) -> Client:
    (found,) = (client for client in server.site.hub.connections.clients if client.player == player)
    return found


def wait_until(server: LiveServer, is_true: Callable[[], bool]) -> None:
    """Wait inside the server until something is the case."""

    async def look() -> None:
        async with asyncio.timeout(TIMEOUT_S):
            while not is_true():
                await asyncio.sleep(0.01)

    server.run(look())


def test_a_slow_reader_blocks_no_other_and_gets_a_snapshot(sqlite_url: str) -> None:
    with (
        open_server(sqlite_url) as server,
        server.visit("Ada") as ada,
        server.visit("Zoe") as zoe,
        ada.connect() as a,
    ):
        server._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        table = ada.open_table()
        a.watch(table)
        with zoe.connect(is_lazy=True) as lazy:
            lazy.watch(table)
            client = find_client(server, zoe.id)
            most = 0
            for n in range(1, 301):
                assert a.do(table, kind="say", text=f"{n} {WORDS}"[:500])["seq"] == n
                most = max(most, len(client._outbox))
            # The answer to Ada may come a moment before the last message waits for Zoe.
            assert most in (OUTBOX_LIMIT - 1, OUTBOX_LIMIT), "bounded, and the bound was reached"
            assert client._lagging == {table}
            assert lazy.receive("update")["seq"] == 1
            snapshot = lazy.receive("snapshot")
            assert snapshot["seq"] == 300
            assert [line["seq"] for line in snapshot["entries"]] == list(range(201, 301))
            a.do(table, kind="say", text="the end")
            assert lazy.receive("update")["entries"][0]["text"] == "the end"


def flood(ws: WsClient, message: Message) -> None:
    """Send the same again and again."""
    for _ in range(200_000):
        ws.send(message)


def test_a_client_that_never_reads_is_read_no_more(server: LiveServer, ada: HttpClient) -> None:
    with server.visit("Zoe") as zoe, zoe.connect(is_lazy=True) as lazy:
        client = find_client(server, zoe.id)
        lazy.wire.settimeout(1)
        with pytest.raises((TimeoutError, OSError, ConnectionClosed)):  # nothing more is taken
            flood(lazy, {"kind": "ping", "key": "x" * 64})
        assert len(client._outbox) <= OUTBOX_LIMIT
        lazy.drop()
        wait_until(server, lambda: client not in server.site.hub.connections.clients)
    with ada.connect() as ws:
        assert ws.ask("ping")["kind"] == "pong"


def open_raw_socket(server: LiveServer, client: HttpClient) -> socket.socket:
    """Open a socket by hand and read nothing from it, not even the heartbeat."""
    address = urlsplit(server.link)
    wire = socket.create_connection((address.hostname, address.port))
    cookie = client.http.cookies["pleasance"]
    lines = (
        "GET /live HTTP/1.1",
        f"Host: {address.netloc}",
        f"Origin: {server.link}",
        f"Cookie: pleasance={cookie}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    wire.sendall("\r\n".join((*lines, "", "")).encode())
    return wire


def test_a_missed_heartbeat_ends_the_connection(server: LiveServer, ada: HttpClient) -> None:
    presence = server.site.hub.connections.presence
    with open_raw_socket(server, ada):
        wait_until(server, lambda: presence.is_here(ada.id))
        wait_until(server, lambda: not presence.is_here(ada.id))


def test_a_client_that_reads_nothing_is_disconnected(server: LiveServer, ada: HttpClient) -> None:
    table = ada.open_table()
    with server.visit("Zoe") as zoe, ada.connect() as a, zoe.connect(is_lazy=True) as lazy:
        lazy.watch(table)
        client = find_client(server, zoe.id)
        for n in range(300):
            assert a.do(table, kind="say", text=f"{n} {WORDS}"[:500])["kind"] == "accepted"
        wait_until(server, lambda: client not in server.site.hub.connections.clients)
        assert not server.site.hub.rooms[table].watchers
        lazy.drop()


@pytest.mark.slow
def test_answering_the_heartbeat_keeps_the_connection(ada: HttpClient) -> None:
    with ada.connect() as ws, pytest.raises(TimeoutError):
        ws.receive("closing", timeout_s=3.5)
    with ada.connect() as ws:
        assert ws.ask("ping")["kind"] == "pong"


def chat_until_stop(server: LiveServer, table: str, ada: HttpClient, ben: HttpClient) -> set[str]:
    """Send chat messages while the server stops; return the accepted ones."""
    with ada.connect() as a, ben.connect() as b:
        seat_all(table, [a, b])
        play(table, [a, b], Random(1), choices=5)
        with suppress(ConnectionClosed):
            for n in range(200):
                command = {"kind": "say", "text": str(n)}
                a.send({"kind": "do", "key": f"s-{n}", "table": table, "command": command})
                if n == 20:
                    server._server.should_exit = True
        mine, _ = a.receive_until_close()  # who still talks may be cut off before all was heard
        yours, code = b.receive_until_close()
    assert {"kind": "closing", "reason": "stopping"} in yours
    assert code == 1012
    assert ada.mirrors[table].is_whole
    return {message["key"] for message in mine if message["kind"] == "accepted"}


def test_a_server_that_stops_says_so_and_keeps_what_it_accepted(database_url: str) -> None:
    with (
        open_server(database_url) as server,
        server.visit("Ada") as ada,
        server.visit("Ben") as ben,
    ):
        table = ada.open_table()
        accepted = chat_until_stop(server, table, ada, ben)
        server.stop()
        with open_server(database_url) as again:
            ada.switch_server(again.link)
            log = ada.read_log(table)
            assert accepted <= {f"s-{line.get('text')}" for line in log}
            assert log[: ada.mirrors[table].seq] == list(ada.mirrors[table].entries.values())
            with ada.connect() as a:
                a.watch(table, ada.mirrors[table].seq)
                assert ada.mirrors[table].is_whole
                for n in range(200):  # whatever was not answered is asked again
                    a.ask("do", key=f"s-{n}", table=table, command={"kind": "say", "text": str(n)})
            texts = [int(line["text"]) for line in ada.read_log(table) if line["kind"] == "say"]
            assert texts == list(range(200))


def test_whose_cookie_opens_nothing_any_more_is_let_go(ada: HttpClient) -> None:
    table = ada.open_table()
    with ada.connect() as ws:
        ws.watch(table)
        ada.ask("DELETE", "/api/session", status=204)
        assert ws.receive("closing")["reason"] == "identity"
        with pytest.raises(ConnectionClosed):
            ws.receive()


def test_a_server_stops_during_a_close_handshake(server: LiveServer, ada: HttpClient) -> None:
    with ada.connect() as ws:
        assert ws.ask("ping")["kind"] == "pong"
        lines = server._server.server_state.connections
        (line,) = (each for each in lines if isinstance(each, WebSocketProtocol))

        async def part() -> None:
            line.data_received(Frame(Opcode.CLOSE, b"").serialize(mask=True))
            line.shutdown()

        server.run(part())
        with pytest.raises(ConnectionClosed):
            ws.ask("ping")
