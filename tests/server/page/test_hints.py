"""Hints: the choice of a strong bot that knows no more than the player."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance import Configuration, every_configuration
from pleasance.games import find_game, game_names
from pleasance.players.registry import players_by_strength
from pleasance.server.bots.pool import unpack_view
from pleasance.server.identity.rate_limits import RATE_LIMITS
from pleasance.server.page.hints import make_hint_request, strongest_bot
from support import NONCE
from support.http_client import HttpClient, open_http, start_game
from support.live_server import LiveServer, open_server


def refusal(client: HttpClient, table: str, seat: int = 0) -> tuple[int, str]:
    answer = client.http.post(f"/t/{table}/hint?seat={seat}")
    return answer.status_code, answer.json()["code"]


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_a_hint_is_a_choice_that_is_legal(ada: HttpClient, ben: HttpClient, game: str) -> None:
    table = start_game((ada, ben), game)
    (view,) = ada.read_snapshot(table)["views"]
    seat = ada.read_snapshot(table)["waiting"][0]
    asker = (ada, ben)[seat]
    hint = asker.ask("POST", f"/t/{table}/hint?seat={seat}")
    legal = view["legal"] if seat == 0 else asker.read_snapshot(table)["views"][0]["legal"]
    assert hint["token"] in legal


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_the_first_hint_of_a_server_comes_from_the_strongest_adviser(
    tmp_path: Path, game: str
) -> None:
    database = f"sqlite:///{tmp_path / 'pleasance.db'}"
    with open_server(database) as server, server.visit("Ada") as ada, server.visit("Ben") as ben:
        table = start_game((ada, ben), game)
        seat = ada.read_snapshot(table)["waiting"][0]
        hint = (ada, ben)[seat].ask("POST", f"/t/{table}/hint?seat={seat}")
    assert hint["bot"] == strongest_bot(find_game(game))
    advisers = [spec for spec in players_by_strength(find_game(game)) if spec.gives_hints]
    assert hint["bot"].partition(":")[0] == max(advisers, key=lambda spec: spec.strength).name


def test_the_hint_bot_sees_only_the_view(
    server: LiveServer, ada: HttpClient, ben: HttpClient
) -> None:
    table = start_game((ada, ben), "sanssouci")
    room = server.run(server.site.hub.find(table)).room
    assert room.table is not None
    for seat in room.waiting:
        request = make_hint_request(table, room, seat, "random")
        assert unpack_view(request.view) == room.table.view(seat)
        assert room.config.bot_seed not in request.seed
        assert room.config.secret not in request.seed


def test_hints_are_for_own_seats_only(server: LiveServer, ada: HttpClient, ben: HttpClient) -> None:
    table = start_game((ada, ben))
    assert refusal(ada, table, 1) == (403, "not_your_seat")
    assert refusal(ben, table, 0) == (403, "not_your_seat")
    assert refusal(ada, table, 5) == (403, "not_your_seat")
    with open_http(server.link) as stranger:
        assert stranger.post(f"/t/{table}/hint?seat=0").status_code == 401


def test_a_rated_game_gives_no_hints(ada: HttpClient, ben: HttpClient) -> None:
    table = start_game((ada, ben), is_rated=True, clock={"move": 600})
    assert refusal(ada, table) == (409, "rated_no_hint")


def test_a_hint_is_for_a_seat_that_must_choose(ada: HttpClient, ben: HttpClient) -> None:
    table = ada.open_table()
    assert refusal(ada, table) == (409, "not_started")
    ada.do(table, kind="sit", nonce=NONCE).raise_for_status()
    ben.do(table, kind="sit", nonce=NONCE).raise_for_status()
    ada.do(table, kind="start").raise_for_status()
    now = ada.read_snapshot(table)
    token = now["views"][0]["legal"][0]
    chosen = {"kind": "choose", "seat": 0, "token": token, "ply": now["ply"], "revision": 0}
    ada.do(table, **chosen).raise_for_status()
    assert refusal(ada, table)[1] == "not_your_turn"
    assert refusal(ben, table, 0)[1] == "not_your_seat"
    ada.do(table, kind="resign", seat=0).raise_for_status()
    assert refusal(ben, table, 1)[1] == "game_over"


@pytest.mark.slow
def test_too_many_requests_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    database = f"sqlite:///{tmp_path_factory.mktemp('hints') / 'pleasance.db'}"
    with open_server(database, limits_factor=0.1) as server, server.visit("Ada") as ada:
        table = ada.open_table()
        ada.do(table, kind="sit", nonce=NONCE).raise_for_status()
        ada.do(table, kind="seat_bot", bot="random").raise_for_status()
        ada.do(table, kind="start").raise_for_status()
        for _ in range(int(RATE_LIMITS["hint"].burst * 0.1)):
            ada.ask("POST", f"/t/{table}/hint?seat=0")
        answer = ada.http.post(f"/t/{table}/hint?seat=0")
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        assert int(answer.headers["retry-after"]) > 0


@every_configuration
def test_some_bot_can_be_asked_in_every_configuration(config: Configuration) -> None:
    assert strongest_bot(config.game)
