"""A player with a webhook, for tests of deliveries."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from dataclasses import dataclass, field

from sqlalchemy import Connection, insert, select

from pleasance.server.base.settings import ServerSettings
from pleasance.server.store.schema.webhooks import deliveries, webhooks
from pleasance.server.store.store import Store
from pleasance.server.webhooks.deliveries import ANNOUNCE_DELAY_S, enqueue_turn
from pleasance.server.webhooks.sender import DeliverySender
from server.webhooks.receiver import Receiver
from support.app_client import ManualClock, StubSite
from support.rows import add_person, add_table

SECRET = f"whsec_{b64encode(b'a secret that two share').decode()}"


@dataclass
class Harness:
    """A webhook with a manual clock and a sender."""

    site: StubSite
    clock: ManualClock
    has_passed: bool = False
    lookups: list[tuple[str, str]] = field(default_factory=list)
    receiver: Receiver = field(default_factory=Receiver)

    async def is_waiting(self, player: str, table: str) -> bool:
        self.lookups.append((player, table))
        return not self.has_passed

    async def turn(self, ply: int, table: str = "table0000001", player: str = "ada") -> bool:
        now = self.clock()
        return await self.site.store.write(
            lambda connection: enqueue_turn(connection, player, table, ply=ply, at=now)
        )

    def make_sender(self) -> DeliverySender:
        site = self.site
        return DeliverySender(site.store, site.settings, site.clock, is_waiting=self.is_waiting)

    async def send(self, *, after: float = ANNOUNCE_DELAY_S) -> int:
        self.clock.advance(after)
        sending = self.make_sender()
        count = await sending.send_due()
        await sending.drain()
        return count

    async def outcomes(self) -> list[str | None]:
        """Read the outcomes of all deliveries, by ply."""
        found = select(deliveries.c.outcome).order_by(deliveries.c.ply)
        return await self.site.store.read(lambda connection: list(connection.scalars(found)))

    async def row(self) -> dict[str, object]:
        """Read the row of the only webhook."""
        found = select(webhooks)
        return await self.site.store.read(lambda c: dict(c.execute(found).mappings().one()))


def add_webhook(
    connection: Connection, name: str, url: str, *, language: str = "en", is_discord: bool = False
) -> str:
    """Insert a player with a webhook at *url*."""
    player = add_person(connection, name, language=language)
    row = {"url": url, "is_discord": is_discord, "secret": SECRET, "set_at": 0.0}
    connection.execute(insert(webhooks).values(player_id=player, failures=0, **row))
    return player


async def open_webhook(
    store: Store, url: str, *, language: str = "en", is_discord: bool = False, **answers: str
) -> Harness:
    """Insert Ada with a webhook at *url*."""

    def work(connection: Connection) -> None:
        add_webhook(connection, "Ada", url, language=language, is_discord=is_discord)
        add_table(connection, "table0000001")
        add_table(connection, "table0000002")

    await store.write(work)
    clock = ManualClock()
    settings = ServerSettings(webhook_allows_private=True, public_url=answers.get("home"))
    return Harness(StubSite(settings, store, clock), clock)


def verify(receiver: Receiver, number: int = 0) -> int:
    """Check the webhook signature of a request by the specification; return when it was signed."""
    request = receiver.requests[number]
    sent_id, sent_at, signature = (
        request.headers[f"webhook-{name}"] for name in ("id", "timestamp", "signature")
    )
    key = b64decode(SECRET.removeprefix("whsec_"))
    expected = hmac.digest(key, f"{sent_id}.{sent_at}.".encode() + request.body, "sha256")
    assert signature == f"v1,{b64encode(expected).decode()}"
    return int(sent_at)
