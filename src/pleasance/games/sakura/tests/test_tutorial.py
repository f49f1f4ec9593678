"""The tutorial: its record can be replayed, and asks for what the record goes on with."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from pleasance.core.game import Seat
from pleasance.core.record import parse_record
from pleasance.core.replay import replay
from pleasance.core.steps import Chose
from pleasance.games.sakura import GAME
from pleasance.games.sakura.tests.positions import PACKAGE
from pleasance.i18n.catalog import LANGUAGES, load_messages

WEB = files(PACKAGE) / "web"
LESSON = json.loads((WEB / "tutorial.json").read_text())
STEPS = replay(GAME, parse_record((WEB / "tutorial.txt").read_text()), is_partial=True).steps


@pytest.mark.parametrize("stop", LESSON["stops"], ids=lambda stop: stop["key"])
def test_a_stop_asks_for_what_the_record_goes_on_with(stop: dict[str, str | int]) -> None:
    at, wanted = int(stop["at"]), stop.get("wanted")
    if wanted is None:
        assert at in {0, len(STEPS)}
        return
    step = STEPS[at]
    assert isinstance(step, Chose)
    seat = Seat(LESSON["seat"])
    assert str(step.choices[step.seats.index(seat)]) == wanted
    assert len(GAME.legal(step.before, seat)) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stop_has_its_words(language: str) -> None:
    words = load_messages(language, PACKAGE)
    for stop in LESSON["stops"]:
        parts = ("title", "text", "done") if "wanted" in stop else ("title", "text")
        assert all(words(f"lesson.{stop['key']}.{part}") for part in parts)


def test_the_learner_is_first_under_the_sakura() -> None:  # K-19
    last = STEPS[-1].after
    assert GAME.scores(last) == (8, 5, 7)
    assert last.scored == 1
    assert (last.emperor, last.painters) == (16, (13, 11, 12))
