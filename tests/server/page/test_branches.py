"""Branches: a player continues another game from a past position, against bots."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from conformance import find_configuration, play_game
from pleasance.core.record import parse_record, write_record
from pleasance.core.verify import verify
from pleasance.games import find_game
from support import NONCE
from support.http_client import HttpClient
from support.live_server import open_server
from support.ws_client import play

RECORD = write_record(play_game(find_configuration("sakura-3"), 2).record)
STEPS = 30


def options(**more: Any) -> dict[str, Any]:
    opening = {"record": RECORD, "steps": STEPS}
    return {"game": "sakura", "seats": 3, "opening": opening, **more}


def start_game(ada: HttpClient, table: str) -> None:
    """Take a seat, seat two bots and start."""
    ada.do(table, kind="sit", seat=1, nonce=NONCE).raise_for_status()
    for _ in range(2):
        ada.do(table, kind="seat_bot", bot="random").raise_for_status()
    ada.do(table, kind="start").raise_for_status()


@pytest.mark.slow
def test_a_branch_is_played_to_the_end_with_bots_and_its_record_verifies(ada: HttpClient) -> None:
    info = ada.ask("POST", "/api/tables", options(), 201)
    tokens = parse_record(RECORD).texts()
    assert info["opening"] == len(tokens[: info["opening"]]) > 0
    table = info["id"]
    start_game(ada, table)
    assert ada.ask("GET", f"/t/{table}/playback.json?seat=1&first=0")["steps"] >= STEPS
    with ada.connect() as ws:
        ws.watch(table)
        play(table, [ws], Random(1))
    record = parse_record(ada.ask("GET", f"/api/tables/{table}/record"))
    assert record.texts()[: info["opening"]] == tokens[: info["opening"]]
    assert record.tags["Opening"] == str(info["opening"])
    verdict = verify(find_game("sakura"), record)
    assert verdict.draws
    assert verdict.given
    body = ada.ask("GET", f"/t/{table}/story.json?seat=1")
    assert any(item["kind"] == "move" for item in body["items"])
    assert len(ada.ask("GET", f"/t/{table}/ending.json")["results"]) == 3


def test_a_rematch_of_a_branch_begins_where_it_began(ada: HttpClient) -> None:
    table = ada.ask("POST", "/api/tables", options(), 201)["id"]
    start_game(ada, table)
    ada.do(table, kind="resign", seat=1).raise_for_status()
    again = ada.do(table, kind="rematch", nonce=NONCE).raise_for_status().json()["table"]
    assert (
        ada.read_snapshot(again)["info"]["opening"]
        == ada.read_snapshot(table)["info"]["opening"]
        > 0
    )


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"is_rated": True, "clock": {"move": 60}}, "opening_rated"),
        ({"seats": 4}, "opening_seats"),
        ({"game": "sanssouci"}, "record_game"),
        ({"options": ["tactical"], "seats": 2}, "record_options"),
        ({"opening": {"record": RECORD, "steps": 9_999}}, "opening_long"),
        ({"opening": {"record": "hello", "steps": 1}}, "record_before_game"),
        ({"opening": {"record": RECORD.replace("+", "+?", 1), "steps": 1}}, None),
    ],
)
def test_invalid_branches_fail(ada: HttpClient, more: dict[str, Any], code: str | None) -> None:
    answer = ada.http.post("/api/tables", json=options(**more))
    assert answer.status_code == 400, answer.text
    assert code in {None, answer.json()["code"]}
    assert answer.json()["message"]


def test_a_game_that_is_over_cannot_be_played_on(ada: HttpClient) -> None:
    steps = len(play_game(find_configuration("sakura-3"), 2).steps)
    answer = ada.http.post("/api/tables", json=options(opening={"record": RECORD, "steps": steps}))
    assert (answer.status_code, answer.json()["code"]) == (400, "opening_over")


def test_what_one_seat_saw_of_a_running_game_is_no_opening(ada: HttpClient) -> None:
    table = ada.open_table("sakura", 3)
    start_game(ada, table)
    seen = ada.ask("GET", f"/api/tables/{table}/record")
    answer = ada.http.post("/api/tables", json=options(opening={"record": seen, "steps": 3}))
    assert (answer.status_code, answer.json()["code"]) == (400, "record_needs_full")


@pytest.mark.slow
def test_a_branch_survives_a_restart(tmp_path_factory: pytest.TempPathFactory) -> None:
    database = f"sqlite:///{tmp_path_factory.mktemp('branches') / 'pleasance.db'}"
    with open_server(database) as server, server.visit("Ada") as ada:
        table = ada.ask("POST", "/api/tables", options(), 201)["id"]
        start_game(ada, table)
        before = ada.read_snapshot(table)
        cookies = dict(ada.http.cookies)
    with open_server(database) as server, HttpClient(server.link) as again:
        again.http.cookies.update(cookies)
        after = again.read_snapshot(table)
    assert after["info"]["opening"] == before["info"]["opening"]
    mine = [view["position"] for view in before["views"]]
    assert [view["position"] for view in after["views"]] == mine or after["seq"] > before["seq"]
