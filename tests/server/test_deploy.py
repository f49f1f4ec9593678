"""The deployment files for hosts are valid: settings, services and their documentation."""

from __future__ import annotations

import re
import shlex
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import psycopg
import pytest

from pleasance import cli
from pleasance.server.base import metrics
from pleasance.server.base.settings import load_settings
from support import TIMEOUT_S
from support.cli import Capture, run_command, run_refused
from support.http_client import HttpClient
from support.server_process import COMMAND, finish, read_until, run_process

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
HOME = "/opt/pleasance"
PYTHON = f"{HOME}/.venv/bin/python"
PAGE = (ROOT / "docs" / "guide" / "hosting.md").read_text()

pytestmark = pytest.mark.usefixtures("english")


def test_the_settings_of_a_small_server_can_be_read() -> None:
    settings = load_settings(DEPLOY / "pleasance.toml", {})
    assert settings.trusts_proxy
    assert settings.is_https
    assert settings.host == "127.0.0.1"  # no request bypasses the proxy


@pytest.mark.parametrize("file", sorted(DEPLOY.glob("*.service")), ids=lambda file: file.name)
def test_a_service_calls_a_command_that_is_there(file: Path, capsys: Capture) -> None:
    line = re.search(r"^ExecStart=(.*)$", file.read_text(), re.MULTILINE)
    assert line
    python, native, run, program, command, *arguments = shlex.split(line[1])
    assert [python, native, run] == [PYTHON, f"{HOME}/native", "run"]
    assert (ROOT / "native" / "__main__.py").is_file()
    assert program == f"{HOME}/.venv/bin/pleasance"
    assert cli.run([command, "--help"]) == 0
    output = capsys.readouterr().out
    for option in (word for word in arguments if word.startswith("--")):
        assert f"{option} " in output


def test_the_proxies_hand_on_to_the_port_of_the_settings() -> None:
    port = load_settings(DEPLOY / "pleasance.toml", {}).port
    for name in ("Caddyfile", "nginx.conf"):
        text = (DEPLOY / name).read_text()
        assert f"127.0.0.1:{port}" in text
        assert "/metrics" in text  # which they keep to themselves


def test_the_page_about_hosting_names_every_meter_command_and_file() -> None:
    names = [each.name for each in metrics.REGISTRY.collect() if each.name.startswith("pleasance_")]
    assert len(names) > 5
    for name in names:
        assert name in PAGE
    from pleasance.cli.admin_commands import admin

    for command in admin.registered_commands:
        assert command.callback
        assert re.search(rf"(?:`|admin ){command.callback.__name__}\b", PAGE)
    for file in DEPLOY.iterdir():
        assert f"deploy/{file.name}" in PAGE


def test_a_worker_without_postgresql_is_refused(tmp_path: Path, capsys: Capture) -> None:
    assert "postgresql://" in run_refused(
        capsys, "worker", "--database", f"sqlite:///{tmp_path}/x.db"
    )


def test_a_database_that_does_not_answer_is_one_line_without_the_password(capsys: Capture) -> None:
    nowhere = "postgresql://me:hunter2@127.0.0.1:1/games"
    for command in (["serve", "--no-browser", "--port", "0"], ["admin", "tables"]):
        assert "hunter2" not in run_refused(capsys, *command, "--database", nowhere)


def is_taken(guest: HttpClient, table: str) -> bool:
    return guest.choose(table).is_success


def until(is_true: Callable[[], bool]) -> None:
    """Repeat the request until the other server has the new entries."""
    end = time.monotonic() + TIMEOUT_S
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.05)  # they are other processes, and tell us nothing


def count_listeners(url: str) -> int:
    """Count the processes that have a database open and listen to the others."""
    wanted = b"SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE %s"
    with psycopg.connect(url) as connection:
        return len(connection.execute(wanted, ("LISTEN%",)).fetchall())


@pytest.mark.slow
def test_two_servers_and_a_worker_agree(postgres_url: str, tmp_path: Path, capsys: Capture) -> None:
    database = ("--database", postgres_url)
    serve = (*COMMAND, "serve", "--no-browser", "--port", "0", *database)
    worker = (*COMMAND, "worker", "--processes", "1", *database)
    with (
        run_process(serve, tmp_path) as first,
        run_process(serve, tmp_path) as second,
        run_process(worker, tmp_path) as thinking,
    ):
        here, there = (read_until(server, "http://").split()[-1] for server in (first, second))
        ada, bea = HttpClient(here), HttpClient(there)
        ada.request_session(name="Ada").raise_for_status()
        bea.http.cookies = ada.http.cookies  # the same person at another server
        table = ada.start_solo_game()
        before = len(ada.read_log(table))
        for guest in (ada, bea) * 3:
            until(partial(is_taken, guest, table))
        until(lambda: ada.read_log(table) == bea.read_log(table))
        assert len(ada.read_log(table)) >= before + 6
        ready = httpx.get(f"{there}/health/ready", timeout=TIMEOUT_S)
        assert ready.json()["checks"]["schema"] is True
        choice = ada.find_choice(table)
        run_command(capsys, "admin", "close", table, *database)
        assert {guest.do(table, **choice).status_code for guest in (ada, bea)} == {409}
        until(lambda: count_listeners(postgres_url) == 3)  # a signal before that just kills
        assert [finish(each, signal.SIGTERM)[0] for each in (first, second, thinking)] == [0, 0, 0]
