"""What a browser gets to draw: every part of a choice is found again in it."""

from __future__ import annotations

import re
from random import Random

from hypothesis import given

from pleasance.core.bits import mask_of
from pleasance.core.game import Seat
from pleasance.games.sakura.display.wire import _MOVES, show, unpack
from pleasance.games.sakura.display.wire_types import SakuraBox, SakuraPlayed, SakuraView
from pleasance.games.sakura.rules.components import Card, Move, Space
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import View, view
from pleasance.games.sakura.tests.scene import house, play_round, scene
from pleasance.games.sakura.tests.walks import configurations, seeds, wander


def look(state: State, seat: int | None = 0) -> SakuraView:
    return show(view(state, None if seat is None else Seat(seat)))


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


@given(configurations, seeds)
def test_every_part_of_a_legal_choice_is_in_the_view(
    configuration: tuple[int, tuple[str, ...]], seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        box = unpack(state.box, len(state.hands))
        for seat in range(len(state.hands)):
            seen = view(state, Seat(seat))
            for choice in seen.legal:
                check_choice(str(choice), show(seen), box)


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


@given(configurations, seeds)
def test_nothing_that_a_view_knows_is_lost(
    configuration: tuple[int, tuple[str, ...]], seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        for seat in (Seat(1), None):
            seen = view(state, seat)
            assert read_view(show(seen), seen) == seen


@given(configurations, seeds)
def test_everybody_stands_on_the_path_and_tokens_are_explained(
    configuration: tuple[int, tuple[str, ...]], seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        box, shown = unpack(state.box, len(state.hands)), look(state, None)
        assert len(box.painters) == len(shown.painters) == len(shown.tokens)
        assert all(0 <= space <= box.path.sakura[-1] for space in (*shown.painters, shown.emperor))
        for tokens, why in zip(shown.tokens, shown.ledgers, strict=True):
            assert tokens == why.start + why.disgraces + sum(why.sakura)
        assert [len(hand) for hand in shown.origins] == [len(shown.decks)] * len(state.hands)


def test_cards_on_the_table_stand_in_order_of_initiative() -> None:  # K-6, K-7
    # Card 9 moves the Emperor forward or back, as its owner chooses; card 8 is done by then.
    state = play_round(scene("abc|.....E", cards=(39, 9, 8)), (39, 9, 8))
    shown = look(state, 1)
    assert (shown.phase, shown.actor) == ("direction", 1)
    assert shown.played == (SakuraPlayed(2, 8, 2), SakuraPlayed(1, 9, 0), SakuraPlayed(0, 39, 0))


def test_the_giver_of_the_tactical_variant_is_named() -> None:  # K-23
    state = scene("|..a.bcE", seats=2, cards=(8, 17), options=("tactical",))
    assert look(state).giver == look(state, None).giver == 0
    assert look(scene("|.cb..aE", seats=2, cards=(8, 17), options=("tactical",))).giver == 1
    assert look(scene("|..a.bcE", seats=2, cards=(8, 17))).giver is None


def test_moves_are_named_as_in_the_rules() -> None:
    assert tuple(move.name.lower() for move in Move) == _MOVES


def test_the_box_tells_what_is_printed() -> None:
    box = unpack(house(), 2)
    assert [card.card for card in box.cards] == list(range(1, 61))
    assert (box.seats, len(box.painters), box.is_tactical) == (2, 3, False)
    assert (box.path.torii, box.path.sakura) == (6, (16, 26, 36))
    assert box.pay == ((3, 2, 1), (3, 2, 1), (4, 2, 1))
    assert len(unpack(house(), 6).painters) == 6
    assert unpack(house("tactical"), 2).is_tactical
    free = {card.card for card in box.cards if card.garden.is_free}
    assert free == {9, 19, 28, 38, 49, 59}
