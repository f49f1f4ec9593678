"""The connection is cut at every point of the protocol: nothing is lost, nothing is doubled."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest
from sqlalchemy import Connection, select

from pleasance.server.store.schema.rooms import entries
from server.guests import NONCE
from server.house import House, open_house
from server.talks import Message, Seen, Talk, Visitor

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
"""Where the wire is cut."""


class Cut(Exception):  # noqa: N818  (no error: it was meant)
    """The wire is cut."""


class Stubborn:
    """Asks again, with the same key, until the answer has come, whatever happens to the wire."""

    def __init__(self, visitor: Visitor, table: str) -> None:
        self.visitor = visitor
        self.table = table
        self.commands: list[Message] = []

    def insist(self, command: Message, points: Sequence[str]) -> None:
        """Have a command carried out while the wire is cut at some points, one after the other."""
        key = f"k-{len(self.commands)}"
        self.commands.append(command)
        request = {"kind": "do", "key": key, "table": self.table, "command": command}
        for point in points:
            with self.visitor.connect() as talk, pytest.raises(Cut):
                self._converse(talk, request, point)
        with self.visitor.connect() as talk:
            assert self._converse(talk, request)["kind"] == "accepted"

    def _converse(self, talk: Talk, request: Message, point: str = "never") -> Message:
        """Come back and ask; the wire is cut at one point."""

        def pass_by(moment: str, word: Message | None = None) -> None:
            if moment == point:
                talk.cut() if word is None else talk.cut_within(word)
                raise Cut

        since = self.visitor.seen.get(self.table, Seen()).seq
        watch = {"kind": "watch", "key": "w", "table": self.table, "since": since}
        pass_by("after the welcome")
        pass_by("within the watch", watch)
        talk.send(watch)
        pass_by("after the watch")
        snapshot = talk.hear("snapshot")
        missing = list(range(since + 1, snapshot["seq"] + 1))
        assert [line["n"] for line in snapshot["lines"]] == missing
        pass_by("after the snapshot")
        assert talk.hear_answer("w")["kind"] == "accepted"
        pass_by("after the watch is accepted")
        pass_by("within the request", request)
        talk.send(request)
        pass_by("after the request")
        first = talk.hear()
        pass_by("after the first thing heard")
        answer = first if first.get("key") == request["key"] else talk.hear_answer(request["key"])
        pass_by("after the answer")
        return answer


def read_keys(house: House, table: str) -> list[tuple[str, Message]]:
    """Read which requests stand in the log of the database, in their order."""

    def read(connection: Connection) -> list[tuple[str, Message]]:
        wanted = select(entries.c.key, entries.c.body).where(entries.c.table_id == table)
        rows = connection.execute(wanted.order_by(entries.c.n))
        return [(row.key, json.loads(row.body)) for row in rows if row.key is not None]

    return house.site.store.read_now(read)


def play_with_cuts(house: House, game: str, *, at_once: int) -> None:
    """Play a whole game alone on two seats; at each request the wire is cut so many times."""
    rng = Random(game)
    with house.visit("Ada") as ada, house.visit("Zoe") as zoe, zoe.connect() as steady:
        table = ada.open(game)
        steady.watch(table)
        stubborn = Stubborn(ada, table)
        turn = 0

        def insist(**command: object) -> None:
            nonlocal turn
            points = [POINTS[(turn + n) % len(POINTS)] for n in range(at_once)]
            turn += at_once
            stubborn.insist(command, points)

        for name in ("Ada", "Anna"):
            insist(kind="sit", nonce=NONCE, name=name)
        insist(kind="say", text="Here we go")
        insist(kind="start")
        while not (seen := look(ada, table)).is_over:
            found = seen.find_choice()
            assert found
            where = {"ply": seen.now["ply"], "undone": seen.now["undone"]}
            insist(kind="choose", seat=found[0], token=rng.choice(found[1]), **where)
        log = ada.read_log(table)
        assert seen.is_whole
        assert list(seen.lines.values()) == log
        assert list(steady.wait_for(table, len(log)).lines.values()) == zoe.read_log(table)
        keys = read_keys(house, table)
        assert [key for key, _ in keys] == [f"{ada.id}:k-{n}" for n in range(len(keys))]
        assert len(keys) == len(stubborn.commands)
        for (_, body), command in zip(keys, stubborn.commands, strict=True):
            assert body.get("token") == command.get("token")
        assert turn >= len(POINTS)


def look(visitor: Visitor, table: str) -> Seen:
    """Come back once more to see what there is."""
    seen = visitor.seen[table]
    with visitor.connect() as talk:
        talk.watch(table, seen.seq)
    return seen


@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
def test_a_cut_in_every_request_loses_and_doubles_nothing(sqlite_url: str, game: str) -> None:
    with open_house(sqlite_url) as house:
        play_with_cuts(house, game, at_once=1)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
def test_cuts_at_all_points_of_every_request_lose_and_double_nothing(
    database_url: str, game: str
) -> None:
    with open_house(database_url) as house:
        play_with_cuts(house, game, at_once=len(POINTS))


def test_a_request_that_was_cut_in_two_was_never_made(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house, house.visit("Ada") as ada:
        table = ada.open()
        command = {"kind": "say", "text": "half"}
        request = {"kind": "do", "key": "half", "table": table, "command": command}
        with ada.connect() as talk:
            talk.watch(table)
            talk.cut_within(request)
        with ada.connect() as talk:
            assert talk.ask("ping")["kind"] == "pong"
            assert talk.watch(table, 0)["lines"] == []
            assert talk.ask("do", key="half", table=table, command=command)["seq"] == 1
