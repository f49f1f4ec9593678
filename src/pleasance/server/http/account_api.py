"""HTTP for accounts: claim one, sign in to it, change what opens it."""

from __future__ import annotations

from collections.abc import Callable

from litestar import Response, post, put
from litestar.params import JSONBody
from sqlalchemy import Connection

from pleasance.server.base.errors import BadRequestError, ConflictError, SignInError
from pleasance.server.identity.accounts import (
    AccountRow,
    check_name_free,
    claim,
    find_account,
    make_codes,
    set_password,
    use_code,
)
from pleasance.server.identity.authentication import (
    Identity,
    IdentitySite,
    check_person,
    check_proof,
)
from pleasance.server.identity.dependencies import (
    AnyRequest,
    Buckets,
    Here,
    Visitor,
    You,
    address_of,
    announce,
    give_cookie,
    read_me,
    refusals,
)
from pleasance.server.identity.messages import (
    Claimed,
    Me,
    NameAndCode,
    NameAndPassword,
    NewPassword,
    RecoveryCodes,
)
from pleasance.server.identity.names import clean_login, skeleton
from pleasance.server.identity.passwords import check_password, hash_password, is_password
from pleasance.server.identity.rate_limits import Limits
from pleasance.server.identity.sessions import end_sessions, start_session

_TAGS = ["identity"]


@post(
    "/api/account",
    summary="Claim an account with a password",
    responses=refusals(401, 409),
    tags=_TAGS,
)
async def claim_account(
    request: AnyRequest, data: JSONBody[NameAndPassword], *, site: Here, you: You, limits: Buckets
) -> Response[Claimed]:
    """Turn a guest into an account with a name and password; seats and games stay theirs."""
    check_guest(you)
    name = clean_login(data.name)
    check_password(data.password, name)
    limits.spend("claim", address_of(request, site))
    await site.store.read(lambda connection: check_name_free(connection, name, you.id))
    password = await hash_password(data.password)
    now = site.clock()

    def take(connection: Connection) -> tuple[list[str], str]:
        claim(connection, you.id, name, password=password, now=now)
        announce(site, connection, you.id)
        end_sessions(connection, you.id)
        return make_codes(connection, you.id), start_session(connection, you.id, now)

    codes, secret = await site.store.write(take)
    me = await read_me(request, site, you.id)
    return give_cookie(request, site, Claimed(me, tuple(codes)), secret)


@post(
    "/api/sign-in",
    status_code=200,
    summary="Sign in with a password",
    responses=refusals(401),
    tags=_TAGS,
)
async def sign_in(
    request: AnyRequest,
    data: JSONBody[NameAndPassword],
    *,
    site: Here,
    visitor: Visitor,
    limits: Buckets,
) -> Response[Me]:
    """Sign in with name and password; it takes as long whether there is such an account or not."""
    guess = _Guess(request, site, limits, data.name)
    account = await site.store.read(lambda connection: find_account(connection, name=data.name))
    is_right = await is_password(data.password, account.password if account else None)
    if account is None or not is_right:
        raise SignInError("sign_in_refused")
    guess.was_right()
    now = site.clock()

    def enter(connection: Connection) -> str:
        # It took a while to compare: a password that was changed meanwhile opens nothing any more.
        known = find_account(connection, player=account.player)
        if known is None or known.password != account.password:
            raise SignInError("sign_in_refused")
        return _switch(connection, account.player, now, visitor)

    return await welcome(request, site, account.player, enter)


@post(
    "/api/sign-in/recovery",
    status_code=200,
    summary="Sign in with a recovery code",
    responses=refusals(401),
    tags=_TAGS,
)
async def sign_in_with_code(
    request: AnyRequest,
    data: JSONBody[NameAndCode],
    *,
    site: Here,
    visitor: Visitor,
    limits: Buckets,
) -> Response[Me]:
    """Sign in with a recovery code, which is used up; all other sessions end."""
    guess = _Guess(request, site, limits, data.name)
    now = site.clock()

    def use(connection: Connection) -> tuple[AccountRow, str]:
        account = find_account(connection, name=data.name)
        if account is None or not use_code(connection, account.player, data.code):
            raise SignInError("sign_in_refused")
        end_sessions(connection, account.player)
        announce(site, connection, account.player)
        return account, _switch(connection, account.player, now, visitor)

    account, secret = await site.store.write(use)
    guess.was_right()
    return give_cookie(request, site, await read_me(request, site, account.player), secret)


@put(
    "/api/account/password",
    summary="Set a password",
    responses=refusals(401),
    tags=_TAGS,
)
async def change_password(
    request: AnyRequest, data: JSONBody[NewPassword], *, site: Here, you: You, limits: Buckets
) -> Response[Me]:
    """Set a password, soon after signing in; all other sessions end."""
    check_proof(you, site.clock())
    check_password(data.password, you.name)
    limits.spend("make", you.id)
    password = await hash_password(data.password)
    now = site.clock()

    def change(connection: Connection) -> str:
        set_password(connection, you.id, password)
        end_sessions(connection, you.id)
        announce(site, connection, you.id)
        return start_session(connection, you.id, now)

    return await welcome(request, site, you.id, change)


@post(
    "/api/account/recovery-codes",
    summary="Make new recovery codes",
    responses=refusals(401),
    tags=_TAGS,
)
async def renew_codes(site: Here, you: You, limits: Buckets) -> RecoveryCodes:
    """Make new recovery codes, soon after signing in; the old ones open nothing any more."""
    check_proof(you, site.clock())
    limits.spend("make", you.id)
    codes = await site.store.write(lambda connection: make_codes(connection, you.id))
    return RecoveryCodes(tuple(codes))


async def welcome(
    request: AnyRequest, site: IdentitySite, player: str, start: Callable[[Connection], str]
) -> Response[Me]:
    """Begin a session for *player* and tell who that is."""
    secret = await site.store.write(start)
    return give_cookie(request, site, await read_me(request, site, player), secret)


def check_guest(you: Identity) -> None:
    """Refuse all but guests: others have an account already, or are programs."""
    check_person(you)
    if you.kind != "guest":
        raise ConflictError("has_account")


def _switch(connection: Connection, player: str, now: float, visitor: Identity | None) -> str:
    """Begin a session as *player* instead of the one before; a guest's seats stay the guest's."""
    before = visitor.session if visitor is not None else None
    return start_session(connection, player, now, instead_of=before)


class _Guess:
    """One attempt at a name; counts as wrong until it was right."""

    def __init__(self, request: AnyRequest, site: IdentitySite, limits: Limits, name: str) -> None:
        address = address_of(request, site)
        bare = skeleton(name)
        if not bare:
            raise BadRequestError("name_empty")
        self._limits = limits
        self._spent = [("wrong_here", f"{bare} {address}"), ("wrong", bare)]
        limits.spend("sign_in", address)
        for rule, who in self._spent:
            limits.spend(rule, who)

    def was_right(self) -> None:
        """Take back that it was counted."""
        for rule, who in self._spent:
            self._limits.give_back(rule, who)


ROUTES = [claim_account, sign_in, sign_in_with_code, change_password, renew_codes]
