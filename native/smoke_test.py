"""The smoke test of a build: a server starts, every game is played over the network, it stops.

    python native/smoke_test.py FOLDER    with the build in PYTHONPATH; the FOLDER is for its data

A compiled module may reject at run time what its source accepts, or fail to import. That must show
here and not in a real game.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from pleasance.server.base.settings import ServerSettings
from pleasance.server.serve import run_server

_ANSWER_TIMEOUT_S = 600.0
"""The timeout of one answer, long enough for the lowest priority on a busy computer."""

_BOTS = ("random", "greedy")
"""The opponents: bots that answer at once."""

Message = dict[str, Any]


class ErrorLog(logging.Handler):
    """Stops the server at its first logged error, which it would otherwise survive."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Collect the message; stop the server at the first one."""
        self.messages.append(str(record.msg))
        if len(self.messages) == 1:
            stop_server()


def stop_server() -> None:
    """Stop the server of this process by a signal."""
    os.kill(os.getpid(), signal.SIGTERM)


class SmokeTestPlayer:
    """A client at a table that chooses the first legal action."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._keys = map(str, count())

    def play(self, table: str, seats: int) -> None:
        """Take a seat, add bots and play until the game is over."""
        self._send("watch", table=table)
        self._do(table, kind="sit", seat=0, nonce=secrets.token_hex(16))
        for seat in range(1, seats):
            self._do(table, kind="seat_bot", bot=_BOTS[seat % len(_BOTS)])
        self._do(table, kind="start")
        chosen: set[tuple[int, int]] = set()
        for update in self._updates():
            where = update["ply"], update["revision"]
            legal = next((view["legal"] for view in update["views"] if view["seat"] == 0), ())
            if legal and 0 in update["waiting"] and where not in chosen:
                chosen.add(where)
                fields = {"ply": update["ply"], "revision": update["revision"]}
                self._do(table, kind="choose", seat=0, token=legal[0], **fields)
        assert chosen, "no choice was made"

    def _updates(self) -> Iterator[Message]:
        """Yield the updates of the table until the game is over."""
        while True:
            message = json.loads(self._socket.recv(timeout=_ANSWER_TIMEOUT_S))
            assert message["kind"] != "refused", message
            if message["kind"] in {"snapshot", "update"}:
                yield message
                if message["info"] and message["info"]["status"] == "over":
                    return

    def _do(self, table: str, **command: object) -> None:
        self._send("do", table=table, command=command)

    def _send(self, kind: str, **fields: object) -> None:
        self._socket.send(json.dumps({"kind": kind, "key": next(self._keys), **fields}))


def list_table_configs(game: Message) -> Iterator[Message]:
    """List the tables to play: the fewest seats with all options, and the most seats."""
    seats, options = game["seats"], game["options"]
    for number in dict.fromkeys((min(seats), max(seats))):
        chosen = [name for name in options if number in options[name] and number == min(seats)]
        yield {"game": game["name"], "seats": number, "options": chosen}


def play_all(server_url: str) -> None:
    """Open a guest session and play every game."""
    with httpx.Client(
        base_url=server_url,
        headers={"Origin": server_url},
        timeout=_ANSWER_TIMEOUT_S,
        trust_env=False,
    ) as http:
        http.post("/api/session", json={}).raise_for_status()
        cookies = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        with connect(
            server_url.replace("http:", "ws:") + "/live",
            origin=Origin(server_url),
            additional_headers={"Cookie": cookies},
            open_timeout=_ANSWER_TIMEOUT_S,
            max_size=None,
            proxy=None,
        ) as socket:
            player = SmokeTestPlayer(socket)
            for game in http.get("/api/games").raise_for_status().json():
                for config in list_table_configs(game):
                    opened = http.post("/api/tables", json=config).raise_for_status()
                    player.play(opened.json()["id"], config["seats"])


def play_and_stop(server_url: str) -> None:
    """Play all games, stop the server and assert that it logged no error."""
    errors = ErrorLog()
    log = logging.getLogger("pleasance")
    log.addHandler(errors)
    try:
        play_all(server_url)
    finally:
        log.removeHandler(errors)
        assert not errors.messages, errors.messages
        stop_server()


def main(folder: str) -> None:
    """Run the server and play."""
    settings = ServerSettings(
        database=f"sqlite:///{folder}/trial.db", port=0, limits_factor=0, bot_processes=1
    )
    played: list[Future[None]] = []
    with ThreadPoolExecutor(1) as executor:
        ended_well = run_server(
            settings,
            on_ready=lambda running: played.append(executor.submit(play_and_stop, running.link)),
        )
    assert ended_well, "the server had to be forced to stop"
    played[0].result()


if __name__ == "__main__":
    main(sys.argv[1])
