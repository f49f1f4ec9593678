"""An upgrade on the same database: games of known rules go on, others are left alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pleasance.core.game import AnyGame
from pleasance.server.live.table_configs import GameCache
from support.live_server import open_server
from support.rows import read_log
from support.ws_client import play, seat_all


@pytest.mark.slow
def test_games_of_rules_that_are_not_known_any_more_are_refused_and_kept(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newer program plays version 2 of Sakura, and Sanssouci as before."""
    with open_server(database_url) as server:
        ada, ben = server.visit("Ada"), server.visit("Ben")
        with ada.connect() as one, ben.connect() as other:
            tables = [ada.open_table(game) for game in ("sakura", "sanssouci")]
            for table in tables:
                seat_all(table, (one, other))
                play(table, (one, other), Random(1), choices=6)
        before = [read_log(server.site.store, table) for table in tables]
    find = GameCache.get

    def find_newer(
        shelf: GameCache, name: str, options: tuple[str, ...], data: str | None
    ) -> AnyGame:
        game = find(shelf, name, options, data)
        is_newer = name == "sakura"
        return replace(game, spec=replace(game.spec, rules_version="2")) if is_newer else game

    monkeypatch.setattr(GameCache, "get", find_newer)
    with open_server(database_url) as server, ada, ben:
        for who in (ada, ben):
            who.switch_server(server.link)
        assert ada.ask("GET", f"/api/tables/{tables[0]}", status=400)["code"] == "save_rules"
        with ada.connect() as one, ben.connect() as other:
            answer = one.ask("watch", table=tables[0])
            assert (answer["kind"], answer["code"]) == ("refused", "save_rules")
            assert answer["params"] == {"rules": "1", "ours": "2"}
            assert "version 1" in answer["message"]
            for ws in (one, other):
                ws.watch(tables[1])
            play(tables[1], (one, other), Random(2))
            assert other.mirrors[tables[1]].is_over
        after = [read_log(server.site.store, table) for table in tables]
    assert after[0] == before[0]
    assert after[1][: len(before[1])] == before[1]
