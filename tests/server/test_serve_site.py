"""The complete server process: its output, its access rules, its version."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

import httpx
import pytest
from litestar.testing import AsyncTestClient

from pleasance.server.app import make_app, make_site
from pleasance.server.base import metrics
from pleasance.server.base.links import find_addresses
from pleasance.server.base.settings import ServerSettings
from pleasance.server.http.health import Phase, set_phase
from pleasance.server.serve import listen
from server.qr_code import read_code
from support import TIMEOUT_S
from support.cli import Capture, run_refused
from support.server_process import COMMAND, finish, read_until, run_process

SERVE = (*COMMAND, "serve", "--no-browser")


class Served(NamedTuple):
    process: Popen[str]
    link: str
    home: Path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Start the server once for the tests that only look at it."""
    home = tmp_path_factory.mktemp("served")
    with run_process((*SERVE, "--port", "0"), home) as process:
        line = read_until(process, "http://")
        yield Served(process, line.split()[-1], home)
        assert finish(process, signal.SIGTERM)[0] == 0


@pytest.fixture(autouse=True)
def _use_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLEASANCE_LANGUAGE", "en")
    monkeypatch.setenv("PLEASANCE_HOME", str(tmp_path))


def test_it_can_be_reached_from_this_computer_only(served: Served) -> None:
    port = int(served.link.rpartition(":")[2])
    assert served.link == f"http://127.0.0.1:{port}"
    for address in find_addresses():
        with closing(socket.socket()) as stranger, pytest.raises(ConnectionRefusedError):
            stranger.connect((address, port))


def test_it_tells_how_it_is(served: Served) -> None:
    assert httpx.get(f"{served.link}/health/live", timeout=TIMEOUT_S).json()["status"] == "live"
    answer = httpx.get(f"{served.link}/health/ready", timeout=TIMEOUT_S)
    well = {"database": True, "schema": True, "bots": True}
    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "checks": well})


def test_the_metrics_tell_all_meters_to_this_computer(served: Served) -> None:
    answer = httpx.get(f"{served.link}/metrics", timeout=TIMEOUT_S)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    for metric in metrics.REGISTRY.collect():
        assert f"# TYPE {metric.name}" in answer.text
    assert "process_resident_memory_bytes" in answer.text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via"])
def test_the_metrics_are_not_served_through_a_proxy(served: Served, header: str) -> None:
    answer = httpx.get(f"{served.link}/metrics", headers={header: "127.0.0.1"}, timeout=TIMEOUT_S)
    assert (answer.status_code, answer.json()["code"]) == (403, "metrics_local")


def test_a_refused_request_is_counted(served: Served) -> None:
    def count() -> float:
        lines = httpx.get(f"{served.link}/metrics", timeout=TIMEOUT_S).text.splitlines()
        name = 'pleasance_refusals_total{code="no_page"}'
        return sum(float(line.split()[-1]) for line in lines if line.startswith(name))

    before = count()
    assert httpx.get(f"{served.link}/no/such/page", timeout=TIMEOUT_S).status_code == 404
    assert count() == before + 1


@pytest.mark.slow
def test_a_second_one_says_where_the_first_is(served: Served) -> None:
    with run_process(SERVE, served.home) as second:
        assert finish(second) == (0, f"Pleasance is already running: {served.link}\n", "")
    with run_process((*SERVE, "--lan"), served.home, PLEASANCE_LANGUAGE="de") as second:
        status, out, err = finish(second)
    assert (status, err) == (0, "")
    assert served.link in out
    assert "nur für diesen Rechner" in out
    assert out.count("\n") == 1


@pytest.mark.slow
def test_a_backup_cannot_be_put_back_under_a_running_server(served: Served, tmp_path: Path) -> None:
    with run_process((*COMMAND, "admin", "restore", str(tmp_path / "x")), served.home) as process:
        status, out, err = finish(process)
    assert (status, out) == (2, "")
    assert err == "pleasance: Another server has this database open; stop it first.\n"


