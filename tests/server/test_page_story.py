"""The story of a table: what happened, in words, as one seat may read it."""

from __future__ import annotations

import asyncio
import json
from random import Random

import msgspec
import pytest

from conformance import Configuration, every_configuration, find_configuration
from pleasance.core.game import Seat
from pleasance.i18n.catalog import LANGUAGES, load_words
from pleasance.server.base.translate import server_words
from pleasance.server.base.view_codec import COLUMNS
from pleasance.server.page.log_in_words import tell_story
from pleasance.server.page.player_names import name_people, name_recorded
from pleasance.table.room import Room
from pleasance.table.table_config import Place
from server.eavesdrop import World
from server.house import House
from server.talks import play, seat_all
from server.worlds import Course, find_twin, make_world, record_course


def read(room: Room, seat: Seat | None, language: str = "en", after: int = 0) -> list[str]:
    words = server_words(language), load_words(language, room.game.spec.package)
    return [f"{told.n} {told.text}" for told in tell_story(room, seat, after, words)]


async def enact(config: Configuration, course: Course, own: int, viewer: Seat | None) -> World:
    """Play a course in a world of its own, with secret choices that are taken back again."""
    world = World(config, make_world(config, course, own), viewer)
    await world.open()
    hidden = Random(own)
    for choices in course.choices:
        for seat, token in zip(world.table.waiting, choices, strict=True):
            if len(world.table.waiting) > 1 and seat != viewer:
                await world.pretend(seat, hidden)
            await world.choose(seat, token)
    return world


def see(world: World, seat: Seat | None, language: str) -> list[str]:
    """Gather all that the page shows to one seat."""
    room, game = world.live.room, world.config.game
    view, words = world.table.view(seat), load_words(language, game.spec.package)
    seen = [*read(room, seat, language), game.draw(view, words, COLUMNS)]
    return seen if game.picture is None else [*seen, game.picture(view, words)]


@every_configuration
def test_the_story_of_a_hidden_draw_tells_nothing(config: Configuration) -> None:
    """Two worlds that differ only in what is hidden from a seat look alike on its page."""
    viewer = Seat(len(config.name) % config.seats)
    course = record_course(config, 3, 0.2)
    for n, eyes in enumerate((viewer, None)):
        twin = find_twin(config, course, eyes, Random(n), 15)
        one, other = (asyncio.run(enact(config, way, 7, eyes)) for way in (course, twin))
        assert see(one, eyes, LANGUAGES[n]) == see(other, eyes, LANGUAGES[n])


def test_who_may_see_a_draw_reads_of_it() -> None:
    config = find_configuration("sakura-3")
    course = record_course(config, 1, 0.2)
    twin = find_twin(config, course, Seat(0), Random(1), 40)
    assert twin.script != course.script
    stories = [
        [read(asyncio.run(enact(config, way, 1, None)).live.room, Seat(n)) for n in range(3)]
        for way in (course, twin)
    ]
    assert stories[0][0] == stories[1][0]
    assert stories[0][1:] != stories[1][1:]


