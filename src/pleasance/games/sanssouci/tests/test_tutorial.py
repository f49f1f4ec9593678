"""The game that learners play in the browser: it is legal, and asks for what comes next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pleasance.core.game import Seat
from pleasance.core.record import parse_record
from pleasance.core.replay import replay
from pleasance.core.steps import Chose
from pleasance.games.sanssouci import GAME
from pleasance.i18n.catalog import LANGUAGES

FOLDER = Path(__file__).parents[1]
PLAN = json.loads((FOLDER / "web" / "tutorial.json").read_text("utf-8"))
RECORD = parse_record((FOLDER / "web" / "tutorial.txt").read_text("utf-8"))


def test_each_stop_asks_for_the_next_choice_of_the_record() -> None:
    steps = replay(GAME, RECORD, is_partial=True).steps
    asked = {stop["at"]: stop["wanted"] for stop in PLAN["stops"] if "wanted" in stop}
    chosen = {
        at: str(step.choices[0])
        for at, step in enumerate(steps)
        if isinstance(step, Chose) and PLAN["seat"] in step.seats
    }
    assert asked == chosen
    assert PLAN["stops"][-1]["at"] == len(steps)


def test_a_learner_has_more_than_one_choice_each_time() -> None:
    for step in replay(GAME, RECORD, is_partial=True).steps:
        if isinstance(step, Chose) and PLAN["seat"] in step.seats:
            assert len(GAME.legal(step.before, Seat(PLAN["seat"]))) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stop_has_its_words(language: str) -> None:
    words = json.loads((FOLDER / "messages" / f"{language}.json").read_text("utf-8"))
    for stop in PLAN["stops"]:
        assert words[f"lesson.{stop['key']}.title"]
        assert words[f"lesson.{stop['key']}.text"]
    said = {key.split(".")[1] for key in words if key.startswith("lesson.")}
    assert said == {stop["key"] for stop in PLAN["stops"]}
