"""Set-up and the course of a round (K-4 to K-7), and the worked example of the rulebook."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pleasance.core.bits import mask_of
from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Choose, Draw, Over, Seat
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Choice, Dealt, Direction, Heading, Play, PlayBoth
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.moves import CardResolver
from pleasance.games.sakura.rules.state import ALL_CARDS, State
from pleasance.games.sakura.tests.positions import (
    after,
    board,
    go,
    house,
    picture,
    play_round,
    tokens,
)

FORWARD, BACK = Direction(Heading.FORWARD), Direction(Heading.BACK)


def take(state: State, *cards: int) -> State:
    """Draw *cards*, one after the other."""
    for card in cards:
        state = rules.reveal(state, Dealt(Card(card)))
    return state


def drawable(state: State) -> list[int]:
    """List the cards that can be drawn."""
    return [outcome.card for outcome, _ in rules.chances(state)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_all_painters_start_in_the_gate_and_the_emperor_on_the_torii(seats: int) -> None:  # K-5
    torii = 6 if seats <= 4 else 8
    letters = "abcdef"[: max(seats, 3)]
    assert picture(rules.start(house(), seats)) == f"{letters}|{'.' * (torii - 1)}E"


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everyone_starts_with_five_tokens(seats: int) -> None:  # K-4
    assert tokens(rules.start(house(), seats)) == [5] * max(seats, 3)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_five_cards_are_dealt_to_each_seat_in_turn(seats: int) -> None:  # K-5
    state = rules.start(house(), seats)
    receivers = []
    while isinstance(now := rules.turn(state), Draw):
        receivers.append(now.to)
        state = rules.reveal(state, rules.chances(state)[0][0])
    assert receivers == [seat for seat in range(seats) for _ in range(5)]
    assert [hand.bit_count() for hand in state.hands] == [5] * seats
    assert rules.turn(state) == Choose(tuple(map(Seat, range(seats))))
    assert state.number == 1


def test_cards_are_resolved_from_the_lowest_to_the_highest() -> None:  # K-6
    # The Emperor steps back last, so that he does not meet a ...
    assert after("bc|...aE", (41, 8, 39)) == "|bc.a.E"
    # ... or first, and a is disgraced before the others are on the path.
    assert after("bc|...aE", (41, 43, 48)) == "|a..bcE"


def test_the_garden_action_comes_before_the_painter_action() -> None:  # K-6
    # Card 21 moves the Emperor from 4 to 5, so that 3 forward does not end in disgrace.
    assert tokens(play_round(board("bc|a..E", cards=(21, 40, 47)), (21, 40, 47))) == [5, 5, 5]


def test_played_cards_are_discarded_and_everyone_draws_in_seat_order() -> None:  # K-6
    state = play_round(board("abc|.....E", cards=(8, 17, 39)), (8, 17, 39))
    assert state.discards == mask_of((8, 17, 39))
    assert state.draws == (0, 1, 2)
    for seat in range(3):
        assert rules.turn(state) == Draw(Seat(seat))
        assert state.number == 1
        state = take(state, drawable(state)[0])
    assert rules.turn(state) == Choose((Seat(0), Seat(1), Seat(2)))
    assert state.number == 2


def test_an_empty_deck_is_rebuilt_when_a_card_must_be_drawn() -> None:  # K-6
    state = board("abc|.....E", cards=(8, 17, 39))
    deck = state.deck
    state = state._replace(deck=1 << 60, discards=deck & ~(1 << 60))
    state = play_round(state, (8, 17, 39))
    assert drawable(state) == [60]
    state = take(state, 60)
    assert state.deck == 0
    assert state.decks == (ALL_CARDS,)
    # The cards just played are among the discards by now.
    discards = deck & ~(1 << 60) | mask_of((8, 17, 39))
    assert mask_of(drawable(state)) == discards
    state = take(state, 39)
    assert state.decks == (ALL_CARDS, discards)
    assert state.discards == 0
    assert state.deck == discards & ~(1 << 39)


def test_the_owner_chooses_the_direction_when_the_action_is_resolved() -> None:  # K-7
    # Card 8 is resolved and card 12 has moved the Emperor; now a goes 2 forward or back.
    state = play_round(board("|abc.......E", cards=(12, 8, 39)), (12, 8, 39))
    assert picture(state) == "|a.cb........E"
    assert rules.turn(state) == Choose((Seat(0),))
    assert rules.legal(state, Seat(0)) == (FORWARD, BACK)
    assert rules.legal(state, Seat(1)) == ()


@pytest.mark.parametrize(
    ("ways", "end"),
    [
        ("^^", "|.b.c...a......E"),
        ("^v", "a|.b.c..........E"),
        ("v^", "|.b.c...a....E"),
        ("vv", "a|.b.c........E"),
    ],
)
def test_a_card_may_ask_for_both_its_directions(ways: str, end: str) -> None:  # K-7, K-13, K-16
    assert after("bc|....a......E", (59, 1, 5), ways) == end


def test_both_directions_may_be_chosen_even_where_nothing_can_move() -> None:  # K-7
    state = play_round(board("abc|.....E", cards=(58, 8, 17)), (58, 8, 17))
    assert picture(state) == "a|bc......E"
    assert rules.legal(state, Seat(0)) == (FORWARD, BACK)
    assert picture(go(state, "v")) == "a|bc......E"


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ((Play(Card(60)), Play(Card(17)), Play(Card(39))), "not_in_hand"),
        ((FORWARD, Play(Card(17)), Play(Card(39))), "play_one_card"),
        ((PlayBoth(Card(8), Card(1)), Play(Card(17)), Play(Card(39))), "play_one_card"),
        ((Play(Card(8)), Play(Card(17))), "choices"),
    ],
)
def test_a_wrong_choice_of_cards_is_refused(choices: Sequence[Choice], code: str) -> None:  # K-6
    with pytest.raises(IllegalActionError) as refusal:
        rules.play(board("abc|.....E", cards=(8, 17, 39)), choices)
    assert refusal.value.code == code


def test_a_card_is_no_answer_where_a_direction_is_asked() -> None:  # K-7
    state = play_round(board("abc|.....E", cards=(58, 8, 17)), (58, 8, 17))
    with pytest.raises(IllegalActionError, match="choose_direction"):
        rules.play(state, [Play(Card(1))])


def test_nothing_is_chosen_while_cards_are_drawn_and_nothing_drawn_while_all_choose() -> None:
    choosing = board("abc|.....E", cards=(8, 17, 39))
    drawing = play_round(choosing, (8, 17, 39))
    with pytest.raises(IllegalActionError, match="nothing_to_choose"):
        rules.play(drawing, [FORWARD])
    with pytest.raises(IllegalActionError, match="nothing_to_draw"):
        rules.reveal(choosing, Dealt(Card(60)))
    assert rules.chances(choosing) == ()
    assert rules.legal(drawing, Seat(0)) == ()


def test_only_cards_of_the_deck_can_be_drawn() -> None:  # K-6
    drawing = play_round(board("abc|.....E", cards=(8, 17, 39)), (8, 17, 39))
    with pytest.raises(IllegalActionError, match="not_in_deck"):
        rules.reveal(drawing, Dealt(Card(17)))


# Blue is a, white is b, yellow is c; 11 is a bridge.
START = "|.....abc.E"


def test_blues_card_sends_yellow_back_over_occupied_spaces_and_blue_forward() -> None:
    # K-14, K-8: yellow passes 7 and 6 and comes to 4; blue skips white on 7.
    state = board(START, cards=(2, 7, 44))
    resolver = CardResolver(state)
    for action in state.box.faces[2]:
        resolver.carry_out(0, action)
    assert resolver.painters == [8, 7, 4]


def test_whites_card_sends_yellow_forward_and_white_into_the_emperor() -> None:
    # K-15, K-9: yellow is last now; white is disgraced on 10 and goes back to 5.
    state = board("|...c..ba.E")
    resolver = CardResolver(state)
    for action in state.box.faces[7]:
        resolver.carry_out(1, action)
    assert resolver.painters == [8, 5, 6]
    assert [sum(ledger) for ledger in resolver.ledgers] == [5, 4, 5]


def test_yellows_card_takes_the_emperor_over_the_bridge_in_one_step() -> None:
    # K-13, K-1: with three players a bridge is one space.
    state = board("|....bc.a.E")
    resolver = CardResolver(state)
    for action in state.box.faces[44]:
        resolver.carry_out(2, action)
    assert (resolver.emperor, resolver.painters) == (12, [8, 5, 9])


def test_the_whole_round_ends_as_the_rules_say() -> None:
    # K-6: the three cards are resolved from the lowest to the highest.
    state = play_round(board(START, cards=(2, 7, 44)), (2, 7, 44))
    assert picture(state) == "|....b..ac..E"
    assert tokens(state) == [5, 4, 5]
    assert not isinstance(rules.turn(state), Over)


def test_with_five_players_the_emperor_stands_on_the_middle_of_a_bridge() -> None:
    # K-1: here 13, 14 and 15 are the second bridge.
    state = board("abcde|...........E")
    resolver = CardResolver(state)
    resolver.carry_out(0, state.box.faces[44].garden)
    assert resolver.emperor == state.box.paths[5].bridges[4] == 14
