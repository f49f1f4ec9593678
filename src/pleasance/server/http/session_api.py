"""Endpoints of the session: start as a guest, read and change your identity, sign out."""

from __future__ import annotations

from litestar import Response, delete, get, patch, post
from litestar.params import FromQuery, JSONBody
from msgspec import structs
from sqlalchemy import Connection

from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.admin.invitations import use_invitation
from pleasance.server.identity.accounts import rename_account
from pleasance.server.identity.authentication import check_person, require_scope
from pleasance.server.identity.dependencies import (
    NO_CONTENT,
    AnyRequest,
    IdentityDep,
    IdentitySiteDep,
    OptionalIdentityDep,
    RateLimiterDep,
    error_responses,
    make_me,
    publish_identity_change,
    rate_limit_address,
    read_me,
    respond_with_cookie,
)
from pleasance.server.identity.messages import ChangeMe, Me, OpenSession
from pleasance.server.identity.names import clean_account_name, clean_name, guest_name
from pleasance.server.identity.origins import SESSION_COOKIE
from pleasance.server.identity.players import add_player, change_player
from pleasance.server.identity.sessions import (
    delete_expired_sessions,
    end_session,
    end_sessions,
    start_session,
)


@post("/api/session", status_code=200, summary="Come in", responses=error_responses(401))
async def open_session(
    request: AnyRequest,
    data: JSONBody[OpenSession],
    *,
    site: IdentitySiteDep,
    visitor: OptionalIdentityDep,
    limits: RateLimiterDep,
) -> Response[Me]:
    """Sign in as a guest; a visitor with a session keeps it."""
    if visitor is not None:
        me = await make_me(request, site, visitor)
        kept = request.cookies.get(SESSION_COOKIE) if visitor.scopes is None else None
        return respond_with_cookie(request, site, me, kept) if kept else Response(me)
    name = None if data.name is None else clean_name(data.name)
    limits.charge("guest", rate_limit_address(request, site))
    language = data.language or _find_language(request.headers.get("accept-language") or "")
    now = site.clock()

    def come_in(connection: Connection) -> tuple[str, str]:
        delete_expired_sessions(connection, now)
        row = add_player(connection, name or guest_name(language), now, language=language)
        if site.settings.invitation_only:
            use_invitation(connection, data.invitation, row.id, now)
        return row.id, start_session(connection, row.id, now)

    player, secret = await site.store.write(come_in)
    return respond_with_cookie(request, site, await read_me(request, site, player), secret)


@delete("/api/session", summary="Sign out", responses=error_responses(401) | NO_CONTENT)
async def close_session(
    request: AnyRequest,
    site: IdentitySiteDep,
    you: IdentityDep,
    all: FromQuery[bool] = False,  # noqa: A002 (the name in the address)
) -> Response[None]:
    """End this session, or all of them: on this device, or everywhere."""
    check_person(you)

    def leave(connection: Connection) -> None:
        if all:
            end_sessions(connection, you.id)
        elif you.session is not None:
            end_session(connection, you.session)
        publish_identity_change(site, connection, you.id)

    await site.store.write(leave)
    return respond_with_cookie(request, site, None, None)


@get("/api/me", summary="Tell who I am", responses=error_responses(401))
async def show_me(request: AnyRequest, site: IdentitySiteDep, you: IdentityDep) -> Me:
    """Read your own identity."""
    return await make_me(request, site, you)


@patch(
    "/api/me",
    summary="Change my name or language",
    guards=[require_scope("account")],
    responses=error_responses(401, 409),
)
async def change_me(
    request: AnyRequest,
    data: JSONBody[ChangeMe],
    *,
    site: IdentitySiteDep,
    you: IdentityDep,
    limits: RateLimiterDep,
) -> Me:
    """Change your name or language; the name of an account must be free."""
    is_account = you.kind == "account"
    clean = clean_account_name if is_account else clean_name
    name = you.name if data.name is None else clean(data.name)
    language = data.language or you.language
    if name != you.name:
        limits.charge("create", you.id)

    def change(connection: Connection) -> None:
        if is_account:
            rename_account(connection, you.id, name)
        change_player(connection, you.id, name=name, language=language)
        publish_identity_change(site, connection, you.id)

    await site.store.write(change)
    return await make_me(request, site, structs.replace(you, name=name, language=language))


def _find_language(accepted: str) -> str:
    """Choose the first language of a browser's list that we speak.

    >>> _find_language("fr-FR,fr;q=0.9,de;q=0.8,en;q=0.7")
    'de'
    """
    codes = (entry.strip()[:2].lower() for entry in accepted.split(","))
    return next((code for code in codes if code in LANGUAGES), LANGUAGES[0])


ROUTES = [open_session, close_session, show_me, change_me]
