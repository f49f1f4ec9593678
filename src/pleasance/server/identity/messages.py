"""What goes over the wire about identity."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from pleasance.server.base.messages import Name, PlayerId

Language = Literal["en", "es", "de"]
Scope = Literal["read", "play", "chat", "account"]
Secret = Annotated[str, Meta(min_length=1, max_length=200)]
RawName = Annotated[str, Meta(min_length=1, max_length=200)]
"""A name as it was typed; it is cleaned before it is counted."""


class _Body(Struct, frozen=True, forbid_unknown_fields=True):
    """What is sent to us; a log never shows what is in it."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class OpenSession(_Body, frozen=True):
    """Come in as a guest."""

    name: RawName | None = None
    language: Language | None = None
    invitation: Secret | None = None


class ChangeMe(_Body, frozen=True):
    """Change one's name or language."""

    name: RawName | None = None
    language: Language | None = None


class NameAndPassword(_Body, frozen=True):
    """Claim an account, or sign in to it."""

    name: RawName
    password: Secret


class NameAndCode(_Body, frozen=True):
    """Sign in with a recovery code, which is used up by it."""

    name: RawName
    code: Secret


class NewPassword(_Body, frozen=True):
    """Set a password."""

    password: Secret


class PasskeyWish(_Body, frozen=True):
    """Ask to register a passkey; a guest claims *name* with it."""

    name: RawName | None = None


class PasskeyAnswer(_Body, frozen=True):
    """What the browser's passkey function gave, as its `toJSON` writes it."""

    challenge: PlayerId
    """The name of the challenge it answers."""

    credential: dict[str, Any]
    label: Annotated[str, Meta(max_length=200)] = ""


class NewToken(_Body, frozen=True):
    """Make a token for a program."""

    label: Annotated[str, Meta(max_length=200)]
    scopes: Annotated[frozenset[Scope], Meta(min_length=1)]
    lasts: Annotated[float, Meta(ge=60, le=10 * 365 * 86400)] | None = None
    """Seconds until it is good no more; for ever, if nothing is said."""

    bot: PlayerId | None = None
    """Which of one's bots acts with it; oneself, if none is named."""


class NewBot(_Body, frozen=True):
    """Let an outside program play under a name of its own."""

    name: RawName


class Refusal(Struct, frozen=True):
    """Why something was not done: a code of the catalogues with its parameters, and words."""

    code: str
    params: dict[str, str | int]
    message: str


class Player(Struct, frozen=True):
    """A player, as everybody sees one."""

    id: str
    name: Name
    kind: str


class Account(Struct, frozen=True):
    """What opens one's account."""

    has_password: bool
    passkeys: int
    recovery_codes: int
    """How many are left."""

    is_proved: bool
    """Whether one signed in just now, so that the locks may be changed."""


class Me(Struct, frozen=True):
    """Who one is."""

    id: str
    name: str
    kind: str
    language: str
    scopes: tuple[str, ...] | None
    """What the token in use is good for; `null` for a person."""

    account: Account | None
    can_use_passkeys: bool
    """Whether passkeys work where this page was loaded from."""


class Claimed(Struct, frozen=True):
    """A new account."""

    me: Me
    recovery_codes: tuple[str, ...]
    """Shown only this once."""


class RecoveryCodes(Struct, frozen=True):
    """New recovery codes; the old ones open nothing any more."""

    recovery_codes: tuple[str, ...]


class PasskeyOptions(Struct, frozen=True):
    """What to ask the browser's passkey functions."""

    challenge: str
    """The name of the challenge, to be sent with the answer."""

    options: dict[str, Any]
    """What `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` takes."""


class Passkey(Struct, frozen=True):
    """One of one's passkeys."""

    id: str
    label: str
    domain: str
    created_at: float
    used_at: float | None


class AddedPasskey(Struct, frozen=True):
    """A passkey that opens the account from now on."""

    me: Me
    passkey: Passkey
    recovery_codes: tuple[str, ...] | None
    """For a new account; shown only this once."""


class Passkeys(Struct, frozen=True):
    """One's passkeys."""

    items: tuple[Passkey, ...]
    next: str | None = None


class Token(Struct, frozen=True):
    """One of one's tokens."""

    id: str
    player: str
    """Who acts with it: oneself or a bot."""

    label: str
    scopes: tuple[str, ...]
    created_at: float
    expires_at: float | None
    used_at: float | None


class MadeToken(Struct, frozen=True):
    """A new token."""

    token: Token
    secret: str
    """Shown only this once."""


class Tokens(Struct, frozen=True):
    """One's tokens."""

    items: tuple[Token, ...]
    next: str | None = None


class MadeBot(Struct, frozen=True):
    """A new bot with its first token."""

    bot: Player
    token: MadeToken


class Players(Struct, frozen=True):
    """Some players."""

    items: tuple[Player, ...]
    next: str | None = None


class Export(Struct, frozen=True):
    """Everything that is kept about somebody."""

    player: str
    made_at: float
    data: dict[str, Any]
