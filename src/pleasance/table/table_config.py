"""Who sits where, and what a table was opened with."""

from __future__ import annotations

from dataclasses import dataclass, field

from pleasance.core.fair import Fair
from pleasance.table.time_control import Timing


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a table was opened with."""

    game: str
    rules: str
    """The version of the rules."""

    options: tuple[str, ...] = ()
    data: str | None = None
    """The text of the component file, if it is not the house set."""

    seats: int
    timing: Timing | None = None
    is_rated: bool = False
    is_public: bool = False
    opening: tuple[str, ...] = ()
    """Tokens of another game that are carried out first; only where nothing is rated."""

    owner: str
    secret: str
    """The secret of the draws, in hexadecimal digits; promised when the table is opened."""

    luck: str
    """The seed of the bots' luck."""

    def fair(self, nonces: tuple[str | None, ...]) -> Fair:
        """Make the source of the draws from the secret and what each seat added."""
        added = tuple(None if nonce is None else bytes.fromhex(nonce) for nonce in nonces)
        return Fair(bytes.fromhex(self.secret), added)

    @property
    def commitment(self) -> str:
        """Promise the secret."""
        return Fair(bytes.fromhex(self.secret), ()).commitment


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One seat of a table."""

    player: str | None = None
    """Who sits here; `None` for a bot and for a free seat."""

    name: str = ""
    bot: str | None = None
    """The bot that was put here."""

    nonce: str | None = None
    stand_in: str | None = None
    """The bot that plays while the player is away."""

    why: str = ""
    """Why it does."""

    left: int = 0
    """The number of the line with which the player left and has not come back since."""

    has_resigned: bool = False
    plays: str | None = field(init=False, compare=False, repr=False)
    """The bot that plays this seat now; `None` for a person. It is asked for all the time."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "plays", self.stand_in or self.bot)

    @property
    def is_free(self) -> bool:
        """Tell whether anybody may sit here."""
        return self.player is None and self.bot is None

    @property
    def is_played_by_person(self) -> bool:
        """Tell whether the player who sits here chooses."""
        return self.player is not None and self.plays is None


FREE = Place()
