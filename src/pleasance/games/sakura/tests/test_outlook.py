"""What the networks expect adds up and knows what a view knows."""

from __future__ import annotations

from random import Random

import pytest

from pleasance.core.bits import bits
from pleasance.core.game import Choose, Seat
from pleasance.games.sakura.bots.outlook.forecast import look_out
from pleasance.games.sakura.rules.components import Space
from pleasance.games.sakura.tests.twins import find, walk

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may


@pytest.mark.parametrize(("options", "seats"), [((), 2), (("tactical",), 2), ((), 3), ((), 6)])
def test_shares_are_one_together_and_cards_are_those_somebody_may_hold(
    options: tuple[str, ...], seats: int
) -> None:
    game = find(*options)
    for state, _ in walk(game, game.start(seats), Random(seats)):
        turn = game.turn(state)
        if not isinstance(turn, Choose):
            continue
        view = game.view(state, Seat(0))
        outlook = look_out(view, Random(1))
        assert sum(outlook.shares) == pytest.approx(1)
        assert len(outlook.shares) == len(outlook.tokens) == seats
        assert all(-1 < tokens < 30 for tokens in outlook.tokens)
        is_open = len(turn.seats) > 1
        assert set(outlook.cards) == ({*map(Seat, range(1, seats))} if is_open else set())
        for chances in outlook.cards.values():
            assert sum(chances.values()) == pytest.approx(1)
            assert not set(chances) & set(bits(view.hand | view.discards))


def test_a_spectator_gets_an_outlook_without_knowing_a_hand() -> None:
    game = find()
    state = next(s for s, _ in walk(game, game.start(3), Random(1)) if s.number == 3)
    assert isinstance(game.turn(state), Choose)
    outlook = look_out(game.view(state, None), Random(1))
    assert sum(outlook.shares) == pytest.approx(1)
    assert set(outlook.cards) == {0, 1, 2}


def test_who_has_all_but_won_is_told_so() -> None:
    """Before the last sakura, one painter has many more tokens than the others can still get."""
    game = find()
    state = next(s for s, _ in walk(game, game.start(3), Random(1)) if s.number == 1)
    rich, poor = (14, 0, 0, 0, 0), (3, 0, 0, 0, 0)
    end = state.box.paths[3].sakura[-1]
    painters = (Space(20), Space(21), Space(22))
    late = state._replace(scored=2, emperor=Space(end - 2), painters=painters, number=12)
    for seat in range(3):
        ledgers = tuple(rich if painter == seat else poor for painter in range(3))
        outlook = look_out(game.view(late._replace(ledgers=ledgers), Seat(0)), Random(1))
        assert outlook.shares[seat] > 0.85
