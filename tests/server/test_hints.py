"""Hints: a strong bot says what it would choose, to whom it may, and knows no more than they do."""

from __future__ import annotations

import pytest

from conformance import Configuration, every_configuration
from pleasance.games import game_names
from pleasance.server.bots.pool import unpack_view
from pleasance.server.identity.rate_limits import RULES
from pleasance.server.page.hints import find_adviser, make_question
from server.guests import NONCE, knock
from server.house import House, open_house
from server.talks import Visitor, seat_all


def start(ada: Visitor, ben: Visitor, game: str = "sakura", **more: object) -> str:
    table = ada.open(game, 2, **more)
    with ada.connect() as a, ben.connect() as b:
        seat_all(table, [a, b])
    return table


def refusal(visitor: Visitor, table: str, seat: int = 0) -> tuple[int, str]:
    answer = visitor.http.post(f"/t/{table}/hint?seat={seat}")
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("game", game_names())
def test_a_hint_is_a_choice_that_is_legal(ada: Visitor, ben: Visitor, game: str) -> None:
    table = start(ada, ben, game)
    (view,) = ada.look(table)["views"]
    seat = ada.look(table)["waiting"][0]
    asker = (ada, ben)[seat]
    hint = asker.ask("POST", f"/t/{table}/hint?seat={seat}")
    legal = view["legal"] if seat == 0 else asker.look(table)["views"][0]["legal"]
    assert hint["token"] in legal
    assert hint["bot"].split(":")[0] in {"master", "ismcts", "planner", "greedy"}
    assert asker.ask("POST", f"/t/{table}/hint?seat={seat}") == hint


def test_the_bot_that_is_asked_sees_what_the_seat_sees_and_nothing_else(
    house: House, ada: Visitor, ben: Visitor
) -> None:
    table = start(ada, ben, "sanssouci")
    room = house.run(house.site.hub.find(table)).room
    assert room.table is not None
    for seat in room.waiting:
        thought = make_question(table, room, seat, "random")
        assert unpack_view(thought.view) == room.table.view(seat)
        assert room.plan.luck not in thought.seed
        assert room.plan.secret not in thought.seed


def test_nobody_gets_a_hint_for_another_seat(house: House, ada: Visitor, ben: Visitor) -> None:
    table = start(ada, ben)
    assert refusal(ada, table, 1) == (403, "not_your_seat")
    assert refusal(ben, table, 0) == (403, "not_your_seat")
    assert refusal(ada, table, 5) == (403, "not_your_seat")
    with knock(house.link) as stranger:
        assert stranger.post(f"/t/{table}/hint?seat=0").status_code == 401


def test_a_rated_game_gives_no_hints(ada: Visitor, ben: Visitor) -> None:
    table = start(ada, ben, is_rated=True, clock={"move": 600})
    assert refusal(ada, table) == (409, "rated_no_hint")


def test_a_hint_is_for_who_must_choose_now(ada: Visitor, ben: Visitor) -> None:
    table = ada.open()
    assert refusal(ada, table) == (409, "not_started")
    ada.do(table, kind="sit", nonce=NONCE).raise_for_status()
    ben.do(table, kind="sit", nonce=NONCE).raise_for_status()
    ada.do(table, kind="start").raise_for_status()
    now = ada.look(table)
    token = now["views"][0]["legal"][0]
    chosen = {"kind": "choose", "seat": 0, "token": token, "ply": now["ply"], "undone": 0}
    ada.do(table, **chosen).raise_for_status()
    assert refusal(ada, table)[1] == "not_your_turn"
    assert refusal(ben, table, 0)[1] == "not_your_seat"
    ada.do(table, kind="resign", seat=0).raise_for_status()
    assert refusal(ben, table, 1)[1] == "game_over"


def test_who_asks_too_often_is_asked_for_patience(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    database = f"sqlite:///{tmp_path_factory.mktemp('hints') / 'pleasance.db'}"
    with open_house(database, limits_factor=0.1) as house, house.visit("Ada") as ada:
        table = ada.open()
        ada.do(table, kind="sit", nonce=NONCE).raise_for_status()
        ada.do(table, kind="seat_bot", bot="random").raise_for_status()
        ada.do(table, kind="start").raise_for_status()
        most = int(RULES["hint"].burst * 0.1)
        for _ in range(most):
            ada.ask("POST", f"/t/{table}/hint?seat=0")
        answer = ada.http.post(f"/t/{table}/hint?seat=0")
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        assert int(answer.headers["retry-after"]) > 0


@every_configuration
def test_some_bot_can_be_asked_in_every_configuration(config: Configuration) -> None:
    assert find_adviser(config.game)
