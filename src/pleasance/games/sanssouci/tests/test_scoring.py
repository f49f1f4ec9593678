"""Rules of the end: who gets what, and who wins."""

from __future__ import annotations

import pytest

from pleasance.core.game import Over, Seat
from pleasance.games.sanssouci import GAME
from pleasance.games.sanssouci.rules.state import Garden, Source
from pleasance.games.sanssouci.tests.positions import EMPTY, FULL, garden, over
from pleasance.i18n.catalog import load_messages


def earned(points: int) -> tuple[int, ...]:
    """Enter points from walks."""
    return (points, *[0] * (len(Source) - 1))


def explained(own: Garden, missions: str) -> str:
    """List the items of the first seat's score."""
    score_items = GAME.score_items(over(own, garden(EMPTY), missions=(missions, "")))[0]
    return " ".join(f"{item.code}{item.points:+d}" for item in score_items)


def test_the_second_editions_example_makes_98() -> None:
    """S-18: 70 from nobles, row 4, two columns, two missions on row 6."""
    own = garden("""
        #########
        ..#...#..
        ..#...#..
        #########
        ..#...#..
        #.#...#.#
    """, nobles="a6 i6", ledger=earned(70))  # fmt: skip
    assert explained(own, "ai") == "walks+70 row+6 column+5 column+5 mission+6 mission+6"
    state = over(own, garden(EMPTY), missions=("ai", "bc"))
    assert isinstance(GAME.turn(state), Over)
    assert GAME.scores(state) == (98, 0)


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "mission labyrinth: 6"), ("es", "misión laberinto: 6"), ("de", "Auftrag Labyrinth: 6")],
)
def test_score_items_are_described_by_name(language: str, told: str) -> None:
    state = over(garden(EMPTY, nobles="a6"), garden(EMPTY), missions=("a", ""))
    words = load_messages(language, GAME.spec.package)
    (item,) = (item for item in GAME.score_items(state)[0] if item.code == "mission")
    assert GAME.describe(item, words) == told


def test_the_first_editions_example_adds_25() -> None:
    """S-18: the grey row 3, stairs and rose arch, missions on rows 3 and 5."""
    own = garden("""
        #########
        ..#.#.#..
        #########
        ..#.#.#..
        ..@.@.#..
        ....@.@..
    """, nobles="a3 c4", ledger=earned(0))  # fmt: skip
    assert explained(own, "a") == "row+7 column+5 column+5 mission+3"
    higher = own._replace(ahead=garden(EMPTY, nobles="a3 c5").ahead)
    assert (
        sum(item.points for item in GAME.score_items(over(higher, own, missions=("ac", "")))[0])
        == 25
    )


def test_each_row_pays_ten_minus_its_value_but_row_one_nothing() -> None:
    """S-18: 8 + 7 + 6 + 5 + 4 for rows, 9 times 5 for columns."""
    assert explained(garden(EMPTY), "") == ""
    assert GAME.scores(over(garden(FULL), garden(EMPTY))) == (8 + 7 + 6 + 5 + 4 + 45, 0)


def test_gardeners_and_preprinted_cells_complete_rows_and_columns() -> None:
    """S-18."""
    own = garden("""
        #########
        @@@@@@@@@
        ........@
        ........@
        ........@
        ........@
    """)
    assert explained(own, "") == "row+8 column+5"


def test_a_mission_pays_nothing_for_a_noble_on_the_terrace() -> None:
    """S-18."""
    assert explained(garden(EMPTY, nobles="b1"), "ab") == "mission+0 mission+1"


def test_before_the_end_only_what_was_earned_counts() -> None:
    """S-18."""
    state = over(garden(FULL, ledger=earned(7)), garden(EMPTY))
    assert GAME.scores(state._replace(phase=GAME.start(2).phase)) == (7, 0)


def test_most_points_win() -> None:
    """S-19."""
    state = over(garden(EMPTY, ledger=earned(3)), garden(EMPTY, ledger=earned(4)))
    assert GAME.winners(state) == (Seat(1),)
    assert GAME.decided_by(state) == "points"


def test_a_tie_goes_to_the_garden_with_more_gardeners() -> None:
    """S-19."""
    busy = """
        #########
        .@.......
    """
    state = over(garden(EMPTY, ledger=earned(4)), garden(busy, ledger=earned(4)))
    assert GAME.winners(state) == (Seat(1),)
    assert GAME.decided_by(state) == "gardeners"


def test_a_victory_is_shared_if_gardeners_tie_as_well() -> None:
    """S-19: the third seat has fewer points and more gardeners, which does not help."""
    third = garden(FULL.replace("#########\n", "@@@@@@@@@\n"))._replace(ahead=0)
    three = over(
        garden(EMPTY, ledger=earned(99)),
        garden(EMPTY, ledger=earned(99)),
        third,
        missions=("", "", ""),
    )
    assert GAME.winners(three) == (Seat(0), Seat(1))
    assert GAME.decided_by(three) == "shared"
