"""Clients that send far too much: they are slowed or sent away, and nobody else notices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import monotonic

import pytest
from websockets.exceptions import ConnectionClosed

from pleasance.server.http.socket import BREATHER
from pleasance.server.http.websocket_protocol import MOST_PINGS
from pleasance.server.identity.rate_limits import RULES
from server.house import House, open_house
from server.talks import Talk, Visitor

FACTOR = 0.1
"""So few messages are allowed that even a busy machine is asked for more."""

PING = bytes((0x89, 0x80, 0, 0, 0, 0))
"""A whole frame: a ping that says nothing, with an empty mask."""


@pytest.fixture
def house(sqlite_url: str) -> Iterator[House]:
    with open_house(sqlite_url, limits_factor=FACTOR) as house:
        yield house


def test_who_floods_the_socket_is_slowed_and_others_are_not(house: House, ada: Visitor) -> None:
    burst = int(RULES["socket"].burst * FACTOR)
    with house.visit("Zoe") as zoe, zoe.connect() as flood, ada.connect() as talk:
        message = json.dumps({"kind": "ping", "key": "again"})
        since = monotonic()  # refusals may lie ready long before they are looked at
        for _ in range(4 * burst):
            flood.send(message)
        pongs = 0
        while (said := flood.hear())["kind"] == "pong":
            pongs += 1
        assert pongs >= burst, "as much as anybody may"
        assert said["code"] == "too_many"
        refused = 0
        while refused < 10:
            refused += flood.hear()["kind"] == "refused"
            assert talk.ask("ping")["kind"] == "pong"
        assert monotonic() - since >= 10 * BREATHER


def hear_all(talk: Talk) -> None:
    """Listen until the connection ends."""
    while talk.hear():
        pass


def hear_why(talk: Talk) -> tuple[int, str]:
    """Listen to the end; tell with which code and reason the server has closed."""
    with pytest.raises(ConnectionClosed) as closed:
        hear_all(talk)
    assert closed.value.rcvd is not None, "the server said why"
    return closed.value.rcvd.code, closed.value.rcvd.reason


@pytest.mark.parametrize("pings", [MOST_PINGS + 1, 50 * MOST_PINGS])
def test_who_pings_without_end_is_sent_away_and_nobody_else(
    house: House, ada: Visitor, pings: int
) -> None:
    with house.visit("Zoe") as zoe, zoe.connect() as flood, ada.connect() as talk:
        flood.wire.sendall(PING * pings)
        assert talk.ask("ping")["kind"] == "pong"
        assert hear_why(flood) == (1008, "too many pings")
        assert talk.ask("ping")["kind"] == "pong"
        with zoe.connect() as again:
            assert again.ask("ping")["kind"] == "pong"


def test_who_pings_now_and_then_stays(ada: Visitor) -> None:
    with ada.connect() as talk:
        talk.wire.sendall(PING * MOST_PINGS)
        assert talk.ask("ping")["kind"] == "pong"
