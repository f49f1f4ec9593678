"""The example bot plays on a live server and reconnects after the server is killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import pytest
from websockets.sync.client import connect

from pleasance.core.record import parse_record
from pleasance.core.verify import verify
from pleasance.games import find_game
from server.reverse_proxy import find_port
from support import TIMEOUT_S
from support.http_client import open_http
from support.server_process import COMMAND, finish, read_until, run_process

pytestmark = pytest.mark.slow

BOT = Path(__file__).parents[3] / "examples" / "socket_bot.py"


@contextmanager
def serve(home: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server; give its process and link."""
    command = (*COMMAND, "serve", "--no-browser", "--port", str(port))
    with run_process(command, home, PLEASANCE_LIMITS_FACTOR="100") as process:
        yield process, read_until(process, "http://").split()[-1]


class Person:
    """A guest with a browser who makes access tokens for programs."""

    def __init__(self, link: str, name: str) -> None:
        self._client = open_http(link, {"Origin": link})
        self.ask("/api/session", {"name": name})
        wanted = {"label": "example", "scopes": ["read", "play"]}
        self.token = str(self.ask("/api/tokens", wanted)["secret"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def ask(self, path: str, body: object) -> Any:
        answer = self._client.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def do(self, table: str, key: str, **command: object) -> None:
        self.ask(f"/api/tables/{table}/commands", {"key": key, "command": command})

    def read(self, path: str) -> str:
        answer = self._client.get(path)
        assert answer.is_success, answer.text
        return answer.text


def watch(link: str, table: str, until: Any) -> dict[str, Any]:
    """Watch a table as a spectator until a message matches; return it."""
    info: dict[str, Any] = {}
    with connect(link.replace("http", "ws", 1) + "/live", open_timeout=TIMEOUT_S) as socket:
        socket.send(json.dumps({"kind": "watch", "key": "w", "table": table}))
        for text in socket:
            message: dict[str, Any] = json.loads(text)
            if message["kind"] in {"snapshot", "update"}:
                info = message["info"] = message["info"] or info
                if until(message):
                    return message
    raise AssertionError("the server has gone")


@contextmanager
def bot_at(link: str, table: str, person: Person, home: Path) -> Iterator[subprocess.Popen[str]]:
    command = (sys.executable, str(BOT), link, table)
    with run_process(command, home, PLEASANCE_TOKEN=person.token) as process:
        yield process


def all_sit(message: dict[str, Any]) -> bool:
    return all(place["player"] or place["bot"] for place in message["info"]["places"])


def check_record(record: str, game: str) -> None:
    """Check that a record is a whole game with fair draws."""
    assert verify(find_game(game), parse_record(record)).draws


@pytest.mark.parametrize(("game", "seats"), [("sakura", 3), ("sanssouci", 2)])
def test_outside_programs_play_a_whole_game(game: str, seats: int, tmp_path: Path) -> None:
    with serve(tmp_path) as (server, link), ExitStack() as stack:
        ada, ben = (stack.enter_context(Person(link, name)) for name in ("Ada", "Ben"))
        table = ada.ask("/api/tables", {"game": game, "seats": seats})["id"]
        if seats > 2:
            ada.do(table, "bot", kind="seat_bot", bot="greedy")
        bots = [stack.enter_context(bot_at(link, table, one, tmp_path)) for one in (ada, ben)]
        watch(link, table, all_sit)
        ada.do(table, "start", kind="start")
        ends = [finish(bot) for bot in bots]
        assert [(status, err) for status, _, err in ends] == [(0, ""), (0, "")]
        record = ben.read(f"/api/tables/{table}/record")
        scores = parse_record(record).tags["Result"]
        assert [out for _, out, _ in ends] == [f"over: {scores}\n"] * 2
        check_record(record, game)
        assert finish(server, signal.SIGTERM)[0] == 0


def test_outside_programs_come_back_when_the_server_was_killed(tmp_path: Path) -> None:
    port = find_port()  # which no other program takes between the two servers
    with ExitStack() as stack:
        with serve(tmp_path, port) as (server, link):
            ada, ben = (stack.enter_context(Person(link, name)) for name in ("Ada", "Ben"))
            table = ada.ask("/api/tables", {"game": "sanssouci", "seats": 2})["id"]
            bots = [stack.enter_context(bot_at(link, table, one, tmp_path)) for one in (ada, ben)]
            watch(link, table, all_sit)
            ada.do(table, "start", kind="start")
            watch(link, table, lambda message: message["ply"] > 30)  # soon after it began
            server.kill()
        with serve(tmp_path, port) as (server, _):
            for bot in bots:
                status, out, err = finish(bot)
                assert (status, err) == (0, "")
                assert "connection lost, coming back\n" in out
                assert "over: " in out
            check_record(ben.read(f"/api/tables/{table}/record"), "sanssouci")
            assert finish(server, signal.SIGTERM)[0] == 0


def test_a_refused_program_gets_a_message(tmp_path: Path) -> None:
    with serve(tmp_path) as (server, link), Person(link, "Ada") as ada:
        table = ada.ask("/api/tables", {"game": "sakura", "seats": 2})["id"]
        ada.token = "plz_" + "x" * 43
        with bot_at(link, table, ada, tmp_path) as bot:
            status, _, err = finish(bot)
        assert (status, err.count("\n")) == (1, 1)
        assert "is the token right?" in err
        assert finish(server, signal.SIGTERM)[0] == 0
