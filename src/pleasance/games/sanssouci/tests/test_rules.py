"""Rules of a turn: card, tile, gardener, walk, refill, draw."""

from __future__ import annotations

import pytest

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Draw, Over, Seat
from pleasance.games.sanssouci import GAME
from pleasance.games.sanssouci.rules.actions import Stay
from pleasance.games.sanssouci.rules.garden import cell_names, parse_cell
from pleasance.games.sanssouci.rules.moves import walks
from pleasance.games.sanssouci.rules.state import Phase, State, noble_row
from pleasance.games.sanssouci.tests.positions import (
    EMPTY,
    FULL,
    MARKET,
    at_the_start,
    choose,
    garden,
    legal,
    points,
    to_take,
    to_walk,
)


def refused(state: State, token: str) -> str:
    """Return the code of a choice's refusal."""
    with pytest.raises(IllegalActionError) as error:
        choose(state, token)
    return error.value.code


def test_a_two_color_card_takes_from_the_four_spaces_of_its_rows() -> None:
    """S-12; the first edition's example: a grey and turquoise card, rows 3 and 6."""
    state = to_take(garden(EMPTY), "36", MARKET)
    assert legal(state) == "36:3l 36:3r 36:6l 36:6r"
    assert refused(state, "36:4l") == "not_its_tile"


def test_a_motif_card_takes_a_tile_of_that_motif() -> None:
    """S-12; the example: three pavilions are shown, any may be taken."""
    state = to_take(garden(EMPTY), "c", "a b c d c f g h c b")
    assert legal(state) == "c:3l c:4l c:6l"
    assert refused(state, "c:2l") == "not_its_tile"


def test_a_motif_card_takes_any_tile_if_none_shows_its_motif() -> None:
    """S-12; as in the example of the first edition, here with a vine."""
    state = to_take(garden(EMPTY), "i", MARKET)
    assert legal(state) == "i:2l i:2r i:3l i:3r i:4l i:4r i:5l i:5r i:6l i:6r"


def test_the_free_choice_takes_any_tile() -> None:
    """S-12."""
    assert len(legal(to_take(garden(EMPTY), "*", MARKET)).split()) == 10


def test_only_a_card_in_hand_can_be_played_and_it_leaves_the_hand() -> None:
    """S-12."""
    state = to_take(garden(EMPTY), "36 e", MARKET)
    assert refused(state, "c:3l") == "not_in_hand"
    played = choose(state, "e:4l")
    assert played.hands[played.actor] == to_take(garden(EMPTY), "36", MARKET).hands[played.actor]


def test_in_the_last_round_the_only_card_is_played() -> None:
    """S-12, S-17: two cards in hand in rounds 1 to 17, one in round 18."""
    state = at_the_start(2)
    sizes = []
    while not isinstance(GAME.turn(state), Over):
        if state.phase is Phase.TAKE:
            sizes.append(state.hands[state.actor].bit_count())
        if isinstance(GAME.turn(state), Draw):
            state = GAME.reveal(state, GAME.chances(state)[0][0])
        else:
            state = GAME.play(state, GAME.legal(state, state.actor)[:1])
    assert sizes == [2] * 34 + [1, 1]


def test_a_tile_goes_to_the_row_of_its_space_and_the_column_of_its_motif() -> None:
    """S-13; the examples: a pavilion from the turquoise row 6, a herb spiral from the orange 4."""
    state = choose(to_take(garden(EMPTY), "56", "a b c d e f g h c b"), "56:6l")
    assert cell_names(state.gardens[state.actor].built)[-2:] == "c6"
    state = choose(to_take(garden(EMPTY), "h", "a b c d h f g a c b"), "h:4l")
    assert cell_names(state.gardens[state.actor].built)[-2:] == "h4"


def test_a_free_cell_leaves_no_choice_and_needs_no_neighbor() -> None:
    """S-13: the tile lies at once, motif up, far from everything; the walk is next."""
    state = choose(to_take(garden(EMPTY), "*", MARKET), "*:6l")
    assert state.gardens[state.actor].gardeners == 0
    assert state.phase is Phase.WALK
    assert "a>6" not in legal(state)


def test_the_cell_of_a_boar_is_free() -> None:
    """S-13, S-25."""
    with_boar = garden("""
        #########
        .........
        .........
        ....&....
    """)
    state = choose(to_take(with_boar, "e", MARKET, "boars"), "e:4l")
    assert state.gardens[state.actor].gardeners == 0
    assert state.phase is Phase.BOAR


def test_a_gardener_goes_to_the_row_or_column_of_the_occupied_cell() -> None:
    """S-14; as in the example of the first edition: a second pavilion of row 6."""
    own = garden("""
        #########
        ..#......
        ..#......
        ..#......
        ...##....
        ####.#..#
    """)
    state = choose(to_take(own, "*", "a b a d e f g h c b"), "*:6l")
    assert state.phase is Phase.PLACE
    assert legal(state) == "@c5 @e6 @g6 @h6"
    assert refused(state, "@d6") == "cell_occupied"
    assert refused(state, "@h5") == "out_of_line"
    placed = choose(state, "@c5")
    assert cell_names(placed.gardens[placed.actor].gardeners) == "c5"


