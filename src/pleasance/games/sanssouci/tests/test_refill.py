"""Rules of a turn's end: the refill and the card drawn."""

from __future__ import annotations

import pytest

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Choose, Draw, Over, Seat
from pleasance.games.sanssouci import GAME
from pleasance.games.sanssouci.rules.actions import DrawnCard, parse
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.games.sanssouci.tests.positions import (
    EMPTY,
    MARKET,
    at_the_start,
    choose,
    garden,
    to_take,
)


def test_the_emptied_space_is_refilled_from_the_bag_for_all_to_see() -> None:
    """S-16."""
    state = choose(to_take(garden(EMPTY), "e", MARKET), "e:4l", "-")
    assert GAME.turn(state) == Draw(None)
    assert all(str(outcome).startswith("+t4l=") for outcome, _ in GAME.chances(state))
    assert [weight for _, weight in GAME.chances(state)] == [left for left in state.bag if left]


def test_a_tile_that_is_used_up_cannot_be_drawn() -> None:
    """S-16."""
    state = choose(to_take(garden(EMPTY), "e", MARKET), "e:4l", "-")
    state = state._replace(bag=(0, *state.bag[1:]))
    assert "+t4l=a" not in [str(outcome) for outcome, _ in GAME.chances(state)]
    for token in ("+t4l=a", "+t5l=b", "+ce"):
        with pytest.raises(IllegalActionError):
            GAME.reveal(state, parse(token))  # type: ignore[arg-type]  # a wrong outcome on purpose


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_only_the_very_last_refill_is_missing(seats: int) -> None:
    """S-16, S-17, S-18: 18 turns each, one refill less, 16 cards drawn by each."""
    state = at_the_start(seats)
    refills = draws = takes = 0
    while not isinstance(GAME.turn(state), Over):
        refills += state.phase is Phase.REFILL
        draws += state.phase is Phase.CARD
        takes += state.phase is Phase.TAKE
        if isinstance(GAME.turn(state), Draw):
            state = GAME.reveal(state, GAME.chances(state)[0][0])
        else:
            state = GAME.play(state, GAME.legal(state, state.actor)[:1])
    assert (takes, refills, draws) == (18 * seats, 18 * seats - 1, 16 * seats)
    assert sum(state.bag) == 0


def test_a_card_is_drawn_from_the_own_deck_and_only_its_owner_sees_it() -> None:
    """S-17."""
    state = choose(to_take(garden(EMPTY), "e 36", MARKET), "e:4l", "-")
    state = GAME.reveal(state, GAME.chances(state)[0][0])
    assert GAME.turn(state) == Draw(state.actor)
    drawable = [outcome for outcome, _ in GAME.chances(state)]
    assert len(drawable) == 16
    drawn = GAME.reveal(state, drawable[0])
    assert isinstance(drawable[0], DrawnCard)
    assert drawn.hands[state.actor] >> drawable[0].card & 1
    assert GAME.turn(drawn) == Choose((Seat(1 - state.actor),))
    with pytest.raises(IllegalActionError):
        GAME.reveal(state, parse("+c36"))  # type: ignore[arg-type]  # it is in hand already


def test_everybody_may_count_decks_but_not_look() -> None:
    """S-17."""
    state = at_the_start(2)
    view = GAME.view(state, Seat(0))
    assert view.hand_sizes == (2, 2)
    assert [cards.bit_count() for cards in view.unplayed] == [18, 18]
    assert view.hand == state.hands[0]
    swapped = state._replace(
        hands=(state.hands[0], state.decks[1] & -state.decks[1] | state.hands[1] & -state.hands[1]),
        decks=(
            state.decks[0],
            (state.decks[1] & (state.decks[1] - 1)) | (state.hands[1] & (state.hands[1] - 1)),
        ),
    )
    assert swapped != state
    assert GAME.view(swapped, Seat(0)) == view
