"""Clients that are slow, silent or gone, and a server that stops."""

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

from pleasance.server.http.websocket_protocol import LeanSocket
from pleasance.server.live.client import MOST_WAITING, Client
from server.house import House, open_house
from server.patience import PATIENCE
from server.talks import Message, Talk, Visitor, play, seat_all

WORDS = "x" * 500


@pytest.fixture
def house(sqlite_url: str) -> Iterator[House]:
    with open_house(sqlite_url, heartbeat=1.0) as house:
        # What the system itself would keep for a slow client is made small.
        house._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        yield house


def find_client(house: House, player: str) -> Client:
    (found,) = (client for client in house.site.hub.door.clients if client.player == player)
    return found


def wait_until(house: House, is_so: Callable[[], bool]) -> None:
    """Wait inside the server until something is the case."""

    async def look() -> None:
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                await asyncio.sleep(0.01)

    house.run(look())


def test_a_slow_reader_holds_nobody_up_and_is_shown_the_table_anew(sqlite_url: str) -> None:
    with (
        open_house(sqlite_url) as house,
        house.visit("Ada") as ada,
        house.visit("Zoe") as zoe,
        ada.connect() as a,
    ):
        house._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        table = ada.open()
        a.watch(table)
        with zoe.connect(is_lazy=True) as lazy:
            lazy.watch(table)
            client = find_client(house, zoe.id)
            most = 0
            for n in range(1, 301):
                assert a.do(table, kind="say", text=f"{n} {WORDS}"[:500])["seq"] == n
                most = max(most, len(client._outbox))
            assert most == MOST_WAITING, "what waits is bounded, and the bound was reached"
            assert client._behind == {table}
            assert lazy.hear("update")["seq"] == 1
            snapshot = lazy.hear("snapshot")
            assert snapshot["seq"] == 300
            assert [line["n"] for line in snapshot["lines"]] == list(range(201, 301))
            a.do(table, kind="say", text="the end")
            assert lazy.hear("update")["lines"][0]["text"] == "the end"


def flood(talk: Talk, message: Message) -> None:
    """Send the same again and again."""
    for _ in range(200_000):
        talk.send(message)


def test_who_asks_and_never_reads_is_read_no_more(house: House, ada: Visitor) -> None:
    with house.visit("Zoe") as zoe, zoe.connect(is_lazy=True) as lazy:
        client = find_client(house, zoe.id)
        lazy.wire.settimeout(1)
        with pytest.raises((TimeoutError, OSError, ConnectionClosed)):  # nothing more is taken
            flood(lazy, {"kind": "ping", "key": "x" * 64})
        assert len(client._outbox) <= MOST_WAITING
        lazy.cut()
        wait_until(house, lambda: client not in house.site.hub.door.clients)
    with ada.connect() as talk:
        assert talk.ask("ping")["kind"] == "pong"


def shake_hands(house: House, visitor: Visitor) -> socket.socket:
    """Open a socket by hand and read nothing from it, not even the heartbeat."""
    address = urlsplit(house.link)
    wire = socket.create_connection((address.hostname, address.port))
    cookie = visitor.http.cookies["pleasance"]
    lines = (
        "GET /live HTTP/1.1",
        f"Host: {address.netloc}",
        f"Origin: {house.link}",
        f"Cookie: pleasance={cookie}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    wire.sendall("\r\n".join((*lines, "", "")).encode())
    return wire


def test_who_does_not_answer_the_heartbeat_is_thought_gone(house: House, ada: Visitor) -> None:
    presence = house.site.hub.door.presence
    with shake_hands(house, ada):
        wait_until(house, lambda: presence.is_here(ada.id))
        wait_until(house, lambda: not presence.is_here(ada.id))


def test_who_takes_nothing_any_more_is_let_go(house: House, ada: Visitor) -> None:
    table = ada.open()
    with house.visit("Zoe") as zoe, ada.connect() as a, zoe.connect(is_lazy=True) as lazy:
        lazy.watch(table)
        client = find_client(house, zoe.id)
        for n in range(300):
            assert a.do(table, kind="say", text=f"{n} {WORDS}"[:500])["kind"] == "accepted"
        wait_until(house, lambda: client not in house.site.hub.door.clients)
        assert not house.site.hub.rooms[table].watchers
        lazy.cut()


@pytest.mark.slow
def test_who_answers_the_heartbeat_stays(ada: Visitor) -> None:
    with ada.connect() as talk, pytest.raises(TimeoutError):
        talk.hear("closing", patience=3.5)
    with ada.connect() as talk:
        assert talk.ask("ping")["kind"] == "pong"


def talk_until_it_stops(house: House, table: str, ada: Visitor, ben: Visitor) -> set[str]:
    """Say one thing after the other while the server stops; give what was accepted."""
    with ada.connect() as a, ben.connect() as b:
        seat_all(table, [a, b])
        play(table, [a, b], Random(1), choices=5)
        with suppress(ConnectionClosed):
            for n in range(200):
                command = {"kind": "say", "text": str(n)}
                a.send({"kind": "do", "key": f"s-{n}", "table": table, "command": command})
                if n == 20:
                    house._server.should_exit = True
        mine, _ = a.hear_end()  # who still talks may be cut off before all was heard
        yours, code = b.hear_end()
    assert {"kind": "closing", "reason": "stopping"} in yours
    assert code == 1012
    assert ada.seen[table].is_whole
    return {message["key"] for message in mine if message["kind"] == "accepted"}


def test_a_server_that_stops_says_so_and_keeps_what_it_accepted(database_url: str) -> None:
    with open_house(database_url) as house, house.visit("Ada") as ada, house.visit("Ben") as ben:
        table = ada.open()
        accepted = talk_until_it_stops(house, table, ada, ben)
        house.stop()
        with open_house(database_url) as again:
            ada.move(again.link)
            log = ada.read_log(table)
            assert accepted <= {f"s-{line.get('text')}" for line in log}
            assert log[: ada.seen[table].seq] == list(ada.seen[table].lines.values())
            with ada.connect() as a:
                a.watch(table, ada.seen[table].seq)
                assert ada.seen[table].is_whole
                for n in range(200):  # whatever was not answered is asked again
                    a.ask("do", key=f"s-{n}", table=table, command={"kind": "say", "text": str(n)})
            texts = [int(line["text"]) for line in ada.read_log(table) if line["what"] == "say"]
            assert texts == list(range(200))


def test_whose_cookie_opens_nothing_any_more_is_let_go(ada: Visitor) -> None:
    table = ada.open()
    with ada.connect() as talk:
        talk.watch(table)
        ada.ask("DELETE", "/api/session", status=204)
        assert talk.hear("closing")["reason"] == "identity"
        with pytest.raises(ConnectionClosed):
            talk.hear()


def test_a_server_stops_in_order_while_somebody_says_goodbye(house: House, ada: Visitor) -> None:
    with ada.connect() as talk:
        assert talk.ask("ping")["kind"] == "pong"
        lines = house._server.server_state.connections
        (line,) = (each for each in lines if isinstance(each, LeanSocket))

        async def part() -> None:
            line.data_received(Frame(Opcode.CLOSE, b"").serialize(mask=True))
            line.shutdown()

        house.run(part())
        with pytest.raises(ConnectionClosed):
            talk.ask("ping")
