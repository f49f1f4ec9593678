"""HTTP for tokens and outside bots."""

from __future__ import annotations

from litestar import delete, get, post
from litestar.params import JSONBody
from sqlalchemy import Connection

from pleasance.server.base.errors import ConflictError, ForbiddenError, NotFoundError
from pleasance.server.identity.access_tokens import (
    AccessTokenRow,
    create_access_token,
    list_access_tokens,
    revoke_access_token,
)
from pleasance.server.identity.authentication import check_person, require_scope
from pleasance.server.identity.dependencies import (
    IdentityDep,
    IdentitySiteDep,
    PathId,
    PersonalDataDep,
    RateLimiterDep,
    error_responses,
    publish_identity_change,
)
from pleasance.server.identity.erasure import erase_player
from pleasance.server.identity.messages import (
    AccessTokenInfo,
    CreatedBot,
    CreatedToken,
    NewBot,
    NewToken,
    Player,
    Players,
    Tokens,
)
from pleasance.server.identity.names import clean_label, clean_name
from pleasance.server.identity.players import PlayerRow, add_player, find_bots

MAX_BOTS_PER_ACCOUNT = 20
BOT_SCOPES = frozenset({"read", "play", "chat"})
"""The scopes that a token of a bot can have."""


@post("/api/tokens", summary="Make a token", responses=error_responses(401, 404, 409))
async def make_token(
    data: JSONBody[NewToken], site: IdentitySiteDep, you: IdentityDep, limits: RateLimiterDep
) -> CreatedToken:
    """Create an access token for a program; a program cannot create one itself."""
    check_person(you)
    limits.charge("create", you.id)
    now = site.clock()

    def make(connection: Connection) -> CreatedToken:
        if data.bot is not None:
            _find_bot(connection, you.id, data.bot)
            if not data.scopes <= BOT_SCOPES:
                raise ForbiddenError("bot_scopes")
        row, secret = create_access_token(
            connection,
            you.id,
            now,
            player=data.bot or you.id,
            label=clean_label(data.label, "token"),
            scopes=data.scopes,
            expires_at=None if data.lasts is None else now + data.lasts,
        )
        return CreatedToken(_show(row), secret)

    return await site.store.write(make)


@get(
    "/api/tokens",
    summary="List my tokens",
    guards=[require_scope("account")],
    responses=error_responses(401),
)
async def show_tokens(site: IdentitySiteDep, you: IdentityDep) -> Tokens:
    """List your access tokens and those of your bots; the secrets are not stored."""
    rows = await site.store.read(lambda connection: list_access_tokens(connection, you.id))
    return Tokens(tuple(map(_show, rows)))


@delete(
    "/api/tokens/{token:str}",
    summary="Take a token back",
    guards=[require_scope("account")],
    responses=error_responses(401, 404),
)
async def drop_token(token: PathId, site: IdentitySiteDep, you: IdentityDep) -> None:
    """Revoke an access token."""

    def drop(connection: Connection) -> None:
        publish_identity_change(site, connection, revoke_access_token(connection, you.id, token))

    await site.store.write(drop)


@post(
    "/api/bots",
    summary="Let a program of mine play",
    guards=[require_scope("account")],
    responses=error_responses(401, 409),
)
async def make_bot(
    data: JSONBody[NewBot], site: IdentitySiteDep, you: IdentityDep, limits: RateLimiterDep
) -> CreatedBot:
    """Make a player for an outside program, with a token to read, play and chat."""
    if you.kind != "account":
        raise ForbiddenError("account_needed")
    limits.charge("create", you.id)
    name, now = clean_name(data.name), site.clock()

    def make(connection: Connection) -> CreatedBot:
        if len(find_bots(connection, you.id)) >= MAX_BOTS_PER_ACCOUNT:
            raise ConflictError("bots_many", most=MAX_BOTS_PER_ACCOUNT)
        bot = add_player(connection, name, now, kind="bot", language=you.language, owner=you.id)
        row, secret = create_access_token(
            connection, you.id, now, player=bot.id, label=name, scopes=BOT_SCOPES
        )
        return CreatedBot(Player(bot.id, bot.name, bot.kind), CreatedToken(_show(row), secret))

    return await site.store.write(make)


@get("/api/me/bots", summary="List my programs", responses=error_responses(401))
async def show_bots(site: IdentitySiteDep, you: IdentityDep) -> Players:
    """List your bots: outside programs with a player of their own."""
    rows = await site.store.read(lambda connection: find_bots(connection, you.id))
    return Players(tuple(Player(row.id, row.name, row.kind) for row in rows))


@delete(
    "/api/bots/{bot:str}",
    summary="Retire a program of mine",
    guards=[require_scope("account")],
    responses=error_responses(401, 404),
)
async def drop_bot(
    bot: PathId, site: IdentitySiteDep, you: IdentityDep, sources: PersonalDataDep
) -> None:
    """Delete a bot with its tokens and its name; its games remain."""
    await site.store.read(lambda connection: _find_bot(connection, you.id, bot))
    await erase_player(site, sources, bot)


def _find_bot(connection: Connection, owner: str, bot: str) -> PlayerRow:
    found = [row for row in find_bots(connection, owner) if row.id == bot]
    if not found:
        raise NotFoundError("bot_missing")
    return found[0]


def _show(row: AccessTokenRow) -> AccessTokenInfo:
    scopes = tuple(row.scopes.split())
    return AccessTokenInfo(
        row.id, row.player_id, row.label, scopes, row.created_at, row.expires_at, row.used_at
    )


ROUTES = [make_token, show_tokens, drop_token, make_bot, show_bots, drop_bot]
