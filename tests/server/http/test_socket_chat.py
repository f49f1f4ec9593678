"""Chat, mute, ban and presence at a table over the socket."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from pleasance.server.base.translate import server_messages
from support import NONCE
from support.http_client import HttpClient
from support.live_server import LiveServer, open_server
from support.ws_client import WsClient, play, seat_all


def heard(ws: WsClient, table: str, seq: int) -> list[str]:
    """List the chat messages at a table up to a seq."""
    lines = ws.wait_for(table, seq).entries
    return [lines[n]["text"] for n in sorted(lines) if lines[n]["kind"] == "say"]


def test_muting_hides_chat_from_one(ada: HttpClient, ben: HttpClient, server: LiveServer) -> None:
    table = ada.open_table()
    with ada.connect() as a, ben.connect() as b, server.visit("Zoe") as zoe, zoe.connect() as z:
        for ws in (a, b, z):
            ws.watch(table)
        assert b.do(table, kind="say", text="one")["seq"] == 1
        assert heard(a, table, 1) == ["one"]
        ada.ask("PUT", f"/api/me/mutes/{ben.id}", status=204)
        b.do(table, kind="say", text="two")
        z.do(table, kind="say", text="three")
        assert heard(a, table, 3) == ["one", "three"]
        assert heard(z, table, 3) == ["one", "two", "three"]
        with ada.connect({}) as tab:
            assert [line["text"] for line in tab.watch(table, 0)["entries"]] == ["three"]
        ada.ask("DELETE", f"/api/me/mutes/{ben.id}", status=204)
        b.do(table, kind="say", text="four")
        assert heard(a, table, 4) == ["one", "three", "four"]


def test_muting_works_over_http_too(ada: HttpClient, ben: HttpClient) -> None:
    table = ada.open_table()
    with ben.connect() as b:
        assert b.do(table, kind="say", text="one")["kind"] == "accepted"
    ada.ask("PUT", f"/api/me/mutes/{ben.id}", status=204)
    assert ada.read_log(table) == []
    assert ada.read_snapshot(table)["entries"] == []
    assert len(ben.read_log(table)) == 1


def test_a_banned_player_no_longer_watches_the_table(ada: HttpClient, ben: HttpClient) -> None:
    table, other = ada.open_table(), ada.open_table()
    with ada.connect() as a, ben.connect() as b, ben.connect({}) as tab:
        a.watch(table)
        for ws in (b, tab):
            ws.watch(table)
            ws.watch(other)
        b.do(table, kind="sit", nonce=NONCE)
        assert a.do(table, kind="kick", player=ben.id, is_ban=True)["kind"] == "accepted"
        a.do(table, kind="say", text="gone at last")
        for ws in (b, tab):
            assert ws.receive("refused")["code"] == "banned"
            assert ws.do(other, kind="say", text="still here")["kind"] == "accepted"
            assert "gone at last" not in str([*ws.skipped, *ws.mirrors[table].entries.values()])
            for command in ({"kind": "say", "text": "let me in"}, {"kind": "sit", "nonce": NONCE}):
                assert ws.do(table, **command)["code"] == "banned"
            assert ws.ask("watch", table=table)["code"] == "banned"
        for path in ("", "/log", "/record"):
            assert ben.ask("GET", f"/api/tables/{table}{path}", status=403)["code"] == "banned"
        a.wait_for(table, 3)
        assert [place["player"] for place in ada.mirrors[table].latest["info"]["places"]] == [
            None,
            None,
        ]


def test_a_ban_is_explained_in_the_players_language(ada: HttpClient, server: LiveServer) -> None:
    table = ada.open_table()
    with server.visit("Uwe") as uwe:
        uwe.ask("PATCH", "/api/me", {"language": "de"})
        with ada.connect() as a, uwe.connect() as ws:
            ws.watch(table)
            a.do(table, kind="kick", player=uwe.id, is_ban=True)
            message = ws.receive("refused")
            assert message["message"] == server_messages("de")("error.banned")
            assert ws.ask("watch", table=table)["message"] == message["message"]


def test_a_stranger_is_refused_in_their_language(ada: HttpClient, server: LiveServer) -> None:
    table = ada.open_table()
    with WsClient(
        server.link, {"Accept-Language": "es-MX,en;q=0.5"}, mirrors={}, keys=map(str, count())
    ) as ws:
        message = ws.do(table, kind="say", text="hola")
        assert message["message"] == server_messages("es")("error.sign_in")


@pytest.mark.slow
def test_a_bot_plays_on_for_a_banned_player(ada: HttpClient, ben: HttpClient) -> None:
    table = ada.open_table()
    with ada.connect() as a:
        with ben.connect() as b:
            seat_all(table, [a, b])
            play(table, [a, b], Random(1), choices=4)
            assert a.do(table, kind="kick", player=ben.id, is_ban=True)["kind"] == "accepted"
            assert b.receive("refused")["code"] == "banned"
            assert b.do(table, kind="reclaim_seat", seat=1)["code"] == "banned"
        play(table, [a], Random(1))
        assert ada.mirrors[table].is_whole
        ways = [line["kind"] for line in ada.mirrors[table].entries.values()]
        assert ways.count("take_over") == 1


def test_only_the_owner_kicks_players(ada: HttpClient, ben: HttpClient) -> None:
    table = ada.open_table()
    with ben.connect() as b:
        assert b.do(table, kind="kick", player=ada.id)["code"] == "not_owner"
        assert b.do(table, kind="seat_bot", bot="greedy")["code"] == "not_owner"


def test_presence_is_sent_to_all_watchers(ada: HttpClient, ben: HttpClient) -> None:
    table = ada.open_table()
    with ada.connect() as a:
        a.watch(table)
        with ben.connect() as b:
            seat_all(table, [a, b])
            b.drop()
        while (message := a.receive("present"))["here"] != [True, False]:
            pass
        assert message["watching"] == 0
        with ben.connect() as b:
            b.watch(table, since=ben.mirrors[table].seq)
            while a.receive("present")["here"] != [True, True]:
                pass


@pytest.mark.slow
def test_a_bot_takes_over_for_an_absent_player_and_returns_the_seat(sqlite_url: str) -> None:
    with (
        open_server(sqlite_url, absence=1.0) as server,
        server.visit("Ada") as ada,
        server.visit("Ben") as ben,
        ada.connect() as a,
    ):
        table = ada.open_table()
        with ben.connect() as b:
            seat_all(table, [a, b])
        found = ada.mirrors[table].find_choice()
        assert found
        a.do(table, **a.make_choice(table, found[0], found[1][0]))
        while "take_over" not in {line["kind"] for line in ada.mirrors[table].entries.values()}:
            a.receive("update")
        with ben.connect() as b:
            b.watch(table, since=ben.mirrors[table].seq)
            assert "seat_returned" in {line["kind"] for line in ben.mirrors[table].entries.values()}
            play(table, [a, b], Random(2))
            assert ada.mirrors[table].is_whole
            assert ben.mirrors[table].is_whole
