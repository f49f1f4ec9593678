"""Wire types of identity."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from pleasance.server.base.messages import Name, PlayerId

Language = Literal["en", "es", "de"]
Scope = Literal["read", "play", "chat", "account"]
Secret = Annotated[str, Meta(min_length=1, max_length=200)]
RawName = Annotated[str, Meta(min_length=1, max_length=200)]
"""A name as typed; it is cleaned before its length is checked."""


class _Body(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of request bodies; `repr` hides their content from logs."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class OpenSession(_Body, frozen=True):
    """Start a session as a guest."""

    name: RawName | None = None
    language: Language | None = None
    invitation: Secret | None = None


class ChangeMe(_Body, frozen=True):
    """Change one's name or language."""

    name: RawName | None = None
    language: Language | None = None


class NameAndPassword(_Body, frozen=True):
    """Create an account, or sign in to it."""

    name: RawName
    password: Secret


class NameAndCode(_Body, frozen=True):
    """Sign in with a recovery code, which is consumed."""

    name: RawName
    code: Secret


class NewPassword(_Body, frozen=True):
    """Set a password."""

    password: Secret


class PasskeyRequest(_Body, frozen=True):
    """Register a passkey; a guest claims *name* with it."""

    name: RawName | None = None


class PasskeyAnswer(_Body, frozen=True):
    """The credential of the browser's passkey function, as its `toJSON` writes it."""

    challenge: PlayerId
    """The id of the challenge it answers."""

    credential: dict[str, Any]
    label: Annotated[str, Meta(max_length=200)] = ""


class NewToken(_Body, frozen=True):
    """Create an access token for a program."""

    label: Annotated[str, Meta(max_length=200)]
    scopes: Annotated[frozenset[Scope], Meta(min_length=1)]
    lasts: Annotated[float, Meta(ge=60, le=10 * 365 * 86400)] | None = None
    """Seconds until it expires; by default it never does."""

    bot: PlayerId | None = None
    """The bot that acts with it; by default oneself."""


class NewBot(_Body, frozen=True):
    """Create a bot: an outside program with a name of its own."""

    name: RawName


class Refusal(Struct, frozen=True):
    """A refused request: a code of the catalogs, its parameters and the message."""

    code: str
    params: dict[str, str | int]
    message: str


class Player(Struct, frozen=True):
    """The public data of a player."""

    id: str
    name: Name
    kind: str


class Account(Struct, frozen=True):
    """The sign-in methods of one's account."""

    has_password: bool
    passkeys: int
    recovery_codes: int
    """The number of unused ones."""

    is_proved: bool
    """Whether the sign-in is recent, so that sign-in methods may be changed."""


class Me(Struct, frozen=True):
    """One's own identity."""

    id: str
    name: str
    kind: str
    language: str
    scopes: tuple[str, ...] | None
    """The scopes of the access token; `null` for a session."""

    account: Account | None
    can_use_passkeys: bool
    """Whether passkeys work where this page was loaded from."""


class CreatedAccount(Struct, frozen=True):
    """A new account."""

    me: Me
    recovery_codes: tuple[str, ...]
    """Shown only this once."""


class RecoveryCodes(Struct, frozen=True):
    """New recovery codes, which replace the old ones."""

    recovery_codes: tuple[str, ...]


class PasskeyOptions(Struct, frozen=True):
    """Options for the browser's passkey functions."""

    challenge: str
    """The id of the challenge, to be sent with the credential."""

    options: dict[str, Any]
    """The argument of `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`."""


class Passkey(Struct, frozen=True):
    """One of one's passkeys."""

    id: str
    label: str
    domain: str
    created_at: float
    used_at: float | None


class AddedPasskey(Struct, frozen=True):
    """A registered passkey."""

    me: Me
    passkey: Passkey
    recovery_codes: tuple[str, ...] | None
    """For a new account; shown only this once."""


class Passkeys(Struct, frozen=True):
    """One's passkeys."""

    items: tuple[Passkey, ...]
    next: str | None = None


class AccessTokenInfo(Struct, frozen=True):
    """The description of an access token, without its secret."""

    id: str
    player: str
    """The player it acts as: oneself or a bot."""

    label: str
    scopes: tuple[str, ...]
    created_at: float
    expires_at: float | None
    used_at: float | None


class CreatedToken(Struct, frozen=True):
    """A new access token."""

    token: AccessTokenInfo
    secret: str
    """Shown only this once."""


class Tokens(Struct, frozen=True):
    """One's access tokens."""

    items: tuple[AccessTokenInfo, ...]
    next: str | None = None


class CreatedBot(Struct, frozen=True):
    """A new bot with its first access token."""

    bot: Player
    token: CreatedToken


class Players(Struct, frozen=True):
    """A page of players."""

    items: tuple[Player, ...]
    next: str | None = None


class PersonalDataExport(Struct, frozen=True):
    """The export of a player's personal data (GDPR)."""

    player: str
    made_at: float
    data: dict[str, Any]
