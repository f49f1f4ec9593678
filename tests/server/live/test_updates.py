"""Updates after a change are assembled from parts and contain nothing but the change."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import msgspec

from conformance import Configuration, every_configuration
from conformance.rooms import start_room
from pleasance.server.base.messages import Update
from pleasance.server.live.serializers import log_to_wire
from pleasance.server.live.updates import UpdateBatch
from pleasance.table import commands

NAMES = ("ann", "ben", "cyd", "dan", "eve", "fay")
CHANGES = 40


class SilentWatcher(NamedTuple):
    """A watcher of a table."""

    player: str | None
    muted: frozenset[str] = frozenset()

    def enqueue_update(self, table: str, message: bytes, *, is_held: bool = False) -> None:
        """Drop the message: only its encoding is tested."""


@every_configuration
def test_messages_are_updates_for_each_watcher(config: Configuration) -> None:
    players = NAMES[: config.seats]
    rooms = start_room(config, *players)
    room, rng = rooms.room, Random(3)
    watchers = [
        *map(SilentWatcher, players),
        SilentWatcher(None),
        SilentWatcher("ann", frozenset({"ben"})),
    ]
    before, shown = UpdateBatch("a", room, len(room.log), None), 0
    for _ in range(CHANGES):
        if room.status != "running":
            break
        known = len(room.log)
        rooms.choose(rng.choice(room.waiting))
        rooms.do(commands.say, "ben", "Ben", "well")
        batch = UpdateBatch("a", room, known, before)
        for watcher, message in batch.encode_for_watchers(watchers):
            update = msgspec.json.decode(message, type=Update)
            seats = room.seats_of(watcher.player)
            assert msgspec.json.encode(update) == message
            assert update.seq == len(room.log)
            assert {view.seat for view in update.views} <= set(seats or (None,))
            assert any(line.text == "well" for line in update.entries) != bool(watcher.muted)
            assert update.entries == tuple(log_to_wire(room, known, seats, watcher.muted))
            assert msgspec.json.encode(update.views) == msgspec.json.encode(batch.views(seats))
            shown += bool(update.views)
        before = batch
    assert shown, "at least one position was encoded"
