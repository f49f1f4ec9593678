"""Two players, the court painter and the tactical variant: K-22 and K-23."""

import pytest

from pleasance.core.bits import bits, mask_of
from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Choose, Draw, Over, Seat
from pleasance.games.sakura.rules import rules, scoring
from pleasance.games.sakura.rules.actions import SPACE, Choice, Dealt, Play, PlayBoth
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.rules.state import ALL_CARDS, State
from pleasance.games.sakura.tests.positions import board, go, picture, play_round, tokens


def choose(*tokens: int | tuple[int, int]) -> list[Choice]:
    """Make choices: a number plays one card, a pair plays one for the court painter too."""
    return [
        Play(Card(token)) if isinstance(token, int) else PlayBoth(Card(token[0]), Card(token[1]))
        for token in tokens
    ]


def tactical(start: str, *hands: tuple[int, ...]) -> State:
    """Make a position of the tactical variant with the hands given."""
    state = board(start, seats=2, options=(TACTICAL,))
    held = mask_of(card for hand in hands for card in hand)
    return state._replace(hands=tuple(map(mask_of, hands)), deck=ALL_CARDS & ~held)


ONE, TWO = (1, 8, 17, 31, 39), (2, 6, 12, 21, 44)


def test_after_both_have_chosen_the_deck_gives_the_court_painter_a_card() -> None:  # K-22
    state = rules.play(board("abc|.....E", seats=2, cards=(8, 17)), choose(8, 17))
    assert rules.turn(state) == Draw(None)
    assert state.played == (8, 17)
    # Cards are resolved by number: 8 and 17, then the court painter's 39.
    state = rules.reveal(state, Dealt(Card(39)))
    assert picture(state) == "|abc.....E"
    assert state.discards == mask_of((8, 17, 39))
    assert state.draws == (0, 1)


def test_the_court_painters_card_is_resolved_by_its_number() -> None:  # K-22
    # Its 17 comes before the others, so that c is the first on the path.
    state = board("abc|.....E", seats=2, cards=(21, 31))
    assert picture(play_round(state, (21, 31), court=17)) == "|c.ba....E"


def test_the_court_painter_always_goes_forward() -> None:  # K-22
    # Card 59 says ± twice; no seat is asked.
    state = play_round(board("ab|....c....E", seats=2, cards=(8, 17)), (8, 17), court=59)
    assert picture(state) == "|ab.....c....E"


def test_the_court_painters_card_never_is_one_just_chosen() -> None:  # K-6, K-22
    state = board("abc|.....E", seats=2, cards=(8, 17))
    state = state._replace(deck=0, discards=state.deck)
    state = rules.play(state, choose(8, 17))
    assert rules.turn(state) == Draw(None)
    can_be_drawn = mask_of(outcome.card for outcome, _ in rules.chances(state))
    assert can_be_drawn == state.discards
    assert not can_be_drawn & mask_of((8, 17))
    after = rules.reveal(state, Dealt(Card(39)))
    assert after.decks == (ALL_CARDS, state.discards)
    assert after.discards == mask_of((8, 17, 39))


def test_the_court_painter_takes_tokens_but_cannot_win() -> None:  # K-22
    state = board("|" + "." * 31 + "abcE", seats=2, cards=(3, 17), scored=2)
    state = play_round(state, (3, 17), court=60)
    assert isinstance(rules.turn(state), Over)
    assert tokens(state)[2] > 5
    assert len(scoring.scores(state)) == 2
    assert len(scoring.score_items(state)) == 2
    assert set(scoring.winners(state)) <= {0, 1}


def test_a_court_painter_with_most_tokens_leaves_the_win_to_a_player() -> None:  # K-22
    state = board("|ab" + "." * 32 + "cE", seats=2, scored=3, tokens=(4, 4, 20))
    assert scoring.winners(state) == (1,)
    assert scoring.decided_by(state) == "closest"


def test_the_player_further_back_plays_two_different_cards() -> None:  # K-23
    state = tactical("c|.a..b.E", ONE, TWO)
    pairs = rules.legal(state, Seat(0))
    assert len(pairs) == 20
    assert set(map(str, pairs)) == {f"{a}/{b}" for a in ONE for b in ONE if a != b}
    assert list(pairs) == sorted(pairs, key=SPACE.code)
    assert rules.legal(state, Seat(1)) == tuple(choose(*TWO))


@pytest.mark.parametrize(
    ("start", "giver"), [("a|.b.c..E", 0), ("b|.c.a..E", 1), ("c|a.b...E", 0), ("|cb.a..E", 1)]
)
def test_the_gate_is_further_than_any_space(start: str, giver: int) -> None:  # K-23
    # The court painter's own place does not matter.
    state = tactical(start, ONE, TWO)
    assert rules.find_giver(state.box, state.painters) == giver


def test_the_second_card_is_the_court_painters_and_goes_forward() -> None:  # K-23
    # Card 12 says ±, but it is the court painter's: no seat is asked.
    state = rules.play(tactical("c|a....b....E", TWO, ONE), choose((6, 12), 31))
    assert picture(state) == "|.ca....b...E"


def test_who_gave_the_card_draws_one_more_at_the_end() -> None:  # K-23
    state = rules.play(tactical("c|a....b....E", TWO, ONE), choose((6, 44), 31))
    drawers = []
    while isinstance(now := rules.turn(state), Draw):
        drawers.append(now.to)
        state = rules.reveal(state, rules.chances(state)[0][0])
    assert drawers == [0, 1, 0]
    assert [hand.bit_count() for hand in state.hands] == [5, 5]
    assert state.number == 2


def test_with_both_in_the_gate_the_deck_gives_the_card() -> None:  # K-23
    state = tactical("ab|..c..E", ONE, TWO)
    assert rules.find_giver(state.box, state.painters) is None
    assert rules.legal(state, Seat(0)) == tuple(choose(*ONE))
    state = rules.play(state, choose(8, 44))
    assert rules.turn(state) == Draw(None)
    assert rules.reveal(state, Dealt(Card(40))).draws == (0, 1)


def test_a_scoring_ends_the_round_of_two_cards_as_well() -> None:  # K-18, K-23
    state = rules.play(tactical("c|" + "." * 9 + "a..b.E", ONE, TWO), choose((8, 39), 44))
    assert state.scored == 1
    assert state.draws == (0, 1, 0)


def test_in_the_tactical_variant_directions_are_still_chosen_by_the_players() -> None:  # K-7, K-23
    state = rules.play(tactical("c|a....b....E", TWO, ONE), choose((12, 6), 31))
    assert rules.turn(state) == Choose((Seat(0),))
    assert go(state, "^").painters[0] != go(state, "v").painters[0]


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        (choose(8, 44), "play_two_cards"),
        (choose((8, 8), 44), "same_card_twice"),
        (choose((8, 2), 44), "not_in_hand"),
        (choose((2, 8), 44), "not_in_hand"),
        (choose((8, 39), (44, 2)), "play_one_card"),
    ],
)
def test_a_wrong_choice_of_two_cards_is_refused(choices: list[Choice], code: str) -> None:  # K-23
    with pytest.raises(IllegalActionError) as refusal:
        rules.play(tactical("c|.a..b.E", ONE, TWO), choices)
    assert refusal.value.code == code


def test_a_refused_card_names_the_hand() -> None:  # K-23
    with pytest.raises(IllegalActionError) as refusal:
        rules.play(tactical("c|.a..b.E", ONE, TWO), choose((8, 2), 44))
    assert refusal.value.params == {"card": 2, "hand": " ".join(map(str, bits(mask_of(ONE))))}
