"""The live protocol over a real socket: watching, numbers, keys, and who gets what."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from pleasance import __version__
from pleasance.server.http.socket import MOST_TABLES
from server.guests import NONCE
from server.house import House, open_lodge
from server.talks import Message, Talk, Visitor, play, seat_all


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    with open_lodge(request, request.param) as house:
        yield house


@pytest.fixture
def talks(ada: Visitor, ben: Visitor) -> Iterator[tuple[Talk, Talk]]:
    with ada.connect() as a, ben.connect() as b:
        yield a, b


def refusal(answer: Message) -> str:
    assert answer["kind"] == "refused", answer
    assert answer["message"], "there are words"
    return str(answer["code"])


def test_the_server_speaks_first_and_tells_who_one_is(ada: Visitor, house: House) -> None:
    with ada.connect() as talk:
        welcome = talk.welcome
    assert (welcome["player"], welcome["name"]) == (ada.id, "Ada")
    assert welcome["version"] == __version__
    assert welcome["heartbeat"] == house.settings.heartbeat


def test_a_ping_is_answered_at_once_with_the_time_of_the_server(ada: Visitor, house: House) -> None:
    with ada.connect() as talk:
        before = house.site.clock()
        pong = talk.ask("ping", key="p-1")
        assert (pong["kind"], pong["key"]) == ("pong", "p-1")
        assert before <= pong["now"] <= house.site.clock()


def test_who_has_not_come_in_may_watch_but_not_play(ada: Visitor, house: House) -> None:
    table = ada.open()
    with Visitor(house.link) as stranger, stranger.connect() as talk:
        assert talk.welcome["player"] == ""
        assert talk.watch(table)["views"] == []
        assert refusal(talk.do(table, kind="sit", nonce=NONCE)) == "sign_in"
        assert refusal(talk.do(table, kind="say", text="hello")) == "sign_in"
    assert ada.read_log(table) == []


def test_two_people_play_a_game_and_both_know_the_whole_log(
    ada: Visitor, ben: Visitor, talks: tuple[Talk, Talk]
) -> None:
    table = ada.open()
    seat_all(table, talks)
    play(table, talks, Random(1))
    for visitor in (ada, ben):
        seen = visitor.seen[table]
        assert seen.is_whole
        assert list(map(seen.lines.get, sorted(seen.lines))) == visitor.read_log(table)
        shown = visitor.look(table)
        for name in ("seq", "ply", "undone", "waiting", "chose", "scores", "info", "box"):
            assert seen.now[name] == shown[name], name
        assert list(seen.views.values()) == shown["views"]


def test_who_comes_back_gets_exactly_the_lines_that_are_missing(
    ada: Visitor, talks: tuple[Talk, Talk]
) -> None:
    table = ada.open()
    seat_all(table, talks)
    play(table, talks, Random(2), choices=6)
    log = ada.read_log(table)
    with ada.connect({}) as tab:
        for since in range(len(log) + 1):
            snapshot = tab.watch(table, since)
            assert snapshot["seq"] == len(log)
            assert snapshot["lines"] == log[since:]


def test_who_knows_more_than_there_is_gets_the_newest_lines(
    ada: Visitor, talks: tuple[Talk, Talk]
) -> None:
    table = ada.open()
    seat_all(table, talks)
    play(table, talks, Random(3), choices=4)
    for n in range(100):
        talks[0].do(table, kind="say", text=str(n))
    log = ada.read_log(table)
    assert len(log) > 100
    with ada.connect({}) as tab:
        for since in (None, len(log) + 1, 10**9, 2**80):
            assert tab.watch(table, since)["lines"] == log[-100:]


def test_an_unknown_table_cannot_be_watched(ada: Visitor) -> None:
    with ada.connect() as talk:
        assert refusal(talk.ask("watch", table="nosuchtable1")) == "no_table"
        assert refusal(talk.do("nosuchtable1", kind="start")) == "no_table"
        assert talk.ask("unwatch", table="nosuchtable1")["kind"] == "accepted"


def test_one_connection_follows_so_many_tables_and_no_more(ada: Visitor) -> None:
    tables = [ada.open() for _ in range(MOST_TABLES + 1)]
    with ada.connect() as talk:
        for table in tables[:-1]:
            talk.watch(table)
        assert refusal(talk.ask("watch", table=tables[-1])) == "too_many_tables"
        talk.watch(tables[0], since=0)  # one that is followed already is not one more
        talk.ask("unwatch", table=tables[0])
        talk.watch(tables[-1])
        assert talk.do(tables[0], kind="say", text="unheard")["kind"] == "accepted"
        assert talk.do(tables[-1], kind="say", text="heard")["kind"] == "accepted"
        talk.wait_for(tables[-1], 1)
        assert talk.seen[tables[0]].seq == 0


def test_a_repeated_key_is_answered_the_same_over_socket_and_http(
    ada: Visitor, talks: tuple[Talk, Talk]
) -> None:
    table = ada.open()
    seat_all(table, talks)
    first = talks[0]
    found = ada.seen[table].find_choice()
    assert found
    command = first.make_choice(table, found[0], found[1][0])
    request = {"key": "once", "command": command}
    said = [first.ask("do", key="once", table=table, command=command)]
    said.append(ada.ask("POST", f"/api/tables/{table}/commands", request))
    play(table, talks, Random(4), choices=5)
    said.append(ada.ask("POST", f"/api/tables/{table}/commands", request))
    said.append(first.ask("do", key="once", table=table, command=command))
    with ada.connect({}) as tab:
        said.append(tab.ask("do", key="once", table=table, command=command))
    assert said[0]["kind"] == "accepted"
    assert all({**answer, "kind": "accepted"} == said[0] for answer in said)
    chosen = [line for line in ada.read_log(table) if line["n"] == said[0]["seq"]]
    assert [line["token"] for line in chosen] == [command["token"]]


def test_the_key_of_somebody_else_is_another_key(ada: Visitor, talks: tuple[Talk, Talk]) -> None:
    table = ada.open()
    for talk in talks:
        command = {"kind": "sit", "nonce": NONCE}
        assert talk.ask("do", key="same", table=table, command=command)["kind"] == "accepted"
    assert [line["what"] for line in ada.read_log(table)] == ["sit", "sit"]


def test_a_choice_for_an_old_position_is_refused(ada: Visitor, talks: tuple[Talk, Talk]) -> None:
    table = ada.open("sanssouci")
    seat_all(table, talks)
    seen = [talk.wait_for(table, 1) for talk in talks]
    n = next(n for n, known in enumerate(seen) if known.find_choice())
    found = seen[n].find_choice()
    assert found
    old = talks[n].make_choice(table, found[0], found[1][0])
    play(table, talks, Random(5), choices=3)
    before = ada.read_log(table)
    answer = talks[n].do(table, **old)
    assert refusal(answer) == "stale"
    assert answer["params"] == {"ply": old["ply"], "now": ada.look(table)["ply"]}
    assert ada.read_log(table) == before


def test_who_is_refused_was_told_before_what_has_changed(
    ada: Visitor, ben: Visitor, talks: tuple[Talk, Talk]
) -> None:
    table = ada.open("sanssouci")
    seat_all(table, talks)
    for talk in talks:
        talk.wait_for(table, ada.look(table)["seq"])
    n = next(n for n, talk in enumerate(talks) if talk.seen[table].find_choice())
    late, found = (ada, ben)[n], talks[n].seen[table].find_choice()
    assert found
    with late.connect({}) as tab:
        old = tab.watch(table)
        play(table, talks, Random(9), choices=5)
        command = {**talks[n].make_choice(table, found[0], found[1][0]), "ply": old["ply"]}
        answer = tab.do(table, **command)
        assert refusal(answer) == "stale"
        assert answer["seq"] == late.look(table)["seq"] > old["seq"]
        assert tab.seen[table].seq == answer["seq"], "the updates came first"
        assert tab.seen[table].lines[answer["seq"]] == late.read_log(table)[-1]
    with late.connect({}) as stranger:
        answer = stranger.do(table, **command)
        assert answer["seq"] == late.look(table)["seq"], "from where to go on"
        assert stranger.watch(table, since=old["seq"])["lines"][-1]["n"] == answer["seq"]
        assert stranger.do("nosuchtable1", kind="start")["seq"] == 0


def test_of_two_tabs_that_choose_at_once_one_is_heard(
    ada: Visitor, talks: tuple[Talk, Talk]
) -> None:
    table = ada.open("sanssouci")
    seat_all(table, talks)
    rng = Random(6)
    with ada.connect({}) as tab:
        tab.watch(table)
        for turn in range(12):
            play(table, [talks[0], talks[1], tab], rng, choices=rng.randrange(1, 3))
            tabs = (talks[0], tab) if turn % 2 else (tab, talks[0])
            found = tab.seen[table].find_choice()
            if found is None:
                continue
            seat, legal = found
            for n, each in enumerate(tabs):
                command = each.make_choice(table, seat, rng.choice(legal))
                each.send({"kind": "do", "key": f"{turn}-{n}", "table": table, "command": command})
            answers = [each.hear_answer(f"{turn}-{n}") for n, each in enumerate(tabs)]
            assert sorted(answer["kind"] for answer in answers) == ["accepted", "refused"]
            newest = ada.look(table)["seq"]
            both = [each.wait_for(table, newest) for each in tabs]
            assert both[0].lines == both[1].lines
            assert both[0].views == both[1].views
        log = ada.read_log(table)
        chosen = [line for line in log if line["what"] == "choose" and line["seat"] == 0]
        assert len(chosen) >= 6, "there were turns where both chose"
        assert list(tab.seen[table].lines.values()) == log


def test_a_spectator_sees_what_a_spectator_may_see(
    ada: Visitor, house: House, talks: tuple[Talk, Talk]
) -> None:
    table = ada.open()
    with house.visit("Zoe") as zoe, zoe.connect() as watcher:
        watcher.watch(table)
        seat_all(table, talks)
        play(table, talks, Random(7), choices=9)
        newest = ada.look(table)["seq"]
        seen = watcher.wait_for(table, newest)
        assert list(seen.views) == [None]
        assert seen.views[None]["legal"] == []
        assert list(seen.lines.values()) == zoe.read_log(table) != ada.read_log(table)
        assert {line["token"] for line in seen.lines.values() if line["what"] == "draw"} >= {"+?"}
        assert refusal(watcher.do(table, kind="undo", seat=0)) == "not_your_seat"


def test_somebody_with_two_seats_sees_both_and_no_more(ada: Visitor, ben: Visitor) -> None:
    table = ada.open(seats=3)
    with ada.connect() as a, ben.connect() as b:
        a.watch(table)
        b.watch(table)
        for talk, name in ((a, "Ada"), (a, "Anna"), (b, "Ben")):
            assert talk.do(table, kind="sit", nonce=NONCE, name=name)["kind"] == "accepted"
        a.do(table, kind="start")
        play(table, [a, b], Random(8), choices=8)
        newest = ada.look(table)["seq"]
        assert list(a.wait_for(table, newest).views) == [0, 1]
        assert list(b.wait_for(table, newest).views) == [2]
        drawn = [line for line in ada.seen[table].lines.values() if line["what"] == "draw"]
        assert {line["token"] for line in drawn if line.get("seat") == 2} == {"+?"}
        assert "+?" not in {line["token"] for line in drawn if line.get("seat") != 2}
        play(table, [a, b], Random(8))
        assert ada.seen[table].is_whole
