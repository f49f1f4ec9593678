"""Pagination of table lists: every table is on one page, whatever is opened meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pleasance.server import app
from support.app_client import ManualClock
from support.http_client import HttpClient
from support.live_server import LiveServer, open_module_server, open_server

MANY = 13
PUBLIC, MINE = "/api/tables", "/api/me/tables"
Row = dict[str, Any]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    """Run a server on each kind of database, where one may own many tables."""
    with open_module_server(request, request.param, open_tables=0, open_tables_address=0) as server:
        yield server


@pytest.fixture
def tables(ada: HttpClient) -> Iterator[list[str]]:
    """Open many public tables, and close them again; the newest comes first."""
    opened = [ada.open_table(is_public=True) for _ in range(MANY)]
    yield opened[::-1]
    for row in read_all(ada, MINE, limit=100):
        if row["status"] == "open":
            ada.do(row["id"], kind="close").raise_for_status()


def read_page(who: HttpClient, path: str, limit: int, after: str | None, **more: str) -> Any:
    """Read one page."""
    params = {"limit": str(limit), **more} | ({} if after is None else {"after": after})
    return who.http.get(path, params=params).raise_for_status().json()


def read_all(
    who: HttpClient, path: str, limit: int, between: Callable[[], object] = int, **more: str
) -> list[Row]:
    """Read all pages, and do something after each."""
    rows: list[Row] = []
    after: str | None = None
    while True:
        page = read_page(who, path, limit, after, **more)
        rows += page["items"]
        after = page["next"]
        is_full = len(page["items"]) == limit
        assert is_full or after is None, "only the last page may be short"
        if after is None:
            return rows
        between()


def names(rows: list[Row]) -> list[str]:
    return [row["id"] for row in rows]


@pytest.mark.parametrize("path", [PUBLIC, MINE])
@pytest.mark.parametrize("limit", [1, 4, MANY - 1, MANY, MANY + 1, 100])
def test_tables_are_listed_once(ada: HttpClient, tables: list[str], path: str, limit: int) -> None:
    rows = read_all(ada, path, limit)
    assert names(rows) == tables
    times = [row["changed_at"] for row in rows]
    assert times == sorted(times, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("path", [PUBLIC, MINE])
def test_fifty_make_a_page_unless_one_asks_for_less(ada: HttpClient, path: str) -> None:
    opened = [ada.open_table(is_public=True) for _ in range(51)]
    try:
        page = ada.ask("GET", path)
        assert len(page["items"]) == 50
        rest = ada.http.get(path, params={"after": page["next"]}).raise_for_status().json()
        assert names(page["items"] + rest["items"]) == opened[::-1]
        assert rest["next"] is None
    finally:
        for table in opened:
            ada.do(table, kind="close").raise_for_status()


@pytest.mark.parametrize("path", [PUBLIC, MINE])
def test_tables_opened_meanwhile_hide_none(ada: HttpClient, tables: list[str], path: str) -> None:
    rows = read_all(ada, path, 4, between=lambda: ada.open_table(is_public=True))
    assert names(rows) == tables, "those are newer than where one began to read"
    assert names(read_all(ada, path, 100))[3:] == tables


@pytest.mark.parametrize("path", [PUBLIC, MINE])
def test_tables_closed_meanwhile_hide_none(ada: HttpClient, tables: list[str], path: str) -> None:
    first = read_page(ada, path, 4, None)
    ada.do(tables[3], kind="close").raise_for_status()  # the very one where the page ended
    assert names(first["items"] + read_page(ada, path, 100, first["next"])["items"]) == tables


@pytest.mark.slow
def test_simultaneous_tables_are_listed(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()  # stands still
    monkeypatch.setattr(app, "make_clock", lambda: clock)
    with open_server(database_url) as server, server.visit("Ada") as ada:
        opened = [ada.open_table(is_public=True) for _ in range(MANY)]
        for path in (PUBLIC, MINE):
            rows = read_all(ada, path, 3)
            assert {row["changed_at"] for row in rows} == {clock.now}
            assert sorted(names(rows)) == sorted(opened)
            assert names(rows) == names(read_all(ada, path, 5))


def test_pages_of_one_game_hold_only_its_tables(ada: HttpClient, tables: list[str]) -> None:
    others = [ada.open_table("sanssouci", is_public=True) for _ in range(5)]
    assert names(read_all(ada, PUBLIC, 2, game="sanssouci")) == others[::-1]
    assert names(read_all(ada, PUBLIC, 2, game="sakura")) == tables


def test_each_player_has_a_list(ada: HttpClient, ben: HttpClient, tables: list[str]) -> None:
    hidden = ada.open_table()
    assert names(read_all(ada, MINE, 4)) == [hidden, *tables]
    assert names(read_all(ben, PUBLIC, 4)) == tables, "private tables are in no list"
    assert read_all(ben, MINE, 4) == []


@pytest.mark.parametrize("path", [PUBLIC, MINE])
@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("limit=0", "request_unreadable"),
        ("limit=101", "request_unreadable"),
        ("limit=-1", "request_unreadable"),
        ("limit=many", "request_unreadable"),
        ("after=", "request_unreadable"),
        ("after=nonsense", "cursor_unknown"),
    ],
)
def test_an_invalid_page_is_refused(ada: HttpClient, path: str, asked: str, code: str) -> None:
    assert ada.ask("GET", f"{path}?{asked}", status=400)["code"] == code
