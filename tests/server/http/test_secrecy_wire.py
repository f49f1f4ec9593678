"""Hidden information changes no byte on the wire to a player who may not see it.

The same visitors play the same public course at two tables of one server; the tables differ only
in what is hidden from the first seat. All that this seat and a spectator get is compared: over the
socket, by HTTP, in refusals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from random import Random

import pytest

from conformance import Configuration, every_configuration, find_configuration
from pleasance.core.game import AnyGame, Seat
from pleasance.players.registry import takes_budget
from pleasance.server.base.requests import Choose, Undo
from pleasance.server.identity.authentication import Identity
from pleasance.server.page import hints
from pleasance.server.page.hints import strongest_bot
from sample_game import installed_sample_game
from support import NONCE
from support.hidden_worlds import Script, find_variant, make_scripted_config, record_script
from support.http_client import HttpClient
from support.live_server import LiveServer, open_module_server
from support.ws_client import Message, WsClient

VARYING = re.compile(r'"(at|now|created_at|changed_at|key)":(?:[0-9.e+]+|"[0-9]+")')
"""Matches what two tables never share: times and idempotency keys."""

PATHS = (
    "/api/tables/{table}",
    "/api/tables/{table}/log",
    "/api/tables/{table}/record",
    "/t/{table}",
    "/t/{table}/drawing.txt",
    "/t/{table}/drawing.txt?seat={seat}",
    "/t/{table}/picture.svg",
    "/t/{table}/picture.svg?seat={seat}",
    "/t/{table}/choices.json?seat={seat}",
    "/t/{table}/story.json",
    "/t/{table}/story.json?seat={seat}",
    "/t/{table}/ending.json",
)
"""All resources of a table."""


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    with installed_sample_game(), pytest.MonkeyPatch.context() as patches:
        patches.setattr(hints, "strongest_bot", find_repeatable_bot)
        # Players need not stay connected here, and no bot may take over.
        with open_module_server(request, absence=1e6) as server:
            yield server


def find_repeatable_bot(game: AnyGame) -> str:
    """Find the bot for hints, with a budget of simulations: seconds give other hints each time."""
    bot = strongest_bot(game).partition(":")[0]
    return f"{bot}:4" if takes_budget(bot) else bot


ASKED = 3
"""The average number of probes per game."""


class World:
    """A table where a course is played; one seat and a spectator listen."""

    def __init__(
        self, server: LiveServer, config: Configuration, script: Script, *, own: int, viewer: int
    ) -> None:
        self.server = server
        self.config = config
        self.script = script
        self.viewer = viewer
        self.live = server.run(server.site.hub.create(make_scripted_config(config, script, own)))
        self.table = self.live.id
        self.hidden = Random(own)
        """Chooses decoys, which must stay unnoticed."""

        self.recorded: list[tuple[str, str]] = []
        """All messages and answers, without times and table ids."""

    def note(self, moment: str, text: str) -> None:
        plain = VARYING.sub(r'"\1":0', text.replace(self.table, "TABLE"))
        self.recorded.append((moment, plain))

    def play(self, players: Sequence[HttpClient], zoe: HttpClient, seed: int) -> None:
        """Play the course; when something is asked for follows from *seed*."""
        rng, most = Random(seed), sum(map(len, self.script.choices))
        with players[self.viewer].connect({}) as seated, zoe.connect({}) as watching:
            pairs = ((players[self.viewer], seated), (zoe, watching))
            for _, ws in pairs:
                ws.watch(self.table)
            for seat, player in enumerate(players):
                player.do(self.table, kind="sit", seat=seat, nonce=NONCE).raise_for_status()
            players[0].do(self.table, kind="start").raise_for_status()
            for turn, choices in enumerate(self.script.choices):
                pending = list(zip(self.live.room.waiting, choices, strict=True))
                rng.shuffle(pending)
                while pending:
                    seat, token = pending.pop()
                    if seat == self.viewer:
                        seated.wait_for(self.table, self.live.published_seq)
                        reply = seated.do(self.table, **seated.make_choice(self.table, seat, token))
                        assert reply["kind"] == "accepted", reply
                    else:
                        is_decoy = bool(pending) and rng.random() < 0.3
                        self.server.run(self.choose(players[seat], seat, token, is_decoy=is_decoy))
                    if rng.random() < ASKED / most:
                        self.probe(f"turn {turn}", pairs, rng)
            self.probe("the end", pairs, rng)

    async def choose(self, player: HttpClient, seat: Seat, token: str, *, is_decoy: bool) -> None:
        """Choose for another seat; a decoy choice is made and undone first."""
        who = Identity(id=player.id, name="P", kind="guest", scopes=None, language="en")
        room, commands = self.live.room, [token]
        assert room.table is not None
        if is_decoy:
            legal = room.table.view(seat).legal
            commands = [str(self.hidden.choice(legal)), "", token]
        for n, chosen in enumerate(commands):
            where = room.table.ply, room.table.revision
            command = Choose(seat, chosen, *where) if chosen else Undo(seat)
            await self.server.site.hub.execute(self.table, who, f"{len(room.log)}-{n}", command)

    def probe(self, moment: str, pairs: Sequence[tuple[HttpClient, WsClient]], rng: Random) -> None:
        """Request everything, try illegal commands, and record the answers and messages."""
        now = pairs[0][0].read_snapshot(self.table)
        legal = [token for view in now["views"] for token in view["legal"]]
        tokens = [str(choice) for choice in rng.choices([*self.config.game.space], k=3)]
        illegal = list(self.illegal_commands(now, [t for t in tokens if t not in legal]))
        for client, ws in pairs:
            for path in PATHS:
                answer = client.http.get(path.format(table=self.table, seat=self.viewer))
                self.note(f"{moment}: {path}", f"{answer.status_code} {answer.text}")
            hint = client.http.post(f"/t/{self.table}/hint?seat={self.viewer}")
            self.note(f"{moment}: hint", f"{hint.status_code} {hint.text}")
            listed = client.ask("GET", "/api/tables?status=running&limit=100")
            self.note(f"{moment}: list", self.find(listed))
            ws.wait_for(self.table, now["seq"])
            for n, command in enumerate(illegal):
                reply = ws.ask("do", key=f"bad-{n}", table=self.table, command=command)
                assert reply["kind"] == "refused", command
                if n % 3 == 0:
                    self.note(f"{moment}: {command}", client.do(self.table, **command).text)
            for text in ws.texts:
                self.note(f"{moment}: socket", text)
            ws.texts.clear()
        mine = pairs[0][0].ask("GET", "/api/me/tables?limit=100")
        self.note(f"{moment}: mine", self.find(mine))

    def find(self, listed: Message) -> str:
        """Find the table in a list."""
        (mine,) = (item for item in listed["items"] if item["id"] == self.table)
        return json.dumps(mine, separators=(",", ":"))

    def illegal_commands(self, now: Message, tokens: Sequence[str]) -> Iterator[Message]:
        """List commands that are refused, whatever the hidden draws are."""
        for seat in range(self.config.seats):
            where = {"kind": "choose", "seat": seat, "revision": now["revision"]}
            for token in ("nonsense", "+?", *tokens):
                yield {**where, "token": token, "ply": now["ply"]}
                yield {**where, "token": token, "ply": now["ply"] + 1}
            yield {"kind": "reclaim_seat", "seat": seat}
            yield {"kind": "answer_takeback", "seat": seat, "agrees": True}
            if seat != self.viewer:
                yield {"kind": "undo", "seat": seat}
        yield {"kind": "sit", "nonce": NONCE}
        yield {"kind": "start"}


def record_both(
    server: LiveServer, name: str, seed: int, *, part: float, viewer: int = 0
) -> tuple[list[list[tuple[str, str]]], int]:
    """Play in two worlds alike for the first seat; give what was heard, and how they differ."""
    config = find_configuration(name)
    script = record_script(config, seed, part)
    variant = find_variant(config, script, Seat(0), Random(seed), 40)
    worlds = []
    with ExitStack() as stack:
        players = [stack.enter_context(server.visit(f"P{n}")) for n in range(config.seats)]
        zoe = stack.enter_context(server.visit("Zoe"))
        for own, way in enumerate((script, variant), start=1):
            worlds.append(World(server, config, way, own=own, viewer=viewer))
            worlds[-1].play(players, zoe, seed)
    differences = sum(a != b for a, b in zip(script.drawn, variant.drawn, strict=True))
    return [world.recorded for world in worlds], differences


def check(server: LiveServer, name: str, seed: int, part: float) -> int:
    """Check that both worlds look alike; count the draws in which they differ."""
    (one, other), differences = record_both(server, name, seed, part=part)
    assert len(one) == len(other)
    available = [moment for moment, text in one if text.startswith("200 ")]
    assert len(available) >= len(PATHS), "most can be had"
    for (moment, mine), (_, yours) in zip(one, other, strict=True):
        assert mine == yours, f"{name}, {moment}"
    return differences


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sakura-3", "sanssouci-2", "pond-2"])
def test_hidden_draws_and_choices_change_no_byte_on_the_wire(server: LiveServer, name: str) -> None:
    assert check(server, name, 1, 0.3)


@pytest.mark.slow
@every_configuration
def test_hidden_draws_change_no_byte_in_games(server: LiveServer, config: Configuration) -> None:
    """Leave out the last turn, after which nothing is hidden."""
    assert check(server, config.name, 1, 1.0)


@pytest.mark.slow
def test_a_visible_draw_changes_the_messages(server: LiveServer) -> None:
    (one, other), differences = record_both(server, "sakura-3", 1, part=0.2, viewer=1)
    assert differences
    assert one != other
