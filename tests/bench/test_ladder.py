"""The ladders of players: what is kept counts only for the program and weights that played it."""

from __future__ import annotations

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "ladder.py"


@pytest.fixture(scope="module")
def ladder() -> ModuleType:
    spec = spec_from_file_location("ladder", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("changed", ["version", "weights"])
def test_what_an_older_program_played_is_played_again(
    changed: str, ladder: ModuleType, tmp_path: Path
) -> None:
    pair = ladder.Pair("sakura", 2, ladder.Rung("greedy", "random", 2))
    first = ladder.play(pair, tmp_path, 1)
    report = pair.find(tmp_path) / "report.json"
    report.write_text(json.dumps({**first, "games": 3}))
    assert ladder.play(pair, tmp_path, 1)["games"] == 3, "a report of this program is kept"
    report.write_text(json.dumps({**first, "games": 3, changed: "older"}))
    again = ladder.play(pair, tmp_path, 1)
    assert (again["games"], again[changed]) == (2, first[changed])
    assert len([*tmp_path.iterdir()]) == 2, "the older games are moved aside"
