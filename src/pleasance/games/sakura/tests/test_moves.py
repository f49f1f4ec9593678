"""Moving the painters and the Emperor: K-8 to K-17."""

import pytest

from pleasance.games.sakura.rules.components import GARDEN_ACTIONS, PAINTER_ACTIONS, Space
from pleasance.games.sakura.rules.moves import CardResolver
from pleasance.games.sakura.tests.positions import board, picture

ACTIONS = {**GARDEN_ACTIONS, **PAINTER_ACTIONS}
NEAR_SAKURA = "abc|" + "." * 14 + "E"


def act(start: str, owner: str, text: str, *, scored: int = 0, tokens: tuple[int, ...] = ()) -> str:
    """Carry out one action of a card and draw what it leaves, with the tokens lost."""
    state = board(start, scored=scored, tokens=tokens)
    resolver = CardResolver(state)
    resolver.carry_out("abcdef".index(owner), ACTIONS[text])
    done = state._replace(emperor=Space(resolver.emperor), painters=tuple(resolver.painters))
    lost = [
        f" {letter}{sum(now) - sum(before)}"
        for letter, before, now in zip("abcdef", state.ledgers, resolver.ledgers, strict=False)
        if now != before
    ]
    return picture(done) + "".join(lost)


@pytest.mark.parametrize(
    ("start", "text", "end"),
    [
        ("|.abc.....E", "+1", "|..bca....E"),
        ("|.abc.....E", "+3", "|..bc..a..E"),
        ("|.a.b.c...E", "+3", "|...b.ca..E"),
    ],
)
def test_painters_count_only_empty_spaces(start: str, text: str, end: str) -> None:  # K-8
    assert act(start, "a", text) == end


def test_others_are_skipped_whoever_moves_a_painter() -> None:  # K-8
    assert act("|.....abc.E", "a", "C-2") == "|...c.ab..E"
    assert act("|.cab.....E", "b", "F+2") == "|..ab.c...E"


def test_a_painter_that_reaches_the_emperor_is_disgraced() -> None:  # K-9
    # It stops on 9, loses a token and goes back over 8 and 7 to 6.
    assert act("bc|......a.E", "a", "+2") == "bc|.....a..E a-1"


def test_a_disgraced_painter_does_not_finish_its_move() -> None:  # K-9
    assert act("bc|......a.E", "a", "+3") == "bc|.....a..E a-1"


def test_the_space_that_a_disgraced_painter_came_from_counts() -> None:  # K-9
    # Back from 10: 9, not 8 where c stands, 7 where it came from itself, 6.
    assert act("|....b.ac.E", "a", "+3") == "|....ba.c.E a-1"


def test_a_disgraced_painter_without_tokens_loses_none() -> None:  # K-9
    assert act("bc|......a.E", "a", "+3", tokens=(0, 5, 5)) == "bc|.....a..E"


def test_nobody_passes_the_emperor() -> None:  # K-9
    assert act("bc|.a.E", "a", "+3") == "bc|a..E a-1"


def test_a_painter_sent_back_past_the_first_space_stops_in_the_gate() -> None:  # K-10
    assert act("bc|a.E", "a", "+2") == "abc|..E a-1"
    assert act("bc|a....E", "b", "C-2") == "abc|.....E"
    assert act("c|ba...E", "c", "C-2") == "ac|b....E"


def test_a_painter_leaves_the_gate_for_the_first_empty_space() -> None:  # K-10
    assert act("ab|..c..E", "a", "+1") == "b|a.c..E"
    assert act("a|bc...E", "a", "+1") == "|bca..E"


def test_a_painter_that_enters_where_the_emperor_stands_is_sent_back() -> None:  # K-9, K-10
    assert act("abc|E", "a", "+1") == "abc|E a-1"


def test_the_emperor_walks_past_nobody_and_counts_every_space() -> None:  # K-11
    assert act("c|ab...E", "a", "E+2") == "c|ab.....E"


