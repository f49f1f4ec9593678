"""The records API of the replay page: draw weights, pictures, scores over time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from conformance import CONFIGURATIONS, Configuration, find_configuration, play_game
from pleasance.core.record import write_record
from sample_game import installed_sample_game
from support.live_server import LiveServer, open_module_server

FAIRNESS = Path(__file__).parents[3] / "docs" / "fairness.md"
SOME = [config for config in CONFIGURATIONS if config.seats in {2, 4}]


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    with installed_sample_game(), open_module_server(request) as server:
        yield server


def find_verifier() -> Callable[[str, list[Any]], None]:
    """Load the verifier that docs/fairness.md shows."""
    code = re.findall(r"```python\n(.*?)```", FAIRNESS.read_text(encoding="utf-8"), re.DOTALL)[-1]
    names: dict[str, Any] = {}
    exec(code, names)
    check: Callable[[str, list[Any]], None] = names["check"]
    return check


def ask_weights(stranger: httpx.Client, record: str) -> list[Any]:
    items = stranger.post("/page/draws", json={"record": record}).raise_for_status().json()["items"]
    return [item["outcomes"] for item in items]


@pytest.mark.parametrize("config", SOME, ids=[config.name for config in SOME])
def test_a_verifier_needs_only_the_weights(stranger: httpx.Client, config: Configuration) -> None:
    text = write_record(play_game(config, 3).record)
    weights = ask_weights(stranger, text)
    check = find_verifier()
    check(text, weights)
    weights[-1] = [["+none", weight] for _, weight in weights[-1]]
    with pytest.raises(AssertionError):
        check(text, weights)


@pytest.mark.parametrize("name", ["sakura-3", "sanssouci-2", "pond-2"])
def test_playback_has_the_scores_at_every_position(stranger: httpx.Client, name: str) -> None:
    config = find_configuration(name)
    playout = play_game(config, 4)
    body = {"record": write_record(playout.record), "limit": 1}
    playback = stranger.post("/page/playbacks", json=body).raise_for_status().json()
    states = [config.game.start(config.seats), *(step.after for step in playout.steps)]
    assert playback["steps"] == len(playout.steps)
    assert playback["scores"] == [list(config.game.scores(state)) for state in states]
    results = sorted(playback["ending"]["results"], key=lambda result: result["seat"])
    assert [result["points"] for result in results] == playback["scores"][-1]
    parts = playback["ending"]["parts"]
    sums = [sum(part["shares"][seat]["points"] for part in parts) for seat in range(config.seats)]
    assert sums == playback["scores"][-1]
    unfinished = {"record": write_record(playout.record).rsplit("\n", 4)[0], "limit": 1}
    assert stranger.post("/page/playbacks", json=unfinished).json()["ending"] is None


def test_a_picture_shows_the_requested_position_to_one_seat(stranger: httpx.Client) -> None:
    record = write_record(play_game(find_configuration("sakura-3"), 5).record)
    requests: list[dict[str, Any]] = [{"step": 20}, {"step": 40}, {"step": 40, "seat": 1}]
    pictures = [
        stranger.post("/page/pictures", json={"record": record, **each}).raise_for_status()
        for each in requests
    ]
    assert len({picture.text for picture in pictures}) == len(requests)
    assert all(picture.headers["content-type"].startswith("image/svg+xml") for picture in pictures)
    far = stranger.post("/page/pictures", json={"record": record, "step": 99_999})
    assert far.text.startswith("<svg")


@pytest.mark.parametrize("path", ["/page/draws", "/page/pictures", "/page/playbacks"])
def test_what_is_wrong_with_a_record_is_said_in_words(stranger: httpx.Client, path: str) -> None:
    whole = write_record(play_game(find_configuration("sakura-2"), 1).record)
    hidden = re.sub(r"^\+\d+", "+?", whole, count=1, flags=re.MULTILINE)
    more = {"step": 3} if path == "/page/pictures" else {}
    for text, code in (
        (hidden, "record_needs_full"),
        ("hello", "record_before_game"),
        (whole + " 17", "record_goes_on"),
        (whole.replace('[Game "sakura"]', '[Game "chess"]'), "game_unknown"),
    ):
        headers = {"Accept-Language": "de"}
        answer = stranger.post(path, json={"record": text, **more}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, code)
        assert answer.json()["message"]


def test_a_game_without_pictures_says_so(stranger: httpx.Client) -> None:
    record = write_record(play_game(find_configuration("pond-2"), 1).record)
    answer = stranger.post("/page/pictures", json={"record": record, "step": 1})
    assert (answer.status_code, answer.json()["code"]) == (404, "no_picture")
