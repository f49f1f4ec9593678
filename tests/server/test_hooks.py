"""Telling players that it is their turn: signed, once, again after failures, and never too late."""

from __future__ import annotations

import json

import pytest

from pleasance.server.store.store import Store
from pleasance.server.webhooks.deliveries import DELAY, MOST_FAILURES, WAITS, queue_turn
from server.hooked import hook_row, outcomes, set_scene, verify
from server.rated import add_person
from server.receiver import receive, say

pytestmark = pytest.mark.anyio


async def test_a_turn_is_announced_with_the_link_and_a_signature(store: Store) -> None:
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url("/in"), home="https://games.example")
        assert await scene.turn(7)
        assert await scene.send() == 1
    (letter,) = receiver.letters
    body = json.loads(letter.body)
    link = "https://games.example/t/table0000001"
    assert letter.line == "POST /in HTTP/1.1"
    assert body["content"] == f"It is your turn in Sakura: {link}"
    assert body["embeds"][0]["url"] == link
    assert body["allowed_mentions"] == {"parse": []}
    told = {name: body["pleasance"][name] for name in ("kind", "table", "game", "lines", "link")}
    assert told == {
        "kind": "turn",
        "table": "table0000001",
        "game": "sakura",
        "lines": 7,
        "link": link,
    }
    assert letter.headers["content-type"] == "application/json"
    assert letter.headers["pleasance-delivery"] == body["pleasance"]["id"]
    assert verify(receiver)["t"] == str(int(scene.clock()))
    assert await outcomes(store) == ["sent"]
    assert (await hook_row(store))["sent_at"] == scene.clock()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "It is your turn in"), ("es", "Te toca en"), ("de", "Du bist dran bei")],
)
async def test_discord_gets_only_what_it_knows_in_the_language_of_the_player(
    store: Store, language: str, words: str
) -> None:
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url(), language=language, is_discord=True)
        await scene.turn(7)
        await scene.send()
    body = json.loads(receiver.letters[0].body)
    assert body.keys() == {"content", "embeds", "allowed_mentions"}
    assert body["content"].startswith(words)
    assert len(body["content"]) <= 2000


async def test_one_turn_is_announced_once_however_often_it_is_noticed(store: Store) -> None:
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        assert await scene.turn(7)
        assert not await scene.turn(7)
        assert await scene.send() == 1
        assert not await scene.turn(7)
        assert await scene.send() == 0
        assert await scene.turn(9)
        assert await scene.turn(7, "table0000002")
        assert await scene.send() == 2
    assert len(receiver.letters) == 3


async def test_nothing_is_sent_before_the_player_had_a_moment_to_choose(store: Store) -> None:
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        assert await scene.send(after=DELAY - 1) == 0
        scene.has_passed = True
        assert await scene.send(after=1) == 1
        assert receiver.calls == 0
        assert await outcomes(store) == ["passed"]
        assert scene.looked == [("ada", "table0000001")]


async def test_a_newer_turn_at_the_table_takes_the_place_of_an_older_one(store: Store) -> None:
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        await scene.turn(9)
        assert await scene.send() == 1
        assert await outcomes(store) == ["passed", "sent"]
    assert json.loads(receiver.letters[0].body)["pleasance"]["lines"] == 9


async def test_who_has_no_webhook_is_not_told(store: Store) -> None:
    scene = await set_scene(store, "http://127.0.0.1/")
    await store.write(lambda connection: add_person(connection, "Bea"))
    now = scene.clock()
    assert not await store.write(
        lambda connection: queue_turn(connection, "bea", "table0000001", lines=1, at=now)
    )


async def test_a_failure_is_tried_again_for_an_hour_then_given_up(store: Store) -> None:
    async with receive() as receiver:
        receiver.answer = say(500)
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        assert await scene.send() == 1
        for tries, wait in enumerate(WAITS, start=1):
            assert receiver.calls == tries
            assert await scene.send(after=wait - 1) == 0
            assert await scene.send(after=1) == 1
        assert 3000 < sum(WAITS) < 4000
        assert await scene.send(after=86_400) == 0
        assert receiver.calls == 5
    assert await outcomes(store) == ["failed"]
    assert len({letter.headers["pleasance-delivery"] for letter in receiver.letters}) == 1
    assert verify(receiver, 0)["t"] != verify(receiver, 4)["t"]
    row = await hook_row(store)
    assert (row["failures"], row["trouble"], row["status"]) == (5, "hook_answer", 500)


async def test_after_a_failure_a_turn_that_has_passed_is_not_announced(store: Store) -> None:
    async with receive() as receiver:
        receiver.answer = say(503)
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        await scene.send()
        scene.has_passed = True
        receiver.answer = say(204)
        await scene.send(after=WAITS[0])
        assert receiver.calls == 1
        assert await outcomes(store) == ["passed"]


async def test_a_success_forgets_earlier_failures(store: Store) -> None:
    async with receive() as receiver:
        receiver.answer = say(500)
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        await scene.send()
        receiver.answer = say(200)
        await scene.send(after=WAITS[0])
    row = await hook_row(store)
    assert (row["failures"], row["trouble"], row["off_at"]) == (0, None, None)
    assert await outcomes(store) == ["sent"]


async def test_who_asks_for_patience_gets_it(store: Store) -> None:
    async with receive() as receiver:
        receiver.answer = say(429, "Retry-After: 200")
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        await scene.send()
        receiver.answer = say(204)
        assert await scene.send(after=199) == 0
        assert await scene.send(after=1) == 1
        assert await outcomes(store) == ["sent"]


async def test_a_webhook_that_fails_again_and_again_is_switched_off(store: Store) -> None:
    async with receive() as receiver:
        receiver.answer = say(500)
        scene = await set_scene(store, receiver.url())
        lines = 0
        while (await hook_row(store))["off_at"] is None:
            lines += 1
            assert await scene.turn(lines)
            await scene.send()
        assert receiver.calls == lines == MOST_FAILURES
        assert not await scene.turn(lines + 1)
        assert await scene.send(after=86_400) == 0
    assert set(await outcomes(store)) <= {"passed", "off"}


@pytest.mark.parametrize("status", [404, 410])
async def test_a_webhook_that_is_no_more_is_switched_off_at_once(store: Store, status: int) -> None:
    async with receive() as receiver:
        receiver.answer = say(status)
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        await scene.send()
        assert (await hook_row(store))["off_at"] == scene.clock()
        assert await outcomes(store) == ["off"]
