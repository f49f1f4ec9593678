"""Personal data: export and erasure are complete."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import Connection

from pleasance.server.identity.personal_data import (
    PersonalDataSource,
    PersonalDataSources,
    referenced_in,
)
from pleasance.server.store.meta import metadata
from pleasance.server.store.schema.identity import accounts, players
from pleasance.server.store.store import Store
from server.identity.authenticator import Authenticator
from support.app_client import ORIGIN, AppClient, AppHarness

SECRETS = ("digest", 'password":"$', "public_key", "credential", "challenge")


def create_account(app: AppHarness, name: str) -> tuple[AppClient, dict[str, str]]:
    """Claim an account and create a row in every table of identity."""
    browser, key = app.browser(), Authenticator(ORIGIN)
    me = browser.claim(name)["me"]
    options = browser.ask("POST", "/api/passkeys/options", 201, {})
    made = {"challenge": options["challenge"], "credential": key.create(options["options"])}
    browser.ask("POST", "/api/passkeys", 201, {**made, "label": f"{name}'s phone"})
    browser.ask("POST", "/api/passkeys/options", 201, {})  # one that is never answered
    browser.ask("POST", "/api/tokens", 201, {"label": f"{name}'s script", "scopes": ["read"]})
    bot = browser.ask("POST", "/api/bots", 201, {"name": f"{name}'s engine"})
    app.browser().sign_in(name)
    return browser, {
        "id": me["id"],
        "name": name,
        "bot": bot["bot"]["id"],
        "secret": bot["token"]["secret"],
    }


def find_everywhere(store: Store, text: str) -> list[str]:
    """Search every column of every table for *text*; return the columns."""

    def look(connection: Connection) -> list[str]:
        return [
            f"{table.name}.{column}"
            for table in metadata.sorted_tables
            for row in connection.execute(table.select())
            for column, value in row._mapping.items()
            if text in str(value)
        ]

    return store.read_now(look)


def test_what_is_exported_is_everything_and_no_secret(app: AppHarness) -> None:
    browser, ada = create_account(app, "Ada")
    _, bob = create_account(app, "Bob")
    answer = browser.get("/api/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    data = answer.json()["data"]["identity"]
    assert data["player"]["name"] == "Ada"
    assert data["account"] == {"has_password": True, "passkeys": 1, "recovery_codes": 8}
    assert len(data["sessions"]) == 2
    assert [key["label"] for key in data["passkeys"]] == ["Ada's phone"]
    assert {token["label"] for token in data["tokens"]} == {"Ada's script", "Ada's engine"}
    assert [bot["id"] for bot in data["bots"]] == [ada["bot"]]
    for hidden in (*SECRETS, browser.cookie, ada["secret"], "argon2", "Bob", bob["id"]):
        assert hidden not in answer.text


def test_what_is_exported_names_every_table_that_knows_the_player(app: AppHarness) -> None:
    browser, ada = create_account(app, "Ada")
    exported = set(browser.ask("GET", "/api/me/export", 200)["data"]["identity"])
    known = {place.split(".")[0] for place in find_everywhere(app.store, ada["id"])}
    shown_as = {
        "players": "player",
        "accounts": "account",
        "sessions": "sessions",
        "passkeys": "passkeys",
        "access_tokens": "tokens",
        "recovery_codes": "account",  # how many are left
        "challenges": "player",  # for five minutes, who asks
    }
    assert known == set(shown_as), "a new table must be exported"
    assert {shown_as[table] for table in known} <= exported


@pytest.mark.slow
def test_nothing_is_left_of_a_deleted_player(app: AppHarness) -> None:
    browser, ada = create_account(app, "Zebulon")
    other, bob = create_account(app, "Bob")
    browser.ask("DELETE", "/api/me?name=zebulon", 204)
    assert find_everywhere(app.store, "Zebulon") == []
    assert find_everywhere(app.store, "zebulon") == []
    assert find_everywhere(app.store, ada["id"]) == ["players.id"]
    assert find_everywhere(app.store, ada["bot"]) == ["players.id"]
    rows = app.store.read_now(lambda c: c.execute(players.select()).all())
    (left,) = [row for row in rows if row.id == ada["id"]]
    assert (left.name, left.kind, left.owner, left.seen_at) == ("Somebody", "gone", None, 0.0)
    assert "pleasance" not in browser.cookies
    assert browser.refusal("GET", "/api/me") == (401, "sign_in")
    assert app.program(ada["secret"]).refusal("GET", "/api/me") == (401, "token_unknown")
    assert app.browser().sign_in("Zebulon").status_code == 401
    assert other.ask("GET", "/api/me", 200)["id"] == bob["id"]
    app.browser().claim("Zebulon")  # the name is free again


def test_an_erased_player_is_named_in_their_language(app: AppHarness) -> None:
    browser = app.browser()
    me = browser.join("Ada", language="de")
    browser.ask("DELETE", "/api/me?name=Ada", 204)
    rows = app.store.read_now(lambda c: c.execute(players.select()).all())
    assert [(row.id, row.name) for row in rows] == [(me["id"], "Jemand")]


def test_deletion_needs_the_player_and_their_name(app: AppHarness) -> None:
    browser = app.account("Ada")
    assert browser.refusal("DELETE", "/api/me?name=Bob") == (409, "delete_unconfirmed")
    assert browser.request("DELETE", "/api/me").status_code == 400
    other, _ = app.visit("Eve")
    assert other.refusal("DELETE", "/api/me?name=Ada") == (409, "delete_unconfirmed")
    assert browser.ask("GET", "/api/me", 200)["name"] == "Ada"


def test_seats_are_left_before_erasure_and_all_sources_erase(store: Store) -> None:
    calls: list[str] = []

    async def leave(player: str) -> None:
        row = store.read_now(lambda c: c.execute(players.select()).all())
        calls.append(f"leaves {sum(each.kind != 'gone' for each in row)} {player}")

    def forget(connection: Connection, player: str) -> None:
        named = connection.execute(players.select().where(players.c.id == player)).one()
        calls.append(f"forgets {named.name} {player}")

    source = PersonalDataSource(
        "ratings", lambda _, player: {"rated": [player]}, forget, referenced_in()
    )
    app = AppHarness(store, sources=PersonalDataSources((source,), (leave,)))
    browser = app.browser()
    me = browser.claim("Ada")["me"]["id"]
    bot = browser.ask("POST", "/api/bots", 201, {"name": "engine"})["bot"]["id"]
    assert browser.ask("GET", "/api/me/export", 200)["data"]["ratings"] == {"rated": [me]}
    browser.ask("DELETE", "/api/me?name=Ada", 204)
    assert calls == [
        f"leaves 2 {me}",
        f"leaves 2 {bot}",
        f"forgets Ada {me}",
        f"forgets engine {bot}",
    ]
    app.close()


def test_a_feature_that_cannot_forget_leaves_all_as_it_was(store: Store) -> None:
    def forget(connection: Connection, player: str) -> None:
        connection.execute(accounts.delete())
        raise RuntimeError(player)

    app = AppHarness(
        store,
        sources=PersonalDataSources(
            (PersonalDataSource("x", lambda *_: None, forget, referenced_in()),)
        ),
    )
    browser = app.account("Ada")
    assert browser.request("DELETE", "/api/me?name=Ada").status_code == 500
    assert browser.ask("GET", "/api/me", 200)["name"] == "Ada"
    assert app.browser().sign_in("Ada").status_code == 200
    app.close()


def test_other_processes_learn_of_a_changed_player(app: AppHarness) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def listen() -> Callable[[], None]:
        return app.store.subscribe(heard.put_nowait)

    async def on_topic() -> str:
        async with asyncio.timeout(30):
            return await heard.get()

    stop = app.runner.run(listen())
    browser = app.browser()
    me = browser.join("Ada")["id"]
    for method, path, status, body in (
        ("PATCH", "/api/me", 200, {"name": "Bob"}),
        ("DELETE", "/api/session?all=true", 204, None),
    ):
        browser.ask(method, path, status, body)
        assert app.runner.run(on_topic()) == f"identity:{me}"
    stop()
