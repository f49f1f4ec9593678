"""The trial of a build: a server comes up, plays every game to its end, and stops; bots choose.

    python native/trial.py FOLDER    with the build in PYTHONPATH; the FOLDER is for its data

A compiled module may refuse at run time what its source would take, or not come up at all. That
must show here, not in somebody's game; so games are played here as they are over the network.
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

from pleasance.games import game_names
from pleasance.server.base.settings import Settings
from pleasance.server.bots.select_action import rehearse
from pleasance.server.serve import run_server

_PATIENCE = 600.0
"""Seconds to wait for one answer; at the lowest priority on a busy computer that is not absurd."""

_BOTS = ("random", "greedy")
"""Who plays against us: bots that need no compiled rules and so no time."""

Message = dict[str, Any]


class Complaints(logging.Handler):
    """Stops a server that complains: it would go on after many an error, and let us wait."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it, and stop at the first."""
        self.heard.append(str(record.msg))
        if len(self.heard) == 1:
            stop_server()


def stop_server() -> None:
    """Stop the server of this process as somebody outside would."""
    os.kill(os.getpid(), signal.SIGTERM)


class Person:
    """Somebody at a table, who chooses whatever comes first."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._keys = map(str, count())

    def play(self, table: str, seats: int) -> None:
        """Sit down with bots and play until the game is over."""
        self._send("watch", table=table)
        self._do(table, kind="sit", seat=0, nonce=secrets.token_hex(16))
        for seat in range(1, seats):
            self._do(table, kind="seat_bot", bot=_BOTS[seat % len(_BOTS)])
        self._do(table, kind="start")
        chosen: set[tuple[int, int]] = set()
        for news in self._hear():
            where = news["ply"], news["undone"]
            legal = next((view["legal"] for view in news["views"] if view["seat"] == 0), ())
            if legal and 0 in news["waiting"] and where not in chosen:
                chosen.add(where)
                told = {"ply": news["ply"], "undone": news["undone"]}
                self._do(table, kind="choose", seat=0, token=legal[0], **told)
        assert chosen, "nothing was to be chosen"

    def _hear(self) -> Iterator[Message]:
        """Wait for what happens at the table until the game is over."""
        while True:
            message = json.loads(self._socket.recv(timeout=_PATIENCE))
            assert message["kind"] != "refused", message
            if message["kind"] in {"snapshot", "update"}:
                yield message
                if message["info"] and message["info"]["status"] == "over":
                    return

    def _do(self, table: str, **command: object) -> None:
        self._send("do", table=table, command=command)

    def _send(self, kind: str, **told: object) -> None:
        self._socket.send(json.dumps({"kind": kind, "key": next(self._keys), **told}))


def list_tables(game: Message) -> Iterator[Message]:
    """List what to play: with few seats and all that is optional there, and with many."""
    seats, options = game["seats"], game["options"]
    for number in dict.fromkeys((min(seats), max(seats))):
        chosen = [name for name in options if number in options[name] and number == min(seats)]
        yield {"game": game["name"], "seats": number, "options": chosen}


def play_all(link: str) -> None:
    """Come as a guest and play every game."""
    with httpx.Client(
        base_url=link, headers={"Origin": link}, timeout=_PATIENCE, trust_env=False
    ) as http:
        http.post("/api/session", json={}).raise_for_status()
        cookies = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        with connect(
            link.replace("http:", "ws:") + "/live",
            origin=Origin(link),
            additional_headers={"Cookie": cookies},
            open_timeout=_PATIENCE,
            max_size=None,
            proxy=None,
        ) as socket:
            person = Person(socket)
            for game in http.get("/api/games").raise_for_status().json():
                for wish in list_tables(game):
                    opened = http.post("/api/tables", json=wish).raise_for_status()
                    person.play(opened.json()["id"], wish["seats"])


def play_and_stop(link: str) -> None:
    """Play, and stop the server, which must not complain meanwhile."""
    complaints = Complaints()
    log = logging.getLogger("pleasance")
    log.addHandler(complaints)
    try:
        play_all(link)
    finally:
        log.removeHandler(complaints)
        assert not complaints.heard, complaints.heard
        stop_server()


def main(folder: str) -> None:
    """Try it all."""
    settings = Settings(
        database=f"sqlite:///{folder}/trial.db", port=0, limits_factor=0, bot_processes=1
    )
    played: list[Future[None]] = []
    with ThreadPoolExecutor(1) as beside:
        ended_well = run_server(
            settings,
            on_ready=lambda running: played.append(beside.submit(play_and_stop, running.link)),
        )
    assert ended_well, "the server had to be forced to stop"
    played[0].result()
    for name in game_names():
        rehearse(name)  # their own compiled code is then at hand when the first game begins


if __name__ == "__main__":
    main(sys.argv[1])
