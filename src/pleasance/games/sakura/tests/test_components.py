"""The component file: what the house set says, and what is refused: K-1 to K-5, K-9, K-19."""

import pytest

from conformance import error_text
from pleasance.core.data import load_builtin_components
from pleasance.core.errors import BadDataError
from pleasance.games.sakura.rules.components import CARDS, SEATS, Box, Move, open_box
from pleasance.games.sakura.tests.positions import PACKAGE, house

TEXT = load_builtin_components(PACKAGE)


def refuse(old: str, new: str) -> BadDataError:
    """Change one place of the house file and get the refusal."""
    assert TEXT.count(old) == 1, f"{old} must be there once"
    with pytest.raises(BadDataError) as refusal:
        open_box(PACKAGE, (), TEXT.replace(old, new))
    return refusal.value


def line_of(entry: str) -> int:
    """Find the line that starts with *entry*."""
    return next(n for n, line in enumerate(TEXT.splitlines(), 1) if line.startswith(entry))


def test_the_path_has_three_sakura_and_four_bridges() -> None:  # K-1
    for seats in SEATS:
        path = house().paths[seats]
        width = 1 if seats <= 4 else 3
        assert len(path.bridges) == 4 * width
        assert path.torii == path.bridges[width - 1] + 1
        assert len(path.sakura) == 3


def test_the_house_path_is_the_one_of_the_rules() -> None:  # K-2
    assert house().paths[4] == ((5, 11, 21, 31), 6, (16, 26, 36))
    assert house().paths[5].bridges == (5, 6, 7, 13, 14, 15, 25, 26, 27, 37, 38, 39)
    assert house().paths[6][1:] == (8, (20, 32, 44))


def test_the_deck_has_sixty_cards_and_most_move_the_emperor() -> None:  # K-3
    faces = house().faces[1:]
    assert len(faces) == len(CARDS) == 60
    assert sum(face.garden.move is Move.EMPEROR for face in faces) == 44


def test_boxes_are_equal_when_data_and_options_are() -> None:
    assert open_box(PACKAGE, (), TEXT) == open_box(PACKAGE, (), None)
    assert open_box(PACKAGE, (), TEXT + "\n") != open_box(PACKAGE, (), None)
    assert open_box(PACKAGE, ("tactical",), None) != open_box(PACKAGE, (), None)
    assert open_box(PACKAGE, (), TEXT).data.is_builtin, "the same text is the same set"
    assert not open_box(PACKAGE, (), TEXT + "\n").data.is_builtin


def test_a_plus_and_a_minus_may_stand_for_the_sign_of_a_free_direction() -> None:  # K-3
    other: Box = open_box(PACKAGE, (), TEXT.replace('"E±1/±3"', '"E+-1/+-3"'))
    assert other.faces == house().faces


