"""Pictures stand alone, can be read by machines, and show what the view knows and nothing more."""

import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from conformance import CONFIGURATIONS, Configuration, each_of, find_configuration, random_game
from pleasance.core.data import load_builtin_components
from pleasance.core.game import AnyGame, Seat
from pleasance.core.record import parse_record
from pleasance.core.replay import replay
from pleasance.core.svg import element, fit, write
from pleasance.games import find_game
from pleasance.i18n.catalog import LANGUAGES, MessageCatalog, load_messages

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
DRAWN = [config for config in CONFIGURATIONS if config.game.picture]

every_drawn = each_of(DRAWN)


def positions(config: Configuration) -> tuple[Any, ...]:
    """Take some positions of a random game: set-up, the middle, the end."""
    states = [state for state, _ in random_game(config, seed=3)]
    return (*states[:: max(1, len(states) // 5)], states[-1])


def speakers(config: Configuration) -> Iterator[MessageCatalog]:
    """Go round all languages and editions for ever."""
    spec = config.game.spec
    themes = spec.themes or ("",)
    pairs = [(language, theme) for language in LANGUAGES for theme in themes]
    return (load_messages(language, spec.package, theme) for language, theme in cycle(pairs))


def draw(game: AnyGame, view: Any, words: MessageCatalog | None = None) -> str:
    assert game.picture is not None
    return game.picture(view, words or load_messages("en", game.spec.package))


def read(text: str) -> ET.Element:
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    return root


def written(root: ET.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


def test_both_games_are_drawn() -> None:
    assert {config.game.spec.name for config in DRAWN} >= {"sakura", "sanssouci"}


@pytest.mark.slow
@every_drawn
def test_every_picture_stands_alone(config: Configuration) -> None:
    words = speakers(config)
    for state in positions(config):
        for seat in (Seat(0), Seat(config.seats - 1), None):
            check_picture(draw(config.game, config.game.view(state, seat), next(words)))


def check_picture(text: str) -> None:
    root = read(text)
    assert re.fullmatch(r"0 0 \d+ \d+", root.attrib["viewBox"])
    names = {node.tag.removeprefix(SVG) for node in root.iter()}
    assert not names & {"script", "image", "foreignObject", "style", "a", "animate"}
    ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', text)) <= {
        pair for name in ids for pair in ((name, ""), ("", name))
    }
    assert text.count("href=") == text.count('href="#')
    assert text.count("url(") == text.count("url(#")
    assert text.count("://") == 1, "only the name of the SVG language"
    for name in ("title", "desc"):
        said = root.find(f"{SVG}{name}")
        assert said is not None
        assert said.text
    assert all(line.strip() for line in written(root))
    assert "nan" not in re.findall(r'="([a-z]+)"', text)


@every_drawn
def test_the_same_view_gives_the_same_bytes(config: Configuration) -> None:
    state = positions(config)[3]
    view = config.game.view(state, Seat(0))
    assert draw(config.game, view) == draw(config.game, config.game.view(state, Seat(0)))


@pytest.mark.slow
@every_drawn
def test_positions_that_look_alike_to_a_seat_give_the_same_picture(config: Configuration) -> None:
    game, rng = config.game, Random(5)
    differ = 0
    for state in positions(config):
        for seat in (Seat(config.seats - 1), None):
            view = game.view(state, seat)
            other = game.imagine(view, rng)
            differ += other != state
            assert draw(game, game.view(other, seat)) == draw(game, view)
    assert differ, "some imagined worlds are other worlds"


def test_a_spectator_sees_no_cards_before_the_end() -> None:
    config = find_configuration("sanssouci-2-rewards-boars")
    words = load_messages("en", config.game.spec.package)
    secrets = {words("picture.hand"), words("picture.missions"), words("picture.missions_won")}
    middle = positions(config)[3]
    seen = draw(config.game, config.game.view(middle, None))
    assert not secrets & set(written(read(seen)))
    own = draw(config.game, config.game.view(middle, Seat(0)))
    assert secrets & set(written(read(own)))


def test_the_edition_changes_the_colors_and_words() -> None:
    config = find_configuration("sanssouci-2")
    view = config.game.view(positions(config)[3], Seat(0))
    first, second = (
        draw(config.game, view, load_messages("en", config.game.spec.package, theme))
        for theme in ("first", "second")
    )
    assert "#e0883a" in first
    assert "#e0883a" not in second
    assert ">topiary<" in first
    assert ">tree<" in second
    assert draw(config.game, view) == first, "the first edition is the usual one"


def test_odd_words_and_colors_of_a_component_file_do_no_harm() -> None:
    odd = "<b>&amp; \\u0001\\\"'"
    data = load_builtin_components("pleasance.games.sanssouci").replace('"topiary"', f'"{odd}"')
    data = data.replace('"#e0883a"', '"url(https://example.org/x)"')
    game = find_game("sanssouci").configure((), data)
    text = draw(game, game.view(game.start(2), None))
    assert "<b>&amp; \ufffd\"'" in written(read(text))
    check_picture(text)


@pytest.mark.parametrize("seats", [2, 6])
def test_a_long_path_is_drawn_to_its_end(seats: int) -> None:
    data = load_builtin_components("pleasance.games.sakura")
    data = data.replace("sakura = [16, 26, 36]", "sakura = [16, 26, 99]")
    data = data.replace("sakura = [20, 32, 44]", "sakura = [20, 32, 99]")
    game = find_game("sakura").configure((), data)
    text = draw(game, game.view(game.start(seats), None))
    check_picture(text)
    assert "99" in written(read(text))


@pytest.mark.parametrize("name", ["sakura", "sanssouci"])
def test_the_pictures_in_the_docs_show_their_records(name: str) -> None:
    """When this fails on purpose: `pleasance picture docs/pictures/NAME.txt --seat 1`."""
    record = parse_record((PICTURES / f"{name}.txt").read_text(encoding="utf-8"))
    game = find_game(name).configure(tuple(record.tags.get("Options", "").split()), None)
    state = replay(game, record, is_partial=True).state
    kept = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert kept == draw(game, game.view(state, Seat(0))) + "\n"
    assert len(kept.encode()) < 150_000


def test_elements_escape_what_they_are_given() -> None:
    assert element("g", fill='"<&') == '<g fill="&quot;&lt;&amp;"/>'
    assert write("<&>\0", 1, 2, 3) == ('<text x="1" y="2" font-size="3">&lt;&amp;&gt;\ufffd</text>')
    assert fit("wide words", 28, 12) == pytest.approx(5)
