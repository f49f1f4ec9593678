"""A player with a webhook, for tests of what is sent there."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field

from sqlalchemy import Connection, insert, select

from pleasance.server.base.settings import Settings
from pleasance.server.store.schema.webhooks import deliveries, hooks
from pleasance.server.store.store import Store
from pleasance.server.webhooks.deliveries import DELAY, queue_turn
from pleasance.server.webhooks.sender import Sending
from server.rated import add_person, add_table
from server.receiver import Receiver
from server.visitors import Clock, Place

SECRET = "a secret between two"


@dataclass
class Scene:
    """A player with a webhook, at a table with no clock but ours."""

    site: Place
    clock: Clock
    has_passed: bool = False
    looked: list[tuple[str, str]] = field(default_factory=list)

    async def is_waiting(self, player: str, table: str) -> bool:
        self.looked.append((player, table))
        return not self.has_passed

    async def turn(self, lines: int, table: str = "table0000001", player: str = "ada") -> bool:
        now = self.clock()
        return await self.site.store.write(
            lambda connection: queue_turn(connection, player, table, lines=lines, at=now)
        )

    async def send(self, *, after: float = DELAY) -> int:
        self.clock.wait(after)
        sending = Sending(self.site, self.is_waiting)
        count = await sending.begin()
        await sending.finish()
        return count


def add_hooked(
    connection: Connection, name: str, url: str, *, language: str = "en", is_discord: bool = False
) -> str:
    """Write down a player with a webhook at *url*."""
    player = add_person(connection, name, language=language)
    row = {"url": url, "is_discord": is_discord, "secret": SECRET, "set_at": 0.0}
    connection.execute(insert(hooks).values(player_id=player, failures=0, **row))
    return player


async def set_scene(
    store: Store, url: str, *, language: str = "en", is_discord: bool = False, **told: str
) -> Scene:
    """Set the scene: Ada has a webhook at *url*."""

    def work(connection: Connection) -> None:
        add_hooked(connection, "Ada", url, language=language, is_discord=is_discord)
        add_table(connection, "table0000001")
        add_table(connection, "table0000002")

    await store.write(work)
    clock = Clock()
    settings = Settings(hook_allows_private=True, public_url=told.get("home"))
    return Scene(Place(settings, store, clock), clock)


async def outcomes(store: Store) -> list[str | None]:
    found = select(deliveries.c.outcome).order_by(deliveries.c.lines)
    return await store.read(lambda connection: list(connection.scalars(found)))


async def hook_row(store: Store) -> dict[str, object]:
    return await store.read(lambda c: dict(c.execute(select(hooks)).mappings().one()))


def verify(receiver: Receiver, number: int = 0) -> dict[str, str]:
    """Check a letter's signature as our guide tells others to."""
    letter = receiver.letters[number]
    fields = dict(part.split("=", 1) for part in letter.headers["pleasance-signature"].split(","))
    signed = f"{fields['t']}.".encode() + letter.body
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(fields["v1"], expected)
    return fields
