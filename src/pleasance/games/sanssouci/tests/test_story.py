"""What is told of a game can be read by who has never seen its notation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pleasance.core.game import Seat
from pleasance.core.record import parse_record
from pleasance.core.replay import replay
from pleasance.core.steps import see_step
from pleasance.core.tags import fit_game
from pleasance.games import find_game
from pleasance.games.sanssouci.display.wording import headline
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.i18n.catalog import LANGUAGES, load_words

RECORD = Path(__file__).parent / "playthroughs" / "expansions.txt"
NOTATION = re.compile(r"\b([a-i][1-6]|[2-6][lr])\b")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_story_names_tiles_and_cells_by_motif_and_row(language: str) -> None:
    record = parse_record(RECORD.read_text("utf-8").partition("---")[0])
    game = fit_game(find_game("sanssouci"), record)
    words = load_words(language, game.spec.package)
    assert game.recount is not None
    seat = Seat(0)
    told = [
        line
        for step in replay(game, record).steps
        for line in game.recount(
            game.view(step.before, seat), see_step(step, seat), game.view(step.after, seat), words
        )
    ]
    assert len(told) > 100
    assert [line for line in told if NOTATION.search(line)] == []


def test_whose_turn_it_is_reads_well_where_nobody_is_named() -> None:
    record = parse_record(RECORD.read_text("utf-8").partition("---")[0])
    game = fit_game(find_game("sanssouci"), record)
    view = next(
        game.view(step.after, None)
        for step in replay(game, record).steps
        if game.view(step.after, None).phase is Phase.TAKE
    )
    lines = [
        headline(view, load_words(language, game.spec.package)) for language in ("en", "es", "de")
    ]
    seat = view.actor + 1
    assert lines == [
        f"Round 1 of 18: seat {seat} to play",
        f"Ronda 1 de 18: juega el puesto {seat}",
        f"Runde 1 von 18: Platz {seat} ist am Zug",
    ]