@pytest.mark.slow
def test_after_a_crash_the_next_one_starts_as_if_nothing_had_been(tmp_path: Path) -> None:
    with run_process((*SERVE, "--port", "0"), tmp_path) as process:
        read_until(process, "http://")
        assert finish(process, signal.SIGKILL)[0] == -signal.SIGKILL
    with run_process((*SERVE, "--port", "0"), tmp_path) as process:
        assert "Pleasance is here" in read_until(process, "http://")
        status, _, err = finish(process, signal.SIGINT)
    assert status == 0
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.skipif(not find_addresses(), reason="this computer is in no network")
def test_for_the_home_network_it_prints_a_link_and_its_code(tmp_path: Path) -> None:
    with run_process((*SERVE, "--lan", "--port", "0"), tmp_path) as process:
        link = read_until(process, "http://").split()[-1]
        assert link.startswith(f"http://{find_addresses()[0]}:")
        assert httpx.get(f"{link}/health/live", timeout=TIMEOUT_S).status_code == 200
        status, out, _ = finish(process, signal.SIGTERM)
    assert status == 0
    assert "network" in out or "Internet" in out
    drawn = [line[2:] for line in out.splitlines() if "▀" in line or "▄" in line]
    assert read_code("\n".join(drawn)) == link


@pytest.mark.slow
def test_the_metrics_need_the_token(tmp_path: Path) -> None:
    with run_process((*SERVE, "--port", "0"), tmp_path, PLEASANCE_METRICS_TOKEN="open") as process:
        link = read_until(process, "http://").split()[-1]
        right, wrong = {"Authorization": "Bearer open"}, {"Authorization": "Bearer closed"}
        assert httpx.get(f"{link}/metrics", timeout=TIMEOUT_S).json()["code"] == "metrics_token"
        assert httpx.get(f"{link}/metrics", headers=wrong, timeout=TIMEOUT_S).status_code == 403
        assert httpx.get(f"{link}/metrics", headers=right, timeout=TIMEOUT_S).status_code == 200
        assert finish(process, signal.SIGTERM)[0] == 0


def test_what_cannot_be_is_refused_in_one_line(tmp_path: Path, capsys: Capture) -> None:
    with closing(listen("127.0.0.1", 0, may_move=False)) as taken:
        port = str(taken.getsockname()[1])
        error = run_refused(capsys, "serve", "--no-browser", "--port", port)
        assert error.startswith(f"pleasance: Port {port} is taken by another program")
    assert "Name --lan or --host" in run_refused(capsys, "serve", "--lan", "--host", "127.0.0.1")
    file = tmp_path / "mine.toml"
    file.write_text("prot = 8040\n")
    error = run_refused(capsys, "serve", "--settings", str(file))
    assert error == f"pleasance: There is no setting {file}: prot; there is: port."
    assert "must look like sqlite:///" in run_refused(capsys, "serve", "--database", "mysql://x/y")
    nowhere = f"sqlite:///{os.devnull}/pleasance.db"
    assert run_refused(capsys, "serve", "--no-browser", "--database", nowhere)


@pytest.mark.anyio
@pytest.mark.parametrize("phase", [Phase.STARTING, Phase.STOPPING])
async def test_it_is_not_ready_while_it_starts_and_stops(phase: Phase, sqlite_url: str) -> None:
    app = make_app(make_site(ServerSettings(database=sqlite_url, bot_processes=1)))
    async with AsyncTestClient(app) as client:
        set_phase(app, phase)
        answer = await client.get("/health/ready")
        assert (answer.status_code, answer.json()["status"]) == (503, phase.value)
        assert (await client.get("/health/live")).status_code == 200


@pytest.mark.anyio
async def test_it_is_not_ready_without_its_database(sqlite_url: str) -> None:
    site = make_site(ServerSettings(database=sqlite_url, bot_processes=1))
    async with AsyncTestClient(make_app(site)) as client:
        site.store.close()
        answer = await client.get("/health/ready")
        assert answer.status_code == 503
        assert answer.json()["checks"]["database"] is False
