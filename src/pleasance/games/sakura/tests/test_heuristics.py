"""The quick judgement weighs every legal choice, and knows a good one."""

from random import Random

import pytest

from pleasance.core.game import Seat
from pleasance.games.sakura.heuristics import judge, weigh
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.rules.view import view
from pleasance.games.sakura.tests.scene import go, play_round, scene
from pleasance.games.sakura.tests.walks import CONFIGURATIONS, wander


@pytest.mark.parametrize(("seats", "options"), CONFIGURATIONS)
def test_every_legal_choice_is_weighed(seats: int, options: tuple[str, ...]) -> None:
    for state in list(wander(seats, options, Random(1)))[::11]:
        for seat in map(Seat, range(seats)):
            assert tuple(weigh(view(state, seat), Random(1))) == rules.legal(state, seat)


def test_the_same_luck_gives_the_same_answer() -> None:
    seen = view(scene("|.a.b..c.E"), Seat(0))
    assert weigh(seen, Random(7)) == weigh(seen, Random(7))


def test_a_spectator_has_nothing_to_weigh() -> None:
    assert weigh(view(scene("|.a.b..c.E"), None), Random(1)) == {}


def test_running_into_the_emperor_is_worth_less_than_going_back() -> None:
    # Card 12 has moved the Emperor to 13; now a, on 11, goes 2 forward or back.
    state = play_round(scene("bc|..........aE", cards=(12, 40, 47)), (12, 40, 47))
    forward, back = weigh(view(state, Seat(0)), Random(1)).values()
    assert back > forward


def test_a_judgement_counts_tokens_and_ranks_against_the_others() -> None:
    # a would be paid 1, b 2 and c 3: 6 against 7 and 8.
    assert judge(scene("|.a.b..c.E"), Seat(0)) == 6 - 7.5
    assert judge(scene("|.a.b..c.E", scored=3, tokens=(9, 5, 7)), Seat(0)) == 3


def test_a_pair_of_cards_is_weighed_in_the_tactical_variant() -> None:
    state = scene("c|.a..b.E", seats=2, options=(TACTICAL,))
    assert len(weigh(view(state, Seat(0)), Random(1))) == 20
    assert len(weigh(view(state, Seat(1)), Random(1))) == 5
    assert go(state, "") == state
