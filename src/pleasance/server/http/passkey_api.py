"""HTTP for passkeys: register one, sign in with one, list and remove them."""

from __future__ import annotations

import asyncio

from litestar import Response, delete, get, post
from litestar.params import JSONBody
from sqlalchemy import Connection

from pleasance.server.base.errors import BadRequestError, ConflictError, NotAuthenticatedError
from pleasance.server.http.account_api import welcome
from pleasance.server.identity.accounts import (
    check_name_free,
    count_sign_in_methods,
    create_account,
    create_recovery_codes,
)
from pleasance.server.identity.authentication import Identity, check_person, check_recent_sign_in
from pleasance.server.identity.dependencies import (
    AnyRequest,
    IdentityDep,
    IdentitySiteDep,
    OptionalIdentityDep,
    PathId,
    RateLimiterDep,
    error_responses,
    publish_identity_change,
    rate_limit_address,
    read_me,
    respond_with_cookie,
)
from pleasance.server.identity.messages import (
    AddedPasskey,
    Me,
    Passkey,
    PasskeyAnswer,
    PasskeyOptions,
    PasskeyRequest,
    Passkeys,
)
from pleasance.server.identity.names import clean_account_name, clean_label
from pleasance.server.identity.origins import find_relying_party
from pleasance.server.identity.passkeys import (
    PasskeyRow,
    add_passkey,
    consume_challenge,
    create_challenge,
    find_passkey,
    list_passkeys,
    record_use,
    registration_options,
    remove_passkey,
    sign_in_options,
    verify_authentication,
    verify_registration,
)
from pleasance.server.identity.sessions import end_sessions, start_session


@post(
    "/api/passkeys/options",
    summary="Begin to register a passkey",
    responses=error_responses(401, 409),
)
async def begin_passkey(
    request: AnyRequest,
    data: JSONBody[PasskeyRequest],
    *,
    site: IdentitySiteDep,
    you: IdentityDep,
    limits: RateLimiterDep,
) -> PasskeyOptions:
    """Create the challenge for a new passkey: a guest claims an account, an account adds one."""
    party = find_relying_party(request.headers, site.settings)
    name = _name_for(you, data.name, site.clock())
    limits.charge("sign_in", rate_limit_address(request, site))
    now = site.clock()
    known = await site.store.read(lambda connection: list_passkeys(connection, you.id))

    def begin(connection: Connection) -> PasskeyOptions:
        check_name_free(connection, name, you.id)
        challenge = create_challenge(connection, now, party.domain, player=you.id, name=name)
        return PasskeyOptions(challenge.id, registration_options(challenge, known))

    return await site.store.write(begin)


@post("/api/passkeys", summary="Register a passkey", responses=error_responses(401, 409))
async def finish_passkey(
    request: AnyRequest,
    data: JSONBody[PasskeyAnswer],
    *,
    site: IdentitySiteDep,
    you: IdentityDep,
    limits: RateLimiterDep,
) -> Response[AddedPasskey]:
    """Store a new passkey; a guest becomes an account."""
    party = find_relying_party(request.headers, site.settings)
    limits.charge("sign_in", rate_limit_address(request, site))
    now = site.clock()
    asked = await site.store.write(lambda c: consume_challenge(c, now, data.challenge, "register"))
    if asked.player_id != you.id or asked.name != _name_for(you, asked.name, now):
        raise NotAuthenticatedError("passkey_late")
    made = await asyncio.to_thread(verify_registration, asked, party, data.credential)
    is_new = you.kind == "guest"

    def keep(connection: Connection) -> tuple[PasskeyRow, list[str] | None, str]:
        if is_new:
            create_account(connection, you.id, asked.name or "", password=None, now=now)
        label = clean_label(data.label, party.domain[:40])
        row = add_passkey(connection, you.id, made, label=label, now=now)
        codes = create_recovery_codes(connection, you.id) if is_new else None
        if is_new:
            end_sessions(connection, you.id)
        publish_identity_change(site, connection, you.id)
        return row, codes, start_session(connection, you.id, now, instead_of=you.session)

    row, codes, secret = await site.store.write(keep)
    me = await read_me(request, site, you.id)
    added = AddedPasskey(me, _show(row), None if codes is None else tuple(codes))
    return respond_with_cookie(request, site, added, secret)


@get("/api/passkeys", summary="List my passkeys", responses=error_responses(401))
async def show_passkeys(site: IdentitySiteDep, you: IdentityDep) -> Passkeys:
    """List the passkeys of your account."""
    check_person(you)
    rows = await site.store.read(lambda connection: list_passkeys(connection, you.id))
    return Passkeys(tuple(map(_show, rows)))


@delete(
    "/api/passkeys/{passkey:str}",
    summary="Remove a passkey",
    responses=error_responses(401, 404, 409),
)
async def drop_passkey(passkey: PathId, site: IdentitySiteDep, you: IdentityDep) -> None:
    """Delete a passkey; the last one of an account without a password is refused."""
    check_recent_sign_in(you, site.clock())

    def drop(connection: Connection) -> None:
        remove_passkey(connection, you.id, passkey)
        locks = count_sign_in_methods(connection, you.id)
        if not locks.has_password and not locks.passkeys:
            raise ConflictError("last_way_in")

    await site.store.write(drop)


@post(
    "/api/sign-in/passkey/options",
    status_code=200,
    summary="Begin to sign in with a passkey",
    responses=error_responses(),
)
async def begin_sign_in(
    request: AnyRequest, site: IdentitySiteDep, limits: RateLimiterDep
) -> PasskeyOptions:
    """Create the challenge for signing in with any passkey of this server."""
    party = find_relying_party(request.headers, site.settings)
    limits.charge("sign_in", rate_limit_address(request, site))
    now = site.clock()
    challenge = await site.store.write(
        lambda connection: create_challenge(connection, now, party.domain)
    )
    return PasskeyOptions(challenge.id, sign_in_options(challenge))


@post(
    "/api/sign-in/passkey",
    status_code=200,
    summary="Sign in with a passkey",
    responses=error_responses(401),
)
async def finish_sign_in(
    request: AnyRequest,
    data: JSONBody[PasskeyAnswer],
    *,
    site: IdentitySiteDep,
    visitor: OptionalIdentityDep,
    limits: RateLimiterDep,
) -> Response[Me]:
    """Sign in with the signature of a passkey."""
    party = find_relying_party(request.headers, site.settings)
    limits.charge("sign_in", rate_limit_address(request, site))
    now = site.clock()
    asked = await site.store.write(lambda c: consume_challenge(c, now, data.challenge, "sign_in"))
    row = await site.store.read(lambda connection: find_passkey(connection, data.credential))
    count = await asyncio.to_thread(verify_authentication, asked, party, row, data.credential)
    before = visitor.session if visitor is not None else None

    def enter(connection: Connection) -> str:
        record_use(connection, row, count, now)
        return start_session(connection, row.player_id, now, instead_of=before)

    return await welcome(request, site, row.player_id, enter)


def _name_for(you: Identity, requested: str | None, now: float) -> str:
    """Find the name a passkey is for: the one a guest claims, or the account's."""
    check_person(you)
    if you.kind == "account":
        check_recent_sign_in(you, now)
        return you.name
    if requested is None:
        raise BadRequestError("name_needed")
    return clean_account_name(requested)


def _show(row: PasskeyRow) -> Passkey:
    return Passkey(row.id, row.label, row.domain, row.created_at, row.used_at)


ROUTES = [begin_passkey, finish_passkey, show_passkeys, drop_passkey, begin_sign_in, finish_sign_in]
