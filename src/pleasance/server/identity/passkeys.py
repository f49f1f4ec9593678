"""Passkeys (WebAuthn): registration and authentication ceremonies.

Each ceremony signs a challenge that is issued once and consumed once.
"""

from __future__ import annotations

import re
import secrets
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, options_to_json_dict
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from pleasance.server.base.errors import ConflictError, NotAuthenticatedError, NotFoundError
from pleasance.server.identity.origins import RelyingParty
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.identity import challenges, passkeys

MAX_PASSKEYS_PER_ACCOUNT = 20

CHALLENGE_LIFETIME_S = 300.0

_CREDENTIAL_ID = re.compile(r"[A-Za-z0-9_-]{1,1364}")
"""Credential ids have at most 1023 bytes (WebAuthn)."""

_MAX_PUBLIC_KEY_BYTES = 4096
_VERIFICATION_ERRORS = (
    *(WebAuthnException, InvalidSignature, UnsupportedAlgorithm),
    *(ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RuntimeError),
)
"""Exceptions that a forged credential can cause in the libraries that parse it."""

Json = dict[str, Any]
"""Arguments and results of a browser's passkey functions."""


class Challenge(NamedTuple):
    """A challenge for a passkey to sign, and its purpose."""

    id: str
    challenge: str
    purpose: str
    player_id: str | None
    name: str | None
    domain: str


class PasskeyRow(NamedTuple):
    """A stored passkey."""

    id: str
    player_id: str
    credential: str
    public_key: bytes
    sign_count: int
    domain: str
    label: str
    created_at: float
    used_at: float | None


class NewPasskey(NamedTuple):
    """A verified new passkey."""

    credential: str
    public_key: bytes
    sign_count: int
    domain: str


_CHALLENGE_COLUMNS = [challenges.c[name] for name in Challenge._fields]
_COLUMNS = [passkeys.c[name] for name in PasskeyRow._fields]


def create_challenge(
    connection: Connection,
    now: float,
    domain: str,
    *,
    player: str | None = None,
    name: str | None = None,
) -> Challenge:
    """Create a challenge to register a passkey for *player*, or to sign in without one."""
    connection.execute(delete(challenges).where(challenges.c.expires_at <= now))
    purpose = "sign_in" if player is None else "register"
    text = bytes_to_base64url(secrets.token_bytes(32))
    challenge = Challenge(new_id(), text, purpose, player, name, domain)
    values = {**challenge._asdict(), "expires_at": now + CHALLENGE_LIFETIME_S}
    connection.execute(insert(challenges).values(**values))
    return challenge


def consume_challenge(
    connection: Connection, now: float, challenge: str, purpose: str
) -> Challenge:
    """Consume a challenge; refuse one that is unknown or expired."""
    valid = (challenges.c.id == challenge) & (challenges.c.expires_at > now)
    row = connection.execute(select(*_CHALLENGE_COLUMNS).where(valid)).one_or_none()
    taken = connection.execute(delete(challenges).where(valid)).rowcount
    if row is None or taken != 1 or row.purpose != purpose:
        raise NotAuthenticatedError("passkey_late")
    return Challenge(*row)


def registration_options(challenge: Challenge, known: list[PasskeyRow]) -> Json:
    """Make the options of `navigator.credentials.create`."""
    options = generate_registration_options(
        rp_id=challenge.domain,
        rp_name="Pleasance",
        user_id=(challenge.player_id or "").encode("ascii"),
        user_name=challenge.name or "",
        challenge=base64url_to_bytes(challenge.challenge),
        timeout=int(CHALLENGE_LIFETIME_S * 1000),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(row.credential)) for row in known
        ],
    )
    return options_to_json_dict(options)


