"""What is told after a change: put together from parts, and nothing but an update."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import msgspec

from conformance import Configuration, every_configuration
from conformance.rooms import sit_around
from pleasance.server.base.messages import Update
from pleasance.server.live.log_entries import show_lines
from pleasance.server.live.updates import Bulletin
from pleasance.table import commands

NAMES = ("ann", "ben", "cyd", "dan", "eve", "fay")
CHANGES = 40


class Somebody(NamedTuple):
    """Who watches a table."""

    player: str | None
    muted: frozenset[str] = frozenset()

    def tell(self, table: str, message: bytes, *, is_held: bool = False) -> None:
        """Hear nothing: letters are only written here."""


@every_configuration
def test_letters_are_updates_for_each_who_watches(config: Configuration) -> None:
    players = NAMES[: config.seats]
    house = sit_around(config, *players)
    room, rng = house.room, Random(3)
    watchers = [*map(Somebody, players), Somebody(None), Somebody("ann", frozenset({"ben"}))]
    before, shown = Bulletin("a", room, len(room.happenings), None), 0
    for _ in range(CHANGES):
        if room.status != "running":
            break
        known = len(room.happenings)
        house.choose(rng.choice(room.waiting))
        house.do(commands.say, "ben", "Ben", "well")
        news = Bulletin("a", room, known, before)
        for watcher, letter in news.write_letters(watchers):
            update = msgspec.json.decode(letter, type=Update)
            seats = room.seats_of(watcher.player)
            assert msgspec.json.encode(update) == letter
            assert update.seq == len(room.happenings)
            assert {view.seat for view in update.views} <= set(seats or (None,))
            assert any(line.text == "well" for line in update.lines) != bool(watcher.muted)
            assert update.lines == tuple(show_lines(room, known, seats, watcher.muted))
            assert msgspec.json.encode(update.views) == msgspec.json.encode(news.views(seats))
            shown += bool(update.views)
        before = news
    assert shown, "somebody was shown the position"
