"""HTTP for one's own webhook."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, put
from litestar.params import JSONBody
from msgspec import Meta, Struct
from sqlalchemy import Connection, Row, insert, select
from sqlalchemy import delete as delete_from

from pleasance.server.base.errors import ServerError
from pleasance.server.base.translate import error_message
from pleasance.server.identity.authentication import Identity, require_scope
from pleasance.server.identity.dependencies import IdentityDep, RateLimiterDep, error_responses
from pleasance.server.live.site import SiteDep
from pleasance.server.store.schema.webhooks import webhooks
from pleasance.server.webhooks.payloads import is_discord, make_secret
from pleasance.server.webhooks.personal_data import delete_webhook
from pleasance.server.webhooks.ssrf_guard import MAX_URL_LENGTH, parse_target, resolve_checked


class SetWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """The address of a webhook."""

    url: Annotated[str, Meta(min_length=8, max_length=MAX_URL_LENGTH)]
    is_discord: bool | None = None
    """Whether only fields that Discord knows are sent; by default inferred from the address."""


class WebhookInfo(Struct, frozen=True):
    """The state of a webhook."""

    url: str
    is_discord: bool
    set_at: float
    sent_at: float | None
    """When a message was last taken."""

    failures: int
    """Consecutive failures since the last success."""

    trouble: str | None
    """Why it failed last, in words."""

    is_off: bool
    """Whether it was switched off after too many failures; set it again to go on."""

    secret: str | None = None
    """The key of the webhook signature; shown only when the webhook is set."""


@put("/api/me/webhook", guards=[require_scope("account")], responses=error_responses(401))
async def set_webhook(
    site: SiteDep, you: IdentityDep, *, limits: RateLimiterDep, data: JSONBody[SetWebhook]
) -> WebhookInfo:
    """Set your webhook, a public URL that is called when it is your turn; creates a new secret."""
    limits.charge("create", you.id)
    allows_private = site.settings.webhook_allows_private
    target = parse_target(data.url, allows_private=allows_private)
    await resolve_checked(target.host, target.port, allows_private=allows_private)
    for_discord = is_discord(target.host) if data.is_discord is None else data.is_discord
    row = {
        "player_id": you.id,
        "url": target.url,
        "is_discord": for_discord,
        "secret": make_secret(),
        "set_at": site.clock(),
        "failures": 0,
    }

    def work(connection: Connection) -> WebhookInfo:
        connection.execute(delete_from(webhooks).where(webhooks.c.player_id == you.id))
        connection.execute(insert(webhooks).values(**row))
        found = _find(connection, you.id)
        assert found is not None, "it was set just now"
        return _show(found, you, secret=str(row["secret"]))

    return await site.store.write(work)


@get("/api/me/webhook", guards=[require_scope("account")], responses=error_responses(401))
async def read_webhook(site: SiteDep, you: IdentityDep) -> WebhookInfo | None:
    """Read the state of your webhook; `null` where there is none."""
    row = await site.store.read(lambda connection: _find(connection, you.id))
    return None if row is None else _show(row, you)


@delete(
    "/api/me/webhook",
    guards=[require_scope("account")],
    status_code=204,
    responses=error_responses(401),
)
async def delete_my_webhook(site: SiteDep, you: IdentityDep) -> None:
    """Delete your webhook."""
    await site.store.write(lambda connection: delete_webhook(connection, you.id))


def _find(connection: Connection, player: str) -> Row[*tuple[object, ...]] | None:
    """Find a player's webhook."""
    return connection.execute(select(webhooks).where(webhooks.c.player_id == player)).first()


def _show(
    row: Row[*tuple[object, ...]], you: Identity, *, secret: str | None = None
) -> WebhookInfo:
    """Show a webhook to its owner."""
    trouble = None
    if row.trouble is not None:
        params = {} if row.status is None else {"status": row.status}
        trouble = error_message(ServerError(row.trouble, **params), you.language)
    return WebhookInfo(
        url=row.url,
        is_discord=row.is_discord,
        set_at=row.set_at,
        sent_at=row.sent_at,
        failures=row.failures,
        trouble=trouble,
        is_off=row.off_at is not None,
        secret=secret,
    )


ROUTES = [set_webhook, read_webhook, delete_my_webhook]
"""The endpoints that app.py mounts."""
