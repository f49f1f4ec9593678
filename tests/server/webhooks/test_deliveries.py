"""Deliveries of turns to webhooks: signed, once, retried after failures, never too late."""

from __future__ import annotations

import json

import pytest

from pleasance.server.store.store import Store
from pleasance.server.webhooks import deliveries
from server.webhooks.harness import Harness, open_webhook, verify
from server.webhooks.receiver import Receiver, respond
from support.rows import add_person

pytestmark = pytest.mark.anyio


async def test_turns_are_sent_with_link_and_signature(store: Store, receiver: Receiver) -> None:
    hook = await open_webhook(store, receiver.url("/in"), home="https://games.example")
    assert await hook.turn(7)
    assert await hook.send() == 1
    (request,) = receiver.requests
    body = json.loads(request.body)
    link = "https://games.example/t/table0000001"
    assert request.line == "POST /in HTTP/1.1"
    assert body["content"] == f"It is your turn in Sakura: {link}"
    assert body["embeds"][0]["url"] == link
    assert body["allowed_mentions"] == {"parse": []}
    answers = {name: body["pleasance"][name] for name in ("kind", "table", "game", "ply", "link")}
    assert answers == {
        "kind": "turn",
        "table": "table0000001",
        "game": "sakura",
        "ply": 7,
        "link": link,
    }
    assert request.headers["content-type"] == "application/json"
    assert request.headers["webhook-id"] == body["pleasance"]["id"]
    assert verify(receiver) == int(hook.clock())
    assert await hook.outcomes() == ["sent"]
    assert (await hook.row())["sent_at"] == hook.clock()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "It is your turn in"), ("es", "Te toca en"), ("de", "Du bist dran bei")],
)
async def test_discord_gets_only_what_it_knows_in_the_language_of_the_player(
    store: Store, language: str, words: str, receiver: Receiver
) -> None:
    hook = await open_webhook(store, receiver.url(), language=language, is_discord=True)
    await hook.turn(7)
    await hook.send()
    body = json.loads(receiver.requests[0].body)
    assert body.keys() == {"content", "embeds", "allowed_mentions"}
    assert body["content"].startswith(words)
    assert len(body["content"]) <= 2000


async def test_one_turn_is_announced_once_however_often_it_is_noticed(hook: Harness) -> None:
    assert await hook.turn(7)
    assert not await hook.turn(7)
    assert await hook.send() == 1
    assert not await hook.turn(7)
    assert await hook.send() == 0
    assert await hook.turn(9)
    assert await hook.turn(7, "table0000002")
    assert await hook.send() == 2
    assert len(hook.receiver.requests) == 3


async def test_deliveries_wait_for_the_announce_delay(hook: Harness) -> None:
    await hook.turn(7)
    assert await hook.send(after=deliveries.ANNOUNCE_DELAY_S - 1) == 0
    hook.has_passed = True
    assert await hook.send(after=1) == 1
    assert hook.receiver.calls == 0
    assert await hook.outcomes() == ["passed"]
    assert hook.lookups == [("ada", "table0000001")]


async def test_a_newer_turn_at_the_table_takes_the_place_of_an_older_one(hook: Harness) -> None:
    await hook.turn(7)
    await hook.turn(9)
    assert await hook.send() == 1
    assert await hook.outcomes() == ["passed", "sent"]
    assert json.loads(hook.receiver.requests[0].body)["pleasance"]["ply"] == 9


async def test_without_a_webhook_nothing_is_queued(store: Store) -> None:
    hook = await open_webhook(store, "http://127.0.0.1/")
    await store.write(lambda connection: add_person(connection, "Bea"))
    now = hook.clock()
    assert not await store.write(
        lambda connection: deliveries.enqueue_turn(connection, "bea", "table0000001", ply=1, at=now)
    )


async def test_a_failure_is_tried_again_for_an_hour_then_given_up(hook: Harness) -> None:
    hook.receiver.answer = respond(500)
    await hook.turn(7)
    assert await hook.send() == 1
    for tries, wait in enumerate(deliveries.RETRY_DELAYS_S, start=1):
        assert hook.receiver.calls == tries
        assert await hook.send(after=wait - 1) == 0
        assert await hook.send(after=1) == 1
    assert 3000 < sum(deliveries.RETRY_DELAYS_S) < 4000
    assert await hook.send(after=86_400) == 0
    assert hook.receiver.calls == 5
    assert await hook.outcomes() == ["failed"]
    assert len({request.headers["webhook-id"] for request in hook.receiver.requests}) == 1
    assert verify(hook.receiver, 0) != verify(hook.receiver, 4)
    row = await hook.row()
    assert (row["failures"], row["trouble"], row["status"]) == (5, "webhook_answer", 500)


async def test_after_a_failure_a_turn_that_has_passed_is_not_announced(hook: Harness) -> None:
    hook.receiver.answer = respond(503)
    await hook.turn(7)
    await hook.send()
    hook.has_passed = True
    hook.receiver.answer = respond(204)
    await hook.send(after=deliveries.RETRY_DELAYS_S[0])
    assert hook.receiver.calls == 1
    assert await hook.outcomes() == ["passed"]


async def test_a_success_forgets_earlier_failures(hook: Harness) -> None:
    hook.receiver.answer = respond(500)
    await hook.turn(7)
    await hook.send()
    hook.receiver.answer = respond(200)
    await hook.send(after=deliveries.RETRY_DELAYS_S[0])
    row = await hook.row()
    assert (row["failures"], row["trouble"], row["off_at"]) == (0, None, None)
    assert await hook.outcomes() == ["sent"]


async def test_retry_after_delays_the_delivery(hook: Harness) -> None:
    hook.receiver.answer = respond(429, "Retry-After: 200")
    await hook.turn(7)
    await hook.send()
    hook.receiver.answer = respond(204)
    assert await hook.send(after=199) == 0
    assert await hook.send(after=1) == 1
    assert await hook.outcomes() == ["sent"]


async def test_a_webhook_that_fails_again_and_again_is_switched_off(hook: Harness) -> None:
    hook.receiver.answer = respond(500)
    ply = 0
    while (await hook.row())["off_at"] is None:
        ply += 1
        assert await hook.turn(ply)
        await hook.send()
    assert hook.receiver.calls == ply == deliveries.MAX_FAILURES
    assert not await hook.turn(ply + 1)
    assert await hook.send(after=86_400) == 0
    assert set(await hook.outcomes()) <= {"passed", "off"}


@pytest.mark.parametrize("status", [404, 410])
async def test_a_webhook_that_is_gone_is_disabled_at_once(status: int, hook: Harness) -> None:
    hook.receiver.answer = respond(status)
    await hook.turn(7)
    await hook.send()
    assert (await hook.row())["off_at"] == hook.clock()
    assert await hook.outcomes() == ["off"]
