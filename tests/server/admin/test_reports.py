"""Reports of chat messages: each reader may report an entry once, and the operator lists them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from support import NONCE
from support.cli import Capture, run_command
from support.http_client import HttpClient
from support.live_server import LiveServer, open_module_server

NOWHERE = "nowhere12345"


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    """Run a server on each kind of database."""
    with open_module_server(request, request.param) as server:
        yield server


def say(who: HttpClient, table: str, text: str) -> int:
    """Send a chat message; return its seq."""
    return int(who.do(table, kind="say", text=text).raise_for_status().json()["seq"])


def report(who: HttpClient, table: str, line: int, reason: str = "", status: int = 201) -> Any:
    """Report an entry; return the report's id, or the error code."""
    body = {"seq": line, "reason": reason}
    listed = who.ask("POST", f"/api/tables/{table}/reports", body, status)
    return listed["id"] if status == 201 else listed["code"]


def list_open(server: LiveServer, capsys: Capture, table: str) -> list[dict[str, Any]]:
    """List the open reports of a table, as the operator sees them."""
    output = run_command(
        capsys, "admin", "reports", "--json", "--database", server.settings.database
    )
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [row for row in rows if row["table"] == table]


def test_the_operator_reads_reports_with_author_and_reason(
    server: LiveServer, ada: HttpClient, ben: HttpClient, capsys: Capture
) -> None:
    table = ada.open_table()
    line = say(ben, table, "You fool")
    name = report(ada, table, line, "rude")
    (listed,) = list_open(server, capsys, table)
    assert listed.pop("at") == pytest.approx(server.site.clock(), abs=60)
    assert listed == {
        "id": name,
        "table": table,
        "seq": line,
        "reporter": ada.id,
        "reason": "rude",
        "player": ben.id,
        "said": "You fool",
    }
    database = server.settings.database
    run_command(capsys, "admin", "reports", "--close", name, "--database", database)
    assert list_open(server, capsys, table) == []
    assert report(ada, table, line, "still rude") == name
    assert list_open(server, capsys, table) == [], "it was dealt with"


def test_reports_are_one_per_player(
    server: LiveServer, ada: HttpClient, ben: HttpClient, capsys: Capture
) -> None:
    table = ada.open_table()
    first, second = (say(ben, table, text) for text in ("one", "two"))
    with ThreadPoolExecutor(4) as hands, server.visit("Zoe") as zoe:
        lines = [first] * 8
        names = set(hands.map(lambda line: report(ada, table, line, "again"), lines))
        names |= {report(ada, table, second), report(zoe, table, first, "me too")}
    assert len(names) == 3
    listed = list_open(server, capsys, table)
    assert {row["id"] for row in listed} == names
    assert sorted((row["seq"], row["reporter"]) for row in listed) == sorted(
        [(first, ada.id), (second, ada.id), (first, zoe.id)]
    )


def test_only_chat_can_be_reported(ada: HttpClient, ben: HttpClient) -> None:
    table, other = ada.open_table(), ada.open_table()
    ada.do(table, kind="sit", nonce=NONCE).raise_for_status()
    line = say(ben, table, "one")
    assert report(ada, table, line - 1, status=404) == "no_such_words", "that is a sit entry"
    assert report(ada, table, line + 1, status=404) == "no_such_words"
    assert report(ada, other, line, status=404) == "no_such_words", "it was said elsewhere"
    assert report(ada, NOWHERE, line, status=404) == "no_table"


def test_strangers_report_nothing(
    stranger: httpx.Client, server: LiveServer, ada: HttpClient, capsys: Capture
) -> None:
    table = ada.open_table()
    line = say(ada, table, "one")
    stranger.headers["Origin"] = server.link
    assert stranger.post(f"/api/tables/{table}/reports", json={"seq": line}).status_code == 401
    assert list_open(server, capsys, table) == []


def test_a_program_with_a_token_reports_nothing(server: LiveServer, ada: HttpClient) -> None:
    table = ada.open_table()
    line = say(ada, table, "one")
    with server.visit() as owner:
        secret = owner.create_token("read", "play", "chat", "account")["secret"]
        with HttpClient(server.link, token=secret) as program:
            report(program, table, line, status=403)


def test_a_muted_player_can_still_be_reported(ada: HttpClient, ben: HttpClient) -> None:
    table = ada.open_table()
    line = say(ben, table, "one")
    ada.ask("PUT", f"/api/me/mutes/{ben.id}", status=204)
    assert report(ada, table, line)


def test_banned_players_report_earlier_chat_only(
    server: LiveServer, ada: HttpClient, ben: HttpClient, capsys: Capture
) -> None:
    table = ada.open_table()
    before = say(ada, table, "Go away, fool")
    ada.do(table, kind="kick", player=ben.id, is_ban=True).raise_for_status()
    after = say(ada, table, "gone at last")
    for line in (after, after + 1):
        assert report(ben, table, line, status=403) == "banned"
    report(ben, table, before, "rude")
    assert [row["seq"] for row in list_open(server, capsys, table)] == [before]
