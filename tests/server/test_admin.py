"""What whoever runs a server can do, beside the server while it runs."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import insert

from commands import Capture, printed, refused
from pleasance import cli
from pleasance.server.identity.players import add_player
from pleasance.server.store.schema.rooms import reports
from pleasance.server.store.store import Store
from server.guests import Guest
from server.processes import COMMAND, finish, read_until, started

SERVE = (*COMMAND, "serve", "--no-browser", "--port", "0")


class Club(NamedTuple):
    """A server for invited people."""

    link: str
    home: Path
    database: str


@pytest.fixture(autouse=True)
def _speak_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLEASANCE_LANGUAGE", "en")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Start a server that lets in who has an invitation."""
    home = tmp_path_factory.mktemp("club")
    with started(SERVE, home, PLEASANCE_INVITATION_ONLY="true") as process:
        link = read_until(process, "http://").split()[-1]
        yield Club(link, home, f"sqlite:///{home}/pleasance.db")
        assert finish(process, signal.SIGTERM)[0] == 0


@pytest.fixture
def member(club: Club, capsys: Capture) -> Guest:
    """Come in with an invitation."""
    guest = Guest(club.link)
    code = printed(capsys, "admin", "invite", "--database", club.database).strip()
    guest.come(invitation=code).raise_for_status()
    return guest


def test_an_invitation_lets_one_guest_in(club: Club, capsys: Capture) -> None:
    codes = printed(capsys, "admin", "invite", "--count", "2", "--database", club.database).split()
    assert len(set(codes)) == 2
    assert Guest(club.link).come().json()["code"] == "invitation_needed"
    assert Guest(club.link).come(invitation="guess").json()["code"] == "invitation_unknown"
    typed = codes[0].upper().replace("-", " ")
    assert Guest(club.link).come(invitation=typed).is_success
    again = Guest(club.link).come(invitation=codes[0])
    assert (again.status_code, again.json()["code"]) == (403, "invitation_used")
    assert Guest(club.link).come(invitation=codes[1]).is_success


def test_a_closed_table_takes_no_more_choices(club: Club, member: Guest, capsys: Capture) -> None:
    table = member.open_table()
    assert member.choose(table).is_success
    said = printed(capsys, "admin", "close", table, "--database", club.database)
    assert said == f"Table {table} is closed.\n"
    refusal = member.choose(table)
    assert refusal.status_code == 409
    assert member.look(table)["info"]["status"] == "closed"
    assert member.read_log(table)[-1]["what"] == "close"
    again = refused(capsys, "admin", "close", table, "--database", club.database)
    assert "nothing to close" in again


def test_tables_are_listed_the_newest_first(club: Club, member: Guest, capsys: Capture) -> None:
    first, second = member.open_table(), member.open_table("sanssouci")
    arguments = ("admin", "tables", "--database", club.database)
    shown = [line.split()[0] for line in printed(capsys, *arguments).splitlines()]
    assert shown[:2] == [second, first]
    rows = [json.loads(line) for line in printed(capsys, *arguments, "--json").splitlines()]
    assert [rows[0]["id"], rows[0]["game"], rows[0]["status"]] == [second, "sanssouci", "running"]
    assert printed(capsys, *arguments, "--status", "over") == "There are no tables.\n"


def test_reports_are_listed_with_what_was_said_and_ticked_off(
    club: Club, member: Guest, capsys: Capture
) -> None:
    table = member.open_table()
    member.do(table, kind="say", text="You \x1b[31m fool").raise_for_status()
    line = member.read_log(table)[-1]["n"]
    facts = {"id": "report1", "table_id": table, "line": line, "by": "ada", "at": 1e9}
    store = Store.open(club.database, is_server=False)
    add = insert(reports).values(**facts, reason="rude")
    store.write_now(lambda connection: connection.execute(add).rowcount)
    store.close()
    arguments = ("admin", "reports", "--database", club.database)
    said = printed(capsys, *arguments)
    assert "rude" in said
    assert f"of table {table}: You" in said
    assert "\x1b" not in said
    assert printed(capsys, *arguments, "--close", "report1") == "Report report1 is dealt with.\n"
    assert printed(capsys, *arguments) == "There are no open reports.\n"
    assert "no open report report1" in refused(capsys, *arguments, "--close", "report1")


def test_guests_are_counted(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/new.db"
    store = Store.open(url)
    store.write_now(lambda connection: add_player(connection, "Old", 0.0))
    store.write_now(lambda connection: add_player(connection, "Young", time.time()))
    store.close()
    said = printed(capsys, "admin", "guests", "--database", url)
    assert said.startswith("Guests: 2. Of these, 1 never sat down, ")
    assert said.endswith(" stayed away for 90 days.\n")
    monkeypatch.setenv("PLEASANCE_FORGET_GUESTS_AFTER", "0")
    said = printed(capsys, "admin", "guests", "--database", url)
    assert said == "Guests: 2. None is ever removed: forget_guests_after is 0.\n"


@pytest.mark.slow
def test_a_backup_of_a_running_server_gives_the_same_games_back(
    club: Club, member: Guest, tmp_path: Path, capsys: Capture
) -> None:
    tables = [member.open_table(), member.open_table("sanssouci")]
    for table in tables * 3:
        member.choose(table).raise_for_status()
    before = {table: (member.look(table), member.read_log(table)) for table in tables}
    file = tmp_path / "kept.backup"
    said = printed(capsys, "admin", "backup", str(file), "--database", club.database)
    assert said == f"Everything is in {file}.\n"
    assert file.stat().st_mode & 0o077 == 0  # it holds the secrets of running games
    for table in tables:  # the server goes on, and the backup does not care
        member.choose(table).raise_for_status()
    home = tmp_path / "elsewhere"
    database = f"sqlite:///{home}/pleasance.db"
    printed(capsys, "admin", "restore", str(file), "--database", database)
    with started(SERVE, home) as process:
        member.http.base_url = read_until(process, "http://").split()[-1]
        member.http.headers["Origin"] = str(member.http.base_url).rstrip("/")
        after = {table: (member.look(table), member.read_log(table)) for table in tables}
        assert after == before
        for table in tables:
            assert member.choose(table).is_success
        assert finish(process, signal.SIGTERM)[0] == 0


def test_what_is_not_there_is_refused_in_one_line(tmp_path: Path, capsys: Capture) -> None:
    database = ("--database", f"sqlite:///{tmp_path}/new.db")
    assert "nosuchtable" in refused(capsys, "admin", "close", "nosuchtable", *database)
    assert str(tmp_path) in refused(capsys, "admin", "restore", str(tmp_path / "none"), *database)
    assert "must look like" in refused(capsys, "admin", "tables", "--database", "games.db")


def test_a_new_database_is_brought_up_to_date(tmp_path: Path, capsys: Capture) -> None:
    database = ("--database", f"sqlite:///{tmp_path}/new.db")
    for _ in range(2):
        said = printed(capsys, "admin", "migrate", *database)
        assert said == "The database fits this version.\n"
    assert printed(capsys, "admin", "tables", *database) == "There are no tables.\n"


def test_every_admin_command_shows_examples(capsys: Capture) -> None:
    from pleasance.cli.admin_commands import admin

    for command in admin.registered_commands:
        assert command.callback
        name = command.name or command.callback.__name__
        assert cli.run(["admin", name, "--help"]) == 0
        assert f"Examples:\n    pleasance admin {name}" in capsys.readouterr().out