def sign_in_options(challenge: Challenge) -> Json:
    """Make the options of `navigator.credentials.get`: any passkey for this domain."""
    options = generate_authentication_options(
        rp_id=challenge.domain,
        challenge=base64url_to_bytes(challenge.challenge),
        timeout=int(CHALLENGE_LIFETIME_S * 1000),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return options_to_json_dict(options)


def verify_registration(challenge: Challenge, party: RelyingParty, credential: Json) -> NewPasskey:
    """Verify a registration; refuse one that does not match the challenge."""
    try:
        made = verify_registration_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge.challenge),
            expected_rp_id=challenge.domain,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    except _VERIFICATION_ERRORS as error:
        raise NotAuthenticatedError("passkey_refused") from error
    name, key = bytes_to_base64url(made.credential_id), made.credential_public_key
    if not _CREDENTIAL_ID.fullmatch(name) or len(key) > _MAX_PUBLIC_KEY_BYTES:
        raise NotAuthenticatedError("passkey_refused")
    return NewPasskey(name, key, made.sign_count, challenge.domain)


def verify_authentication(
    challenge: Challenge, party: RelyingParty, row: PasskeyRow, credential: Json
) -> int:
    """Verify the signature of a passkey; return its new sign count."""
    try:
        used = verify_authentication_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge.challenge),
            expected_rp_id=challenge.domain,
            expected_origin=party.origin,
            credential_public_key=row.public_key,
            credential_current_sign_count=row.sign_count,
            require_user_verification=True,
        )
        handle = credential["response"].get("userHandle")
        is_its_owner = handle is None or base64url_to_bytes(handle) == row.player_id.encode("ascii")
    except _VERIFICATION_ERRORS as error:
        raise NotAuthenticatedError("passkey_refused") from error
    if not is_its_owner or row.domain != challenge.domain:
        raise NotAuthenticatedError("passkey_refused")
    return used.new_sign_count


def add_passkey(
    connection: Connection, player: str, made: NewPasskey, *, label: str, now: float
) -> PasskeyRow:
    """Store a verified passkey."""
    mine = select(func.count()).select_from(passkeys).where(passkeys.c.player_id == player)
    if connection.execute(mine).scalar_one() >= MAX_PASSKEYS_PER_ACCOUNT:
        raise ConflictError("passkeys_many", most=MAX_PASSKEYS_PER_ACCOUNT)
    row = PasskeyRow(new_id(), player, *made, label=label, created_at=now, used_at=None)
    try:
        connection.execute(insert(passkeys).values(**row._asdict()))
    except IntegrityError as error:
        raise ConflictError("passkey_known") from error
    return row


def list_passkeys(connection: Connection, player: str) -> list[PasskeyRow]:
    """List the passkeys of an account, the oldest first."""
    mine = select(*_COLUMNS).where(passkeys.c.player_id == player)
    found = connection.execute(mine.order_by(passkeys.c.created_at, passkeys.c.id))
    return [PasskeyRow(*row) for row in found]


def find_passkey(connection: Connection, credential: Json) -> PasskeyRow:
    """Find the passkey that a credential names."""
    name = credential.get("id")
    is_name = isinstance(name, str) and _CREDENTIAL_ID.fullmatch(name)
    found = select(*_COLUMNS).where(passkeys.c.credential == name)
    row = connection.execute(found).one_or_none() if is_name else None
    if row is None:
        raise NotAuthenticatedError("passkey_refused")
    return PasskeyRow(*row)


def record_use(connection: Connection, row: PasskeyRow, count: int, now: float) -> None:
    """Store the sign count of a passkey (optimistic lock); refuse it if it changed meanwhile."""
    unchanged = (passkeys.c.id == row.id) & (passkeys.c.sign_count == row.sign_count)
    change = update(passkeys).where(unchanged).values(sign_count=count, used_at=now)
    if connection.execute(change).rowcount != 1:
        raise NotAuthenticatedError("passkey_refused")


def remove_passkey(connection: Connection, player: str, passkey: str) -> None:
    """Remove a passkey from an account."""
    mine = (passkeys.c.id == passkey) & (passkeys.c.player_id == player)
    if connection.execute(delete(passkeys).where(mine)).rowcount != 1:
        raise NotFoundError("passkey_missing")
