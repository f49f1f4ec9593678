"""Scenes lead from one view to the next, and show nothing hidden."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from pleasance.core.bits import bits
from pleasance.core.game import Seat
from pleasance.core.steps import AnyStep, Chose, Drew, redact_step
from pleasance.games.sakura.display.scenes import step_to_scenes
from pleasance.games.sakura.display.wire import played_to_wire, view_to_wire
from pleasance.games.sakura.display.wire_types import SakuraScene
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Direction, Heading, Play
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import view
from pleasance.games.sakura.tests.positions import (
    PACKAGE,
    Configuration,
    board,
    cards,
    choose,
    configurations,
    random_steps,
    seeds,
)
from pleasance.games.sakura.tests.test_view import exchange, viewers
from pleasance.i18n.catalog import load_messages


def watch(step: AnyStep, seat: Seat | None, language: str = "en") -> tuple[SakuraScene, ...]:
    """Show *seat* a step."""
    before, after = view(step.before, seat), view(step.after, seat)
    return step_to_scenes(before, redact_step(step, seat), after, load_messages(language, PACKAGE))


def watch_play(state: State, *choices: Play | Direction) -> list[SakuraScene]:
    return [*watch(choose(state, *choices), Seat(0))]


@pytest.mark.slow
@settings(max_examples=40)
@given(configurations, seeds)
def test_the_last_scene_stands_as_the_view_after_does(
    configuration: Configuration, seed: int
) -> None:
    for step in random_steps(*configuration, Random(seed)):
        for seat in (None, Seat(0)):
            last, after = watch(step, seat)[-1], view_to_wire(view(step.after, seat))
            assert last.emperor == after.emperor
            assert last.painters == after.painters
            assert last.tokens == after.tokens
            assert last.scored == after.scored
            if after.played:
                assert last.played == after.played


@pytest.mark.slow
@settings(max_examples=40)
@given(configurations, seeds)
def test_one_scene_moves_one_figure_but_where_ranks_close(
    configuration: Configuration, seed: int
) -> None:
    for step in random_steps(*configuration, Random(seed)):
        emperor, painters = step.before.emperor, step.before.painters
        for each in watch(step, None):
            moved = [n for n, place in enumerate(each.painters) if place != painters[n]]
            assert each.kind == "ranks" or moved in ([], [each.painter])
            assert each.emperor == emperor or each.kind == "emperor"
            emperor, painters = each.emperor, each.painters


@pytest.mark.slow
@settings(max_examples=24)
@given(configurations, seeds)
def test_scenes_show_no_hidden_card(configuration: Configuration, seed: int) -> None:
    for step in random_steps(*configuration, Random(seed)):
        for world, who_knows in exchange(step.before):
            other = _take_again(step, world)
            for seat in set(viewers(world)) - who_knows if other else ():
                assert other is not None
                assert watch(other, seat) == watch(step, seat)


def _take_again(step: AnyStep, world: State) -> AnyStep | None:
    """Take a step in a world where other cards are hidden, if it can be taken there."""
    if isinstance(step, Drew):
        if not (world.deck or world.discards) >> step.outcome.card & 1:
            return None
        return Drew(world, step.to, step.outcome, rules.reveal(world, step.outcome))
    if not all(
        choice in rules.legal(world, seat)
        for seat, choice in zip(step.seats, step.choices, strict=True)
    ):
        return None
    return Chose(world, step.seats, step.choices, rules.play(world, step.choices))


@pytest.mark.slow
@given(configurations, seeds)
def test_only_who_draws_a_card_is_shown_it(configuration: Configuration, seed: int) -> None:
    for step in random_steps(*configuration, Random(seed)):
        if isinstance(step, Drew) and step.to is not None:
            for seat in viewers(step.before):
                last = watch(step, seat)[-1]
                assert (last.kind, last.painter) == ("draw", step.to)
                assert last.card == (step.outcome.card if seat == step.to else None)


def test_the_worked_example_is_shown() -> None:  # K-8, K-9, K-14, K-15
    shown = watch_play(board("|.....abc.E", cards=(2, 7, 44)), *cards(2, 7, 44))
    assert [(each.kind, each.card, each.action, each.painter) for each in shown] == [
        ("reveal", None, None, None),
        ("walk", 2, 0, 2),
        ("walk", 2, 1, 0),
        ("walk", 7, 0, 2),
        ("bump", 7, 1, 1),
        ("emperor", 44, 0, None),
        ("walk", 44, 1, 2),
    ]
    assert shown[4].caption == "White bumps into the Emperor: one token less, back to space 5."
    assert (shown[3].tokens, shown[4].tokens) == ((5, 5, 5), (5, 4, 5))
    assert shown[4].played == played_to_wire((Card(2), Card(7), Card(44)), 4)


def test_the_emperor_stands_on_a_painters_space_before_it_bows_back() -> None:  # K-11
    came, caught = watch_play(board("|....a.b.....cE", cards=(6, 8, 17)), *cards(6, 8, 17))[1:3]
    assert (came.kind, came.emperor, came.painters[2], came.tokens[2]) == ("emperor", 13, 13, 5)
    shown = (caught.kind, caught.painter, caught.painters[2], caught.tokens[2])
    assert shown == ("caught", 2, 10, 4)


def test_a_scoring_is_shown_before_ranks_close() -> None:  # K-18 to K-20
    shown = watch_play(board("|........a..cb.E", cards=(8, 44, 17)), *cards(8, 44, 17))
    assert [each.kind for each in shown[-3:]] == ["unresolved", "score", "ranks"]
    assert [each.scored for each in shown[-3:]] == [0, 1, 1]
    assert [each.painters[0] for each in shown[-3:]] == [10, 10, 11]
    assert [each.tokens for each in shown[-3:]] == [(5, 5, 5), (6, 8, 7), (6, 8, 7)]


def test_who_must_choose_the_way_is_asked_last() -> None:  # K-7
    state = board("|a.b.....c..E", cards=(59, 8, 17))
    asked = watch_play(state, *cards(59, 8, 17))[-1]
    assert (asked.kind, asked.card, asked.action, asked.painter) == ("ask", 59, 0, 0)
    state = rules.play(state, cards(59, 8, 17))
    moved, again = watch_play(state, Direction(Heading.FORWARD))
    assert (moved.kind, again.kind, again.action) == ("emperor", "ask", 1)


def test_a_draw_names_the_own_card() -> None:
    state = rules.play(board("abc|.....E", cards=(8, 17, 39)), cards(8, 17, 39))
    outcome = rules.chances(state)[0][0]
    drawn = watch(Drew(state, Seat(0), outcome, rules.reveal(state, outcome)), Seat(0))[-1]
    assert drawn.card == outcome.card
    assert drawn.caption.startswith(f"You draw card {outcome.card}:")
    assert outcome.card in bits(rules.reveal(state, outcome).hands[0])
