"""HTTP for passkeys: register one, sign in with one, list and remove them."""

from __future__ import annotations

import asyncio

from litestar import Response, delete, get, post
from litestar.params import JSONBody
from sqlalchemy import Connection

from pleasance.server.base.errors import BadRequestError, ConflictError, SignInError
from pleasance.server.http.account_api import welcome
from pleasance.server.identity.accounts import check_name_free, claim, count_locks, make_codes
from pleasance.server.identity.authentication import Identity, check_person, check_proof
from pleasance.server.identity.dependencies import (
    AnyRequest,
    Buckets,
    Here,
    PathId,
    Visitor,
    You,
    address_of,
    announce,
    give_cookie,
    read_me,
    refusals,
)
from pleasance.server.identity.messages import (
    AddedPasskey,
    Me,
    Passkey,
    PasskeyAnswer,
    PasskeyOptions,
    Passkeys,
    PasskeyWish,
)
from pleasance.server.identity.names import clean_label, clean_login
from pleasance.server.identity.origins import find_party
from pleasance.server.identity.passkeys import (
    PasskeyRow,
    add_passkey,
    ask,
    check_new,
    check_use,
    find_passkey,
    list_passkeys,
    note_use,
    registration_options,
    remove_passkey,
    sign_in_options,
    take_back,
)
from pleasance.server.identity.sessions import end_sessions, start_session

_TAGS = ["identity"]


@post(
    "/api/passkeys/options",
    summary="Begin to register a passkey",
    responses=refusals(401, 409),
    tags=_TAGS,
)
async def begin_passkey(
    request: AnyRequest, data: JSONBody[PasskeyWish], *, site: Here, you: You, limits: Buckets
) -> PasskeyOptions:
    """Ask for a passkey: a guest claims an account with it, an account gets one more."""
    party = find_party(request.headers, site.settings)
    name = _name_for(you, data.name, site.clock())
    limits.spend("sign_in", address_of(request, site))
    now = site.clock()
    known = await site.store.read(lambda connection: list_passkeys(connection, you.id))

    def begin(connection: Connection) -> PasskeyOptions:
        check_name_free(connection, name, you.id)
        challenge = ask(connection, now, party.domain, player=you.id, name=name)
        return PasskeyOptions(challenge.id, registration_options(challenge, known))

    return await site.store.write(begin)


@post(
    "/api/passkeys",
    summary="Register a passkey",
    responses=refusals(401, 409),
    tags=_TAGS,
)
async def finish_passkey(
    request: AnyRequest, data: JSONBody[PasskeyAnswer], *, site: Here, you: You, limits: Buckets
) -> Response[AddedPasskey]:
    """Keep the passkey that was made; a guest has an account from now on."""
    party = find_party(request.headers, site.settings)
    limits.spend("sign_in", address_of(request, site))
    now = site.clock()
    asked = await site.store.write(lambda c: take_back(c, now, data.challenge, "register"))
    if asked.player_id != you.id or asked.name != _name_for(you, asked.name, now):
        raise SignInError("passkey_late")
    made = await asyncio.to_thread(check_new, asked, party, data.credential)
    is_new = you.kind == "guest"

    def keep(connection: Connection) -> tuple[PasskeyRow, list[str] | None, str]:
        if is_new:
            claim(connection, you.id, asked.name or "", password=None, now=now)
        label = clean_label(data.label, party.domain[:40])
        row = add_passkey(connection, you.id, made, label=label, now=now)
        codes = make_codes(connection, you.id) if is_new else None
        if is_new:
            end_sessions(connection, you.id)
        announce(site, connection, you.id)
        return row, codes, start_session(connection, you.id, now, instead_of=you.session)

    row, codes, secret = await site.store.write(keep)
    me = await read_me(request, site, you.id)
    added = AddedPasskey(me, _show(row), None if codes is None else tuple(codes))
    return give_cookie(request, site, added, secret)


@get("/api/passkeys", summary="List my passkeys", responses=refusals(401), tags=_TAGS)
async def show_passkeys(site: Here, you: You) -> Passkeys:
    """List the passkeys that open one's account."""
    check_person(you)
    rows = await site.store.read(lambda connection: list_passkeys(connection, you.id))
    return Passkeys(tuple(map(_show, rows)))


@delete(
    "/api/passkeys/{passkey:str}",
    summary="Remove a passkey",
    responses=refusals(401, 404, 409),
    tags=_TAGS,
)
async def drop_passkey(passkey: PathId, site: Here, you: You) -> None:
    """Let a passkey open the account no more; not the last one where there is no password."""
    check_proof(you, site.clock())

    def drop(connection: Connection) -> None:
        remove_passkey(connection, you.id, passkey)
        locks = count_locks(connection, you.id)
        if not locks.has_password and not locks.passkeys:
            raise ConflictError("last_way_in")

    await site.store.write(drop)


@post(
    "/api/sign-in/passkey/options",
    status_code=200,
    summary="Begin to sign in with a passkey",
    responses=refusals(),
    tags=_TAGS,
)
async def begin_sign_in(request: AnyRequest, site: Here, limits: Buckets) -> PasskeyOptions:
    """Ask for the signature of any passkey that was made here."""
    party = find_party(request.headers, site.settings)
    limits.spend("sign_in", address_of(request, site))
    now = site.clock()
    challenge = await site.store.write(lambda connection: ask(connection, now, party.domain))
    return PasskeyOptions(challenge.id, sign_in_options(challenge))


@post(
    "/api/sign-in/passkey",
    status_code=200,
    summary="Sign in with a passkey",
    responses=refusals(401),
    tags=_TAGS,
)
async def finish_sign_in(
    request: AnyRequest,
    data: JSONBody[PasskeyAnswer],
    *,
    site: Here,
    visitor: Visitor,
    limits: Buckets,
) -> Response[Me]:
    """Sign in with what a passkey has signed."""
    party = find_party(request.headers, site.settings)
    limits.spend("sign_in", address_of(request, site))
    now = site.clock()
    asked = await site.store.write(lambda c: take_back(c, now, data.challenge, "sign_in"))
    row = await site.store.read(lambda connection: find_passkey(connection, data.credential))
    count = await asyncio.to_thread(check_use, asked, party, row, data.credential)
    before = visitor.session if visitor is not None else None

    def enter(connection: Connection) -> str:
        note_use(connection, row, count, now)
        return start_session(connection, row.player_id, now, instead_of=before)

    return await welcome(request, site, row.player_id, enter)


def _name_for(you: Identity, wish: str | None, now: float) -> str:
    """Tell which name a passkey is for: the one a guest claims, or the account's."""
    check_person(you)
    if you.kind == "account":
        check_proof(you, now)
        return you.name
    if wish is None:
        raise BadRequestError("name_needed")
    return clean_login(wish)


def _show(row: PasskeyRow) -> Passkey:
    return Passkey(row.id, row.label, row.domain, row.created_at, row.used_at)


ROUTES = [
    begin_passkey,
    finish_passkey,
    show_passkeys,
    drop_passkey,
    begin_sign_in,
    finish_sign_in,
]
