"""The rules that the page shows: complete, the same in every language, with pictures that exist."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pleasance import games
from pleasance.core.record import parse_record
from pleasance.core.replay import replay
from pleasance.games import find_game, game_names
from pleasance.i18n.catalog import LANGUAGES

ROOT = Path(games.__file__).parent
TAUGHT = [name for name in game_names() if (ROOT / name / "rulebook").is_dir()]

pytestmark = pytest.mark.parametrize("game", TAUGHT)


def read(game: str, name: str) -> Any:
    """Read one of the files that a game is taught with."""
    return json.loads((ROOT / game / "rulebook" / f"{name}.json").read_text(encoding="utf-8"))


def outline(game: str, language: str) -> list[object]:
    """Name what stands where, without the words."""
    page = read(game, language)
    sections = [
        (section["id"], "caption" in section, [(b.get("rule"), b.get("mark")) for b in blocks])
        for section in page["sections"]
        if (blocks := section["blocks"])
    ]
    return [*sections, [word["id"] for word in page["words"]]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_teach_the_same(game: str, language: str) -> None:
    assert outline(game, language) == outline(game, "en")


def test_every_rule_is_taught(game: str) -> None:
    book = (ROOT / game / "RULES.md").read_text(encoding="utf-8")
    rules = set(re.findall(r"^\*\*([A-Z]-\d+)", book, re.MULTILINE))
    taught = {b.get("rule") for s in read(game, "en")["sections"] for b in s["blocks"]} - {None}
    assert rules
    assert taught == rules


def test_every_picture_is_a_moment_of_the_example(game: str) -> None:
    text = (ROOT / game / "rulebook" / "example.txt").read_text(encoding="utf-8")
    played = replay(find_game(game), parse_record(text))
    pictures = read(game, "pictures")
    shown = {s["id"] for s in read(game, "en")["sections"] if "caption" in s}
    assert pictures["steps"].keys() == shown
    assert all(0 < step <= len(played.steps) for step in pictures["steps"].values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_editions_are_those_of_the_box(game: str, language: str) -> None:
    box = tomllib.loads((ROOT / game / "components.toml").read_text(encoding="utf-8"))
    editions = list(box.get("editions", {}).values())
    told = read(game, language).get("editions", {"titles": [], "groups": []})
    assert told["titles"] == [edition["title"][language] for edition in editions]
    kinds = [kind for kind in editions[0] if kind != "title"] if editions else []
    for group, kind in zip(told["groups"], kinds, strict=True):
        columns = [[named[language] for named in edition[kind].values()] for edition in editions]
        assert group["names"] == [list(names) for names in zip(*columns, strict=True)]
