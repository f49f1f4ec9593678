"""Admin commands work beside a running server: invitations, tables, players."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import insert

from pleasance import cli
from pleasance.server.identity.players import add_player
from pleasance.server.store.schema.rooms import reports
from pleasance.server.store.store import Store
from support.cli import Capture, run_command, run_refused
from support.http_client import HttpClient
from support.server_process import COMMAND, finish, read_until, run_process

SERVE = (*COMMAND, "serve", "--no-browser", "--port", "0")


class Host(NamedTuple):
    """A server for invited people."""

    link: str
    home: Path
    database: str


pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Start a server that lets in who has an invitation."""
    home = tmp_path_factory.mktemp("club")
    with run_process(SERVE, home, PLEASANCE_INVITATION_ONLY="true") as process:
        link = read_until(process, "http://").split()[-1]
        yield Host(link, home, f"sqlite:///{home}/pleasance.db")
        assert finish(process, signal.SIGTERM)[0] == 0


@pytest.fixture
def member(host: Host, capsys: Capture) -> HttpClient:
    """Join with an invitation."""
    guest = HttpClient(host.link)
    code = run_command(capsys, "admin", "invite", "--database", host.database).strip()
    guest.request_session(invitation=code).raise_for_status()
    return guest


def test_an_invitation_lets_one_guest_in(host: Host, capsys: Capture) -> None:
    codes = run_command(
        capsys, "admin", "invite", "--count", "2", "--database", host.database
    ).split()
    assert len(set(codes)) == 2
    assert HttpClient(host.link).request_session().json()["code"] == "invitation_needed"
    assert (
        HttpClient(host.link).request_session(invitation="guess").json()["code"]
        == "invitation_unknown"
    )
    typed = codes[0].upper().replace("-", " ")
    assert HttpClient(host.link).request_session(invitation=typed).is_success
    again = HttpClient(host.link).request_session(invitation=codes[0])
    assert (again.status_code, again.json()["code"]) == (403, "invitation_used")
    assert HttpClient(host.link).request_session(invitation=codes[1]).is_success


def test_a_closed_table_takes_no_choices(host: Host, member: HttpClient, capsys: Capture) -> None:
    table = member.start_solo_game()
    assert member.choose(table).is_success
    output = run_command(capsys, "admin", "close", table, "--database", host.database)
    assert output == f"Table {table} is closed.\n"
    assert member.choose(table).status_code == 409
    assert member.read_snapshot(table)["info"]["status"] == "closed"
    assert member.read_log(table)[-1]["kind"] == "close"
    again = run_refused(capsys, "admin", "close", table, "--database", host.database)
    assert "nothing to close" in again


def test_tables_are_listed_newest_first(host: Host, member: HttpClient, capsys: Capture) -> None:
    first, second = member.start_solo_game(), member.start_solo_game("sanssouci")
    arguments = ("admin", "tables", "--database", host.database)
    ids = [line.split()[0] for line in run_command(capsys, *arguments).splitlines()]
    assert ids[:2] == [second, first]
    rows = [json.loads(line) for line in run_command(capsys, *arguments, "--json").splitlines()]
    assert [rows[0]["id"], rows[0]["game"], rows[0]["status"]] == [second, "sanssouci", "running"]
    assert run_command(capsys, *arguments, "--status", "over") == "There are no tables.\n"


def test_reports_are_listed_and_closed(host: Host, member: HttpClient, capsys: Capture) -> None:
    table = member.start_solo_game()
    member.do(table, kind="say", text="You \x1b[31m fool").raise_for_status()
    line = member.read_log(table)[-1]["seq"]
    facts = {"id": "report1", "table_id": table, "seq": line, "reporter_id": "ada", "at": 1e9}
    store = Store.open(host.database, is_server=False)
    add = insert(reports).values(**facts, reason="rude")
    store.write_now(lambda connection: connection.execute(add).rowcount)
    store.close()
    arguments = ("admin", "reports", "--database", host.database)
    output = run_command(capsys, *arguments)
    assert "rude" in output
    assert f"of table {table}: You" in output
    assert "\x1b" not in output
    assert (
        run_command(capsys, *arguments, "--close", "report1") == "Report report1 is dealt with.\n"
    )
    assert run_command(capsys, *arguments) == "There are no open reports.\n"
    assert "no open report report1" in run_refused(capsys, *arguments, "--close", "report1")


def test_guests_are_counted(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/new.db"
    store = Store.open(url)
    store.write_now(lambda connection: add_player(connection, "Old", 0.0))
    store.write_now(lambda connection: add_player(connection, "Young", time.time()))
    store.close()
    output = run_command(capsys, "admin", "guests", "--database", url)
    assert output.startswith("Guests: 2. Of these, 1 never sat down, ")
    assert output.endswith(" stayed away for 90 days.\n")
    monkeypatch.setenv("PLEASANCE_FORGET_GUESTS_AFTER", "0")
    output = run_command(capsys, "admin", "guests", "--database", url)
    assert output == "Guests: 2. None is ever removed: forget_guests_after is 0.\n"


@pytest.mark.slow
def test_a_backup_of_a_running_server_gives_the_same_games_back(
    host: Host, member: HttpClient, tmp_path: Path, capsys: Capture
) -> None:
    tables = [member.start_solo_game(), member.start_solo_game("sanssouci")]
    for table in tables * 3:
        member.choose(table).raise_for_status()
    before = {table: (member.read_snapshot(table), member.read_log(table)) for table in tables}
    file = tmp_path / "kept.backup"
    output = run_command(capsys, "admin", "backup", str(file), "--database", host.database)
    assert output == f"Everything is in {file}.\n"
    assert file.stat().st_mode & 0o077 == 0  # it holds the secrets of running games
    for table in tables:  # the server goes on, and the backup does not care
        member.choose(table).raise_for_status()
    home = tmp_path / "elsewhere"
    database = f"sqlite:///{home}/pleasance.db"
    run_command(capsys, "admin", "restore", str(file), "--database", database)
    with run_process(SERVE, home) as process:
        member.http.base_url = read_until(process, "http://").split()[-1]
        member.http.headers["Origin"] = str(member.http.base_url).rstrip("/")
        after = {table: (member.read_snapshot(table), member.read_log(table)) for table in tables}
        assert after == before
        for table in tables:
            assert member.choose(table).is_success
        assert finish(process, signal.SIGTERM)[0] == 0


def test_what_is_not_there_is_refused_in_one_line(tmp_path: Path, capsys: Capture) -> None:
    database = ("--database", f"sqlite:///{tmp_path}/new.db")
    assert "nosuchtable" in run_refused(capsys, "admin", "close", "nosuchtable", *database)
    assert str(tmp_path) in run_refused(
        capsys, "admin", "restore", str(tmp_path / "none"), *database
    )
    assert "must look like" in run_refused(capsys, "admin", "tables", "--database", "games.db")


def test_a_new_database_is_brought_up_to_date(tmp_path: Path, capsys: Capture) -> None:
    database = ("--database", f"sqlite:///{tmp_path}/new.db")
    for _ in range(2):
        output = run_command(capsys, "admin", "migrate", *database)
        assert output == "The database fits this version.\n"
    assert run_command(capsys, "admin", "tables", *database) == "There are no tables.\n"


def test_every_admin_command_shows_examples(capsys: Capture) -> None:
    from pleasance.cli.admin_commands import admin

    for command in admin.registered_commands:
        assert command.callback
        name = command.name or command.callback.__name__
        assert cli.run(["admin", name, "--help"]) == 0
        assert f"Examples:\n    pleasance admin {name}" in capsys.readouterr().out
