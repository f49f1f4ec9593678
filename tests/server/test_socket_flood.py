"""Clients that send far too much: they are slowed or sent away, and nobody else notices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import monotonic

import pytest

from pleasance.server.identity.limits import RULES
from pleasance.server.rooms.socket import BREATHER
from server.house import House, open_house
from server.talks import Visitor


@pytest.fixture
def house(sqlite_url: str) -> Iterator[House]:
    with open_house(sqlite_url, limits_factor=1.0) as house:
        yield house


@pytest.fixture
def ada(house: House) -> Iterator[Visitor]:
    with house.visit("Ada") as ada:
        yield ada


def test_who_floods_the_socket_is_slowed_and_others_are_not(house: House, ada: Visitor) -> None:
    burst = int(RULES["socket"].burst)
    with house.visit("Zoe") as zoe, zoe.connect() as flood, ada.connect() as talk:
        message = json.dumps({"kind": "ping", "key": "again"})
        for _ in range(4 * burst):
            flood.send(message)
        pongs = 0
        while (said := flood.hear())["kind"] == "pong":
            pongs += 1
        assert pongs >= burst, "as much as anybody may"
        assert said["code"] == "too_many"
        since, refused = monotonic(), 0
        while refused < 10:
            refused += flood.hear()["kind"] == "refused"
            assert talk.ask("ping")["kind"] == "pong"
        assert monotonic() - since >= 9 * BREATHER