def test_the_emperor_disgraces_a_painter_he_steps_back_on() -> None:  # K-11
    assert act("c|.b...aE", "b", "E-1") == "c|.ba..E a-1"


def test_the_emperor_is_held_at_the_first_space() -> None:  # K-11
    assert act("abc|E", "a", "E-1") == "abc|E"
    assert act("bc|aE", "b", "E-1") == "abc|E a-1"


def test_the_emperor_stops_at_a_new_sakura_and_the_rest_is_lost() -> None:  # K-12
    assert act(NEAR_SAKURA, "a", "E+2") == "abc|" + "." * 15 + "E"


def test_the_emperor_passes_a_sakura_that_has_been_scored() -> None:  # K-12
    assert act(NEAR_SAKURA, "a", "E+2", scored=1) == "abc|" + "." * 16 + "E"


@pytest.mark.parametrize(
    ("text", "end"),
    [("E+1", "abc|......E"), ("E+2", "abc|.......E"), ("E-1", "abc|....E")],
)
def test_garden_actions_move_the_emperor(text: str, end: str) -> None:  # K-13
    assert act("abc|.....E", "a", text) == end


def test_the_closest_painter_goes_back_two() -> None:  # K-14
    assert act("c|.a...b.E", "a", "C-2") == "c|.a.b...E"


def test_with_every_painter_in_the_gate_nobody_is_closest() -> None:  # K-14
    assert act("abc|.....E", "a", "C-2") == "abc|.....E"


def test_the_furthest_painter_goes_forward_two() -> None:  # K-15
    assert act("|.c.a...b.E", "a", "F+2") == "|..." + "ac..b.E"


def test_a_painter_alone_in_the_gate_is_the_furthest() -> None:  # K-15
    assert act("c|.a...b.E", "a", "F+2") == "|.ac..b.E"


def test_the_furthest_painter_may_be_disgraced() -> None:  # K-15
    assert act("|abcE", "b", "F+2") == "a|.bcE a-1"


def test_with_two_or_more_in_the_gate_nobody_is_furthest() -> None:  # K-15
    assert act("ac|...b.E", "a", "F+2") == "ac|...b.E"


@pytest.mark.parametrize(
    ("text", "end"),
    [("+1", "ac|b....E"), ("+2", "ac|.b...E"), ("+3", "ac|..b..E")],
)
def test_painter_actions_move_the_owner_of_the_card(text: str, end: str) -> None:  # K-16
    assert act("abc|.....E", "b", text) == end


def test_a_leap_ends_in_front_of_the_next_painter_ahead() -> None:  # K-17
    assert act("c|.a..b..dE", "a", "LEAP") == "c|....ba.dE"
    assert act("|.a..bc..E", "a", "LEAP") == "|....bca.E"


def test_a_leap_may_end_in_disgrace() -> None:  # K-17
    assert act("|.a.bcE", "a", "LEAP") == "|a..bcE a-1"


def test_a_leap_from_the_gate_passes_the_last_painter_on_the_path() -> None:  # K-17
    assert act("ab|..c..E", "a", "LEAP") == "b|..ca.E"


def test_a_count_moves_one_space_for_each_painter_ahead() -> None:  # K-17
    assert act("|.a..bc..E", "a", "COUNT") == "|...abc..E"
    assert act("ab|..c..E", "a", "COUNT") == "b|a.c..E"


def test_a_count_may_end_in_disgrace() -> None:  # K-17
    assert act("|...abcE", "a", "COUNT") == "|.a..bcE a-1"


@pytest.mark.parametrize("text", ["LEAP", "COUNT"])
@pytest.mark.parametrize("start", ["bc|..a..E", "abc|..E"])
def test_with_nobody_ahead_on_the_path_neither_moves(start: str, text: str) -> None:  # K-17
    assert act(start, "a", text) == start
