"""Playback: every position of a game as one seat may see it."""

from __future__ import annotations

from random import Random

import httpx
import pytest

from conformance import games_with
from support.http_client import HttpClient, start_game
from support.ws_client import play, seat_all


@pytest.mark.parametrize("game", games_with(lambda game: game.wire))
def test_playback_is_per_seat(
    ada: HttpClient, ben: HttpClient, stranger: httpx.Client, game: str
) -> None:
    table = start_game((ada, ben), game)
    path = f"/t/{table}/playback.json"
    last = ada.ask("GET", f"{path}?seat=0")
    assert [frame["step"] for frame in last["frames"]] == [last["steps"]]
    view = next(view for view in ada.read_snapshot(table)["views"] if view["seat"] == 0)
    assert last["frames"][0]["position"] == view["position"]
    whole = ada.ask("GET", f"{path}?seat=0&first=0")["frames"]
    assert [frame["step"] for frame in whole] == list(range(last["steps"] + 1))
    assert all(frame["lines"] and frame["tokens"] for frame in whole[1:])
    assert stranger.get(f"{path}?seat=0").status_code == 403
    assert stranger.get(path).json()["frames"][0]["position"] != view["position"]


@pytest.mark.slow
@pytest.mark.parametrize("game", games_with(lambda game: game.wire))
def test_a_record_has_all_views(
    ada: HttpClient, ben: HttpClient, stranger: httpx.Client, game: str
) -> None:
    table = ada.open_table(game)
    with ada.connect() as a, ben.connect() as b:
        seat_all(table, [a, b])
        play(table, [a, b], Random(2))
    record = stranger.get(f"/api/tables/{table}/record").text
    response = stranger.post(
        "/page/playbacks", json={"record": record, "seat": 1, "first": 3, "limit": 5}
    )
    playback = response.json()
    assert (playback["game"], playback["seats"], playback["is_over"]) == (game, 2, True)
    assert [frame["step"] for frame in playback["frames"]] == [3, 4, 5, 6, 7]
    assert [frame["position"]["seat"] for frame in playback["frames"]] == [1] * 5
    refused = stranger.post("/page/playbacks", json={"record": record, "seat": 4})
    assert refused.json()["code"] == "seat_unknown"
    for text, code in (("1. e4", "record_before_game"), ('[Game "chess"]', "game_unknown")):
        refused = stranger.post("/page/playbacks", json={"record": text})
        assert (refused.status_code, refused.json()["code"]) == (400, code)
