"""Connections dropped at any point of the protocol lose and duplicate nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest
from sqlalchemy import Connection, select

from pleasance.server.store.schema.rooms import entries
from support import NONCE
from support.http_client import HttpClient
from support.live_server import LiveServer, open_server
from support.ws_client import Message, TableMirror, WsClient

POINTS = (
    "after the welcome",
    "within the watch",
    "after the watch",
    "after the snapshot",
    "after the watch is accepted",
    "within the request",
    "after the request",
    "after the first thing heard",
    "after the answer",
)
"""The points at which a connection is dropped."""


class DropPoint(Exception):  # noqa: N818  (no error: it was meant)
    """The wire is cut."""


class RetryingClient:
    """Repeats a request with the same key until it is answered, over new connections."""

    def __init__(self, client: HttpClient, table: str) -> None:
        self.client = client
        self.table = table
        self.commands: list[Message] = []

    def send_until_answered(self, command: Message, points: Sequence[str]) -> None:
        """Send a command while the connection is dropped at several points in turn."""
        key = f"k-{len(self.commands)}"
        self.commands.append(command)
        request = {"kind": "do", "key": key, "table": self.table, "command": command}
        for point in points:
            with self.client.connect() as ws, pytest.raises(DropPoint):
                self._exchange(ws, request, point)
        with self.client.connect() as ws:
            assert self._exchange(ws, request)["kind"] == "accepted"

    def _exchange(self, ws: WsClient, request: Message, point: str = "never") -> Message:
        """Reconnect and send the request; drop the connection at one point."""

        def drop_at(moment: str, word: Message | None = None) -> None:
            if moment == point:
                ws.drop() if word is None else ws.drop_mid_frame(word)
                raise DropPoint

        since = self.client.mirrors.get(self.table, TableMirror()).seq
        watch = {"kind": "watch", "key": "w", "table": self.table, "since": since}
        drop_at("after the welcome")
        drop_at("within the watch", watch)
        ws.send(watch)
        drop_at("after the watch")
        snapshot = ws.receive("snapshot")
        missing = list(range(since + 1, snapshot["seq"] + 1))
        assert [line["seq"] for line in snapshot["entries"]] == missing
        drop_at("after the snapshot")
        assert ws.receive_answer("w")["kind"] == "accepted"
        drop_at("after the watch is accepted")
        drop_at("within the request", request)
        ws.send(request)
        drop_at("after the request")
        first = ws.receive()
        drop_at("after the first thing heard")
        answer = first if first.get("key") == request["key"] else ws.receive_answer(request["key"])
        drop_at("after the answer")
        return answer


def read_keys(server: LiveServer, table: str) -> list[tuple[str, Message]]:
    """Read which requests stand in the log of the database, in their order."""

    def read(connection: Connection) -> list[tuple[str, Message]]:
        query = select(entries.c.idempotency_key, entries.c.body).where(entries.c.table_id == table)
        rows = connection.execute(query.order_by(entries.c.seq))
        return [
            (row.idempotency_key, json.loads(row.body))
            for row in rows
            if row.idempotency_key is not None
        ]

    return server.site.store.read_now(read)


def play_with_drops(server: LiveServer, game: str, *, at_once: int) -> None:
    """Play a game on two seats and drop the connection *at_once* times at each request."""
    rng = Random(game)
    with server.visit("Ada") as ada, server.visit("Zoe") as zoe, zoe.connect() as steady:
        table = ada.open_table(game)
        steady.watch(table)
        stubborn = RetryingClient(ada, table)
        turn = 0

        def send_until_answered(**command: object) -> None:
            nonlocal turn
            points = [POINTS[(turn + n) % len(POINTS)] for n in range(at_once)]
            turn += at_once
            stubborn.send_until_answered(command, points)

        for name in ("Ada", "Anna"):
            send_until_answered(kind="sit", nonce=NONCE, name=name)
        send_until_answered(kind="say", text="Here we go")
        send_until_answered(kind="start")
        while not (seen := look(ada, table)).is_over:
            found = seen.find_choice()
            assert found
            where = {"ply": seen.latest["ply"], "revision": seen.latest["revision"]}
            send_until_answered(kind="choose", seat=found[0], token=rng.choice(found[1]), **where)
        log = ada.read_log(table)
        assert seen.is_whole
        assert list(seen.entries.values()) == log
        assert list(steady.wait_for(table, len(log)).entries.values()) == zoe.read_log(table)
        keys = read_keys(server, table)
        assert [key for key, _ in keys] == [f"{ada.id}:k-{n}" for n in range(len(keys))]
        assert len(keys) == len(stubborn.commands)
        for (_, body), command in zip(keys, stubborn.commands, strict=True):
            assert body.get("token") == command.get("token")
        assert turn >= len(POINTS)


def look(client: HttpClient, table: str) -> TableMirror:
    """Reconnect once more and compare the state."""
    seen = client.mirrors[table]
    with client.connect() as ws:
        ws.watch(table, seen.seq)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
def test_a_cut_in_every_request_loses_and_doubles_nothing(sqlite_url: str, game: str) -> None:
    with open_server(sqlite_url) as server:
        play_with_drops(server, game, at_once=1)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
def test_drops_at_all_points_lose_and_double_nothing(database_url: str, game: str) -> None:
    with open_server(database_url) as server:
        play_with_drops(server, game, at_once=len(POINTS))


@pytest.mark.slow
def test_a_request_that_was_cut_in_two_was_never_made(sqlite_url: str) -> None:
    with open_server(sqlite_url) as server, server.visit("Ada") as ada:
        table = ada.open_table()
        command = {"kind": "say", "text": "half"}
        request = {"kind": "do", "key": "half", "table": table, "command": command}
        with ada.connect() as ws:
            ws.watch(table)
            ws.drop_mid_frame(request)
        with ada.connect() as ws:
            assert ws.ask("ping")["kind"] == "pong"
            assert ws.watch(table, 0)["entries"] == []
            assert ws.ask("do", key="half", table=table, command=command)["seq"] == 1
