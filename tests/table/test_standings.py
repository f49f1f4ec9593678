"""Standings: the rules that rank the seats of a finished game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pleasance.core.game import Seat
from pleasance.table.standings import Holder, counts, make_standings, rank_seats

PEOPLE = [Holder("ada", None), Holder("bea", None), Holder("cas", None)]


def seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, numbers))


@pytest.mark.parametrize(
    ("winners", "scores", "ranks"),
    [
        ((0,), (30, 20, 10), (1, 2, 3)),
        ((2,), (30, 20, 30), (2, 3, 1)),  # a tie-break of the rules goes before points
        ((0, 1), (30, 30, 10), (1, 1, 3)),
        ((1,), (20, 30, 20), (2, 1, 2)),
    ],
)
def test_winners_of_the_rules_come_first_then_who_has_more_points(
    winners: tuple[int, ...], scores: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    assert rank_seats(seats(*winners), scores, (), 3) == ranks


def test_who_left_is_last_even_if_the_bot_that_stood_in_has_won() -> None:
    assert rank_seats(seats(1), (10, 50, 20), seats(1), 3) == (2, 3, 1)


def test_of_several_who_left_the_first_is_the_very_last() -> None:
    assert rank_seats(seats(3), (40, 30, 20, 50), seats(2, 0), 4) == (3, 2, 4, 1)


def test_a_seat_that_was_handed_back_in_time_counts_like_any_other() -> None:
    held = [Holder("ada", "greedy"), Holder("bea", None)]
    first, second = make_standings(held, winners=seats(0), scores=(9, 5), left=())
    assert (first.rank, first.has_left, first.subject) == (1, False, "ada")
    assert second.rank == 2


def test_with_two_players_who_resigns_has_lost_whatever_the_points_were() -> None:
    standings = make_standings(PEOPLE[:2], winners=(), scores=None, left=seats(0))
    assert [one.rank for one in standings] == [2, 1]
    assert [one.score for one in standings] == [None, None]
    assert [one.has_left for one in standings] == [True, False]


def test_who_stays_in_a_game_that_was_given_up_shares_the_first_place() -> None:
    standings = make_standings(PEOPLE, winners=(), scores=None, left=seats(1))
    assert [one.rank for one in standings] == [1, 3, 1]


def test_a_bot_that_stands_in_for_somebody_is_not_rated_for_the_seat() -> None:
    held = [Holder("ada", "greedy"), Holder(None, "ismcts:0.2s")]
    standings = make_standings(held, winners=seats(1), scores=(5, 9), left=seats(0))
    assert [one.subject for one in standings] == ["ada", "bot:ismcts:0.2s"]
    assert [one.bot for one in standings] == [None, "ismcts:0.2s"]


def test_a_game_that_ended_before_everybody_chose_once_does_not_count() -> None:
    standings = make_standings(PEOPLE, winners=(), scores=None, left=seats(0))
    assert not counts(standings, seats(0, 1))
    assert counts(standings, seats(0, 1, 2))


def test_a_game_with_one_person_on_two_seats_does_not_count() -> None:
    held = [Holder("ada", None), Holder("bea", None), Holder("ada", None)]
    standings = make_standings(held, winners=seats(0), scores=(3, 2, 1), left=())
    assert not counts(standings, seats(0, 1, 2))


def test_a_game_of_one_bot_against_itself_does_not_count() -> None:
    held = [Holder(None, "greedy"), Holder(None, "greedy")]
    assert not counts(make_standings(held, winners=seats(0), scores=(2, 1), left=()), seats(0, 1))


@given(st.data())
def test_ranks_number_the_seats_and_equals_share_the_better_number(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 6))
    everybody = st.integers(0, count - 1)
    winners = data.draw(st.lists(everybody, unique=True, min_size=1))
    left = data.draw(st.lists(everybody, unique=True))
    scores = data.draw(st.lists(st.integers(-5, 5), min_size=count, max_size=count))
    ranks = rank_seats(seats(*winners), scores, seats(*left), count)
    for rank in ranks:
        assert rank == 1 + sum(other < rank for other in ranks)
    stayed = [rank for seat, rank in enumerate(ranks) if seat not in left]
    gone = [ranks[seat] for seat in left]
    assert gone == sorted(gone, reverse=True)
    assert not stayed or not gone or max(stayed) < min(gone)
