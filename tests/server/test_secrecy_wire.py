"""What is hidden from somebody changes no byte that comes to them over the wire.

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
from pleasance.core.game import Seat
from pleasance.server.base.requests import Choose, Undo
from pleasance.server.identity.authentication import Identity
from server.guests import NONCE
from server.house import House, open_lodge
from server.talks import Message, Talk, Visitor
from server.worlds import Course, find_twin, make_world, record_course
from third import third_game

VARYING = re.compile(r'"(at|now|created_at|changed_at|key)":(?:[0-9.e+]+|"[0-9]+")')
"""What two tables never have in common: times, and the names of requests."""

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
"""All that can be asked for about a table."""


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    # Nobody needs to stay connected here, and no bot shall stand in.
    with third_game(), open_lodge(request, absence=1e6) as house:
        yield house


ASKED = 3
"""How often, on average, all that can be asked for is asked for during a game."""


class World:
    """A table where a course is played; one seat and a spectator listen."""

    def __init__(
        self, house: House, config: Configuration, course: Course, *, own: int, viewer: int
    ) -> None:
        self.house = house
        self.config = config
        self.course = course
        self.viewer = viewer
        self.live = house.run(house.site.hub.create(make_world(config, course, own)))
        self.table = self.live.id
        self.hidden = Random(own)
        """The luck of what nobody should notice."""

        self.heard: list[tuple[str, str]] = []
        """All that came, without times and the name of the table."""

    def note(self, moment: str, text: str) -> None:
        plain = VARYING.sub(r'"\1":0', text.replace(self.table, "TABLE"))
        self.heard.append((moment, plain))

    def play(self, players: Sequence[Visitor], zoe: Visitor, seed: int) -> None:
        """Play the course; when something is asked for follows from *seed*."""
        rng, most = Random(seed), sum(map(len, self.course.choices))
        with players[self.viewer].connect({}) as seated, zoe.connect({}) as watching:
            pairs = ((players[self.viewer], seated), (zoe, watching))
            for _, talk in pairs:
                talk.watch(self.table)
            for seat, player in enumerate(players):
                player.do(self.table, kind="sit", seat=seat, nonce=NONCE).raise_for_status()
            players[0].do(self.table, kind="start").raise_for_status()
            for turn, choices in enumerate(self.course.choices):
                pending = list(zip(self.live.room.waiting, choices, strict=True))
                rng.shuffle(pending)
                while pending:
                    seat, token = pending.pop()
                    if seat == self.viewer:
                        seated.wait_for(self.table, self.live.told)
                        said = seated.do(self.table, **seated.make_choice(self.table, seat, token))
                        assert said["kind"] == "accepted", said
                    else:
                        is_feint = bool(pending) and rng.random() < 0.3
                        self.house.run(self.choose(players[seat], seat, token, is_feint=is_feint))
                    if rng.random() < ASKED / most:
                        self.ask_all(f"turn {turn}", pairs, rng)
            self.ask_all("the end", pairs, rng)

    async def choose(self, player: Visitor, seat: Seat, token: str, *, is_feint: bool) -> None:
        """Choose for a seat that does not listen; in a feint first anything, and take it back."""
        who = Identity(id=player.id, name="P", kind="guest", scopes=None, language="en")
        room, commands = self.live.room, [token]
        assert room.table is not None
        if is_feint:
            legal = room.table.view(seat).legal
            commands = [str(self.hidden.choice(legal)), "", token]
        for n, chosen in enumerate(commands):
            where = room.table.ply, room.table.undone
            command = Choose(seat, chosen, *where) if chosen else Undo(seat)
            key = f"{len(room.happenings)}-{n}"
            await self.house.site.hub.do(self.table, who, key, command)

    def ask_all(self, moment: str, pairs: Sequence[tuple[Visitor, Talk]], rng: Random) -> None:
        """Ask for all there is, try what is refused, and note it with what the socket told."""
        now = pairs[0][0].look(self.table)
        legal = [token for view in now["views"] for token in view["legal"]]
        tokens = [str(choice) for choice in rng.choices([*self.config.game.space], k=3)]
        ideas = list(self.bad_ideas(now, [token for token in tokens if token not in legal]))
        for visitor, talk in pairs:
            for path in PATHS:
                answer = visitor.http.get(path.format(table=self.table, seat=self.viewer))
                self.note(f"{moment}: {path}", f"{answer.status_code} {answer.text}")
            hint = visitor.http.post(f"/t/{self.table}/hint?seat={self.viewer}")
            self.note(f"{moment}: hint", f"{hint.status_code} {hint.text}")
            listed = visitor.ask("GET", "/api/tables?status=running&limit=100")
            self.note(f"{moment}: list", self.find(listed))
            talk.wait_for(self.table, now["seq"])
            for n, command in enumerate(ideas):
                said = talk.ask("do", key=f"bad-{n}", table=self.table, command=command)
                assert said["kind"] == "refused", command
                if n % 3 == 0:
                    self.note(f"{moment}: {command}", visitor.do(self.table, **command).text)
            for text in talk.texts:
                self.note(f"{moment}: socket", text)
            talk.texts.clear()
        mine = pairs[0][0].ask("GET", "/api/me/tables?limit=100")
        self.note(f"{moment}: mine", self.find(mine))

    def find(self, listed: Message) -> str:
        """Find the table in a list."""
        (mine,) = (item for item in listed["items"] if item["id"] == self.table)
        return json.dumps(mine, separators=(",", ":"))

    def bad_ideas(self, now: Message, tokens: Sequence[str]) -> Iterator[Message]:
        """Think of what will be refused, whatever is hidden."""
        for seat in range(self.config.seats):
            where = {"kind": "choose", "seat": seat, "undone": now["undone"]}
            for token in ("nonsense", "+?", *tokens):
                yield {**where, "token": token, "ply": now["ply"]}
                yield {**where, "token": token, "ply": now["ply"] + 1}
            yield {"kind": "take_seat_back", "seat": seat}
            yield {"kind": "answer_back", "seat": seat, "agrees": True}
            if seat != self.viewer:
                yield {"kind": "undo", "seat": seat}
        yield {"kind": "sit", "nonce": NONCE}
        yield {"kind": "start"}


def hear_both(
    house: House, name: str, seed: int, *, part: float, viewer: int = 0
) -> tuple[list[list[tuple[str, str]]], int]:
    """Play in two worlds alike for the first seat; give what was heard, and how they differ."""
    config = find_configuration(name)
    course = record_course(config, seed, part)
    twin = find_twin(config, course, Seat(0), Random(seed), 40)
    worlds = []
    with ExitStack() as stack:
        players = [stack.enter_context(house.visit(f"P{n}")) for n in range(config.seats)]
        zoe = stack.enter_context(house.visit("Zoe"))
        for own, way in enumerate((course, twin), start=1):
            worlds.append(World(house, config, way, own=own, viewer=viewer))
            worlds[-1].play(players, zoe, seed)
    differences = sum(a != b for a, b in zip(course.script, twin.script, strict=True))
    return [world.heard for world in worlds], differences


def check(house: House, name: str, seed: int, part: float) -> int:
    """Check that both worlds sound alike; count in how many draws they differ."""
    (one, other), differences = hear_both(house, name, seed, part=part)
    assert len(one) == len(other)
    shown = [moment for moment, text in one if text.startswith("200 ")]
    assert len(shown) >= len(PATHS), "most can be had"
    for (moment, mine), (_, yours) in zip(one, other, strict=True):
        assert mine == yours, f"{name}, {moment}"
    return differences


@pytest.mark.parametrize("name", ["sakura-3", "sanssouci-2", "pond-2"])
def test_hidden_draws_and_choices_change_no_byte_on_the_wire(house: House, name: str) -> None:
    assert check(house, name, 1, 0.3)


@pytest.mark.slow
@every_configuration
def test_hidden_draws_and_choices_change_no_byte_in_whole_games(
    house: House, config: Configuration
) -> None:
    """Whole but for the last turn, after which nothing is hidden any more."""
    assert check(house, config.name, 1, 1.0)


def test_who_sees_a_draw_would_hear_the_difference(house: House) -> None:
    (one, other), differences = hear_both(house, "sakura-3", 1, part=0.2, viewer=1)
    assert differences
    assert one != other
