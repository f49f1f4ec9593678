"""Passkeys: made and checked as Web Authentication of the W3C says.

Every ceremony signs a challenge that is given out once and taken back once.
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

from pleasance.server.base.errors import ConflictError, SignInError, UnknownError
from pleasance.server.identity.origins import Party
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.identity import challenges, passkeys

MOST = 20
"""How many passkeys an account may have."""

PATIENCE = 300.0
"""Seconds a challenge is good for."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,1364}")
"""What a passkey calls itself: at most 1023 bytes, says the standard."""

_LONGEST_KEY = 4096
_BROKEN = (
    *(WebAuthnException, InvalidSignature, UnsupportedAlgorithm),
    *(ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RuntimeError),
)
"""What a made-up answer can bring about in the libraries that read it."""

Json = dict[str, Any]
"""What a browser's passkey functions take and give."""


class Challenge(NamedTuple):
    """What a passkey is asked to sign, and for what."""

    id: str
    challenge: str
    purpose: str
    player_id: str | None
    name: str | None
    domain: str


class PasskeyRow(NamedTuple):
    """A passkey, as the database knows one."""

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
    """A passkey that has just been made and checked."""

    credential: str
    public_key: bytes
    sign_count: int
    domain: str


_ASKED = [challenges.c[name] for name in Challenge._fields]
_COLUMNS = [passkeys.c[name] for name in PasskeyRow._fields]


def ask(
    connection: Connection,
    now: float,
    domain: str,
    *,
    player: str | None = None,
    name: str | None = None,
) -> Challenge:
    """Give out a challenge: to register for *player*, or to sign in where none is named."""
    connection.execute(delete(challenges).where(challenges.c.expires_at <= now))
    purpose = "sign_in" if player is None else "register"
    text = bytes_to_base64url(secrets.token_bytes(32))
    challenge = Challenge(new_id(), text, purpose, player, name, domain)
    facts = {**challenge._asdict(), "expires_at": now + PATIENCE}
    connection.execute(insert(challenges).values(**facts))
    return challenge


def take_back(connection: Connection, now: float, challenge: str, purpose: str) -> Challenge:
    """Take a challenge back, whatever comes of it; refuse one that is not out there."""
    good = (challenges.c.id == challenge) & (challenges.c.expires_at > now)
    row = connection.execute(select(*_ASKED).where(good)).one_or_none()
    taken = connection.execute(delete(challenges).where(good)).rowcount
    if row is None or taken != 1 or row.purpose != purpose:
        raise SignInError("passkey_late")
    return Challenge(*row)


def registration_options(challenge: Challenge, known: list[PasskeyRow]) -> Json:
    """Write what `navigator.credentials.create` is to be asked."""
    options = generate_registration_options(
        rp_id=challenge.domain,
        rp_name="Pleasance",
        user_id=(challenge.player_id or "").encode("ascii"),
        user_name=challenge.name or "",
        challenge=base64url_to_bytes(challenge.challenge),
        timeout=int(PATIENCE * 1000),
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
    """Write what `navigator.credentials.get` is to be asked: any passkey for this domain."""
    options = generate_authentication_options(
        rp_id=challenge.domain,
        challenge=base64url_to_bytes(challenge.challenge),
        timeout=int(PATIENCE * 1000),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return options_to_json_dict(options)


def check_new(challenge: Challenge, party: Party, credential: Json) -> NewPasskey:
    """Check a passkey that was just made; refuse one that does not fit what was asked."""
    try:
        made = verify_registration_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge.challenge),
            expected_rp_id=challenge.domain,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    except _BROKEN as error:
        raise SignInError("passkey_refused") from error
    name = bytes_to_base64url(made.credential_id)
    if not _NAME.fullmatch(name) or len(made.credential_public_key) > _LONGEST_KEY:
        raise SignInError("passkey_refused")
    return NewPasskey(name, made.credential_public_key, made.sign_count, challenge.domain)


def check_use(challenge: Challenge, party: Party, row: PasskeyRow, credential: Json) -> int:
    """Check what a passkey has signed; tell how often it says it has signed."""
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
    except _BROKEN as error:
        raise SignInError("passkey_refused") from error
    if not is_its_owner or row.domain != challenge.domain:
        raise SignInError("passkey_refused")
    return used.new_sign_count


def add_passkey(
    connection: Connection, player: str, made: NewPasskey, *, label: str, now: float
) -> PasskeyRow:
    """Keep a passkey that was checked."""
    mine = select(func.count()).select_from(passkeys).where(passkeys.c.player_id == player)
    if connection.execute(mine).scalar_one() >= MOST:
        raise ConflictError("passkeys_many", most=MOST)
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
    """Find the passkey that says it has signed."""
    name = credential.get("id")
    is_name = isinstance(name, str) and _NAME.fullmatch(name)
    found = select(*_COLUMNS).where(passkeys.c.credential == name)
    row = connection.execute(found).one_or_none() if is_name else None
    if row is None:
        raise SignInError("passkey_refused")
    return PasskeyRow(*row)


def note_use(connection: Connection, row: PasskeyRow, count: int, now: float) -> None:
    """Write down how often a passkey has signed; refuse it if it was used elsewhere meanwhile."""
    unchanged = (passkeys.c.id == row.id) & (passkeys.c.sign_count == row.sign_count)
    change = update(passkeys).where(unchanged).values(sign_count=count, used_at=now)
    if connection.execute(change).rowcount != 1:
        raise SignInError("passkey_refused")


def remove_passkey(connection: Connection, player: str, passkey: str) -> None:
    """Let a passkey open the account no more."""
    mine = (passkeys.c.id == passkey) & (passkeys.c.player_id == player)
    if connection.execute(delete(passkeys).where(mine)).rowcount != 1:
        raise UnknownError("passkey_missing")
