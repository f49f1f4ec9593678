"""HTTP for accounts: claim one, sign in to it, change what opens it."""

from __future__ import annotations

from collections.abc import Callable

from litestar import Response, post, put
from litestar.params import JSONBody
from sqlalchemy import Connection

from pleasance.server.base.errors import BadRequestError, ConflictError, NotAuthenticatedError
from pleasance.server.identity.accounts import (
    AccountRow,
    check_name_free,
    create_account,
    create_recovery_codes,
    find_account,
    set_password,
    use_recovery_code,
)
from pleasance.server.identity.authentication import (
    Identity,
    IdentitySite,
    check_person,
    check_recent_sign_in,
)
from pleasance.server.identity.dependencies import (
    AnyRequest,
    IdentityDep,
    IdentitySiteDep,
    OptionalIdentityDep,
    RateLimiterDep,
    error_responses,
    publish_identity_change,
    rate_limit_address,
    read_me,
    respond_with_cookie,
)
from pleasance.server.identity.messages import (
    CreatedAccount,
    Me,
    NameAndCode,
    NameAndPassword,
    NewPassword,
    RecoveryCodes,
)
from pleasance.server.identity.names import clean_account_name, skeleton
from pleasance.server.identity.passwords import check_password, hash_password, verify_password
from pleasance.server.identity.rate_limits import RateLimiter
from pleasance.server.identity.sessions import end_sessions, start_session


@post(
    "/api/account", summary="Claim an account with a password", responses=error_responses(401, 409)
)
async def claim_account(
    request: AnyRequest,
    data: JSONBody[NameAndPassword],
    *,
    site: IdentitySiteDep,
    you: IdentityDep,
    limits: RateLimiterDep,
) -> Response[CreatedAccount]:
    """Turn a guest into an account with a name and password; seats and games stay theirs."""
    check_guest(you)
    name = clean_account_name(data.name)
    check_password(data.password, name)
    limits.charge("create_account", rate_limit_address(request, site))
    await site.store.read(lambda connection: check_name_free(connection, name, you.id))
    password = await hash_password(data.password)
    now = site.clock()

    def take(connection: Connection) -> tuple[list[str], str]:
        create_account(connection, you.id, name, password=password, now=now)
        publish_identity_change(site, connection, you.id)
        end_sessions(connection, you.id)
        return create_recovery_codes(connection, you.id), start_session(connection, you.id, now)

    codes, secret = await site.store.write(take)
    me = await read_me(request, site, you.id)
    return respond_with_cookie(request, site, CreatedAccount(me, tuple(codes)), secret)


@post(
    "/api/sign-in",
    status_code=200,
    summary="Sign in with a password",
    responses=error_responses(401),
)
async def sign_in(
    request: AnyRequest,
    data: JSONBody[NameAndPassword],
    *,
    site: IdentitySiteDep,
    visitor: OptionalIdentityDep,
    limits: RateLimiterDep,
) -> Response[Me]:
    """Sign in with name and password, in the same time whether the account exists or not."""
    guess = _Guess(request, site, limits, data.name)
    account = await site.store.read(lambda connection: find_account(connection, name=data.name))
    is_right = await verify_password(data.password, account.password if account else None)
    if account is None or not is_right:
        raise NotAuthenticatedError("sign_in_refused")
    guess.was_right()
    now = site.clock()

    def enter(connection: Connection) -> str:
        # It took a while to compare: a password that was changed meanwhile opens nothing any more.
        known = find_account(connection, player=account.player)
        if known is None or known.password != account.password:
            raise NotAuthenticatedError("sign_in_refused")
        return _switch(connection, account.player, now, visitor)

    return await welcome(request, site, account.player, enter)


@post(
    "/api/sign-in/recovery",
    status_code=200,
    summary="Sign in with a recovery code",
    responses=error_responses(401),
)
async def sign_in_with_code(
    request: AnyRequest,
    data: JSONBody[NameAndCode],
    *,
    site: IdentitySiteDep,
    visitor: OptionalIdentityDep,
    limits: RateLimiterDep,
) -> Response[Me]:
    """Sign in with a recovery code, which is used up; all other sessions end."""
    guess = _Guess(request, site, limits, data.name)
    now = site.clock()

    def use(connection: Connection) -> tuple[AccountRow, str]:
        account = find_account(connection, name=data.name)
        if account is None or not use_recovery_code(connection, account.player, data.code):
            raise NotAuthenticatedError("sign_in_refused")
        end_sessions(connection, account.player)
        publish_identity_change(site, connection, account.player)
        return account, _switch(connection, account.player, now, visitor)

    account, secret = await site.store.write(use)
    guess.was_right()
    return respond_with_cookie(request, site, await read_me(request, site, account.player), secret)


@put("/api/account/password", summary="Set a password", responses=error_responses(401))
async def change_password(
    request: AnyRequest,
    data: JSONBody[NewPassword],
    *,
    site: IdentitySiteDep,
    you: IdentityDep,
    limits: RateLimiterDep,
) -> Response[Me]:
    """Set a password, soon after signing in; all other sessions end."""
    check_recent_sign_in(you, site.clock())
    check_password(data.password, you.name)
    limits.charge("create", you.id)
    password = await hash_password(data.password)
    now = site.clock()

    def change(connection: Connection) -> str:
        set_password(connection, you.id, password)
        end_sessions(connection, you.id)
        publish_identity_change(site, connection, you.id)
        return start_session(connection, you.id, now)

    return await welcome(request, site, you.id, change)


@post(
    "/api/account/recovery-codes", summary="Make new recovery codes", responses=error_responses(401)
)
async def renew_codes(
    site: IdentitySiteDep, you: IdentityDep, limits: RateLimiterDep
) -> RecoveryCodes:
    """Replace all recovery codes, soon after signing in."""
    check_recent_sign_in(you, site.clock())
    limits.charge("create", you.id)
    codes = await site.store.write(lambda connection: create_recovery_codes(connection, you.id))
    return RecoveryCodes(tuple(codes))


async def welcome(
    request: AnyRequest, site: IdentitySite, player: str, start: Callable[[Connection], str]
) -> Response[Me]:
    """Begin a session for *player* and tell who that is."""
    secret = await site.store.write(start)
    return respond_with_cookie(request, site, await read_me(request, site, player), secret)


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

    def __init__(
        self, request: AnyRequest, site: IdentitySite, limits: RateLimiter, name: str
    ) -> None:
        address = rate_limit_address(request, site)
        bare = skeleton(name)
        if not bare:
            raise BadRequestError("name_empty")
        self._limits = limits
        self._spent = [("failed_sign_in_address", f"{bare} {address}"), ("failed_sign_in", bare)]
        limits.charge("sign_in", address)
        for rule, who in self._spent:
            limits.charge(rule, who)

    def was_right(self) -> None:
        """Refund the charges to the limits on failed sign-ins."""
        for rule, who in self._spent:
            self._limits.refund(rule, who)


ROUTES = [claim_account, sign_in, sign_in_with_code, change_password, renew_codes]
