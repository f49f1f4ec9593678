"""What a person reads: the picture of a view, and choices in words."""

from random import Random

import pytest
from hypothesis import given

from pleasance.core.game import Seat
from pleasance.core.messages import LANGUAGES, load_words
from pleasance.games.sakura import GAME
from pleasance.games.sakura.actions import DRAWS, SPACE, Choice, Dealt, Play, PlayBoth, parse
from pleasance.games.sakura.components import Card
from pleasance.games.sakura.tests.scene import PACKAGE, go, play_round, scene
from pleasance.games.sakura.tests.walks import configurations, seeds, wander
from pleasance.games.sakura.view import view

ENGLISH = load_words("en", PACKAGE)

BOTH = (
    "plays card 2: closest painter back 2; painter forward 1; "
    "and card 17 for the court painter: Emperor forward 1; painter forward 1"
)

PICTURE = """\
Round 1 · blue (you) chooses a direction · deck 45, discards 0

 ┌──────┐  1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16
 │      │                 ╭─╮ ╤═╤                 ╭─╮                 •••
 │      │  B   ·   A   ·   ·   ·   ·   ·   ·   C   ·   ·   ·   ♔   ·   ·

          17  18  19  20  21  22  23  24  25  26
                          ╭─╮                 •••
           ·   ·   ·   ·   ·   ·   ·   ·   ·   ·

          27  28  29  30  31  32  33  34  35  36
                          ╭─╮                 •••
           ·   ·   ·   ·   ·   ·   ·   ·   ·   ·

♔ Emperor   ╤═╤ torii   ╭─╮ bridge   ••• sakura in bud   ❀❀❀ in blossom   ┌─┐ gate

  A   blue (you)   5 tokens   on space 3    4 cards
  B   white        5 tokens   on space 1    4 cards
  C   yellow       5 tokens   on space 10   4 cards

On the table, the lowest first:
  ✓  8  B  Emperor forward 1; painter forward 1
  ✓ 17  C  Emperor forward 1; painter forward 1
  ▸ 59  A  Emperor forward or back 1; painter forward or back 3

Your hand:
     1  Emperor forward 1; painter forward 2
     2  closest painter back 2; painter forward 1
     3  Emperor forward 1; painter forward 1 for each painter ahead
     4  Emperor forward 2; painter in front of the next one ahead"""


def test_a_view_shows_the_path_the_painters_and_the_cards() -> None:
    state = scene("b|..a.....c..E", cards=(59, 8, 17))
    shown = GAME.draw(view(play_round(state, (59, 8, 17)), Seat(0)), ENGLISH)
    assert shown == PICTURE


@given(configurations, seeds)
def test_a_picture_is_at_most_a_hundred_columns_wide(
    configuration: tuple[int, tuple[str, ...]], seed: int
) -> None:
    for state in list(wander(*configuration, Random(seed)))[::7]:
        for language in LANGUAGES:
            shown = GAME.draw(view(state, Seat(0)), load_words(language, PACKAGE))
            assert max(map(len, shown.splitlines())) <= 100


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("17", "plays card 17: Emperor forward 1; painter forward 1"),
        ("59", "plays card 59: Emperor forward or back 1; painter forward or back 3"),
        ("2/17", BOTH),
        ("^", "goes forward"),
        ("v", "goes back"),
        ("+3", "draws card 3: Emperor forward 1; painter forward 1 for each painter ahead"),
    ],
)
def test_choices_and_draws_are_said_in_words(token: str, said: str) -> None:
    assert GAME.describe(parse(token), ENGLISH) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_said_in_every_language(language: str) -> None:
    words = load_words(language, PACKAGE)
    actions: list[Choice | Dealt] = [*SPACE.actions[:60], *SPACE.actions[-2:], *DRAWS]
    said = [GAME.describe(action, words) for action in actions]
    assert all("{" not in text for text in said)
    assert len(set(said)) == len(said)


def test_a_choice_is_previewed() -> None:
    state = scene("b|..a.....c..E", cards=(59, 8, 17))
    assert GAME.preview(view(state, Seat(1)), Play(Card(8)), ENGLISH) == (
        "Emperor forward 1; painter forward 1"
    )
    assert GAME.preview(view(state, Seat(1)), PlayBoth(Card(8), Card(2)), ENGLISH) == (
        "Emperor forward 1; painter forward 1 "
        "| court painter: closest painter back 2; painter forward 1"
    )
    asked = view(go(play_round(state, (59, 8, 17)), "^"), Seat(0))
    assert [GAME.preview(asked, way, ENGLISH) for way in asked.legal] == [
        "painter forward 3",
        "painter back 3",
    ]
