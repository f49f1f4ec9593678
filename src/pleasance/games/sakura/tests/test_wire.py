"""The wire format for browsers holds every part of a choice."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given

from pleasance.core.bits import mask_of
from pleasance.core.game import Choose, Seat
from pleasance.games.sakura.display.move_preview import list_landings
from pleasance.games.sakura.display.wire import _MOVES, box_to_wire, view_to_wire
from pleasance.games.sakura.display.wire_types import SakuraBox, SakuraPlayed, SakuraView
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Play
from pleasance.games.sakura.rules.components import Card, Move, Space
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import View, view
from pleasance.games.sakura.tests.positions import (
    Configuration,
    board,
    configurations,
    house,
    play_round,
    seeds,
    wander,
)


def look(state: State, seat: int | None = 0) -> SakuraView:
    return view_to_wire(view(state, None if seat is None else Seat(seat)))


def check_choice(token: str, shown: SakuraView, box: SakuraBox) -> None:
    """Find the cards that a legal choice names, or the card whose direction is asked for."""
    if cards := re.fullmatch(r"(\d+)(?:/(\d+))?", token):
        assert {int(card) for card in cards.groups() if card} <= set(shown.hand)
        assert shown.phase == "choose"
        assert ("/" in token) == (shown.giver == shown.seat)
        return
    assert token in {"^", "v"}
    assert (shown.phase, shown.actor) == ("direction", shown.seat)
    now = next(played for played in shown.played if played.done < 2)
    face = next(card for card in box.cards if card.card == now.card)
    assert now.painter == shown.actor
    assert (face.painter if now.done else face.garden).is_free


@pytest.mark.slow
@given(configurations, seeds)
def test_every_part_of_a_legal_choice_is_in_the_view(
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        box = box_to_wire(state.box, len(state.hands))
        for seat in range(len(state.hands)):
            seen = view(state, Seat(seat))
            for choice in seen.legal:
                check_choice(str(choice), view_to_wire(seen), box)


def read_view(shown: SakuraView, seen: View) -> View:
    """Make a view again from what a client gets; what is next and legal follows from the rest."""
    by_painter = sorted(shown.played, key=lambda played: played.painter)
    return View(
        seat=None if shown.seat is None else Seat(shown.seat),
        turn=seen.turn,
        legal=seen.legal,
        box=seen.box,
        number=shown.round,
        emperor=Space(shown.emperor),
        painters=tuple(map(Space, shown.painters)),
        ledgers=tuple((why.start, why.disgraces, *why.sakura) for why in shown.ledgers),
        scored=shown.scored,
        hand=mask_of(shown.hand),
        origins=shown.origins,
        deck_size=shown.deck_size,
        discards=mask_of(shown.discards),
        decks=tuple(map(mask_of, shown.decks)),
        played=tuple(Card(played.card) for played in by_painter),
        done=sum(played.done for played in shown.played),
        draws=tuple(map(Seat, shown.draws)),
    )


@pytest.mark.slow
@given(configurations, seeds)
def test_nothing_that_a_view_knows_is_lost(configuration: Configuration, seed: int) -> None:
    for state in wander(*configuration, Random(seed)):
        for seat in (Seat(1), None):
            seen = view(state, seat)
            assert read_view(view_to_wire(seen), seen) == seen


@pytest.mark.slow
@given(configurations, seeds)
def test_everybody_stands_on_the_path_and_tokens_are_explained(
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        box, shown = box_to_wire(state.box, len(state.hands)), look(state, None)
        assert len(box.painters) == len(shown.painters) == len(shown.tokens)
        assert all(0 <= space <= box.path.sakura[-1] for space in (*shown.painters, shown.emperor))
        for tokens, why in zip(shown.tokens, shown.ledgers, strict=True):
            assert tokens == why.start + why.disgraces + sum(why.sakura)
        assert [len(hand) for hand in shown.origins] == [len(shown.decks)] * len(state.hands)


def test_cards_on_the_table_stand_in_order_of_initiative() -> None:  # K-6, K-7
    # Card 9 moves the Emperor forward or back, as its owner chooses; card 8 is done by then.
    shown = look(play_round(board("abc|.....E", cards=(39, 9, 8)), (39, 9, 8)), 1)
    assert (shown.phase, shown.actor) == ("direction", 1)
    assert shown.played == (SakuraPlayed(2, 8, 2), SakuraPlayed(1, 9, 0), SakuraPlayed(0, 39, 0))


def test_the_giver_of_the_tactical_variant_is_named() -> None:  # K-23
    state = board("|..a.bcE", seats=2, cards=(8, 17), options=("tactical",))
    assert look(state).giver == look(state, None).giver == 0
    assert look(board("|.cb..aE", seats=2, cards=(8, 17), options=("tactical",))).giver == 1
    assert look(board("|..a.bcE", seats=2, cards=(8, 17))).giver is None


def test_moves_are_named_as_in_the_rules() -> None:
    assert tuple(move.name.lower() for move in Move) == _MOVES


def test_the_box_tells_what_is_printed() -> None:
    box = box_to_wire(house(), 2)
    assert [card.card for card in box.cards] == list(range(1, 61))
    assert (box.seats, len(box.painters), box.is_tactical) == (2, 3, False)
    assert (box.path.torii, box.path.sakura) == (6, (16, 26, 36))
    assert box.pay == ((3, 2, 1), (3, 2, 1), (4, 2, 1))
    assert len(box_to_wire(house(), 6).painters) == 6
    assert box_to_wire(house("tactical"), 2).is_tactical
    assert {card.card for card in box.cards if card.garden.is_free} == {9, 19, 28, 38, 49, 59}


def landings(state: State, token: str, seat: int = 0) -> list[list[int]]:
    """List where *seat* would land by a choice: its space, the Emperor's, whether in disgrace."""
    return [rest for choice, *rest in list_landings(view(state, Seat(seat))) if choice == token]


def test_the_own_card_is_carried_out_alone() -> None:  # K-8, K-13, K-16
    state = board("|.....ab..E", cards=(44, 8))
    assert landings(state, "44") == [[9, 12, False]]
    assert landings(state, "8", seat=1) == [[8, 11, False]]


def test_a_disgrace_is_foreseen() -> None:  # K-9
    assert landings(board("|........abE", cards=(50, 8)), "50") == [[7, 10, True]]


def test_a_free_way_has_a_landing_each_way_forward_first() -> None:  # K-7
    state = board("|......a..b....E", cards=(35, 59))
    assert landings(state, "35") == [[8, 16, False], [6, 16, False]]
    assert landings(state, "59", seat=1) == [
        [13, 16, False],
        [6, 16, False],
        [13, 14, False],
        [6, 14, False],
    ]


def test_a_direction_lands_as_the_rest_of_the_card_says() -> None:  # K-7
    state = board("|a.b.....c..E", cards=(9, 44, 17))
    asked = rules.play(state, [Play(Card(card)) for card in (9, 44, 17)])
    assert list_landings(view(asked, Seat(0))) == (
        ("^", 4, 13, False),
        ("v", 4, 11, False),
    )
    assert list_landings(view(asked, Seat(1))) == ()


@pytest.mark.slow
@given(configurations, seeds)
def test_who_may_choose_and_nobody_else_is_told_landings(
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        now = rules.turn(state)
        assert list_landings(view(state, None)) == ()
        for seat in map(Seat, range(len(state.hands))):
            seen = view(state, seat)
            tokens = {token for token, *_ in list_landings(seen)}
            assert tokens == {str(choice).partition("/")[0] for choice in seen.legal}
            assert bool(tokens) == (isinstance(now, Choose) and seat in now.seats)
