"""Who plays whom: near in rating, first come first served, and nobody waits for ever."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pleasance.server.matchmaking.pairing import Waiter, can_meet, pair, window
from pleasance.server.matchmaking.seek import Wish

TWO = Wish("sakura", 2, "[]", None)
FOUR = Wish("sakura", 4, "[]", None)


def wait(
    player: str,
    mu: float = 25.0,
    *,
    joined_at: float = 0.0,
    wish: Wish = TWO,
    accepts_bots: bool = False,
    owner: str | None = None,
) -> Waiter:
    return Waiter(player, player, owner or player, mu, joined_at, accepts_bots, wish)


def meet(*waiters: Waiter, now: float = 0.0) -> list[tuple[str, int]]:
    """Pair, and show each table as names and a number of bots."""
    return [
        (" ".join(sorted(one.player for one in group.people)), group.bots)
        for group in pair(waiters, now)
    ]


def test_two_who_are_near_meet_at_once() -> None:
    assert meet(wait("ada"), wait("bea", 27)) == [("ada bea", 0)]


def test_two_who_are_far_apart_meet_once_both_have_waited_long_enough() -> None:
    ada, bea = wait("ada", 20), wait("bea", 30, joined_at=10)
    assert window(20) < 10 <= window(25)
    assert meet(ada, bea, now=30) == []
    assert meet(ada, bea, now=35) == [("ada bea", 0)]


def test_everybody_meets_somebody_in_the_end() -> None:
    assert meet(wait("ada", 0), wait("bea", 50), now=180) == [("ada bea", 0)]


def test_who_came_first_chooses_first_and_takes_the_nearest() -> None:
    first, near, far = wait("ada", 25), wait("bea", 26, joined_at=2), wait("cas", 23, joined_at=1)
    assert meet(first, near, far, now=5) == [("ada bea", 0)]


def test_other_wishes_do_not_meet() -> None:
    wishes = [
        TWO,
        FOUR,
        TWO._replace(game="sanssouci"),
        TWO._replace(options='["x"]'),
        TWO._replace(clock='{"move":30.0}'),
    ]
    assert meet(*(wait(f"p{n}", wish=wish) for n, wish in enumerate(wishes)), now=600) == []


def test_programs_of_one_owner_do_not_meet_each_other_nor_their_owner() -> None:
    robots = wait("robot", owner="ada"), wait("twin", owner="ada"), wait("ada")
    assert meet(*robots, now=600) == []


def test_a_table_for_four_waits_until_four_are_near_enough_to_each_other() -> None:
    three = [wait("ada", 24, wish=FOUR), wait("bea", 25, wish=FOUR), wait("cas", 26, wish=FOUR)]
    assert meet(*three) == []
    assert meet(*three, wait("far", 60, wish=FOUR)) == []
    assert meet(*three, wait("dan", 25, wish=FOUR)) == [("ada bea cas dan", 0)]


def test_who_takes_bots_gets_them_and_others_go_on_waiting() -> None:
    patient, hasty = wait("ada", 20), wait("bea", 60, accepts_bots=True)
    assert meet(patient, hasty) == [("bea", 1)]


def test_people_who_take_bots_share_a_table_and_bots_fill_it_up() -> None:
    ready = [wait(name, wish=FOUR, accepts_bots=True) for name in ("ada", "bea")]
    assert meet(*ready, wait("cas", wish=FOUR)) == [("ada bea", 2)]


def test_people_go_before_bots() -> None:
    assert meet(wait("ada", accepts_bots=True), wait("bea")) == [("ada bea", 0)]


WAITERS = st.lists(
    st.builds(
        wait,
        st.uuids().map(str),
        st.floats(0, 50),
        joined_at=st.floats(0, 100),
        wish=st.sampled_from([TWO, FOUR]),
        accepts_bots=st.booleans(),
    ),
    max_size=25,
)


@given(WAITERS)
def test_nobody_plays_twice_and_all_at_a_table_can_meet(waiters: list[Waiter]) -> None:
    groups = pair(waiters, now=100.0)
    seated = [one.player for group in groups for one in group.people]
    assert len(seated) == len(set(seated))
    for people, bots in groups:
        assert len(people) + bots == people[0].wish.seats
        assert bots == 0 or all(one.accepts_bots for one in people)
        assert all(
            can_meet(one, other, 100.0) for one in people for other in people if one is not other
        )
    taken = {one.player for group in groups for one in group.people}
    left = [one for one in waiters if one.player not in taken]
    assert not any(one.accepts_bots for one in left)
    two = [one for one in left if one.wish == TWO]
    assert not any(can_meet(one, other, 100.0) for one in two for other in two)
