"""The story of a game is readable without knowing its notation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pleasance.core.game import Seat
from pleasance.core.record import parse_record
from pleasance.core.replay import replay
from pleasance.core.steps import redact_step
from pleasance.core.tags import fit_game
from pleasance.games import find_game
from pleasance.games.sanssouci.display.wording import headline
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.i18n.catalog import LANGUAGES, load_messages

RECORD = Path(__file__).parent / "playthroughs" / "expansions.txt"
NOTATION = re.compile(r"\b([a-i][1-6]|[2-6][lr])\b")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_story_names_tiles_and_cells_by_motif_and_row(language: str) -> None:
    record = parse_record(RECORD.read_text("utf-8").partition("---")[0])
    game = fit_game(find_game("sanssouci"), record)
    words = load_messages(language, game.spec.package)
    narrate, view, seat = game.narrate, game.view, Seat(0)
    assert narrate is not None
    told = [
        line
        for step in replay(game, record).steps
        for line in narrate(
            view(step.before, seat), redact_step(step, seat), view(step.after, seat), words
        )
    ]
    assert len(told) > 100
    assert [line for line in told if NOTATION.search(line)] == []


def test_the_headline_reads_well_without_player_names() -> None:
    record = parse_record(RECORD.read_text("utf-8").partition("---")[0])
    game = fit_game(find_game("sanssouci"), record)
    view = next(
        game.view(step.after, None)
        for step in replay(game, record).steps
        if game.view(step.after, None).phase is Phase.TAKE
    )
    languages = (load_messages(language, game.spec.package) for language in ("en", "es", "de"))
    lines = [headline(view, words) for words in languages]
    seat = view.actor + 1
    assert lines == [
        f"Round 1 of 18: seat {seat} to play",
        f"Ronda 1 de 18: juega el puesto {seat}",
        f"Runde 1 von 18: Platz {seat} ist am Zug",
    ]
