"""The page in the browser: its documents, their CSP, and access rules."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from conformance import games_with
from pleasance.games import find_game, game_names
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.server.base.translate import server_messages
from pleasance.server.page.assets import _read, dist_folder
from pleasance.server.page.responses import POLICY
from support.http_client import HttpClient, start_game
from support.live_server import LiveServer
from support.ws_client import WsClient, play, seat_all

SCRIPT = "<script>alert(1)</script>"


pytestmark = pytest.mark.usefixtures("built_app")


class Document(HTMLParser):
    """Parses a document; collects what a browser would run or fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.facts: dict[str, Any] = {}
        self._is_facts = False
        self.language = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.tags.append((tag, known))
        self._is_facts = known.get("id") == "facts"
        if tag == "html":
            self.language = known.get("lang") or ""

    def handle_data(self, data: str) -> None:
        if self._is_facts:
            self.facts = json.loads(data)
            self._is_facts = False


DRAWN = games_with(lambda game: game.picture)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lobby_uses_the_language_of_the_browser(stranger: httpx.Client, language: str) -> None:
    answer = stranger.get("/", headers={"Accept-Language": f"fr,{language};q=0.8"})
    document = Document(answer.text)
    assert answer.status_code == 200
    assert document.language == language
    assert [game["name"] for game in document.facts["games"]] == list(game_names())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_speaks_the_language_of_the_player(server: LiveServer, language: str) -> None:
    with server.visit("Ada", language=language) as ada:
        table = ada.open_table()
        document = Document(ada.ask("GET", f"/t/{table}"))
        assert document.language == language
        assert document.facts["me"]["name"] == "Ada"
        assert document.facts["home"] == server.link
        assert document.facts["isOnlyHere"] is True
        other = next(each for each in LANGUAGES if each != language)
        assert Document(ada.ask("GET", f"/t/{table}?language={other}")).language == other


@pytest.mark.slow
def test_every_answer_says_what_a_browser_may_do_with_it(ada: HttpClient, ben: HttpClient) -> None:
    table = start_game((ada, ben))
    asset_paths = [f"/page/assets/{file.name}" for file in (dist_folder() / "assets").iterdir()]
    fresh = ["/", "/learn", "/learn/sakura", "/replay", f"/t/{table}", "/t/no", "/worker.js"]
    fresh += [f"/t/{table}/{name}" for name in ("picture.svg", "drawing.txt", "story.json")]
    fresh += [f"/t/{table}/choices.json?seat=0", f"/t/{table}/playback.json", f"/t/{table}/qr.svg"]
    for path in (*asset_paths, *fresh):
        headers = ada.http.get(path).headers
        assert headers["content-security-policy"] == POLICY, path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["referrer-policy"] == "same-origin", path
        assert ("immutable" in headers["cache-control"]) == (path in asset_paths), path
        assert ("no-store" in headers["cache-control"]) == (path in fresh), path


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    parts = dict(part.split(" ", 1) for part in POLICY.split("; "))
    assert parts.pop("default-src") == "'none'"
    assert {word for rule in parts.values() for word in rule.split()} == {
        "'self'",
        "'none'",
        "data:",
    }
    assert parts["script-src"] == parts["style-src"] == parts["connect-src"] == "'self'"


def test_a_document_has_no_script_and_no_style_of_its_own(ada: HttpClient) -> None:
    for path in ("/", f"/t/{ada.open_table()}", "/t/nowhere12"):
        for tag, known in Document(ada.http.get(path).text).tags:
            assert not [name for name in known if name.startswith("on") or name == "style"], tag
            assert tag != "style"
            if tag == "script":
                is_data = known.get("type") == "application/json"
                assert is_data or str(known["src"]).startswith("/page/assets/")


def test_a_script_in_a_name_or_in_a_chat_comes_out_as_text(server: LiveServer) -> None:
    with server.visit(SCRIPT) as eve:
        table = eve.open_table()
        eve.do(table, kind="sit", nonce="5a" * 16).raise_for_status()
        eve.do(table, kind="say", text=SCRIPT).raise_for_status()
        for path in ("/", f"/t/{table}"):
            text = eve.ask("GET", path)
            assert SCRIPT not in text
            assert Document(text).facts["me"]["name"] == SCRIPT
        body = eve.http.get(f"/t/{table}/story.json")
        assert body.headers["content-type"].startswith("application/json")
        assert [item.get("name") for item in body.json()["items"]] == [None, SCRIPT]
        assert body.json()["items"][1]["text"] == SCRIPT


