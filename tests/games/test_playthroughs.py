"""Golden playthroughs and perft tables of every game.

A playthrough is a record, a divider, and what follows from the record. After a change that is meant
to change it, write all again with `UPDATE_PLAYTHROUGHS=1 make fast`, and read the difference
line by line, like code.
"""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

import pytest

from pleasance.bench.playthrough import DIVIDER, write_playthrough
from pleasance.core.perft import perft
from pleasance.core.record import Record, parse_record
from pleasance.core.replay import replay
from pleasance.core.tags import fit_game
from pleasance.games import find_game, game_names
from pleasance.i18n.catalog import load_messages

FOLDERS = {name: Path(str(files(find_game(name).spec.package))) / "tests" for name in game_names()}
PLAYTHROUGHS = [
    pytest.param(path, id=f"{name}-{path.stem}")
    for name, folder in FOLDERS.items()
    for path in sorted((folder / "playthroughs").glob("*.txt"))
]
MANY = 200_000
"""Lines of play that take longer than the fast part of the tests allows."""

LINES = [
    pytest.param(
        name,
        line,
        id=f"{name}: {line}",
        marks=pytest.mark.slow if int(line.split()[-1]) > MANY else (),
    )
    for name, folder in FOLDERS.items()
    if (folder / "perft.txt").exists()
    for line in (folder / "perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def read_playthrough(path: Path) -> Record:
    """Read the record at the head of a playthrough."""
    return parse_record(path.read_text().partition(DIVIDER)[0])


@pytest.mark.parametrize("path", PLAYTHROUGHS)
def test_a_playthrough_follows_from_its_record(path: Path) -> None:
    record = read_playthrough(path)
    game = fit_game(find_game(record.tags["Game"]), record)
    written = write_playthrough(game, record, load_messages("en", game.spec.package))
    if os.environ.get("UPDATE_PLAYTHROUGHS"):
        path.write_text(written)
    assert path.read_text().splitlines() == written.splitlines()


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_playthroughs_and_a_perft_table(name: str) -> None:
    assert len(list((FOLDERS[name] / "playthroughs").glob("*.txt"))) >= 2
    assert (FOLDERS[name] / "perft.txt").exists()


@pytest.mark.parametrize(("name", "line"), LINES)
def test_the_number_of_lines_of_play_is_as_listed(name: str, line: str) -> None:
    """A line lists where from, how deep, how many: `2 rewards` or `@playthrough 60`."""
    where, _, counted = line.partition(":")
    first, *rest = where.split()
    depth, due = map(int, counted.split())
    game = find_game(name)
    if not first.startswith("@"):
        game = game.configure(tuple(rest), None)
        assert perft(game, game.start(int(first)), depth) == due
        return
    record = read_playthrough(FOLDERS[name] / "playthroughs" / f"{first[1:]}.txt")
    game = fit_game(game, record)
    cut = Record({**record.tags}, record.tokens[: int(rest[0])], record.lines)
    reached = replay(game, cut, is_partial=True)
    assert perft(game, reached.state, depth, reached.pending) == due
