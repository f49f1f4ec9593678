"""What is hidden from somebody changes no byte that the server sends them."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from conformance import Configuration, every_configuration, find_configuration
from pleasance.core.game import Seat
from server.eavesdrop import World, listen
from server.worlds import find_twin, make_world, record_course


def overhear(
    config: Configuration, seed: int, viewer: Seat | None, part: float, tries: int = 15
) -> int:
    """Play the same public course in two worlds; give by how many hidden draws they differ."""
    course = record_course(config, seed, part)
    twin = find_twin(config, course, viewer, Random(seed), tries)

    async def hear_both() -> None:
        heard = []
        for own, way in enumerate((course, twin), start=1):
            world = World(config, make_world(config, way, own), viewer)
            heard.append(await listen(world, way, seed, own))
        one, other = heard
        assert len(one) == len(other)
        for (moment, mine), (_, yours) in zip(one, other, strict=True):
            assert mine == yours, f"{config.name}, seat {viewer}, {moment}"

    asyncio.run(hear_both())
    return sum(a != b for a, b in zip(course.script, twin.script, strict=True))


@every_configuration
def test_hidden_draws_and_choices_change_no_byte_that_is_sent(config: Configuration) -> None:
    seat = Seat(len(config.name) % config.seats)
    assert overhear(config, 1, seat, 0.25) + overhear(config, 2, None, 0.15)


@pytest.mark.slow
@every_configuration
def test_hidden_draws_and_choices_change_no_byte_in_whole_games(config: Configuration) -> None:
    changed = 0
    for viewer in config.everybody:
        changed += overhear(config, 10, viewer, 1.0, tries=40)
        changed += overhear(config, 11, viewer, 0.5, tries=40)
    assert changed > config.seats


def test_the_test_would_hear_a_difference() -> None:
    """Whoever sees a draw is told of it: two worlds that differ there do not look alike."""
    config = find_configuration("sakura-3")
    course = record_course(config, 1, 0.2)
    twin = find_twin(config, course, Seat(0), Random(1), 40)
    assert twin.script != course.script

    async def hear(number: int) -> list[tuple[str, bytes]]:
        way = (course, twin)[number]
        world = World(config, make_world(config, way, number), Seat(1))
        return await listen(world, way, 1, number)

    first, second = (asyncio.run(hear(number)) for number in range(2))
    assert first != second
