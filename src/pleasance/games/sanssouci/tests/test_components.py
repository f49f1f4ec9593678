"""The components of the house set, and the checks of a custom component file."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from pleasance.core.bits import bits
from pleasance.core.data import load_builtin_components
from pleasance.core.errors import BadDataError
from pleasance.games.sanssouci import GAME
from pleasance.games.sanssouci.rules.actions import SPACES, Space, Take, parse, space_name
from pleasance.games.sanssouci.rules.components import (
    CARDS,
    REWARDS_CELLS,
    Card,
    Components,
    Motif,
    board_name,
    card_name,
    read_components,
)
from pleasance.games.sanssouci.rules.garden import COLUMN, ROW, cell_names, mirror, parse_cell
from pleasance.games.sanssouci.rules.setup import COVERED
from pleasance.i18n.catalog import LANGUAGES, load_messages

PACKAGE = GAME.spec.package
HOUSE = load_builtin_components(PACKAGE)


@pytest.fixture
def house() -> Components:
    return read_components(HOUSE, is_builtin=True)


def test_each_of_the_nine_columns_has_its_own_motif() -> None:
    """S-1."""
    assert [motif.name for motif in Motif] == [
        *("LABYRINTH", "STATUE", "PAVILION", "TOPIARY", "STAIRCASE"),
        *("FOUNTAIN", "ROSE_ARCH", "HERB_SPIRAL", "VINE"),
    ]


def test_rows_are_worth_one_to_six_in_both_editions(house: Components) -> None:
    """S-2."""
    assert house.row_values == (1, 2, 3, 4, 5, 6)
    colors = {each.name: " ".join(row["en"] for row in each.rows) for each in house.editions}
    assert colors == {
        "first": "beige white grey orange violet turquoise",
        "second": "sand red yellow blue purple grey",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_editions_name_every_motif_and_row_apart(house: Components, language: str) -> None:
    """S-1, S-2."""
    for edition in house.editions:
        assert len({motif[language] for motif in edition.motifs}) == 9
        assert len({row[language] for row in edition.rows}) == 6
        assert len({row["color"] for row in edition.rows}) == 6


def test_each_garden_side_has_row_one_and_six_more_cells(house: Components) -> None:
    """S-3: the layouts of the rules page."""
    layouts = {board_name(n): cell_names(side & ~ROW[0]) for n, side in enumerate(house.gardens)}
    assert layouts["1A"] == "d2 f2 a3 c4 h5 i6"
    assert layouts["2A"] == "c2 e2 f3 b4 h5 a6"
    assert layouts["3A"] == "b2 e2 d3 g4 i5 a6"
    assert layouts["4A"] == "e2 g2 f3 c4 h5 a6"
    assert all(ROW[0] & ~side == 0 and side.bit_count() == 15 for side in house.gardens)


def test_side_b_is_the_mirror_image_of_side_a(house: Components) -> None:
    """S-3, S-20."""
    for board in range(4):
        assert house.gardens[board * 2 + 1] == mirror(house.gardens[board * 2])
        left, right = house.rewards[board * 2], house.rewards[board * 2 + 1]
        for cell in range(54):
            assert right[cell] == left[cell - 2 * (cell % 9) + 8]


def test_each_player_has_nine_motifs_eight_pairs_and_a_free_choice(house: Components) -> None:
    """S-4."""
    deck = " ".join(card_name(Card(card)) for card in bits(house.deck))
    assert deck == "a b c d e f g h i 24 25 26 34 35 36 46 56 *"


def test_two_three_and_four_players_use_45_63_and_81_tiles(house: Components) -> None:
    """S-5."""
    assert {seats: 9 * count for seats, count in house.tiles.items()} == {2: 45, 3: 63, 4: 81}
    for seats in (2, 3, 4):
        assert sum(GAME.start(seats).bag) == house.tiles[seats] * 9


def test_there_is_one_mission_and_one_noble_for_each_motif() -> None:
    """S-6."""
    missions = [str(outcome) for outcome in GAME.draws if str(outcome).startswith("+m")]
    assert missions == [f"+m{letter}" for letter in "abcdefghi"]
    assert len(COLUMN) == 9


def test_the_main_board_has_two_spaces_for_each_row_from_two_to_six() -> None:
    """S-7."""
    assert " ".join(map(space_name, SPACES)) == "2l 2r 3l 3r 4l 4r 5l 5r 6l 6r"


def test_each_rewards_side_marks_twelve_of_its_sixteen_cells(house: Components) -> None:
    """S-20: the pyramid from row 3 to row 6."""
    for pays in house.rewards:
        assert sum(pay != (0, 0) for pay in pays) == 12
        assert all(pays[cell] == (0, 0) for cell in range(54) if not COVERED >> cell & 1)
    assert house.rewards[0][parse_cell("b6")] == (3, 0)
    assert house.rewards[0][parse_cell("e3")] == (0, 3)
    assert house.rewards[0][parse_cell("f4")] == (-2, -2)


def test_every_card_reads_back() -> None:
    assert [parse(f"{card_name(card)}:2l") for card in CARDS] == [
        Take(card, Space(0)) for card in CARDS
    ]


def test_the_rules_page_shows_the_boards_of_the_house_set(house: Components) -> None:
    """S-3, S-20: both tables of the page, cell by cell."""
    page = (Path(str(files(PACKAGE))) / "RULES.md").read_text()
    gardens = re.findall(r"^\| (\d) \| ([a-i1-6 ]+) \| ([a-i1-6 ]+) \|$", page, re.MULTILINE)
    for board, *sides in gardens:
        for side, shown in enumerate(sides):
            assert cell_names(house.gardens[(int(board) - 1) * 2 + side] & ~ROW[0]) == shown
    rewards = re.findall(
        r"^\| (\d)A \| `(.)` \| `(...)` \| `(.{5})` \| `(.{7})` \|$", page, re.MULTILINE
    )
    pays = {"1": (1, 0), "2": (2, 0), "3": (3, 0), "G": (0, 3), "a": (-2, -2), "b": (-3, -3)}
    for board, *rows in rewards:
        shown = [pays.get(mark, (0, 0)) for mark in "".join(rows)]
        marked = house.rewards[(int(board) - 1) * 2]
        assert [marked[cell] for cell in REWARDS_CELLS] == shown
    assert len(gardens) == len(rewards) == 4


def test_a_box_of_ones_own_is_played_under_its_own_name() -> None:
    own = GAME.configure(("boars",), HOUSE.replace('name = "house"', 'name = "mine"'))
    assert own.data.name == "mine"
    assert not own.data.is_builtin
    assert GAME.data.is_builtin


def line_of(text: str) -> int:
    """Find the line of the house file that starts with *text*."""
    return next(n for n, line in enumerate(HOUSE.splitlines(), 1) if line.startswith(text))


@pytest.mark.parametrize(
    ("old", "new", "line", "rule", "says"),
    [
        ("#########\n...#.#...", "########.\n...#.#...", line_of("1A") + 1, "S-3", "Row 1"),
        ("...#.#...\n#...", "...###...\n#...", line_of("1A"), "S-3", "16 preprinted cells"),
        ("..#......\n.......#.", "..#.#....\n.........", line_of("1A") + 4, "S-24", "e4"),
        ("...#.#...\n#...", "...#.#..\n#...", line_of("1A") + 2, "S-3", "8 cells instead of 9"),
        ("...#.#...\n#...", "...#x#...\n#...", line_of("1A") + 2, "S-3", "shows x"),
        ('........#\n"""\n1B', '"""\n1B', line_of("1A"), "S-3", "5 rows"),
        ('1B = "mirror of 1A"\n2A', "2A", line_of("[gardens]"), "S-3", "gardens.1B"),
        ("pairs = [24, ", "pairs = [", line_of("pairs"), "S-4", "7 distinct pairs"),
        ("pairs = [24, ", "pairs = [25, ", line_of("pairs"), "S-4", "7 distinct pairs"),
        ("pairs = [24, ", "pairs = [42, ", line_of("pairs"), "S-4", "42 is no pair"),
        ("pairs = [24, ", 'pairs = ["x", ', line_of("pairs"), "S-4", "numbers"),
        ("2 = 5", "2 = 6", line_of("2 = 5"), "S-5", "instead of 5"),
        ("values = [1, 2", "values = [2", line_of("values"), "S-2", "six numbers"),
        ("column = 5", "column = -5", line_of("column"), "S-18", "negative"),
        ("G = [0, 3]", "G = [0]", line_of("G = "), "S-21", "same penalty for both"),
        ("G = [0, 3]", "G = [5, -9]", line_of("G = "), "S-21", "same penalty for both"),
        ("values = [1, 2, 3", "values = [1, 3, 2", line_of("values"), "S-2", "rise"),
        ("rows = [0, 8", "rows = [7, 8", line_of("rows = "), "S-18", "must pay 0"),
        ("column = 5", "column = 5\nsquare = 1", line_of("column") + 1, "S-18", "square"),
        ("column = 5", "column = 99999", line_of("column"), "S-18", "at most 9,999"),
        ("   G\n", "   Q\n", HOUSE.splitlines().index("   G") + 1, "S-20", "shows Q"),
        ("   G\n", "   .\n", HOUSE.splitlines().index("   G"), "S-20", "11 marked cells"),
        ("disturbed = 1", "disturbed = 'x'", line_of("disturbed"), "S-25", "number"),
        ("[tiles]", "[tile]", line_of("[tiles]"), "none", "tile"),
        ('es = "beis", ', "", line_of('1 = { en = "beige"'), "S-2", "en es de color"),
    ],
)  # fmt: skip
def test_a_broken_box_is_refused_with_line_and_rule(
    old: str, new: str, line: int, rule: str, says: str
) -> None:
    """S-2 to S-5, S-18, S-20, S-21, S-24, S-25: each breach names where and why."""
    assert old in HOUSE
    with pytest.raises(BadDataError) as refused:
        GAME.configure((), HOUSE.replace(old, new, 1))
    assert refused.value.params["line"] == line
    assert refused.value.params["rule"] == rule
    for language in LANGUAGES:
        assert "\n" not in load_messages(language, PACKAGE).error(refused.value)
    assert says in load_messages("en", PACKAGE).error(refused.value)


def test_a_box_that_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(BadDataError) as refused:
        GAME.configure((), "name = 'mine'\n[rows\n")
    assert refused.value.params["line"] == 2
