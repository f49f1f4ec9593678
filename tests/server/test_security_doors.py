"""Who may come in: forged and replayed cookies and tokens, pages of other sites, private tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import monotonic
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection
from websockets.exceptions import InvalidStatus

from pleasance.server.http import socket
from pleasance.server.http.socket import read_mutes
from pleasance.server.identity.rate_limits import RULES
from server.guests import NONCE
from server.house import House, open_house
from server.patience import PATIENCE
from server.talks import Visitor

PASSWORD = "violet anchor seventeen"


def make_token(house: House, name: str, *scopes: str, **more: Any) -> tuple[str, str]:
    """Let somebody with an account make a token; give its id and its secret."""
    with house.visit() as owner:
        owner.ask("POST", "/api/account", {"name": name, "password": PASSWORD}, 201)
        wish = {"label": "mine", "scopes": scopes, **more}
        made = owner.ask("POST", "/api/tokens", wish, 201)
        return made["token"]["id"], made["secret"]


def knock(visitor: Visitor, **headers: str) -> str:
    """Open a socket; tell as whom one came in, or with which status one was refused."""
    try:
        with visitor.connect({}, headers=headers) as talk:
            return str(talk.welcome["player"]) or "nobody"
    except InvalidStatus as refused:
        return str(refused.response.status_code)


def test_a_forged_cookie_opens_nothing(house: House, ada: Visitor) -> None:
    secret = ada.http.cookies["pleasance"]
    assert knock(ada) == ada.id
    forged = [
        "x",
        secret[:-1],
        secret + "A",
        secret[::-1],
        ada.id,
        "' OR 1=1 --",
        "%00",
        "A" * 3000,
    ]
    for cookie in forged:
        assert knock(ada, Cookie=f"pleasance={cookie}") in {"nobody", "403"}, cookie
        headers = {"Cookie": f"pleasance={cookie}", "Origin": house.link}
        answer = httpx.post(f"{house.link}/api/tables", headers=headers, json={}, timeout=PATIENCE)
        assert answer.status_code in {400, 401}, cookie
        answer = httpx.get(f"{house.link}/api/me", headers=headers, timeout=PATIENCE)
        assert answer.status_code == 401


def test_a_cookie_is_of_no_use_after_its_owner_has_left(house: House, ada: Visitor) -> None:
    cookie = f"pleasance={ada.http.cookies['pleasance']}"
    ada.ask("DELETE", "/api/session", status=204)
    assert knock(ada, Cookie=cookie) == "nobody"
    replayed = httpx.get(f"{house.link}/api/me", headers={"Cookie": cookie}, timeout=PATIENCE)
    assert replayed.status_code == 401


def test_a_token_that_is_made_up_taken_back_or_too_old_opens_nothing(house: House) -> None:
    with house.visit() as owner:
        owner.ask("POST", "/api/account", {"name": "Tess", "password": PASSWORD}, 201)
        wish = {"label": "mine", "scopes": ["read", "play"]}
        made = owner.ask("POST", "/api/tokens", wish, 201)
        program = Visitor(house.link, token=made["secret"])
        with program, program.connect() as talk:
            assert talk.welcome["player"] == owner.id
            owner.ask("DELETE", f"/api/tokens/{made['token']['id']}", status=204)
            assert talk.hear_end()[0][-1] == {"kind": "closing", "reason": "identity"}
            assert knock(program) == "403"
            assert program.http.get("/api/me").status_code == 401
    for secret in ("plz_", "plz_x", made["secret"] + "x", "Basic", "plz_%00"):
        with Visitor(house.link, token=secret) as stranger:
            assert knock(stranger) == "403", secret
            assert stranger.http.get("/api/me").status_code == 401


def test_a_token_expires(house: House) -> None:
    _, secret = make_token(house, "Expired", "read", lasts=60)
    with Visitor(house.link, token=secret) as program:
        assert program.ask("GET", "/api/me")["kind"] == "account"
        clock, house.site.clock = house.site.clock, lambda: 1e12
        try:
            assert knock(program) == "403"
            assert program.ask("GET", "/api/me", status=401)["code"] == "token_unknown"
        finally:
            house.site.clock = clock


def test_a_token_does_only_what_it_is_good_for(house: House, ada: Visitor) -> None:
    table = ada.open()
    sit, say = {"kind": "sit", "nonce": NONCE}, {"kind": "say", "text": "hello"}
    allowed = {"read": set(), "play": {"sit"}, "chat": {"say"}}
    for scope, wanted in allowed.items():
        _, secret = make_token(house, f"Only {scope}", scope)
        with Visitor(house.link, token=secret) as program, program.connect() as talk:
            for command in (sit, say):
                kinds = [talk.do(table, **command)["kind"], program.do(table, **command).is_success]
                is_allowed = command["kind"] in wanted
                assert kinds[0] == ("accepted" if is_allowed else "refused"), (scope, command)
                assert is_allowed or not kinds[1]
            watched = talk.ask("watch", table=table)
            assert watched["kind"] == ("accepted" if scope == "read" else "refused")
            for path in ("/api/tokens", "/api/me/export"):
                assert program.ask("GET", path, status=403)["code"] == "scope_missing"
            talk.do(table, kind="leave", seat=0)


def test_a_page_of_another_site_gets_neither_socket_nor_change(house: House, ada: Visitor) -> None:
    for origin in ("http://evil.example", "null", house.link + ".evil.example", "https://evil"):
        assert knock(ada, Origin=origin) == "403"
        answer = ada.http.post("/api/tables", json={}, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site")
        assert "access-control-allow-origin" not in answer.headers
    del ada.http.headers["Origin"]
    assert knock(ada) == "403", "a cookie without an origin"
    plain = {"Content-Type": "text/plain", "Origin": "http://evil.example"}
    assert ada.http.post("/api/session", content="{}", headers=plain).status_code == 403


def test_a_name_that_was_made_to_lead_here_is_not_answered(house: House, ada: Visitor) -> None:
    port = house.link.rpartition(":")[2]
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "", "a b"):
        headers = {"Host": host, "Origin": f"http://{host}"}
        for path in ("/", "/api/me", "/api/tables", "/schema/openapi.json"):
            answer = ada.http.get(path, headers=headers)
            assert answer.status_code in {400, 403}, (host, path)
        assert ada.http.post("/api/session", json={}, headers=headers).status_code in {400, 403}


def test_a_private_table_is_in_no_list(house: House, ada: Visitor) -> None:
    private, public = ada.open(), ada.open(is_public=True)
    with house.visit("Eve") as eve:
        for status in ("open", "running", "over"):
            listed = eve.ask("GET", f"/api/tables?status={status}&limit=100")
            assert private not in str(listed)
        assert public in str(eve.ask("GET", "/api/tables?limit=100"))
        assert eve.ask("GET", "/api/me/tables")["items"] == []
        shown = eve.ask("GET", f"/api/players/{ada.id}")
        assert private not in str(shown)
    assert private in str(ada.ask("GET", "/api/me/tables"))


def test_a_table_that_is_not_there_looks_like_one_that_never_was(house: House) -> None:
    with house.visit("Eve") as eve, eve.connect() as talk:
        said = set()
        for table in ("aaaaaaaaaaaa", "zzzzzzzz", "0" * 40):
            for path in ("", "/log", "/record"):
                answer = eve.http.get(f"/api/tables/{table}{path}")
                said.add((answer.status_code, answer.text))
            refused = talk.ask("watch", table=table, key="k")
            assert refused["code"] == "no_table"
            assert table not in str(refused)
        assert len(said) == 1
        assert next(iter(said))[0] == 404


def count_until_refused(house: House, name: str) -> int:
    """Guess names of tables over HTTP until there were too many guesses."""
    with house.visit(name) as eve:
        for guesses in range(1000):
            answer = eve.http.get(f"/api/tables/guess{guesses:07}")
            if answer.status_code == 429:
                assert int(answer.headers["retry-after"]) >= 1
                return guesses
            assert answer.status_code == 404
    raise AssertionError("guessing was never limited")


def test_guessing_is_limited_and_locks_nobody_else_out(sqlite_url: str) -> None:
    with open_house(sqlite_url, limits_factor=0.05) as house, house.visit("Ada") as ada:
        assert count_until_refused(house, "Eve") < 30
        assert ada.ask("GET", "/api/me")["name"] == "Ada"
        assert ada.open()


@pytest.mark.parametrize("is_known", [True, False])
def test_guessing_over_the_socket_is_limited_too(sqlite_url: str, is_known: bool) -> None:
    with open_house(sqlite_url, limits_factor=0.05) as house, house.visit("Ada") as ada:
        eve = house.visit("Eve") if is_known else Visitor(house.link)
        with eve, eve.connect() as talk, ada.connect() as other:
            since = monotonic()
            codes = [talk.ask("watch", table=f"guess{n:07}")["code"] for n in range(60)]
            assert codes[:10] == ["no_table"] * 10
            assert "too_many" in codes
            burst, pace = (number * 0.05 for number in RULES["socket"])
            assert codes.count("no_table") <= burst + pace * (monotonic() - since) + 1
            assert other.ask("ping")["kind"] == "pong"


def test_a_flood_of_commands_is_limited_for_who_sends_it_alone(sqlite_url: str) -> None:
    with (
        open_house(sqlite_url, limits_factor=0.1) as house,
        house.visit("Ada") as ada,
        house.visit("Eve") as eve,
        ada.connect() as a,
        eve.connect() as e,
        eve.connect({}) as tab,
    ):
        table = ada.open()
        a.watch(table)
        command = {"kind": "say", "text": "spam"}
        since = monotonic()
        for n in range(100):
            for name, talk in (("e", e), ("t", tab)):
                request = {"key": f"{name}{n}", "table": table, "command": command}
                talk.send({"kind": "do", **request})
        answers = [e.hear_answer(f"e{n}") for n in range(100)]
        answers += [tab.hear_answer(f"t{n}") for n in range(100)]
        refused = [answer for answer in answers if answer["kind"] == "refused"]
        assert {answer["code"] for answer in refused} == {"too_many"}
        burst, pace = (number * 0.1 for number in RULES["socket"])
        assert 200 - len(refused) <= burst + pace * (monotonic() - since) + 1
        assert a.do(table, kind="say", text="still here")["kind"] == "accepted"


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/{table}%0A",
        "/api/tables?status=open%0A",
        "/api/players/{player}%0A",
        "/api/tables/{table}%0A/log",
    ],
)
def test_a_line_break_is_no_end_of_a_name(ada: Visitor, path: str) -> None:
    answer = ada.http.get(path.format(table=ada.open(), player=ada.id))
    assert answer.status_code == 400
    assert answer.json()["code"] == "request_unreadable"


def find_patterns(schema: object) -> Iterator[str]:
    """Find every pattern of a schema."""
    if isinstance(schema, dict):
        for name, part in schema.items():
            if name == "pattern" and isinstance(part, str):
                yield part
            yield from find_patterns(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from find_patterns(part)


def test_no_pattern_of_the_api_lets_a_line_break_follow(house: House) -> None:
    with Visitor(house.link) as visitor:
        schema = visitor.http.get("/schema/openapi.json").raise_for_status().text
    patterns = set(find_patterns(json.loads(schema)))
    assert len(patterns) >= 6
    assert {pattern for pattern in patterns if pattern.endswith("$")} == set()


def test_a_socket_ends_with_the_token_that_opened_it(house: House) -> None:
    clock, now = house.site.clock, house.site.clock()
    try:
        house.site.clock = lambda: now
        _, secret = make_token(house, "Flora", "read", "play", lasts=60)
        house.site.clock = lambda: now + 59.9
        with Visitor(house.link, token=secret) as program, program.connect() as talk:
            heard, code = talk.hear_end()
    finally:
        house.site.clock = clock
    assert heard == [{"kind": "closing", "reason": "identity"}]
    assert code == 1012


def test_a_token_that_is_revoked_during_the_handshake_opens_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house.visit() as owner:
        owner.ask("POST", "/api/account", {"name": "Primrose", "password": PASSWORD}, 201)
        wish = {"label": "mine", "scopes": ["read", "play"]}
        made = owner.ask("POST", "/api/tokens", wish, 201)

        def read(connection: Connection, player: str | None) -> frozenset[str]:
            owner.ask("DELETE", f"/api/tokens/{made['token']['id']}", status=204)
            return read_mutes(connection, player)

        monkeypatch.setattr(socket, "read_mutes", read)
        with Visitor(house.link, token=made["secret"]) as program, program.connect() as talk:
            heard, code = talk.hear_end()
    assert heard == [{"kind": "closing", "reason": "identity"}]
    assert code == 1012
