"""The text display: the picture of a view, and choices in words."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pleasance.core.game import Seat
from pleasance.games.sakura import GAME
from pleasance.games.sakura.rules.actions import DRAWS, SPACE, Choice, Dealt, Play, PlayBoth, parse
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.view import view
from pleasance.games.sakura.tests.positions import (
    PACKAGE,
    Configuration,
    board,
    configurations,
    go,
    play_round,
    seeds,
    wander,
)
from pleasance.i18n.catalog import LANGUAGES, load_messages

ENGLISH = load_messages("en", PACKAGE)

BOTH = (
    "plays card 2: closest painter back 2; painter forward 1; "
    "and card 17 for the court painter: Emperor forward 1; painter forward 1"
)

PICTURE = """\
Round 1 · you choose a direction · deck 45, discards 0

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

  blue (A), you (seat 1)  5 tokens  on space 3   4 cards
  white (B), seat 2       5 tokens  on space 1   4 cards
  yellow (C), seat 3      5 tokens  on space 10  4 cards

On the table, the lowest first:
  ✓  8  white (B)   Emperor forward 1; painter forward 1
  ✓ 17  yellow (C)  Emperor forward 1; painter forward 1
  ▸ 59  blue (A)    Emperor forward or back 1; painter forward or back 3

Your hand:
     1  Emperor forward 1; painter forward 2
     2  closest painter back 2; painter forward 1
     3  Emperor forward 1; painter forward 1 for each painter ahead
     4  Emperor forward 2; painter in front of the next one ahead"""


def test_a_view_shows_the_path_the_painters_and_the_cards() -> None:
    state = board("b|..a.....c..E", cards=(59, 8, 17))
    assert GAME.render(view(play_round(state, (59, 8, 17)), Seat(0)), ENGLISH, 100) == PICTURE


@pytest.mark.slow
@given(configurations, seeds, st.integers(60, 120))
def test_a_picture_is_as_wide_as_wanted(
    configuration: Configuration, seed: int, width: int
) -> None:
    for state in list(wander(*configuration, Random(seed)))[::-7]:
        for language in LANGUAGES:
            shown = GAME.render(view(state, Seat(0)), load_messages(language, PACKAGE), width)
            assert max(map(len, shown.splitlines())) <= width


def test_a_narrow_picture_has_more_rows_and_all_the_signs() -> None:
    seen = view(board("b|..a.....c..E"), Seat(0))
    wide, narrow = (GAME.render(seen, ENGLISH, width) for width in (100, 60))
    assert sorted(wide.split()) == sorted(narrow.split())
    assert len(narrow.splitlines()) == len(wide.splitlines()) + 5


def test_the_hand_is_numbers_only_while_cards_are_chosen() -> None:
    state = board("b|..a.....c..E", cards=(59, 8, 17))
    assert "Your hand: 1 2 3 4 59" in GAME.render(view(state, Seat(0)), ENGLISH, 80)
    assert "hand" not in GAME.render(view(state, None), ENGLISH, 80)


def test_a_painter_has_color_letter_and_seat() -> None:
    state = board("c|.a..b.E", seats=2, options=("tactical",))
    shown = GAME.render(view(state, Seat(1)), ENGLISH, 80)
    for name in ("blue (A), seat 1 ", "white (B), you (seat 2) ", "yellow (C), court painter "):
        assert name in shown


def test_who_must_choose_two_cards_is_told_why() -> None:  # K-23
    state = board("c|.a..b.E", seats=2, options=("tactical",))
    own, others = (GAME.render(view(state, Seat(seat)), ENGLISH, 100) for seat in (0, 1))
    why = (
        "Blue (A) is further from the Emperor and so plays the court painter's card as well (K-23)."
    )
    assert own.splitlines()[:2] == [
        "Round 1 · you choose two cards · deck 50, discards 0",
        "You are further from the Emperor and so play the court painter's card as well (K-23).",
    ]
    assert others.splitlines()[:2] == [
        "Round 1 · all choose a card, blue (A) two · deck 50, discards 0",
        why,
    ]


def test_the_end_shows_what_all_tokens_are_for() -> None:  # K-22
    *_, state = wander(2, (), Random(2))
    shown = GAME.render(view(state, Seat(1)), ENGLISH, 100)
    start, lost, *paid = state.ledgers[2]
    told = f"= {start} - {-lost} + {paid[0]} + {paid[1]} + {paid[2]}"
    assert f"yellow (C), court painter  {sum(state.ledgers[2])} tokens" in shown
    assert told in shown


def test_a_tie_is_told_in_one_sentence() -> None:  # K-21
    by = ENGLISH("decided.closest")
    said = ENGLISH("result.line", scores="8 8", winners="2", count=1, by=by)
    assert said.endswith("wins as the one closest to the Emperor, after a tie on tokens")


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("17", "plays card 17: Emperor forward 1; painter forward 1"),
        ("59", "plays card 59: Emperor forward or back 1; painter forward or back 3"),
        ("2/17", BOTH),
        ("^", "chooses forward"),
        ("v", "chooses back"),
        ("+3", "draws card 3: Emperor forward 1; painter forward 1 for each painter ahead"),
    ],
)
def test_choices_and_draws_are_said_in_words(token: str, said: str) -> None:
    assert GAME.describe(parse(token), ENGLISH) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_said_in_every_language(language: str) -> None:
    words = load_messages(language, PACKAGE)
    actions: list[Choice | Dealt] = [*SPACE.actions[:60], *SPACE.actions[-2:], *DRAWS]
    said = [GAME.describe(action, words) for action in actions]
    assert all("{" not in text for text in said)
    assert len(set(said)) == len(said)


def test_a_choice_is_previewed() -> None:
    state = board("b|..a.....c..E", cards=(59, 8, 17))
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
