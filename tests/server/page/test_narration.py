"""The log in words, as one seat may read it."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import msgspec
import pytest

from conformance import Configuration, every_configuration, find_configuration
from pleasance.core.game import Seat
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.server.base.translate import server_messages
from pleasance.server.base.view_codec import TEXT_COLUMNS
from pleasance.server.page.narration import narrate_log
from pleasance.server.page.player_names import name_people, name_recorded
from pleasance.table.room import Room
from pleasance.table.table_config import SeatAssignment
from support import NONCE
from support.hidden_worlds import Script, find_variant, make_scripted_config, record_script
from support.live_server import LiveServer
from support.world_transcript import World
from support.ws_client import play, seat_all


def read(room: Room, seat: Seat | None, language: str = "en", after: int = 0) -> list[str]:
    words = server_messages(language), load_messages(language, room.game.spec.package)
    return [f"{recorded.seq} {recorded.text}" for recorded in narrate_log(room, seat, after, words)]


async def play_script(
    config: Configuration, script: Script, own: int, viewer: Seat | None
) -> World:
    """Play a course in a world of its own, with secret choices that are taken back again."""
    world = World(config, make_scripted_config(config, script, own), viewer)
    await world.open()
    hidden = Random(own)
    for choices in script.choices:
        for seat, token in zip(world.table.waiting, choices, strict=True):
            if len(world.table.waiting) > 1 and seat != viewer:
                await world.choose_and_undo(seat, hidden)
            await world.choose(seat, token)
    return world


def read_page(world: World, seat: Seat | None, language: str) -> list[str]:
    """Collect everything the page shows to one seat."""
    room, game = world.live.room, world.config.game
    view, words = world.table.view(seat), load_messages(language, game.spec.package)
    seen = [*read(room, seat, language), game.render(view, words, TEXT_COLUMNS)]
    return seen if game.picture is None else [*seen, game.picture(view, words)]


@every_configuration
def test_the_story_of_a_hidden_draw_tells_nothing(config: Configuration) -> None:
    """Hidden information of other seats does not change a seat's page."""
    viewer = Seat(len(config.name) % config.seats)
    script = record_script(config, 3, 0.2)
    for n, eyes in enumerate((viewer, None)):
        variant = find_variant(config, script, eyes, Random(n), 15)
        one, other = (asyncio.run(play_script(config, way, 7, eyes)) for way in (script, variant))
        assert read_page(one, eyes, LANGUAGES[n]) == read_page(other, eyes, LANGUAGES[n])


def test_a_visible_draw_is_in_the_words() -> None:
    config = find_configuration("sakura-3")
    script = record_script(config, 1, 0.2)
    variant = find_variant(config, script, Seat(0), Random(1), 40)
    assert variant.drawn != script.drawn
    stories = [
        [read(asyncio.run(play_script(config, way, 1, None)).live.room, Seat(n)) for n in range(3)]
        for way in (script, variant)
    ]
    assert stories[0][0] == stories[1][0]
    assert stories[0][1:] != stories[1][1:]


