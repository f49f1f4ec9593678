"""Correspondence games: flags fall on their day, across restarts of the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pleasance.server import app
from pleasance.server.live.housekeeping import HousekeepingJob
from support import NONCE
from support.app_client import ManualClock
from support.http_client import HttpClient
from support.live_server import LiveServer, open_server

pytestmark = pytest.mark.slow

HOUR, DAY = 3600.0, 86_400.0
MOVE, BANK = 2 * DAY, DAY


class Match:
    """A game of two over days, and the servers that carry it, one after the other."""

    def __init__(self, url: str, clock: ManualClock) -> None:
        self.url, self.clock = url, clock
        self.people: list[HttpClient] = []
        self.table = ""

    @contextmanager
    def serve(self, *, after: float = 0.0) -> Iterator[LiveServer]:
        """Start a server after a while, and let it do what is due."""
        self.clock.advance(after)
        with open_server(self.url) as server:
            for client in self.people:
                client.switch_server(server.link)
            schedule(server)
            yield server

    def begin(self, server: LiveServer, move: float = MOVE, bank: float = BANK) -> None:
        """Sit down and begin."""
        self.people += [server.visit("Ada"), server.visit("Ben")]
        ada, ben = self.people
        self.table = ada.open_table(clock={"move": move, "bank": bank})
        for client in (ada, ben):
            client.do(self.table, kind="sit", nonce=NONCE).raise_for_status()
        ada.do(self.table, kind="start").raise_for_status()

    def choose(self, seat: int) -> None:
        """Make the first legal choice for a seat."""
        self.people[seat].choose(self.table).raise_for_status()

    def look(self) -> dict[str, Any]:
        """Fetch Ada's snapshot of the table."""
        return self.people[0].read_snapshot(self.table)

    def bots(self) -> list[str | None]:
        """List the bot that plays each seat."""
        return [place["bot"] for place in self.look()["info"]["places"]]

    def said(self) -> list[tuple[str, int | None, str | None]]:
        """List the log entries about time."""
        lines = self.people[0].read_log(self.table)
        about = {"take_over", "clock_reset", "close"}
        return [
            (line["kind"], line.get("seat"), line.get("text"))
            for line in lines
            if line["kind"] in about
        ]


def schedule(server: LiveServer) -> None:
    """Run the due housekeeping now."""
    site = server.site
    server.run(HousekeepingJob(site.hub, site.store, site.settings).tick())


@pytest.fixture
def match(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Match]:
    """Prepare a game on servers that share one manual clock."""
    clock = ManualClock()
    monkeypatch.setattr(app, "make_clock", lambda: clock)
    match = Match(database_url, clock)
    yield match
    for client in match.people:
        client.http.close()


def test_a_flag_falls_on_its_day_though_the_server_was_restarted(match: Match) -> None:
    start = match.clock.now
    with match.serve() as server:
        match.begin(server)
        match.choose(0)
        assert [face["due"] for face in match.look()["clocks"]] == [None, start + MOVE + BANK]
    with match.serve(after=MOVE + BANK - 1):
        assert match.bots() == [None, None]
        assert match.look()["waiting"] == [1]
        assert match.look()["clocks"][1] == {"bank": BANK, "due": start + MOVE + BANK}
    with match.serve(after=1):
        assert match.bots() == [None, "greedy"]
        assert [place["has_left"] for place in match.look()["info"]["places"]] == [False, True]
        assert match.said() == [("take_over", 1, "time")]
    with match.serve():
        assert match.said() == [("take_over", 1, "time")], "it fell once"


def test_a_flag_falls_while_the_server_runs(match: Match) -> None:
    with match.serve() as server:
        match.begin(server)
        match.clock.advance(HOUR)
        match.choose(0)
        match.clock.advance(MOVE + BANK - HOUR - 1)
        schedule(server)
        assert match.bots() == [None, None]
        match.clock.advance(1)
        schedule(server)
        assert match.bots() == [None, "greedy"]


def test_a_choice_on_the_last_day_is_in_time_and_takes_from_the_bank(match: Match) -> None:
    with match.serve() as server:
        match.begin(server)
        match.choose(0)
    with match.serve(after=MOVE + BANK / 4):
        match.choose(1)
        assert match.bots() == [None, None]
        faces = match.look()["clocks"]
        assert [face["bank"] for face in faces] == [BANK, BANK * 3 / 4]
        running = [face["due"] for face in faces if face["due"] is not None]
        assert min(running) >= match.clock.now + MOVE
    with match.serve(after=MOVE - 1):
        assert match.said() == []


@pytest.mark.parametrize("late", [31.0, HOUR, 20 * DAY])
def test_a_flag_that_fell_while_no_server_ran_is_not_called(match: Match, late: float) -> None:
    with match.serve() as server:
        match.begin(server)
        match.choose(0)
    with match.serve(after=MOVE + BANK + late):
        assert match.bots() == [None, None]
        assert match.said() == [("clock_reset", None, None)]
        due = match.clock.now + MOVE + BANK
        assert match.look()["clocks"][1] == {"bank": BANK, "due": due}
    with match.serve(after=MOVE + BANK):
        assert match.bots() == [None, "greedy"], "but the next one is"


def test_a_game_is_not_abandoned_while_a_clock_runs(match: Match) -> None:
    move, bank = 14 * DAY, 30 * DAY
    with match.serve() as server:
        match.begin(server, move, bank)
        match.choose(0)
        assert move + bank > server.settings.archive_after
    with match.serve(after=move + bank - DAY):
        assert match.look()["info"]["status"] == "running"
        assert match.said() == []
    with match.serve(after=DAY):
        assert match.said() == [("take_over", 1, "time")]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_flagged_player_returns_with_an_empty_bank(match: Match) -> None:
    with match.serve() as server:
        match.begin(server)
        match.choose(0)
        match.clock.advance(MOVE + BANK)
        schedule(server)
        ada, ben = match.people
        with ada.connect() as ws:
            ws.watch(match.table)
            while 0 not in ws.mirrors[match.table].latest["waiting"]:
                ws.receive("update")  # until the bot has chosen
        ben.do(match.table, kind="reclaim_seat", seat=1).raise_for_status()
        assert match.bots() == [None, None]
        assert not match.look()["info"]["places"][1]["has_left"]
        assert [face["bank"] for face in match.look()["clocks"]] == [BANK, 0.0]
