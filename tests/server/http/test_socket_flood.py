"""Clients that flood the socket are throttled or disconnected without effect on others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import monotonic

import pytest
from websockets.exceptions import ConnectionClosed

from pleasance.server.http.socket import RATE_LIMIT_PAUSE_S
from pleasance.server.http.websocket_protocol import MAX_UNANSWERED_PINGS
from pleasance.server.identity.rate_limits import RATE_LIMITS
from support.http_client import HttpClient
from support.live_server import LiveServer, open_server
from support.ws_client import WsClient

FACTOR = 0.1
"""Few enough messages to reach the limit even on a busy machine."""

PING = bytes((0x89, 0x80, 0, 0, 0, 0))
"""A whole frame: a ping that says nothing, with an empty mask."""


@pytest.fixture
def server(sqlite_url: str) -> Iterator[LiveServer]:
    with open_server(sqlite_url, limits_factor=FACTOR) as server:
        yield server


@pytest.mark.slow
def test_only_the_client_that_floods_is_slowed(server: LiveServer, ada: HttpClient) -> None:
    burst = int(RATE_LIMITS["socket"].burst * FACTOR)
    with server.visit("Zoe") as zoe, zoe.connect() as flood, ada.connect() as ws:
        message = json.dumps({"kind": "ping", "key": "again"})
        since = monotonic()  # refusals may lie ready long before they are looked at
        for _ in range(4 * burst):
            flood.send(message)
        pongs = 0
        while (answer := flood.receive())["kind"] == "pong":
            pongs += 1
        assert pongs >= burst, "as much as anybody may"
        assert answer["code"] == "too_many"
        refused = 0
        while refused < 10:
            refused += flood.receive()["kind"] == "refused"
            assert ws.ask("ping")["kind"] == "pong"
        assert monotonic() - since >= 10 * RATE_LIMIT_PAUSE_S


def receive_all(ws: WsClient) -> None:
    """Receive until the connection ends."""
    while ws.receive():
        pass


def receive_close(ws: WsClient) -> tuple[int, str]:
    """Receive to the end; return the close code and reason."""
    with pytest.raises(ConnectionClosed) as closed:
        receive_all(ws)
    assert closed.value.rcvd is not None, "the server said why"
    return closed.value.rcvd.code, closed.value.rcvd.reason


@pytest.mark.parametrize("pings", [MAX_UNANSWERED_PINGS + 1, 50 * MAX_UNANSWERED_PINGS])
def test_endless_pings_end_one_connection(server: LiveServer, ada: HttpClient, pings: int) -> None:
    with server.visit("Zoe") as zoe, zoe.connect() as flood, ada.connect() as ws:
        flood.wire.sendall(PING * pings)
        assert ws.ask("ping")["kind"] == "pong"
        assert receive_close(flood) == (1008, "too many pings")
        assert ws.ask("ping")["kind"] == "pong"
        with zoe.connect() as again:
            assert again.ask("ping")["kind"] == "pong"


def test_a_client_that_pings_now_and_then_stays(ada: HttpClient) -> None:
    with ada.connect() as ws:
        ws.wire.sendall(PING * MAX_UNANSWERED_PINGS)
        assert ws.ask("ping")["kind"] == "pong"