def test_a_preprinted_cell_is_occupied_too() -> None:
    """S-14: the first garden board preprints d2."""
    state = at_the_start(2)
    board = GAME.start(2).box.components.gardens[0]
    taking = to_take(state.gardens[state.actor]._replace(built=board), "d", "d b a c e f g h c b")
    assert choose(taking, "d:2l").phase is Phase.PLACE


def test_with_row_and_column_full_a_gardener_goes_anywhere() -> None:
    """S-14: never seen in random games, so made up."""
    own = garden("""
        #########
        #########
        ##.######
        ##.#..###
        #########
        #########
    """)
    assert legal(choose(to_take(own, "24", "a b d c e f g h c b"), "24:2l")) == "@c3 @c4 @e4 @f4"


def test_a_noble_steps_from_the_terrace_to_row_one() -> None:
    """S-15."""
    state = to_walk(garden(EMPTY))
    assert legal(state) == "a>1 b>1 c>1 d>1 e>1 f>1 g>1 h>1 i>1 -"
    assert points(choose(state, "c>1"), state.actor) == 1


def test_a_noble_may_leave_its_column_and_come_back_lower() -> None:
    """S-15."""
    own = garden("""
        #########
        ....##...
        .....#...
        ....##...
        ....#....
    """)
    ends = cell_names(walks(own)).split()
    assert [end for end in ends if end.startswith("e")] == ["e1", "e2", "e4", "e5"]


def test_a_noble_scores_the_row_where_it_ends_wherever_it_came_from() -> None:
    """S-15; the first edition's examples 1, 2 and 4."""
    own = garden("""
        #########
        ..#.##...
        ..#..#...
        ..####...
        ....#....
    """, nobles="f1 e2")  # fmt: skip
    state = to_walk(own)
    assert points(choose(state, "c>3"), state.actor) == 3
    assert points(choose(state, "f>3"), state.actor) == 3
    assert points(choose(state, "e>5"), state.actor) == 5


def test_cells_above_a_noble_are_lost_for_it() -> None:
    """S-15; example 1: after the pavilion of row 3 those of rows 1 and 2 score no more."""
    own = garden("""
        #########
        ..#......
        ..#......
    """)
    state = choose(to_walk(own), "c>3")
    walked = state.gardens[to_walk(own).actor]
    assert not {"c1", "c2", "c3"} & set(cell_names(walks(walked)).split())
    again = to_walk(walked)
    assert refused(again, "c>2") == "walk_not_lower"
    assert refused(again, "c>3") == "walk_not_lower"


def test_a_noble_cannot_go_where_no_path_leads() -> None:
    """S-15; example 3: the vine of row 6 can be reached, that of row 4 cannot."""
    own = garden("""
        #########
        .......#.
        .......#.
        .......@#
        ......#..
        ......###
    """, nobles="i1")  # fmt: skip
    assert "i4" in cell_names(walks(own)).split()
    cut = garden("""
        #########
        .......#.
        ......##.
        ......#.#
        ......#..
        ......###
    """, nobles="i1")  # fmt: skip
    state = to_walk(cut)
    assert points(choose(state, "i>6"), state.actor) == 6
    assert refused(state, "i>4") == "walk_no_path"
    assert refused(state, "i>5") == "walk_not_built"


def test_a_noble_passes_gardeners_but_never_stops_on_one() -> None:
    """S-15; the second edition's example: a gardener opens the way for the tree's noble."""
    own = garden("""
        #########
        ....#....
        ...#@....
    """, nobles="d1")  # fmt: skip
    state = to_walk(own)
    assert points(choose(state, "d>3"), state.actor) == 3
    assert refused(state, "e>3") == "walk_on_gardener"


def test_nobles_pass_each_other_and_each_stays_in_its_column() -> None:
    """S-15: nobles never compete for a cell."""
    state = to_walk(garden(FULL, nobles="d3 e3 f3"))
    walked = choose(state, "e>6")
    assert noble_row(walked.gardens[state.actor], 4) == 6
    assert noble_row(walked.gardens[state.actor], 3) == 3


def test_a_walk_is_optional_and_at_most_one_noble_moves() -> None:
    """S-15."""
    state = to_walk(garden(EMPTY))
    assert legal(state).endswith(" -")
    assert points(choose(state, "-"), state.actor) == 0
    assert choose(state, "-").phase is Phase.REFILL
    assert choose(state, "a>1").phase is Phase.REFILL


def test_a_choice_that_is_not_due_is_refused_with_what_is() -> None:
    state = to_walk(garden(EMPTY))
    for token in ("e:4l", "@c4", "~d4", "A"):
        with pytest.raises(IllegalActionError) as error:
            choose(state, token)
        assert (error.value.code, error.value.params["due"]) == ("not_now", "walk")
    with pytest.raises(IllegalActionError):
        GAME.play(to_take(garden(EMPTY), "e", MARKET), [Stay()])


def test_a_seat_that_is_not_to_play_has_no_choice() -> None:
    state = to_walk(garden(EMPTY))
    assert GAME.legal(state, Seat(1 - state.actor)) == ()
    assert parse_cell("e4") == 31
