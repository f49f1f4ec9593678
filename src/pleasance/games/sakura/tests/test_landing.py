"""Where the own painter would land, were its card the only one."""

from __future__ import annotations

from random import Random

from hypothesis import given

from pleasance.core.game import Choose, Seat
from pleasance.games.sakura.display.move_preview import land
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Play
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import view
from pleasance.games.sakura.tests.scene import scene
from pleasance.games.sakura.tests.walks import configurations, seeds, wander


def landings(state: State, token: str, seat: int = 0) -> list[list[int]]:
    """Tell where *seat* would land by a choice: its space, the Emperor's, whether in disgrace."""
    return [rest for choice, *rest in land(view(state, Seat(seat))) if choice == token]


def test_the_own_card_is_carried_out_alone() -> None:  # K-8, K-13, K-16
    state = scene("|.....ab..E", cards=(44, 8))
    assert landings(state, "44") == [[9, 12, False]]
    assert landings(state, "8", seat=1) == [[8, 11, False]]


def test_a_disgrace_is_foreseen() -> None:  # K-9
    state = scene("|........abE", cards=(50, 8))
    assert landings(state, "50") == [[7, 10, True]]


def test_a_free_way_has_a_landing_each_way_forward_first() -> None:  # K-7
    state = scene("|......a..b....E", cards=(35, 59))
    assert landings(state, "35") == [[8, 16, False], [6, 16, False]]
    assert landings(state, "59", seat=1) == [
        [13, 16, False],
        [6, 16, False],
        [13, 14, False],
        [6, 14, False],
    ]


def test_a_direction_lands_as_the_rest_of_the_card_says() -> None:  # K-7
    state = scene("|a.b.....c..E", cards=(9, 44, 17))
    asked = rules.play(state, [Play(Card(card)) for card in (9, 44, 17)])
    assert land(view(asked, Seat(0))) == (
        ("^", 4, 13, False),
        ("v", 4, 11, False),
    )
    assert land(view(asked, Seat(1))) == ()


@given(configurations, seeds)
def test_who_may_choose_and_nobody_else_is_told_landings(
    configuration: tuple[int, tuple[str, ...]], seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        now = rules.turn(state)
        assert land(view(state, None)) == ()
        for seat in map(Seat, range(len(state.hands))):
            seen = view(state, seat)
            tokens = {token for token, *_ in land(seen)}
            assert tokens == {str(choice).partition("/")[0] for choice in seen.legal}
            assert bool(tokens) == (isinstance(now, Choose) and seat in now.seats)