@every_configuration
def test_the_parts_of_the_words_make_the_whole(config: Configuration) -> None:
    room = asyncio.run(play_script(config, record_script(config, 2, 0.5), 1, None)).live.room
    whole = read(room, None)
    for part in (1, len(room.log) // 2, len(room.log)):
        first = [text for text in whole if int(text.split()[0]) <= part]
        assert first + read(room, None, after=part) == whole


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_undone_choice_is_told_no_more(server: LiveServer, language: str) -> None:
    with server.visit("Ada") as ada, ada.connect() as ws:
        table = ada.open_table("sanssouci")
        ws.watch(table)
        for name in ("Ada", "Bea"):
            ws.do(table, kind="sit", nonce="5a" * 16, name=name)
        ws.wait_for(table, int(ws.do(table, kind="start")["seq"]))
        path = f"/t/{table}/story.json?language={language}"
        before = ada.ask("GET", path)
        found = ws.mirrors[table].find_choice()
        assert found
        seat, legal = found
        ws.do(table, **ws.make_choice(table, seat, legal[0]))
        assert len(ada.ask("GET", path)["items"]) > len(before["items"])
        ws.do(table, kind="undo", seat=seat)
        revised = ada.ask("GET", path)
        assert revised["revision"] == 1
        assert revised["items"][:-1] == before["items"]
        assert revised["items"][-1]["kind"] == "event"


@pytest.mark.slow
def test_a_whole_game_is_told_with_undos_and_takebacks(server: LiveServer) -> None:
    with server.visit("Ada") as ada, server.visit("Ben") as ben:
        table = ada.open_table("sanssouci", options=["boars", "rewards"])
        with ada.connect() as a, ben.connect() as b:
            seat_all(table, [a, b])
            for n in range(12):
                play(table, [a, b], Random(n), choices=n % 4 + 1)
                a.do(table, kind="undo", seat=0)
                b.do(table, kind="undo", seat=1)
                a.do(table, kind="request_takeback", seat=0)
                answer = b.do(table, kind="answer_takeback", seat=1, agrees=n % 2 == 0)
                for ws in (a, b):
                    ws.wait_for(table, int(answer["seq"]))
            play(table, [a, b], Random(1))
        recorded = ada.ask("GET", f"/t/{table}/story.json?seat=0&language=en")
    room = server.run(server.site.hub.find(table)).room
    assert room.table is not None
    assert room.table.revision > 3
    lines = [item["seq"] for item in recorded["items"]]
    assert lines == sorted(lines)
    assert {item["kind"] for item in recorded["items"]} == {"setup", "move", "event"}


@pytest.mark.parametrize("game", ["sanssouci", "sakura"])
def test_a_takeback_among_bots_drops_their_choices_from_the_story(
    server: LiveServer, game: str
) -> None:
    """A game goes back to the last choice of a person, though bots have chosen since."""
    path = "story.json?seat=0&language=en"
    with server.visit("Ada") as ada, ada.connect() as ws:
        table = ada.open_table(game, seats=3)
        ws.watch(table)
        ws.do(table, kind="sit", nonce=NONCE)
        for bot in ("random", "greedy"):
            ws.do(table, kind="seat_bot", bot=bot)
        ws.wait_for(table, int(ws.do(table, kind="start")["seq"]))
        dropped = 0
        for n in range(6):
            play(table, [ws], Random(n), choices=3)
            while not ws.mirrors[table].find_choice():
                ws.receive()
            before = list_moves(ada.ask("GET", f"/t/{table}/{path}"))
            ws.wait_for(table, int(ws.do(table, kind="request_takeback", seat=0)["seq"]))
            after = list_moves(ada.ask("GET", f"/t/{table}/{path}"))
            assert after == before[: len(after)]
            dropped += len(before) - len(after)
        assert dropped > 0


def list_moves(story: dict[str, Any]) -> list[str]:
    """List the sentences about choices and draws."""
    return [item["text"] for item in story["items"] if item["kind"] == "move"]


def test_muted_chat_is_left_out(server: LiveServer) -> None:
    with server.visit("Ada") as ada, server.visit("Ben") as ben:
        table = ada.open_table()
        ben.do(table, kind="say", text="one").raise_for_status()
        ada.ask("PUT", f"/api/me/mutes/{ben.id}", status=204)
        assert ada.ask("GET", f"/t/{table}/story.json")["items"] == []
        (recorded,) = ben.ask("GET", f"/t/{table}/story.json")["items"]
        assert (recorded["kind"], recorded["name"], recorded["text"]) == ("say", "Ben", "one")


@pytest.mark.parametrize("language", LANGUAGES)
def test_joining_and_leaving_players_are_named(server: LiveServer, language: str) -> None:
    with server.visit("Ada") as ada, server.visit("Ben") as ben:
        table = ada.open_table(seats=3)
        ada.do(table, kind="sit", nonce="5a" * 16).raise_for_status()
        ben.do(table, kind="sit", nonce="5a" * 16).raise_for_status()
        ada.do(table, kind="seat_bot", bot="greedy").raise_for_status()
        ada.do(table, kind="start").raise_for_status()
        ben.do(table, kind="resign", seat=1).raise_for_status()
        recorded = ada.ask("GET", f"/t/{table}/story.json?language={language}")["items"]
    events = [item["text"] for item in recorded if item["kind"] == "event"]
    bot = server_messages(language)("page.bot.greedy")
    assert ["Ada" in events[0], "Ben" in events[1], bot in events[2]] == [True] * 3
    assert [("Ben" in text) for text in events[4:6]] == [True, True]
    assert json.loads(msgspec.json.encode(recorded)) == recorded


@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_name_the_people(server: LiveServer, game: str, language: str) -> None:
    with server.visit("Ada") as ada:
        table = ada.open_table(game, seats=3)
        ada.do(table, kind="sit", nonce="5a" * 16).raise_for_status()
        for seat in (1, 2):
            ada.do(table, kind="seat_bot", seat=seat, bot="random").raise_for_status()
        ada.do(table, kind="start").raise_for_status()
        recorded = ada.ask("GET", f"/t/{table}/story.json?language={language}")["items"]
    (setup,) = [item for item in recorded if item["kind"] == "setup"]
    bot = server_messages(language)("page.bot.random")
    for name in ("Ada", f"{bot} 1", f"{bot} 2"):
        assert any(line.startswith(name) for line in setup["more"])
    sat = [item["text"] for item in recorded if item["kind"] == "event"][1:3]
    assert [f"{bot} {n}" in text for n, text in enumerate(sat, start=1)] == [True, True]
    moves = [item for item in recorded if item["kind"] == "move"]
    assert all(item["seq"] >= setup["seq"] + len(setup["more"]) for item in moves)


def test_names_that_two_people_share_are_numbered() -> None:
    words = server_messages("en")
    people = [
        SeatAssignment(player="a", name="Ada"),
        SeatAssignment(player="b", name="Ada"),
        SeatAssignment(bot="greedy:1"),
    ]
    assert name_people(people, words) == ("Ada 1", "Ada 2", "Greedy")
    assert name_recorded({"Players": "Ada, greedy, greedy"}, 3, words) == (
        "Ada", "Greedy 1", "Greedy 2",
    )  # fmt: skip
    assert name_recorded({"Players": "Ada"}, 2, words) == ()
