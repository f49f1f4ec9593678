"""The interface of message catalogs as games use them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pleasance.core.errors import Parameter


class ScoreItem(NamedTuple):
    """One item of a score: its points and the message that explains them."""

    code: str
    """Names the message `score_item.<code>` of the game's catalog."""

    points: int
    """Negative where points were lost."""

    params: Mapping[str, str | int] = {}
    """The parameters of the message besides *points*."""


class Messages(Protocol):
    """Formats messages in one language; `i18n.catalog.MessageCatalog` implements it."""

    language: str
    theme: str
    """The edition whose words are preferred; empty for the usual one."""

    people: tuple[str, ...]
    """The names of the players, in the order of the seats; empty where they are unknown."""

    def __call__(self, key: str, /, **params: Parameter) -> str:
        """Format the message under *key*."""

    def name_seat(self, seat: int, otherwise: str) -> str:
        """Return the name of the player on a seat, or *otherwise* where it is unknown."""

    def score_item(self, item: ScoreItem, **named: str) -> str:
        """Format a score item; *named* replaces parameters by the game's own words."""
