"""What is hidden from somebody changes no byte that the server sends them."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from conformance import Configuration, every_configuration, find_configuration
from pleasance.core.game import Seat
from server.eavesdrop import World, listen
from server.worlds import branch, find_twin, make_world, record_course


def overhear(
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
    course = record_course(config, seed, part)
    twin = find_twin(config, course, viewer, Random(seed), tries)
    turns = int(given * len(course.choices))

    async def hear_both() -> None:
        heard = []
        for own, way in enumerate((course, twin), start=1):
            opening, rest = branch(config, way, turns)
            world = World(config, make_world(config, rest, own, opening), viewer)
            heard.append(await listen(world, rest, seed, own))
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


@every_configuration
def test_what_is_hidden_in_an_opening_changes_no_byte_either(config: Configuration) -> None:
    seat = Seat(len(config.name) % config.seats)
    changed = overhear(config, 3, seat, 0.3, given=0.7) + overhear(config, 4, None, 0.3, given=0.5)
    assert changed


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
