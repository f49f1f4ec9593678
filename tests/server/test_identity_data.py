"""My data: all of it can be taken along, all of it can be deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Connection

from pleasance.server.identity.personal_data import Keeper, Keepers, named_in
from pleasance.server.store.meta import metadata
from pleasance.server.store.schema.identity import accounts, players
from pleasance.server.store.store import Store
from server.authenticator import Authenticator
from server.visitors import HERE, Browser, House

SECRETS = ("digest", 'password":"$', "public_key", "credential", "challenge")


@pytest.fixture
def house(store: Store) -> Iterator[House]:
    house = House(store)
    yield house
    house.close()


def move_in(house: House, name: str) -> tuple[Browser, dict[str, str]]:
    """Claim an account and leave as many traces as there can be."""
    browser, key = house.browser(), Authenticator(HERE)
    me = browser.claim(name)["me"]
    asked = browser.ask("POST", "/api/passkeys/options", 201, {})
    made = {"challenge": asked["challenge"], "credential": key.create(asked["options"])}
    browser.ask("POST", "/api/passkeys", 201, {**made, "label": f"{name}'s phone"})
    browser.ask("POST", "/api/passkeys/options", 201, {})  # one that is never answered
    browser.ask("POST", "/api/tokens", 201, {"label": f"{name}'s script", "scopes": ["read"]})
    bot = browser.ask("POST", "/api/bots", 201, {"name": f"{name}'s engine"})
    house.browser().sign_in(name)
    return browser, {
        "id": me["id"],
        "name": name,
        "bot": bot["bot"]["id"],
        "secret": bot["token"]["secret"],
    }


def find_everywhere(store: Store, text: str) -> list[str]:
    """Look for *text* in every column of every table; name where it is."""

    def look(connection: Connection) -> list[str]:
        return [
            f"{table.name}.{column}"
            for table in metadata.sorted_tables
            for row in connection.execute(table.select())
            for column, value in row._mapping.items()
            if text in str(value)
        ]

    return store.read_now(look)


def test_what_is_exported_is_everything_and_no_secret(house: House) -> None:
    browser, ada = move_in(house, "Ada")
    _, bob = move_in(house, "Bob")
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


def test_what_is_exported_names_every_table_that_knows_the_player(house: House) -> None:
    browser, ada = move_in(house, "Ada")
    told = set(browser.ask("GET", "/api/me/export", 200)["data"]["identity"])
    known = {place.split(".")[0] for place in find_everywhere(house.store, ada["id"])}
    shown_as = {
        "players": "player",
        "accounts": "account",
        "sessions": "sessions",
        "passkeys": "passkeys",
        "api_tokens": "tokens",
        "recovery_codes": "account",  # how many are left
        "challenges": "player",  # for five minutes, who asks
    }
    assert known == set(shown_as), "whoever adds a table says where it is exported"
    assert {shown_as[table] for table in known} <= told


def test_nothing_is_left_of_somebody_who_is_deleted(house: House) -> None:
    browser, ada = move_in(house, "Zebulon")
    other, bob = move_in(house, "Bob")
    browser.ask("DELETE", "/api/me?name=zebulon", 204)
    assert find_everywhere(house.store, "Zebulon") == []
    assert find_everywhere(house.store, "zebulon") == []
    assert find_everywhere(house.store, ada["id"]) == ["players.id"]
    assert find_everywhere(house.store, ada["bot"]) == ["players.id"]
    rows = house.store.read_now(lambda c: c.execute(players.select()).all())
    (left,) = [row for row in rows if row.id == ada["id"]]
    assert (left.name, left.kind, left.owner, left.seen_at) == ("Somebody", "gone", None, 0.0)
    assert "pleasance" not in browser.cookies
    assert browser.refusal("GET", "/api/me") == (401, "sign_in")
    assert house.program(ada["secret"]).refusal("GET", "/api/me") == (401, "token_unknown")
    assert house.browser().sign_in("Zebulon").status_code == 401
    assert other.ask("GET", "/api/me", 200)["id"] == bob["id"]
    house.browser().claim("Zebulon")  # the name is free again


def test_who_is_gone_is_called_so_in_their_language(house: House) -> None:
    browser = house.browser()
    me = browser.come_in("Ada", language="de")
    browser.ask("DELETE", "/api/me?name=Ada", 204)
    rows = house.store.read_now(lambda c: c.execute(players.select()).all())
    assert [(row.id, row.name) for row in rows] == [(me["id"], "Jemand")]


def test_nobody_is_deleted_by_accident_or_by_a_stranger(house: House) -> None:
    browser = house.browser()
    browser.claim("Ada")
    assert browser.refusal("DELETE", "/api/me?name=Bob") == (409, "delete_unconfirmed")
    assert browser.request("DELETE", "/api/me").status_code == 400
    other = house.browser()
    other.come_in("Eve")
    assert other.refusal("DELETE", "/api/me?name=Ada") == (409, "delete_unconfirmed")
    assert browser.ask("GET", "/api/me", 200)["name"] == "Ada"


def test_seats_are_given_up_before_a_player_is_forgotten_and_features_forget_too(
    store: Store,
) -> None:
    said: list[str] = []

    async def leave(player: str) -> None:
        row = store.read_now(lambda c: c.execute(players.select()).all())
        said.append(f"leaves {sum(each.kind != 'gone' for each in row)} {player}")

    def forget(connection: Connection, player: str) -> None:
        named = connection.execute(players.select().where(players.c.id == player)).one()
        said.append(f"forgets {named.name} {player}")

    keeper = Keeper("ratings", lambda _, player: {"rated": [player]}, forget, named_in())
    house = House(store, keepers=Keepers((keeper,), (leave,)))
    browser = house.browser()
    me = browser.claim("Ada")["me"]["id"]
    bot = browser.ask("POST", "/api/bots", 201, {"name": "engine"})["bot"]["id"]
    assert browser.ask("GET", "/api/me/export", 200)["data"]["ratings"] == {"rated": [me]}
    browser.ask("DELETE", "/api/me?name=Ada", 204)
    assert said == [
        f"leaves 2 {me}",
        f"leaves 2 {bot}",
        f"forgets Ada {me}",
        f"forgets engine {bot}",
    ]
    house.close()


def test_a_feature_that_cannot_forget_leaves_all_as_it_was(store: Store) -> None:
    def forget(connection: Connection, player: str) -> None:
        connection.execute(accounts.delete())
        raise RuntimeError(player)

    house = House(store, keepers=Keepers((Keeper("x", lambda *_: None, forget, named_in()),)))
    browser = house.browser()
    browser.claim("Ada")
    assert browser.request("DELETE", "/api/me?name=Ada").status_code == 500
    assert browser.ask("GET", "/api/me", 200)["name"] == "Ada"
    assert house.browser().sign_in("Ada").status_code == 200
    house.close()


def test_other_processes_hear_that_somebody_changed(house: House) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def listen() -> Callable[[], None]:
        return house.store.subscribe(heard.put_nowait)

    async def hear() -> str:
        async with asyncio.timeout(30):
            return await heard.get()

    stop = house.runner.run(listen())
    browser = house.browser()
    me = browser.come_in("Ada")["id"]
    for method, path, status, body in (
        ("PATCH", "/api/me", 200, {"name": "Bob"}),
        ("DELETE", "/api/session?all=true", 204, None),
    ):
        browser.ask(method, path, status, body)
        assert house.runner.run(hear()) == f"identity:{me}"
    stop()
