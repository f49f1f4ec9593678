"""Laws that hold at every moment of every game."""

import pickle
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given

from pleasance.core.bits import bits, mask_of
from pleasance.core.errors import BadNotationError
from pleasance.core.game import Choose, Draw, Seat
from pleasance.games.sakura.rules import rules, scoring
from pleasance.games.sakura.rules.actions import DRAWS, SPACE, Choice, parse
from pleasance.games.sakura.rules.path import GATE
from pleasance.games.sakura.rules.state import ALL_CARDS
from pleasance.games.sakura.tests.positions import Configuration, configurations, seeds, wander


@given(configurations, seeds)
def test_each_of_the_sixty_cards_is_in_one_place(  # K-3, K-6
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        piles = [*state.hands, state.deck, state.discards, mask_of(state.played)]
        assert sum(pile.bit_count() for pile in piles) == 60
        assert sum(piles) == ALL_CARDS


@given(configurations, seeds)
def test_painters_are_behind_the_emperor_and_share_no_space(  # K-8, K-9, K-10
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        on_path = [place for place in state.painters if place != GATE]
        assert len(set(on_path)) == len(on_path)
        assert all(place < state.emperor for place in on_path)
        assert 1 <= state.emperor <= state.box.paths[len(state.hands)].sakura[-1]


@pytest.mark.slow
@given(configurations, seeds)
def test_tokens_are_the_sum_of_their_causes_and_never_negative(  # K-4, K-9
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        told = tuple(
            sum(item.points for item in score_items) for score_items in scoring.score_items(state)
        )
        assert told == scoring.scores(state)
        assert min(sum(ledger) for ledger in state.ledgers) >= 0


@given(configurations, seeds)
def test_the_emperor_stops_at_every_sakura_once(  # K-12, K-21
    configuration: Configuration, seed: int
) -> None:
    states = list(wander(*configuration, Random(seed)))
    sakura = states[0].box.paths[configuration[0]].sakura
    stops = [now.emperor for before, now in pairwise(states) if now.scored > before.scored]
    assert tuple(stops) == sakura
    assert all(state.emperor <= sakura[min(state.scored, 2)] for state in states)


@given(configurations, seeds)
def test_choices_and_draws_are_listed_by_their_number(
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        now = rules.turn(state)
        for seat in range(configuration[0]):
            codes = [SPACE.code(choice) for choice in rules.legal(state, Seat(seat))]
            assert codes == sorted(set(codes))
            assert bool(codes) == (isinstance(now, Choose) and seat in now.seats)
        numbers = [DRAWS.code(outcome) for outcome, _ in rules.chances(state)]
        assert numbers == sorted(set(numbers))
        assert bool(numbers) == isinstance(now, Draw)


@given(configurations, seeds)
def test_hands_are_full_whenever_all_choose(  # K-5, K-6, K-23
    configuration: Configuration, seed: int
) -> None:
    for state in wander(*configuration, Random(seed)):
        if not state.draws and not state.played and state.scored < rules.LAST_SAKURA:
            assert {hand.bit_count() for hand in state.hands} == {5}


@pytest.mark.slow
@given(configurations, seeds)
def test_a_card_in_a_hand_comes_from_the_last_deck_that_holds_it(  # K-6
    configuration: Configuration, seed: int
) -> None:
    origin: dict[int, int] = {}
    for before, state in pairwise(wander(*configuration, Random(seed))):
        for old, new in zip(before.hands, state.hands, strict=True):
            origin |= dict.fromkeys(bits(new & ~old), len(state.decks) - 1)
        for card in (card for hand in state.hands for card in bits(hand)):
            holding = [number for number, deck in enumerate(state.decks) if deck >> card & 1]
            assert holding[-1] == origin[card]


@given(configurations, seeds)
def test_states_survive_a_trip_through_bytes(configuration: Configuration, seed: int) -> None:
    *_, last = wander(*configuration, Random(seed))
    copy = pickle.loads(pickle.dumps(last))
    assert copy == last
    assert hash(copy) == hash(last)
    assert copy.box.faces == last.box.faces


def test_every_action_is_read_back_from_its_text() -> None:
    for space in (SPACE, DRAWS):
        assert all(parse(str(action)) == action for action in space)


def test_action_numbers_never_change() -> None:
    def show(code: int) -> str:
        choice: Choice = SPACE.actions[code]
        return str(choice)

    assert len(SPACE) == 60 + 60 * 60 + 2
    assert [show(code) for code in (0, 59, 60, 61, 120, 3659, 3660, 3661)] == (
        ["1", "60", "1/1", "1/2", "2/1", "60/60", "^", "v"]
    )
    assert [str(outcome) for outcome in DRAWS][:2] == ["+1", "+2"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "61",
        "01",
        "+0",
        "+",
        "+01",
        "++1",
        "1/",
        "/1",
        "1/2/3",
        "+1/2",
        "^^",
        "V",
        " 1",
        "1 ",
        "\N{ARABIC-INDIC DIGIT ONE}",
        "1\n",
        "-1",
        "1.0",
        "x",
    ],
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(BadNotationError) as refusal:
        parse(text)
    assert refusal.value.params == {"token": text}
