"""Scoring, closing ranks and the end of the game: K-4 and K-18 to K-21.

Card 8 (E+1/+1) takes the Emperor to the sakura; the others are never resolved.
"""

import pytest

from pleasance.core.bits import mask_of
from pleasance.core.game import Choose, Draw, Over, Seat
from pleasance.games.sakura.rules import rules, scoring
from pleasance.games.sakura.rules.components import Space
from pleasance.games.sakura.rules.path import Places
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.tests.positions import board, go, picture, play_round, tokens


def path(painters: str, emperor: int) -> str:
    """Draw a long path: the gate, and *painters* up to the space right behind the Emperor."""
    gate, _, line = painters.partition("|")
    return f"{gate}|{line.rjust(emperor - 1, '.')}E"


def places(*spaces: int) -> Places:
    return tuple(map(Space, spaces))


def finish(painters: tuple[int, ...], counts: tuple[int, ...]) -> State:
    """Make a finished game."""
    state = board(path("abcdef"[: len(painters)] + "|", 36), scored=3, tokens=counts)
    return state._replace(painters=places(*painters))


def test_after_the_emperor_stops_the_painter_action_is_carried_out() -> None:  # K-18
    # With card 21 the painter a runs into the Emperor on 16, and is then paid as the closest.
    state = play_round(board(path("bc|a.", 15), cards=(21, 40, 47)), (21, 40, 47))
    assert picture(state) == path("bc|a..", 16)
    assert tokens(state) == [5 - 1 + 3, 5, 5]


def test_the_owner_still_chooses_the_direction_before_the_scoring() -> None:  # K-18, K-7
    state = play_round(board(path("bc|a....", 15), cards=(12, 40, 47)), (12, 40, 47))
    assert rules.turn(state) == Choose((Seat(0),))
    assert tokens(state) == [5, 5, 5]
    state = go(state, "v")
    assert picture(state) == path("bc|a.......", 16)
    assert tokens(state) == [8, 5, 5]


def test_all_other_cards_are_discarded_resolved_or_not() -> None:  # K-18
    # Cards 40 and 47 would have sent a back.
    state = play_round(board(path("bc|a....", 15), cards=(8, 40, 47)), (8, 40, 47))
    assert picture(state) == path("bc|a....", 16)
    assert state.discards == mask_of((8, 40, 47))
    assert state.played == ()


@pytest.mark.parametrize(
    ("line", "emperor", "paid"),
    [
        ("|ab.c", 15, [1, 2, 3]),
        ("|ab.cd", 15, [0, 1, 2, 3]),
        ("|ab.c.de", 19, [0, 1, 1, 2, 3]),
        ("|ab.c.def", 19, [0, 0, 1, 1, 2, 3]),
    ],
)
def test_the_closest_painters_are_paid_by_rank(  # K-19
    line: str, emperor: int, paid: list[int]
) -> None:
    cards = [*(60, 57, 50, 47, 40)[: len(paid) - 1], 8]
    state = play_round(board(path(line, emperor), cards=cards), cards)
    assert [count - 5 for count in tokens(state)] == paid


def test_the_closest_gets_four_at_the_last_sakura() -> None:  # K-19
    state = play_round(board(path("|ab.c", 35), cards=(40, 47, 8), scored=2), (40, 47, 8))
    assert tokens(state) == [6, 7, 9]


@pytest.mark.parametrize(
    ("line", "paid"), [("ab|c.", [0, 0, 3]), ("ab|c.d", [0, 0, 2, 3]), ("abc|d", [0, 0, 0, 3])]
)
def test_a_rank_shared_in_the_gate_pays_nobody(line: str, paid: list[int]) -> None:  # K-19
    cards = [*(60, 57, 50)[: len(paid) - 1], 8]
    state = play_round(board(path(line, 15), cards=cards), cards)
    assert [count - 5 for count in tokens(state)] == paid


def test_a_painter_alone_in_the_gate_ranks_like_any_other() -> None:  # K-19
    assert tokens(play_round(board(path("a|b.c", 15), cards=(40, 47, 8)), (40, 47, 8))) == [6, 7, 8]


def test_with_all_painters_in_the_gate_a_scoring_pays_nobody_and_moves_nobody() -> None:  # K-19
    # Card 3 moves only the Emperor: no painter is ahead on the path.
    state = play_round(board(path("abc|", 15), cards=(3, 40, 47)), (3, 40, 47))
    assert picture(state) == path("abc|", 16)
    assert tokens(state) == [5, 5, 5]
    assert state.scored == 1


def test_the_supply_of_tokens_never_runs_out() -> None:  # K-4
    start = board(path("|ab.c", 15), cards=(40, 47, 8), tokens=(900, 900, 900))
    assert tokens(play_round(start, (40, 47, 8))) == [901, 902, 903]


@pytest.mark.parametrize(
    ("before", "closed"),
    [
        ((4, 12, 9), (10, 12, 11)),
        ((0, 9, 5), (7, 9, 8)),
        ((0, 0, 5, 9), (0, 0, 8, 9)),
        ((0, 1, 2), (0, 1, 2)),
        ((0, 2, 1, 3), (0, 2, 1, 3)),
        ((0, 0, 1), (0, 0, 1)),
        ((0, 0, 0), (0, 0, 0)),
    ],
)
def test_painters_close_ranks_behind_the_first(  # K-20
    before: tuple[int, ...], closed: tuple[int, ...]
) -> None:
    assert scoring.close_ranks(places(*before)) == closed


def test_ranks_close_after_a_scoring_and_play_goes_on() -> None:  # K-20, K-21
    state = play_round(board(path("a|b...c..", 15), cards=(40, 47, 8)), (40, 47, 8))
    assert picture(state) == path("|abc..", 16)
    assert rules.turn(state) == Draw(Seat(0))
    assert state.draws == (0, 1, 2)


def test_after_the_last_sakura_the_game_ends_at_once() -> None:  # K-21
    state = play_round(board(path("|ab.c", 35), cards=(40, 47, 8), scored=2), (40, 47, 8))
    assert rules.turn(state) == Over()
    assert picture(state) == path("|ab..c", 36)
    assert state.draws == ()
    assert rules.legal(state, Seat(0)) == ()
    assert rules.chances(state) == ()


@pytest.mark.parametrize(
    ("painters", "counts", "winners", "decided_by"),
    [
        ((5, 6, 7), (9, 8, 8), (0,), "points"),
        ((5, 6, 7), (9, 9, 8), (1,), "closest"),
        ((0, 6, 0), (9, 9, 9), (1,), "closest"),
        ((0, 0, 7), (9, 9, 8), (0, 1), "shared"),
        ((0, 0, 0, 0), (3, 7, 7, 7), (1, 2, 3), "shared"),
    ],
)
def test_most_tokens_win_and_then_the_closest(  # K-21
    painters: tuple[int, ...], counts: tuple[int, ...], winners: tuple[int, ...], decided_by: str
) -> None:
    state = finish(painters, counts)
    assert scoring.winners(state) == winners
    assert scoring.decided_by(state) == decided_by


def test_the_causes_tell_where_the_tokens_come_from() -> None:  # K-4, K-9, K-19
    state = play_round(board(path("bc|a.", 15), cards=(21, 40, 47)), (21, 40, 47))
    told = [(item.code, item.points, dict(item.params)) for item in scoring.score_items(state)[0]]
    assert told == [
        ("start", 5, {}),
        ("disgraces", -1, {}),
        ("sakura", 3, {"sakura": 1}),
        ("sakura", 0, {"sakura": 2}),
        ("sakura", 0, {"sakura": 3}),
    ]
