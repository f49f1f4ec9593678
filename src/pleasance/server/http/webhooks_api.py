"""HTTP for one's own webhook."""

from __future__ import annotations

import secrets
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
from pleasance.server.webhooks.payloads import is_discord
from pleasance.server.webhooks.personal_data import delete_webhook
from pleasance.server.webhooks.ssrf_guard import MAX_URL_LENGTH, parse_target, resolve_checked

_SECRET_BYTES = 32


class SetHook(Struct, frozen=True, forbid_unknown_fields=True):
    """The address of a webhook."""

    url: Annotated[str, Meta(min_length=8, max_length=MAX_URL_LENGTH)]
    is_discord: bool | None = None
    """Whether only what Discord knows is sent; found out from the address if nobody says."""


class HookInfo(Struct, frozen=True):
    """The state of a webhook."""

    url: str
    is_discord: bool
    set_at: float
    sent_at: float | None
    """When a message was last taken."""

    failures: int
    """How often on end it has failed since."""

    trouble: str | None
    """Why it failed last, in words."""

    is_off: bool
    """Whether it was switched off after too many failures; set it anew to go on."""

    secret: str | None = None
    """What messages are signed with; shown only when the webhook is set."""


@put("/api/me/hook", guards=[require_scope("account")], responses=error_responses(401))
async def set_hook(
    site: SiteDep, you: IdentityDep, *, limits: RateLimiterDep, data: JSONBody[SetHook]
) -> HookInfo:
    """Be told at an address of the public Internet when it is one's turn; makes a new secret."""
    limits.charge("create", you.id)
    allows_private = site.settings.hook_allows_private
    target = parse_target(data.url, allows_private=allows_private)
    await resolve_checked(target.host, target.port, allows_private=allows_private)
    for_discord = is_discord(target.host) if data.is_discord is None else data.is_discord
    row = {
        "player_id": you.id,
        "url": target.url,
        "is_discord": for_discord,
        "secret": secrets.token_urlsafe(_SECRET_BYTES),
        "set_at": site.clock(),
        "failures": 0,
    }

    def work(connection: Connection) -> HookInfo:
        connection.execute(delete_from(webhooks).where(webhooks.c.player_id == you.id))
        connection.execute(insert(webhooks).values(**row))
        found = _find(connection, you.id)
        assert found is not None, "it was set just now"
        return _show(found, you, secret=str(row["secret"]))

    return await site.store.write(work)


@get("/api/me/hook", guards=[require_scope("account")], responses=error_responses(401))
async def read_hook(site: SiteDep, you: IdentityDep) -> HookInfo | None:
    """Read the state of one's webhook; `null` where there is none."""
    row = await site.store.read(lambda connection: _find(connection, you.id))
    return None if row is None else _show(row, you)


@delete(
    "/api/me/hook",
    guards=[require_scope("account")],
    status_code=204,
    responses=error_responses(401),
)
async def drop_hook(site: SiteDep, you: IdentityDep) -> None:
    """Be told no more."""
    await site.store.write(lambda connection: delete_webhook(connection, you.id))


def _find(connection: Connection, player: str) -> Row[*tuple[object, ...]] | None:
    """Find a player's webhook."""
    return connection.execute(select(webhooks).where(webhooks.c.player_id == player)).first()


def _show(row: Row[*tuple[object, ...]], you: Identity, *, secret: str | None = None) -> HookInfo:
    """Show a webhook to its owner."""
    trouble = None
    if row.trouble is not None:
        params = {} if row.status is None else {"status": row.status}
        trouble = error_message(ServerError(row.trouble, **params), you.language)
    return HookInfo(
        url=row.url,
        is_discord=row.is_discord,
        set_at=row.set_at,
        sent_at=row.sent_at,
        failures=row.failures,
        trouble=trouble,
        is_off=row.off_at is not None,
        secret=secret,
    )


ROUTES = [set_hook, read_hook, drop_hook]
"""What app.py mounts."""
