"""People at a table over the wire: chat, mute, ban, and who is told what about whom."""

from __future__ import annotations

from itertools import count
from random import Random

from pleasance.server.base.translate import server_words
from server.guests import NONCE
from server.house import House, open_house
from server.talks import Talk, Visitor, play, seat_all


def heard(talk: Talk, table: str, seq: int) -> list[str]:
    """Tell what was said at a table, up to a line."""
    lines = talk.wait_for(table, seq).lines
    return [lines[n]["text"] for n in sorted(lines) if lines[n]["what"] == "say"]


def test_who_is_muted_is_read_by_others_alone(ada: Visitor, ben: Visitor, house: House) -> None:
    table = ada.open()
    with ada.connect() as a, ben.connect() as b, house.visit("Zoe") as zoe, zoe.connect() as z:
        for talk in (a, b, z):
            talk.watch(table)
        assert b.do(table, kind="say", text="one")["seq"] == 1
        assert heard(a, table, 1) == ["one"]
        ada.ask("PUT", f"/api/me/mutes/{ben.id}", status=204)
        b.do(table, kind="say", text="two")
        z.do(table, kind="say", text="three")
        assert heard(a, table, 3) == ["one", "three"]
        assert heard(z, table, 3) == ["one", "two", "three"]
        with ada.connect({}) as tab:
            assert [line["text"] for line in tab.watch(table, 0)["lines"]] == ["three"]
        ada.ask("DELETE", f"/api/me/mutes/{ben.id}", status=204)
        b.do(table, kind="say", text="four")
        assert heard(a, table, 4) == ["one", "three", "four"]


def test_who_is_muted_is_not_read_over_http_either(ada: Visitor, ben: Visitor) -> None:
    table = ada.open()
    with ben.connect() as b:
        assert b.do(table, kind="say", text="one")["kind"] == "accepted"
    ada.ask("PUT", f"/api/me/mutes/{ben.id}", status=204)
    assert ada.read_log(table) == []
    assert ada.look(table)["lines"] == []
    assert len(ben.read_log(table)) == 1


def test_who_is_banned_follows_the_table_no_more(ada: Visitor, ben: Visitor) -> None:
    table, other = ada.open(), ada.open()
    with ada.connect() as a, ben.connect() as b, ben.connect({}) as tab:
        a.watch(table)
        for talk in (b, tab):
            talk.watch(table)
            talk.watch(other)
        b.do(table, kind="sit", nonce=NONCE)
        assert a.do(table, kind="kick", player=ben.id, is_ban=True)["kind"] == "accepted"
        a.do(table, kind="say", text="gone at last")
        for talk in (b, tab):
            assert talk.hear("refused")["code"] == "banned"
            assert talk.do(other, kind="say", text="still here")["kind"] == "accepted"
            assert "gone at last" not in str([*talk.kept, *talk.seen[table].lines.values()])
            for command in ({"kind": "say", "text": "let me in"}, {"kind": "sit", "nonce": NONCE}):
                assert talk.do(table, **command)["code"] == "banned"
            assert talk.ask("watch", table=table)["code"] == "banned"
        for path in ("", "/log", "/record"):
            assert ben.ask("GET", f"/api/tables/{table}{path}", status=403)["code"] == "banned"
        a.wait_for(table, 3)
        assert [place["player"] for place in ada.seen[table].now["info"]["places"]] == [None, None]


def test_who_is_banned_is_told_so_in_their_own_language(ada: Visitor, house: House) -> None:
    table = ada.open()
    with house.visit("Uwe") as uwe:
        uwe.ask("PATCH", "/api/me", {"language": "de"})
        with ada.connect() as a, uwe.connect() as talk:
            talk.watch(table)
            a.do(table, kind="kick", player=uwe.id, is_ban=True)
            told = talk.hear("refused")
            assert told["message"] == server_words("de")("error.banned")
            assert talk.ask("watch", table=table)["message"] == told["message"]


def test_a_stranger_is_refused_in_the_language_of_the_browser(ada: Visitor, house: House) -> None:
    table = ada.open()
    with Talk(
        house.link, {"Accept-Language": "es-MX,en;q=0.5"}, seen={}, keys=map(str, count())
    ) as talk:
        told = talk.do(table, kind="say", text="hola")
        assert told["message"] == server_words("es")("error.sign_in")


def test_a_bot_plays_on_for_who_is_banned_in_a_game(ada: Visitor, ben: Visitor) -> None:
    table = ada.open()
    with ada.connect() as a:
        with ben.connect() as b:
            seat_all(table, [a, b])
            play(table, [a, b], Random(1), choices=4)
            assert a.do(table, kind="kick", player=ben.id, is_ban=True)["kind"] == "accepted"
            assert b.hear("refused")["code"] == "banned"
            assert b.do(table, kind="take_seat_back", seat=1)["code"] == "banned"
        play(table, [a], Random(1))
        assert ada.seen[table].is_whole
        ways = [line["what"] for line in ada.seen[table].lines.values()]
        assert ways.count("take_over") == 1


def test_only_the_owner_sends_somebody_away(ada: Visitor, ben: Visitor) -> None:
    table = ada.open()
    with ben.connect() as b:
        assert b.do(table, kind="kick", player=ada.id)["code"] == "not_owner"
        assert b.do(table, kind="seat_bot", bot="greedy")["code"] == "not_owner"


def test_everybody_is_told_who_is_connected(ada: Visitor, ben: Visitor) -> None:
    table = ada.open()
    with ada.connect() as a:
        a.watch(table)
        with ben.connect() as b:
            seat_all(table, [a, b])
            b.cut()
        while (told := a.hear("present"))["here"] != [True, False]:
            pass
        assert told["watching"] == 0
        with ben.connect() as b:
            b.watch(table, since=ben.seen[table].seq)
            while a.hear("present")["here"] != [True, True]:
                pass


def test_a_bot_stands_in_for_who_is_away_and_gives_the_seat_back(sqlite_url: str) -> None:
    with (
        open_house(sqlite_url, absence=1.0) as house,
        house.visit("Ada") as ada,
        house.visit("Ben") as ben,
        ada.connect() as a,
    ):
        table = ada.open()
        with ben.connect() as b:
            seat_all(table, [a, b])
        found = ada.seen[table].find_choice()
        assert found
        a.do(table, **a.make_choice(table, found[0], found[1][0]))
        while "take_over" not in {line["what"] for line in ada.seen[table].lines.values()}:
            a.hear("update")
        with ben.connect() as b:
            b.watch(table, since=ben.seen[table].seq)
            assert "hand_back" in {line["what"] for line in ben.seen[table].lines.values()}
            play(table, [a, b], Random(2))
            assert ada.seen[table].is_whole
            assert ben.seen[table].is_whole