@pytest.mark.parametrize("path", ["/t/nowhere12", "/t/No", "/t/%3Cscript%3E"])
def test_an_unknown_table_is_explained_in_words(stranger: httpx.Client, path: str) -> None:
    answer = stranger.get(path, headers={"Accept-Language": "de"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert f"<p>{server_messages('de')('error.no_table')}</p>" in answer.text


@pytest.mark.parametrize("name", ["picture.svg", "drawing.txt", "choices.json", "story.json"])
@pytest.mark.parametrize("game", DRAWN)
def test_views_of_other_seats_are_refused(
    ada: HttpClient, ben: HttpClient, stranger: httpx.Client, game: str, name: str
) -> None:
    path = f"/t/{start_game((ada, ben), game)}/{name}"
    ada.ask("GET", f"{path}?seat=0")
    ben.ask("GET", f"{path}?seat=1")
    for client, seat in ((ada.http, 1), (ben.http, 0), (stranger, 0), (stranger, 1), (ada.http, 3)):
        answer = client.get(f"{path}?seat={seat}")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_your_seat")


@pytest.mark.parametrize("game", DRAWN)
def test_seats_see_pictures(
    ada: HttpClient, ben: HttpClient, stranger: httpx.Client, game: str
) -> None:
    path = f"/t/{start_game((ada, ben), game)}/picture.svg"
    pictures = {
        ada.ask("GET", f"{path}?seat=0"),
        ben.ask("GET", f"{path}?seat=1"),
        stranger.get(path).text,
    }
    assert len(pictures) == 3
    assert all(picture.startswith("<svg") for picture in pictures)
    assert ada.ask("GET", path) == stranger.get(path).text


def test_a_banned_player_sees_nothing(ada: HttpClient, ben: HttpClient) -> None:
    table = start_game((ada, ben))
    ada.do(table, kind="kick", player=ben.id, is_ban=True).raise_for_status()
    assert ben.http.get(f"/t/{table}").status_code == 403
    for name in ("picture.svg", "drawing.txt", "story.json", "qr.svg", "choices.json?seat=1"):
        assert ben.http.get(f"/t/{table}/{name}").status_code == 403


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", game_names())
def test_choices_are_in_words(ada: HttpClient, ben: HttpClient, game: str, language: str) -> None:
    table = start_game((ada, ben), game)
    seat, legal, who = find_turn(table, ada, ben)
    body = who.ask("GET", f"/t/{table}/choices.json?seat={seat}&language={language}")
    assert [item["token"] for item in body["items"]] == legal
    assert all(item["text"] and not item["text"][0].islower() for item in body["items"])
    assert (body["ply"], body["revision"]) == (who.read_snapshot(table)["ply"], 0)


@pytest.mark.parametrize("game", game_names())
def test_a_choice_is_told_to_its_seat(ada: HttpClient, ben: HttpClient, game: str) -> None:
    table = start_game((ada, ben), game)
    seat, _, who = find_turn(table, ada, ben)
    body = who.ask("GET", f"/t/{table}/choices.json?seat={seat}")
    found = find_game(game)
    words = load_messages("en", found.spec.package)
    kinds = [{key.partition(".")[2] for key in words.keys(each)} for each in ("action.", "choice.")]
    for item in body["items"] if kinds[1] else ():
        described = found.describe(found.parse(item["token"]), words)
        assert item["text"].casefold() != described.casefold()
    assert kinds[1] in (kinds[0], set())


def test_a_spectator_has_no_choices(ada: HttpClient, ben: HttpClient) -> None:
    table = start_game((ada, ben), "sanssouci")
    seat, _, who = find_turn(table, ada, ben)
    other = ben if who is ada else ada
    assert other.ask("GET", f"/t/{table}/choices.json?seat={1 - seat}")["items"] == []


def find_turn(table: str, *people: HttpClient) -> tuple[int, list[str], HttpClient]:
    """Find a client that must choose."""
    for who in people:
        for view in who.read_snapshot(table)["views"]:
            if view["legal"]:
                return view["seat"], view["legal"], who
    raise AssertionError("no client must choose")


def test_before_the_game_there_is_nothing_to_see_yet(ada: HttpClient) -> None:
    table = ada.open_table()
    assert ada.http.get(f"/t/{table}/picture.svg").json()["code"] == "not_started"
    assert ada.http.get(f"/t/{table}/drawing.txt").json()["code"] == "not_started"
    assert ada.http.get(f"/t/{table}/ending.json").json()["code"] == "not_over"
    assert ada.ask("GET", f"/t/{table}/story.json")["items"] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_everyone_reads_the_result(
    ada: HttpClient, ben: HttpClient, stranger: httpx.Client, game: str
) -> None:
    table = ada.open_table(game)
    with ada.connect() as a, ben.connect() as b:
        sockets: list[WsClient] = [a, b]
        seat_all(table, sockets)
        play(table, sockets, Random(1))
    body = stranger.get(f"/t/{table}/ending.json?language=en").json()
    scores = ada.read_snapshot(table)["scores"]
    assert sorted((r["seat"], r["points"]) for r in body["results"]) == list(enumerate(scores))
    winners = [result["name"] for result in body["results"] if result["is_winner"]]
    assert winners
    assert all(name in body["text"] for name in winners)
    for name, who in (("Ada", ada), ("Ben", ben)):
        own = who.ask("GET", f"/t/{table}/ending.json?language=en")["text"]
        assert own.startswith("You win ") if winners == [name] else own == body["text"]
    for result in body["results"]:
        shares = [part["shares"][result["seat"]]["points"] for part in body["parts"]]
        assert sum(shares) == result["points"]


def test_a_player_who_resigns_has_not_won(ada: HttpClient, ben: HttpClient) -> None:
    table = start_game((ada, ben))
    ben.do(table, kind="resign", seat=1).raise_for_status()
    body = ada.ask("GET", f"/t/{table}/ending.json?language=en")
    assert "Ben" in body["text"]
    assert [(r["name"], r["is_winner"]) for r in body["results"]] == [("Ada", True), ("Ben", False)]


@pytest.mark.parametrize("path", ["/page/none.js", "/page/assets/none.js", "/page/.key"])
def test_a_file_that_is_not_there_is_not_found(stranger: httpx.Client, path: str) -> None:
    assert stranger.get(path).json()["code"] == "no_page"


def test_what_everybody_must_load_first_is_small(stranger: httpx.Client) -> None:
    """150 KB, squeezed as the server sends it: the document, its scripts and styles, both fonts."""
    document = stranger.get("/")
    wanted = set(re.findall(r"/page/assets/[^\"]+", document.text))
    fonts = {f"/page/assets/{file.name}" for file in (dist_folder() / "assets").iterdir()}
    wanted |= {path for path in fonts if path.endswith(".woff2")}
    size = len(document.content)
    for path in wanted:
        with stranger.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
            size += sum(len(part) for part in answer.iter_raw())
    assert 50_000 < size < 150_000


def test_names_that_anybody_makes_up_are_not_kept(stranger: httpx.Client) -> None:
    for number in range(50):
        assert stranger.get(f"/page/made-up-{number}.js").status_code == 404
    for name in ("x" * 300, "..", "%2e%2e%2findex.html", "index.html%00.js"):
        assert stranger.get(f"/page/assets/{name}").status_code == 404, name
    assert _read.cache_info().currsize <= sum(1 for _ in Path(str(dist_folder())).rglob("*"))


def test_what_is_for_one_player_is_kept_by_no_cache(ada: HttpClient, ben: HttpClient) -> None:
    table = start_game((ada, ben))
    for path in ("/api/me", f"/api/tables/{table}", f"/api/tables/{table}/record"):
        assert ada.http.get(path).headers.get_list("cache-control") == ["no-store"], path
    names = [file.name for file in (dist_folder() / "assets").iterdir()]
    script = next(name for name in names if name.endswith(".js"))
    answer = ada.http.get(f"/page/assets/{script}")
    assert answer.headers.get_list("cache-control") == ["public, max-age=31536000, immutable"]
