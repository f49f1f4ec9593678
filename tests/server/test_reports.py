"""Reporting what was said: whoever runs the server is told, once, by those who could read it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from commands import Capture, printed
from server.guests import NONCE
from server.house import House, open_lodge
from server.talks import Visitor

NOWHERE = "nowhere12345"


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    """Run a server on each kind of database."""
    with open_lodge(request, request.param) as house:
        yield house


def say(who: Visitor, table: str, text: str) -> int:
    """Let somebody say something; give the number of the line."""
    return int(who.do(table, kind="say", text=text).raise_for_status().json()["seq"])


def report(who: Visitor, table: str, line: int, reason: str = "", status: int = 201) -> Any:
    """Let somebody report a line; give the report's name, or the code of the refusal."""
    wish = {"line": line, "reason": reason}
    told = who.ask("POST", f"/api/tables/{table}/reports", wish, status)
    return told["id"] if status == 201 else told["code"]


def list_open(house: House, capsys: Capture, table: str) -> list[dict[str, Any]]:
    """List the open reports of a table, as whoever runs the server sees them."""
    said = printed(capsys, "admin", "reports", "--json", "--database", house.settings.database)
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return [row for row in rows if row["table"] == table]


def test_whoever_runs_the_server_reads_who_said_what_and_why_it_was_reported(
    house: House, ada: Visitor, ben: Visitor, capsys: Capture
) -> None:
    table = ada.open()
    line = say(ben, table, "You fool")
    name = report(ada, table, line, "rude")
    (told,) = list_open(house, capsys, table)
    assert told.pop("at") == pytest.approx(house.site.clock(), abs=60)
    assert told == {
        "id": name,
        "table": table,
        "line": line,
        "by": ada.id,
        "reason": "rude",
        "player": ben.id,
        "said": "You fool",
    }
    database = house.settings.database
    printed(capsys, "admin", "reports", "--close", name, "--database", database)
    assert list_open(house, capsys, table) == []
    assert report(ada, table, line, "still rude") == name
    assert list_open(house, capsys, table) == [], "it was dealt with"


def test_a_line_is_reported_once_by_each_who_finds_it_wrong(
    house: House, ada: Visitor, ben: Visitor, capsys: Capture
) -> None:
    table = ada.open()
    first, second = (say(ben, table, text) for text in ("one", "two"))
    with ThreadPoolExecutor(4) as hands, house.visit("Zoe") as zoe:
        lines = [first] * 8
        names = set(hands.map(lambda line: report(ada, table, line, "again"), lines))
        names |= {report(ada, table, second), report(zoe, table, first, "me too")}
    assert len(names) == 3
    told = list_open(house, capsys, table)
    assert {row["id"] for row in told} == names
    assert sorted((row["line"], row["by"]) for row in told) == sorted(
        [(first, ada.id), (second, ada.id), (first, zoe.id)]
    )


def test_nobody_reports_what_was_not_said(ada: Visitor, ben: Visitor) -> None:
    table, other = ada.open(), ada.open()
    ada.do(table, kind="sit", nonce=NONCE).raise_for_status()
    line = say(ben, table, "one")
    assert report(ada, table, line - 1, status=404) == "no_such_words", "somebody sat down"
    assert report(ada, table, line + 1, status=404) == "no_such_words"
    assert report(ada, other, line, status=404) == "no_such_words", "it was said elsewhere"
    assert report(ada, NOWHERE, line, status=404) == "no_table"


def test_nobody_reports_without_having_come_in(
    stranger: httpx.Client, house: House, ada: Visitor, capsys: Capture
) -> None:
    table = ada.open()
    line = say(ada, table, "one")
    stranger.headers["Origin"] = house.link
    answer = stranger.post(f"/api/tables/{table}/reports", json={"line": line})
    assert answer.status_code == 401
    assert list_open(house, capsys, table) == []


def test_a_program_with_a_token_reports_nothing(house: House, ada: Visitor) -> None:
    table = ada.open()
    line = say(ada, table, "one")
    with house.visit() as owner:
        wish = {"label": "all", "scopes": ["read", "play", "chat", "account"]}
        secret = owner.ask("POST", "/api/tokens", wish, 201)["secret"]
        with Visitor(house.link, token=secret) as program:
            report(program, table, line, status=403)


def test_who_muted_somebody_may_report_what_made_them_do_so(ada: Visitor, ben: Visitor) -> None:
    table = ada.open()
    line = say(ben, table, "one")
    ada.ask("PUT", f"/api/me/mutes/{ben.id}", status=204)
    assert report(ada, table, line)


def test_who_is_banned_reports_what_was_said_before_and_nothing_after(
    house: House, ada: Visitor, ben: Visitor, capsys: Capture
) -> None:
    table = ada.open()
    before = say(ada, table, "Go away, fool")
    ada.do(table, kind="kick", player=ben.id, is_ban=True).raise_for_status()
    after = say(ada, table, "gone at last")
    for line in (after, after + 1):
        assert report(ben, table, line, status=403) == "banned"
    report(ben, table, before, "rude")
    assert [row["line"] for row in list_open(house, capsys, table)] == [before]
