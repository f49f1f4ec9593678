"""Games over days: flags fall on their day, not earlier, and whatever the server did meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pleasance.server import app
from pleasance.server.live.housekeeping import Ticker
from server.guests import NONCE
from server.house import House, open_house
from server.talks import Visitor
from server.visitors import Clock

HOUR, DAY = 3600.0, 86_400.0
MOVE, BANK = 2 * DAY, DAY


class Match:
    """A game of two over days, and the servers that carry it, one after the other."""

    def __init__(self, url: str, clock: Clock) -> None:
        self.url, self.clock = url, clock
        self.people: list[Visitor] = []
        self.table = ""

    @contextmanager
    def serve(self, *, after: float = 0.0) -> Iterator[House]:
        """Start a server after a while, and let it do what is due."""
        self.clock.wait(after)
        with open_house(self.url) as house:
            for visitor in self.people:
                visitor.move(house.link)
            look_after(house)
            yield house

    def begin(self, house: House, move: float = MOVE, bank: float = BANK) -> None:
        """Sit down and begin."""
        self.people += [house.visit("Ada"), house.visit("Ben")]
        ada, ben = self.people
        self.table = ada.open(clock={"move": move, "bank": bank})
        for visitor in (ada, ben):
            visitor.do(self.table, kind="sit", nonce=NONCE).raise_for_status()
        ada.do(self.table, kind="start").raise_for_status()

    def choose(self, seat: int) -> None:
        """Let somebody choose."""
        self.people[seat].choose(self.table).raise_for_status()

    def look(self) -> dict[str, Any]:
        """Look at the table as Ada sees it."""
        return self.people[0].look(self.table)

    def bots(self) -> list[str | None]:
        """Tell who stands in at each seat."""
        return [place["bot"] for place in self.look()["info"]["places"]]

    def said(self) -> list[tuple[str, int | None, str | None]]:
        """Tell what the log says about time."""
        lines = self.people[0].read_log(self.table)
        about = {"take_over", "anew", "close"}
        return [
            (line["what"], line.get("seat"), line.get("text"))
            for line in lines
            if line["what"] in about
        ]


def look_after(house: House) -> None:
    """Let the server do what is due, here and now."""
    site = house.site
    house.run(Ticker(site.hub, site.store, site.settings).tick())


@pytest.fixture
def match(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Match]:
    """Prepare a game on servers that all go by one clock, which stands until it is told."""
    clock = Clock()
    monkeypatch.setattr(app, "make_clock", lambda: clock)
    match = Match(database_url, clock)
    yield match
    for visitor in match.people:
        visitor.http.close()


def test_a_flag_falls_on_its_day_though_the_server_was_restarted(match: Match) -> None:
    start = match.clock.now
    with match.serve() as house:
        match.begin(house)
        match.choose(0)
        assert [face["due"] for face in match.look()["clocks"]] == [None, start + MOVE + BANK]
    with match.serve(after=MOVE + BANK - 1):
        assert match.bots() == [None, None]
        assert match.look()["waiting"] == [1]
        assert match.look()["clocks"][1] == {"bank": BANK, "due": start + MOVE + BANK}
    with match.serve(after=1):
        assert match.bots() == [None, "greedy"]
        places = match.look()["info"]["places"]
        assert [place["has_left"] for place in places] == [False, True]
        assert match.said() == [("take_over", 1, "time")]
    with match.serve():
        assert match.said() == [("take_over", 1, "time")], "it fell once"


def test_a_flag_falls_while_the_server_runs(match: Match) -> None:
    with match.serve() as house:
        match.begin(house)
        match.clock.wait(HOUR)
        match.choose(0)
        match.clock.wait(MOVE + BANK - HOUR - 1)
        look_after(house)
        assert match.bots() == [None, None]
        match.clock.wait(1)
        look_after(house)
        assert match.bots() == [None, "greedy"]


def test_a_choice_on_the_last_day_is_in_time_and_takes_from_the_bank(match: Match) -> None:
    with match.serve() as house:
        match.begin(house)
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
    with match.serve() as house:
        match.begin(house)
        match.choose(0)
    with match.serve(after=MOVE + BANK + late):
        assert match.bots() == [None, None]
        assert match.said() == [("anew", None, None)]
        due = match.clock.now + MOVE + BANK
        assert match.look()["clocks"][1] == {"bank": BANK, "due": due}
    with match.serve(after=MOVE + BANK):
        assert match.bots() == [None, "greedy"], "but the next one is"


def test_a_game_is_not_abandoned_while_somebody_has_time_to_choose(match: Match) -> None:
    move, bank = 14 * DAY, 30 * DAY
    with match.serve() as house:
        match.begin(house, move, bank)
        match.choose(0)
        assert move + bank > house.settings.archive_after
    with match.serve(after=move + bank - DAY):
        assert match.look()["info"]["status"] == "running"
        assert match.said() == []
    with match.serve(after=DAY):
        assert match.said() == [("take_over", 1, "time")]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_who_ran_out_of_time_comes_back_with_an_empty_bank(match: Match) -> None:
    with match.serve() as house:
        match.begin(house)
        match.choose(0)
        match.clock.wait(MOVE + BANK)
        look_after(house)
        ada, ben = match.people
        with ada.connect() as talk:
            talk.watch(match.table)
            while 0 not in talk.seen[match.table].now["waiting"]:
                talk.hear("update")  # until the bot has chosen
        ben.do(match.table, kind="take_seat_back", seat=1).raise_for_status()
        assert match.bots() == [None, None]
        assert not match.look()["info"]["places"][1]["has_left"]
        banks = [face["bank"] for face in match.look()["clocks"]]
        assert banks == [BANK, 0.0]
