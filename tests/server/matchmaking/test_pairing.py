"""Pairing by rating and waiting time: no seek waits for ever."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pleasance.server.matchmaking.pairing import Candidate, can_pair, max_rating_gap, pair
from pleasance.server.matchmaking.seek import Seek

TWO = Seek("sakura", 2, "[]", None)
FOUR = Seek("sakura", 4, "[]", None)


def make_candidate(
    player: str,
    mu: float = 25.0,
    *,
    joined_at: float = 0.0,
    seek: Seek = TWO,
    accepts_bots: bool = False,
    owner: str | None = None,
) -> Candidate:
    return Candidate(player, player, owner or player, mu, joined_at, accepts_bots, seek)


def pair_up(*candidates: Candidate, now: float = 0.0) -> list[tuple[str, int]]:
    """Pair seeks; show each table as names and a number of bots."""
    return [
        (" ".join(sorted(one.player for one in group.people)), group.bots)
        for group in pair(candidates, now)
    ]


def test_two_near_ratings_meet_at_once() -> None:
    assert pair_up(make_candidate("ada"), make_candidate("bea", 27)) == [("ada bea", 0)]


def test_two_far_ratings_meet_once_both_have_waited_long_enough() -> None:
    ada, bea = make_candidate("ada", 20), make_candidate("bea", 30, joined_at=10)
    assert max_rating_gap(20) < 10 <= max_rating_gap(25)
    assert pair_up(ada, bea, now=30) == []
    assert pair_up(ada, bea, now=35) == [("ada bea", 0)]


def test_every_seek_is_paired_in_the_end() -> None:
    assert pair_up(make_candidate("ada", 0), make_candidate("bea", 50), now=180) == [("ada bea", 0)]


def test_the_first_seek_takes_the_nearest() -> None:
    first, near, far = (
        make_candidate("ada", 25),
        make_candidate("bea", 26, joined_at=2),
        make_candidate("cas", 23, joined_at=1),
    )
    assert pair_up(first, near, far, now=5) == [("ada bea", 0)]


def test_different_seeks_do_not_meet() -> None:
    seeks = [
        TWO,
        FOUR,
        TWO._replace(game="sanssouci"),
        TWO._replace(options='["x"]'),
        TWO._replace(clock='{"move":30.0}'),
    ]
    assert (
        pair_up(*(make_candidate(f"p{n}", seek=seek) for n, seek in enumerate(seeks)), now=600)
        == []
    )


def test_programs_of_one_owner_do_not_meet_each_other_nor_their_owner() -> None:
    robots = (
        make_candidate("robot", owner="ada"),
        make_candidate("twin", owner="ada"),
        make_candidate("ada"),
    )
    assert pair_up(*robots, now=600) == []


def test_a_table_for_four_waits_until_four_are_near_enough_to_each_other() -> None:
    three = [
        make_candidate("ada", 24, seek=FOUR),
        make_candidate("bea", 25, seek=FOUR),
        make_candidate("cas", 26, seek=FOUR),
    ]
    assert pair_up(*three) == []
    assert pair_up(*three, make_candidate("far", 60, seek=FOUR)) == []
    assert pair_up(*three, make_candidate("dan", 25, seek=FOUR)) == [("ada bea cas dan", 0)]


def test_accepted_bots_are_seated_and_others_go_on_waiting() -> None:
    patient, hasty = make_candidate("ada", 20), make_candidate("bea", 60, accepts_bots=True)
    assert pair_up(patient, hasty) == [("bea", 1)]


def test_people_who_take_bots_share_a_table_and_bots_fill_it_up() -> None:
    ready = [make_candidate(name, seek=FOUR, accepts_bots=True) for name in ("ada", "bea")]
    assert pair_up(*ready, make_candidate("cas", seek=FOUR)) == [("ada bea", 2)]


def test_people_go_before_bots() -> None:
    assert pair_up(make_candidate("ada", accepts_bots=True), make_candidate("bea")) == [
        ("ada bea", 0)
    ]


CANDIDATES = st.lists(
    st.builds(
        make_candidate,
        st.uuids().map(str),
        st.floats(0, 50),
        joined_at=st.floats(0, 100),
        seek=st.sampled_from([TWO, FOUR]),
        accepts_bots=st.booleans(),
    ),
    max_size=25,
)


@given(CANDIDATES)
def test_no_player_is_paired_twice_and_all_at_a_table_fit(candidates: list[Candidate]) -> None:
    groups = pair(candidates, now=100.0)
    seated = [one.player for group in groups for one in group.people]
    assert len(seated) == len(set(seated))
    for people, bots in groups:
        assert len(people) + bots == people[0].seek.seats
        assert bots == 0 or all(one.accepts_bots for one in people)
        assert all(
            can_pair(one, other, 100.0) for one in people for other in people if one is not other
        )
    taken = {one.player for group in groups for one in group.people}
    left = [one for one in candidates if one.player not in taken]
    assert not any(one.accepts_bots for one in left)
    two = [one for one in left if one.seek == TWO]
    assert not any(can_pair(one, other, 100.0) for one in two for other in two)
