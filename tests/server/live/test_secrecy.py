"""Hidden information changes no byte that the server sends to a player who may not see it."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from conformance import Configuration, every_configuration, find_configuration
from pleasance.core.game import Seat
from support.hidden_worlds import branch, find_variant, make_scripted_config, record_script
from support.world_transcript import World, record_messages


def compare_worlds(
    config: Configuration,
    seed: int,
    viewer: Seat | None,
    part: float,
    *,
    tries: int = 15,
    given: float = 0.0,
) -> int:
    """Play the same public course in two worlds; give by how many hidden draws they differ.

    The first part of it may be *given* as an opening.
    """
    script = record_script(config, seed, part)
    variant = find_variant(config, script, viewer, Random(seed), tries)
    turns = int(given * len(script.choices))

    async def record_both() -> None:
        received = []
        for own, way in enumerate((script, variant), start=1):
            opening, rest = branch(config, way, turns)
            world = World(config, make_scripted_config(config, rest, own, opening), viewer)
            received.append(await record_messages(world, rest, seed, own))
        one, other = received
        assert len(one) == len(other)
        for (moment, mine), (_, yours) in zip(one, other, strict=True):
            assert mine == yours, f"{config.name}, seat {viewer}, {moment}"

    asyncio.run(record_both())
    return sum(a != b for a, b in zip(script.drawn, variant.drawn, strict=True))


@every_configuration
def test_hidden_draws_and_choices_change_no_byte_that_is_sent(config: Configuration) -> None:
    seat = Seat(len(config.name) % config.seats)
    assert compare_worlds(config, 1, seat, 0.25) + compare_worlds(config, 2, None, 0.15)


@pytest.mark.slow
@every_configuration
def test_what_is_hidden_in_an_opening_changes_no_byte_either(config: Configuration) -> None:
    seat = Seat(len(config.name) % config.seats)
    changed = compare_worlds(config, 3, seat, 0.3, given=0.7) + compare_worlds(
        config, 4, None, 0.3, given=0.5
    )
    assert changed


@pytest.mark.slow
@every_configuration
def test_hidden_draws_change_no_byte_in_games(config: Configuration) -> None:
    changed = 0
    for viewer in config.viewers:
        changed += compare_worlds(config, 10, viewer, 1.0, tries=40)
        changed += compare_worlds(config, 11, viewer, 0.5, tries=40)
    assert changed > config.seats


def test_the_test_would_hear_a_difference() -> None:
    """A visible draw changes the messages: two worlds that differ there do not look alike."""
    config = find_configuration("sakura-3")
    script = record_script(config, 1, 0.2)
    variant = find_variant(config, script, Seat(0), Random(1), 40)
    assert variant.drawn != script.drawn

    async def record(number: int) -> list[tuple[str, bytes]]:
        way = (script, variant)[number]
        world = World(config, make_scripted_config(config, way, number), Seat(1))
        return await record_messages(world, way, 1, number)

    first, second = (asyncio.run(record(number)) for number in range(2))
    assert first != second