@every_configuration
def test_a_story_told_in_parts_is_the_whole_story(config: Configuration) -> None:
    course = record_course(config, 2, 0.5)
    room = asyncio.run(enact(config, course, 1, None)).live.room
    whole = read(room, None)
    for part in (1, len(room.happenings) // 2, len(room.happenings)):
        first = [text for text in whole if int(text.split()[0]) <= part]
        assert first + read(room, None, after=part) == whole


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_taken_back_is_told_no_more(house: House, language: str) -> None:
    with house.visit("Ada") as ada, ada.connect() as talk:
        table = ada.open("sanssouci")
        talk.watch(table)
        for name in ("Ada", "Bea"):
            talk.do(table, kind="sit", nonce="5a" * 16, name=name)
        talk.wait_for(table, int(talk.do(table, kind="start")["seq"]))
        path = f"/t/{table}/story.json?language={language}"
        before = ada.ask("GET", path)
        found = talk.seen[table].find_choice()
        assert found
        seat, legal = found
        talk.do(table, **talk.make_choice(table, seat, legal[0]))
        chosen = ada.ask("GET", path)
        assert len(chosen["items"]) > len(before["items"])
        talk.do(table, kind="undo", seat=seat)
        undone = ada.ask("GET", path)
        assert undone["undone"] == 1
        assert undone["items"][:-1] == before["items"]
        assert undone["items"][-1]["kind"] == "event"


def test_a_whole_game_is_told_with_undos_and_going_back(house: House) -> None:
    with house.visit("Ada") as ada, house.visit("Ben") as ben:
        table = ada.open("sanssouci", options=["boars", "rewards"])
        with ada.connect() as a, ben.connect() as b:
            seat_all(table, [a, b])
            for n in range(12):
                play(table, [a, b], Random(n), choices=n % 4 + 1)
                a.do(table, kind="undo", seat=0)
                b.do(table, kind="undo", seat=1)
                a.do(table, kind="ask_back", seat=0)
                answer = b.do(table, kind="answer_back", seat=1, agrees=n % 2 == 0)
                for talk in (a, b):
                    talk.wait_for(table, int(answer["seq"]))
            play(table, [a, b], Random(1))
        told = ada.ask("GET", f"/t/{table}/story.json?seat=0&language=en")
    room = house.run(house.site.hub.find(table)).room
    assert room.table is not None
    assert room.table.undone > 3
    lines = [item["n"] for item in told["items"]]
    assert lines == sorted(lines)
    kinds = {item["kind"] for item in told["items"]}
    assert kinds == {"setup", "move", "event"}


def test_who_is_muted_is_not_read(house: House) -> None:
    with house.visit("Ada") as ada, house.visit("Ben") as ben:
        table = ada.open()
        ben.do(table, kind="say", text="one").raise_for_status()
        ada.ask("PUT", f"/api/me/mutes/{ben.id}", status=204)
        assert ada.ask("GET", f"/t/{table}/story.json")["items"] == []
        (told,) = ben.ask("GET", f"/t/{table}/story.json")["items"]
        assert (told["kind"], told["name"], told["text"]) == ("say", "Ben", "one")


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_comes_and_goes_is_told_by_name(house: House, language: str) -> None:
    with house.visit("Ada") as ada, house.visit("Ben") as ben:
        table = ada.open(seats=3)
        ada.do(table, kind="sit", nonce="5a" * 16).raise_for_status()
        ben.do(table, kind="sit", nonce="5a" * 16).raise_for_status()
        ada.do(table, kind="seat_bot", bot="greedy").raise_for_status()
        ada.do(table, kind="start").raise_for_status()
        ben.do(table, kind="resign", seat=1).raise_for_status()
        told = ada.ask("GET", f"/t/{table}/story.json?language={language}")["items"]
    events = [item["text"] for item in told if item["kind"] == "event"]
    bot = server_words(language)("page.bot.greedy")
    assert ["Ada" in events[0], "Ben" in events[1], bot in events[2]] == [True] * 3
    assert [("Ben" in text) for text in events[4:6]] == [True, True]
    assert json.loads(msgspec.json.encode(told)) == told


@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_is_told_of_by_the_names_of_its_people(
    house: House, game: str, language: str
) -> None:
    with house.visit("Ada") as ada:
        table = ada.open(game, seats=3)
        ada.do(table, kind="sit", nonce="5a" * 16).raise_for_status()
        for seat in (1, 2):
            ada.do(table, kind="seat_bot", seat=seat, bot="random").raise_for_status()
        ada.do(table, kind="start").raise_for_status()
        told = ada.ask("GET", f"/t/{table}/story.json?language={language}")["items"]
    (setup,) = [item for item in told if item["kind"] == "setup"]
    bot = server_words(language)("page.bot.random")
    for name in ("Ada", f"{bot} 1", f"{bot} 2"):
        assert any(line.startswith(name) for line in setup["more"])
    sat = [item["text"] for item in told if item["kind"] == "event"][1:3]
    assert [f"{bot} {n}" in text for n, text in enumerate(sat, start=1)] == [True, True]
    moves = [item for item in told if item["kind"] == "move"]
    assert all(item["n"] >= setup["n"] + len(setup["more"]) for item in moves)


def test_names_that_two_people_share_are_numbered() -> None:
    words = server_words("en")
    people = [Place(player="a", name="Ada"), Place(player="b", name="Ada"), Place(bot="greedy:1")]
    assert name_people(people, words) == ("Ada 1", "Ada 2", "Greedy")
    assert name_recorded({"Players": "Ada, greedy, greedy"}, 3, words) == (
        "Ada", "Greedy 1", "Greedy 2",
    )  # fmt: skip
    assert name_recorded({"Players": "Ada"}, 2, words) == ()