@pytest.mark.parametrize(
    ("old", "new", "code", "entry", "rule"),
    [
        ('17 = "E+1/+1"', '17 = "E+3/+1"', "data_garden_action", "17 =", "K-13"),
        ('17 = "E+1/+1"', '17 = "E+1/+4"', "data_painter_action", "17 =", "K-16"),
        ('17 = "E+1/+1"', '17 = "E+1"', "data_painter_action", "17 =", "K-16"),
        ('17 = "E+1/+1"', '17 = "E+1/+1/+1"', "data_painter_action", "17 =", "K-16"),
        ('17 = "E+1/+1"', "17 = 1", "data_not_text", "17 =", "K-3"),
        ('17 = "E+1/+1"', "", "data_no_entry", "[deck]", "K-3"),
        ('17 = "E+1/+1"', '61 = "E+1/+1"', "data_card_number", "17 =", "K-3"),
        ('17 = "E+1/+1"', '017 = "E+1/+1"', "data_card_number", "17 =", "K-3"),
        ("torii = 6", "torii = 7", "data_torii", "torii = 6", "K-1"),
        ("torii = 8", 'torii = "8"', "data_not_number", "torii = 8", "K-1"),
        ("[16, 26, 36]", "[16, 36]", "data_sakura", "sakura = [16", "K-1"),
        ("[16, 26, 36]", "[16, 36, 26]", "data_sakura", "sakura = [16", "K-1"),
        ("[16, 26, 36]", "[0, 26, 36]", "data_sakura", "sakura = [16", "K-1"),
        ("[16, 26, 36]", "[16, 26, 100]", "data_path_long", "sakura = [16", "K-1"),
        ("[16, 26, 36]", "[16, 26, 30]", "data_bridge_off_path", "bridges = [5, 11", "K-1"),
        ("[16, 26, 36]", "[16, 21, 36]", "data_bridge_sakura", "bridges = [5, 11", "K-1"),
        ("[16, 26, 36]", "[6, 26, 36]", "data_torii_taken", "torii = 6", "K-1"),
        ("[5, 11, 21, 31]", "[5, 11, 21]", "data_bridges", "bridges = [5, 11", "K-1"),
        ("[5, 11, 21, 31]", "[5, 21, 11, 31]", "data_bridges", "bridges = [5, 11", "K-1"),
        ("[5, 11, 21, 31]", "[5, 6, 21, 31]", "data_torii_taken", "torii = 6", "K-1"),
        ("25, 26, 27,", "25, 26, 28,", "data_bridges", "bridges = [5, 6", "K-1"),
        ("[3, 2, 1]", "[3, 2, 4]", "data_ranks", "2-4 =", "K-19"),
        ("[3, 2, 1]", "[]", "data_ranks", "2-4 =", "K-19"),
        ("[3, 2, 1]", "[3, 2, 1, 1, 1]", "data_ranks", "2-4 =", "K-19"),
        ("last = 4", "last = 2", "data_last", "last =", "K-19"),
        ("hand = 5", "hand = 1", "data_number_range", "hand =", "K-5"),
        ("hand = 5", "hand = 10", "data_number_range", "hand =", "K-5"),
        ("tokens = 5", "tokens = -1", "data_number_range", "tokens =", "K-4"),
        ("disgrace = 3", "disgrace = 0", "data_number_range", "disgrace =", "K-9"),
        ("torii = 6", "torii = 6\nbench = 3", "data_unknown_key", "sakura = [16", "K-1"),
        ("last = 4", "last = 4\nfirst = 2", "data_unknown_key", "", "K-19"),
        ('shape = "star"', 'shape = "moon"', "data_shape", 'shape = "star"', "K-5"),
        ('color = "#7d4fa0"', 'color = "red"', "data_color", 'color = "#7d4fa0"', "K-5"),
        ('letter = "F"', 'letter = "AB"', "data_letter", 'letter = "F"', "K-5"),
        ('letter = "F"', 'letter = "A"', "data_letter_twice", 'letter = "F"', "K-5"),
    ],
)
def test_a_file_that_breaks_a_rule_is_refused_with_its_line(
    old: str, new: str, code: str, entry: str, rule: str
) -> None:
    refusal = refuse(old, new)
    assert refusal.code == code
    assert refusal.params["rule"] == rule
    if entry:
        assert refusal.params["line"] == line_of(entry)
    assert error_text(refusal, PACKAGE)


def test_a_card_that_is_there_twice_is_refused_with_its_line() -> None:  # K-3
    refusal = refuse('18 = "C-2/+3"', '17 = "C-2/+3"')
    assert refusal.code == "data_card_twice"
    assert refusal.params == {"line": line_of("18 ="), "rule": "K-3", "entry": "17"}


def test_text_that_is_no_toml_is_refused() -> None:
    for text in ("", "=", "name", 'name = "x"\n17 = '):
        with pytest.raises(BadDataError):
            open_box(PACKAGE, (), text)


def test_what_nobody_would_read_is_refused() -> None:
    assert refuse("tokens = 5", "tokens = 5\ncoins = 3").code == "data_unknown_key"
    assert refuse("[painters.6]", "[painters.7]").code == "data_unknown_key"
    assert refuse('de = "Violett"', "").code == "data_no_entry"
