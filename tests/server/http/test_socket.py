"""The live protocol over a WebSocket: watching, seqs, idempotency keys, visibility."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from pleasance import __version__
from pleasance.server.http.socket import MAX_WATCHED_TABLES
from support import NONCE
from support.http_client import HttpClient
from support.live_server import LiveServer, open_module_server
from support.ws_client import Message, WsClient, play, seat_all

Sockets = tuple[WsClient, WsClient]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    with open_module_server(request, request.param) as server:
        yield server


@pytest.fixture
def sockets(ada: HttpClient, ben: HttpClient) -> Iterator[Sockets]:
    with ada.connect() as a, ben.connect() as b:
        yield a, b


def refusal(answer: Message) -> str:
    assert answer["kind"] == "refused", answer
    assert answer["message"], "there are words"
    return str(answer["code"])


def test_the_server_sends_a_welcome_first(ada: HttpClient, server: LiveServer) -> None:
    with ada.connect() as ws:
        welcome = ws.welcome
    assert (welcome["player"], welcome["name"]) == (ada.id, "Ada")
    assert welcome["version"] == __version__
    assert welcome["heartbeat"] == server.settings.heartbeat


def test_a_pong_has_the_time_of_the_server(ada: HttpClient, server: LiveServer) -> None:
    with ada.connect() as ws:
        before = server.site.clock()
        pong = ws.ask("ping", key="p-1")
        assert (pong["kind"], pong["key"]) == ("pong", "p-1")
        assert before <= pong["now"] <= server.site.clock()


def test_a_client_without_session_may_watch_but_not_play(
    ada: HttpClient, server: LiveServer
) -> None:
    table = ada.open_table()
    with HttpClient(server.link) as stranger, stranger.connect() as ws:
        assert ws.welcome["player"] == ""
        assert ws.watch(table)["views"] == []
        assert refusal(ws.do(table, kind="sit", nonce=NONCE)) == "sign_in"
        assert refusal(ws.do(table, kind="say", text="hello")) == "sign_in"
    assert ada.read_log(table) == []


def test_two_players_get_the_whole_log(ada: HttpClient, ben: HttpClient, sockets: Sockets) -> None:
    table = ada.open_table()
    seat_all(table, sockets)
    play(table, sockets, Random(1))
    for client in (ada, ben):
        seen = client.mirrors[table]
        assert seen.is_whole
        assert list(map(seen.entries.get, sorted(seen.entries))) == client.read_log(table)
        shown = client.read_snapshot(table)
        for name in ("seq", "ply", "revision", "waiting", "chose", "scores", "info", "box"):
            assert seen.latest[name] == shown[name], name
        assert list(seen.views.values()) == shown["views"]


def test_a_reconnect_gets_exactly_the_missing_entries(ada: HttpClient, sockets: Sockets) -> None:
    table = ada.open_table()
    seat_all(table, sockets)
    play(table, sockets, Random(2), choices=6)
    log = ada.read_log(table)
    with ada.connect({}) as tab:
        for since in range(len(log) + 1):
            snapshot = tab.watch(table, since)
            assert snapshot["seq"] == len(log)
            assert snapshot["entries"] == log[since:]


def test_a_seq_beyond_the_end_gets_the_newest_entries(ada: HttpClient, sockets: Sockets) -> None:
    table = ada.open_table()
    seat_all(table, sockets)
    play(table, sockets, Random(3), choices=4)
    for n in range(100):
        sockets[0].do(table, kind="say", text=str(n))
    log = ada.read_log(table)
    assert len(log) > 100
    with ada.connect({}) as tab:
        for since in (None, len(log) + 1, 10**9, 2**80):
            assert tab.watch(table, since)["entries"] == log[-100:]


def test_an_unknown_table_cannot_be_watched(ada: HttpClient) -> None:
    with ada.connect() as ws:
        assert refusal(ws.ask("watch", table="nosuchtable1")) == "no_table"
        assert refusal(ws.do("nosuchtable1", kind="start")) == "no_table"
        assert ws.ask("unwatch", table="nosuchtable1")["kind"] == "accepted"


def test_one_connection_follows_so_many_tables_and_no_more(ada: HttpClient) -> None:
    tables = [ada.open_table() for _ in range(MAX_WATCHED_TABLES + 1)]
    with ada.connect() as ws:
        for table in tables[:-1]:
            ws.watch(table)
        assert refusal(ws.ask("watch", table=tables[-1])) == "too_many_tables"
        ws.watch(tables[0], since=0)  # one that is followed already is not one more
        ws.ask("unwatch", table=tables[0])
        ws.watch(tables[-1])
        assert ws.do(tables[0], kind="say", text="unheard")["kind"] == "accepted"
        assert ws.do(tables[-1], kind="say", text="heard")["kind"] == "accepted"
        ws.wait_for(tables[-1], 1)
        assert ws.mirrors[tables[0]].seq == 0


def test_a_repeated_key_gets_one_answer(ada: HttpClient, sockets: Sockets) -> None:
    table = ada.open_table()
    seat_all(table, sockets)
    first = sockets[0]
    found = ada.mirrors[table].find_choice()
    assert found
    command = first.make_choice(table, found[0], found[1][0])
    request = {"key": "once", "command": command}
    replies = [first.ask("do", key="once", table=table, command=command)]
    replies.append(ada.ask("POST", f"/api/tables/{table}/commands", request))
    play(table, sockets, Random(4), choices=5)
    replies.append(ada.ask("POST", f"/api/tables/{table}/commands", request))
    replies.append(first.ask("do", key="once", table=table, command=command))
    with ada.connect({}) as tab:
        replies.append(tab.ask("do", key="once", table=table, command=command))
    assert replies[0]["kind"] == "accepted"
    assert all({**answer, "kind": "accepted"} == replies[0] for answer in replies)
    chosen = [line for line in ada.read_log(table) if line["seq"] == replies[0]["seq"]]
    assert [line["token"] for line in chosen] == [command["token"]]


def test_keys_belong_to_one_player(ada: HttpClient, sockets: Sockets) -> None:
    table = ada.open_table()
    for ws in sockets:
        command = {"kind": "sit", "nonce": NONCE}
        assert ws.ask("do", key="same", table=table, command=command)["kind"] == "accepted"
    assert [line["kind"] for line in ada.read_log(table)] == ["sit", "sit"]


def test_a_stale_choice_is_refused(ada: HttpClient, sockets: Sockets) -> None:
    table = ada.open_table("sanssouci")
    seat_all(table, sockets)
    seen = [ws.wait_for(table, 1) for ws in sockets]
    n = next(n for n, known in enumerate(seen) if known.find_choice())
    found = seen[n].find_choice()
    assert found
    old = sockets[n].make_choice(table, found[0], found[1][0])
    play(table, sockets, Random(5), choices=3)
    before = ada.read_log(table)
    answer = sockets[n].do(table, **old)
    assert refusal(answer) == "stale"
    now = ada.read_snapshot(table)["ply"]
    assert answer["params"] == {"ply": old["ply"], "now": now, "reverted": "no"}
    assert ada.read_log(table) == before


def test_updates_precede_a_refusal(ada: HttpClient, ben: HttpClient, sockets: Sockets) -> None:
    table = ada.open_table("sanssouci")
    seat_all(table, sockets)
    for ws in sockets:
        ws.wait_for(table, ada.read_snapshot(table)["seq"])
    n = next(n for n, ws in enumerate(sockets) if ws.mirrors[table].find_choice())
    late, found = (ada, ben)[n], sockets[n].mirrors[table].find_choice()
    assert found
    with late.connect({}) as tab:
        old = tab.watch(table)
        play(table, sockets, Random(9), choices=5)
        command = {**sockets[n].make_choice(table, found[0], found[1][0]), "ply": old["ply"]}
        answer = tab.do(table, **command)
        assert refusal(answer) == "stale"
        assert answer["seq"] == late.read_snapshot(table)["seq"] > old["seq"]
        assert tab.mirrors[table].seq == answer["seq"], "the updates came first"
        assert tab.mirrors[table].entries[answer["seq"]] == late.read_log(table)[-1]
    with late.connect({}) as stranger:
        answer = stranger.do(table, **command)
        assert answer["seq"] == late.read_snapshot(table)["seq"], "from where to go on"
        assert stranger.watch(table, since=old["seq"])["entries"][-1]["seq"] == answer["seq"]
        assert stranger.do("nosuchtable1", kind="start")["seq"] == 0


def test_of_two_choices_at_once_one_wins(ada: HttpClient, sockets: Sockets) -> None:
    table = ada.open_table("sanssouci")
    seat_all(table, sockets)
    rng = Random(6)
    with ada.connect({}) as tab:
        tab.watch(table)
        for turn in range(12):
            play(table, [sockets[0], sockets[1], tab], rng, choices=rng.randrange(1, 3))
            tabs = (sockets[0], tab) if turn % 2 else (tab, sockets[0])
            found = tab.mirrors[table].find_choice()
            if found is None:
                continue
            seat, legal = found
            for n, each in enumerate(tabs):
                command = each.make_choice(table, seat, rng.choice(legal))
                each.send({"kind": "do", "key": f"{turn}-{n}", "table": table, "command": command})
            answers = [each.receive_answer(f"{turn}-{n}") for n, each in enumerate(tabs)]
            assert sorted(answer["kind"] for answer in answers) == ["accepted", "refused"]
            newest = ada.read_snapshot(table)["seq"]
            both = [each.wait_for(table, newest) for each in tabs]
            assert both[0].entries == both[1].entries
            assert both[0].views == both[1].views
        log = ada.read_log(table)
        chosen = [line for line in log if line["kind"] == "choose" and line["seat"] == 0]
        assert len(chosen) >= 6, "there were turns where both chose"
        assert list(tab.mirrors[table].entries.values()) == log


def test_a_spectator_sees_no_secrets(ada: HttpClient, server: LiveServer, sockets: Sockets) -> None:
    table = ada.open_table()
    with server.visit("Zoe") as zoe, zoe.connect() as watcher:
        watcher.watch(table)
        seat_all(table, sockets)
        play(table, sockets, Random(7), choices=9)
        seen = watcher.wait_for(table, ada.read_snapshot(table)["seq"])
        assert list(seen.views) == [None]
        assert seen.views[None]["legal"] == []
        assert list(seen.entries.values()) == zoe.read_log(table) != ada.read_log(table)
        assert {line["token"] for line in seen.entries.values() if line["kind"] == "draw"} >= {"+?"}
        assert refusal(watcher.do(table, kind="undo", seat=0)) == "not_your_seat"


def test_a_player_with_two_seats_sees_both_and_no_more(ada: HttpClient, ben: HttpClient) -> None:
    table = ada.open_table(seats=3)
    with ada.connect() as a, ben.connect() as b:
        a.watch(table)
        b.watch(table)
        for ws, name in ((a, "Ada"), (a, "Anna"), (b, "Ben")):
            assert ws.do(table, kind="sit", nonce=NONCE, name=name)["kind"] == "accepted"
        a.do(table, kind="start")
        play(table, [a, b], Random(8), choices=8)
        newest = ada.read_snapshot(table)["seq"]
        assert list(a.wait_for(table, newest).views) == [0, 1]
        assert list(b.wait_for(table, newest).views) == [2]
        drawn = [line for line in ada.mirrors[table].entries.values() if line["kind"] == "draw"]
        assert {line["token"] for line in drawn if line.get("seat") == 2} == {"+?"}
        assert "+?" not in {line["token"] for line in drawn if line.get("seat") != 2}
        play(table, [a, b], Random(8))
        assert ada.mirrors[table].is_whole
