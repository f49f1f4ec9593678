"""Table configuration and seat assignments."""

from __future__ import annotations

from dataclasses import dataclass, field

from pleasance.core.fair_draws import FairDraws
from pleasance.table.time_control import TimeControl


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """The settings a table was opened with; they never change."""

    game: str
    rules: str
    """The version of the rules."""

    options: tuple[str, ...] = ()
    data: str | None = None
    """The text of the component file; `None` for the house set."""

    seats: int
    time_control: TimeControl | None = None
    is_rated: bool = False
    is_public: bool = False
    opening: tuple[str, ...] = ()
    """Tokens of another game that are replayed first; only in unrated games."""

    owner: str
    secret: str
    """The secret of the draws, in hexadecimal digits; its commitment is published at once."""

    bot_seed: str
    """The seed of the bots' random numbers, in hexadecimal digits."""

    def fair(self, nonces: tuple[str | None, ...]) -> FairDraws:
        """Make the source of the draws from the secret and the nonce of each seat."""
        added = tuple(None if nonce is None else bytes.fromhex(nonce) for nonce in nonces)
        return FairDraws(bytes.fromhex(self.secret), added)

    @property
    def commitment(self) -> str:
        """The commitment to the secret: its SHA-256."""
        return FairDraws(bytes.fromhex(self.secret), ()).commitment


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAssignment:
    """The player or bot on one seat."""

    player: str | None = None
    """The player of the seat; `None` for a bot and for a free seat."""

    name: str = ""
    bot: str | None = None
    """The bot that the owner seated here."""

    nonce: str | None = None
    stand_in: str | None = None
    """The bot that plays while the player is away."""

    why: str = ""
    """The reason: as in `TakeOverEntry`."""

    left: int = 0
    """The seq of the entry with which the player left; 0 for one who is here or came back."""

    has_resigned: bool = False
    plays: str | None = field(init=False, compare=False, repr=False)
    """The bot that plays this seat now; `None` for a person. Stored, since it is read often."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "plays", self.stand_in or self.bot)

    @property
    def is_free(self) -> bool:
        """Return whether the seat has neither player nor bot."""
        return self.player is None and self.bot is None

    @property
    def is_played_by_person(self) -> bool:
        """Return whether the player of the seat chooses, and no bot stands in."""
        return self.player is not None and self.plays is None


FREE = SeatAssignment()
