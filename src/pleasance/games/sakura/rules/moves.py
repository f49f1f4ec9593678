"""Carrying out the actions of cards: how the Emperor and the painters move."""

from __future__ import annotations

from typing import Final, Protocol, assert_never

from pleasance.core.tuples import with_item
from pleasance.games.sakura.rules.components import Box, CardAction, Move, Space
from pleasance.games.sakura.rules.path import (
    FIRST,
    GATE,
    Places,
    find_closest,
    find_furthest,
    go_back,
    go_forward,
    list_ahead,
)
from pleasance.games.sakura.rules.state import DISGRACES, Ledger

# Looking a member up through its class costs a call in Python 3.11.
EMPEROR: Final = Move.EMPEROR
CLOSEST: Final = Move.CLOSEST
FURTHEST: Final = Move.FURTHEST
WALK: Final = Move.WALK
LEAP: Final = Move.LEAP
COUNT: Final = Move.COUNT


class PathPosition(Protocol):
    """The facts that carrying out cards reads; states and views have them."""

    @property
    def box(self) -> Box:
        """Return the components."""

    @property
    def emperor(self) -> Space:
        """Return the Emperor's space."""

    @property
    def painters(self) -> Places:
        """Return the space of each painter."""

    @property
    def ledgers(self) -> tuple[Ledger, ...]:
        """Return each painter's tokens by their cause."""

    @property
    def scored(self) -> int:
        """Count the sakura that have been scored."""


class CardResolver:
    """Resolves cards: moves the Emperor and the painters behind him, action by action.

    This is the one thing in the rules that changes as it goes; it lives no longer than one step
    from a state to the next.
    """

    __slots__ = ("emperor", "ledgers", "painters", "sakura", "setback")

    def __init__(self, position: PathPosition) -> None:
        self.emperor: int = position.emperor
        self.painters = list(position.painters)
        self.ledgers = position.ledgers
        self.sakura = position.box.paths[len(position.painters)].sakura[position.scored]
        """The next sakura to be scored; it always stops the Emperor."""
        self.setback = position.box.disgrace

    def standings(self) -> tuple[Space, Places, tuple[Ledger, ...]]:
        """Return the spaces of the Emperor and the painters, and their tokens."""
        return Space(self.emperor), tuple(self.painters), self.ledgers

    def carry_out(self, owner: int, action: CardAction) -> None:
        """Carry out an action of the card that the painter *owner* has played (K-13 to K-17)."""
        move, steps, _is_free = action
        if move is EMPEROR:
            self.walk_emperor(steps)
        elif move is WALK:
            self.walk(owner, steps)
        elif move is LEAP:
            self.leap(owner)
        elif move is COUNT:
            self.walk(owner, len(list_ahead(self.painters, self.painters[owner])))
        elif move is CLOSEST:
            self.walk(find_closest(self.painters), steps)
        elif move is FURTHEST:
            self.walk(find_furthest(self.painters), steps)
        else:
            assert_never(move)

    def walk_emperor(self, steps: int) -> None:
        """Move the Emperor space by space (K-11, K-12); no painter is ahead of him."""
        if steps > 0:
            self.emperor = min(self.emperor + steps, self.sakura)
            return
        for _ in range(-steps):
            place = max(Space(self.emperor - 1), FIRST)
            self.emperor = place
            if place in self.painters:
                self.disgrace(self.painters.index(place))

    def walk(self, painter: int | None, steps: int) -> None:
        """Move a painter forward or back over empty spaces (K-8 to K-10, K-16).

        Without a closest or furthest painter none moves (K-14, K-15).
        """
        if painter is None:
            return
        painters = self.painters
        if steps < 0:
            painters[painter] = go_back(painters[painter], -steps, painters)
        else:
            self.advance(painter, painters[painter], steps)

    def leap(self, painter: int) -> None:
        """Go to the first empty space in front of the next painter ahead (K-17)."""
        if ahead := list_ahead(self.painters, self.painters[painter]):
            self.advance(painter, min(ahead), 1)

    def advance(self, painter: int, start: Space, steps: int) -> None:
        """Move a painter forward from *start*; to reach the Emperor is a disgrace (K-9)."""
        place = go_forward(start, steps, self.painters, self.emperor)
        if place == self.emperor:
            self.disgrace(painter)
        else:
            self.painters[painter] = place

    def disgrace(self, painter: int) -> None:
        """Take a token, if there is one, and go back from the Emperor's space (K-9)."""
        ledger = self.ledgers[painter]
        if sum(ledger) > 0:
            fewer = with_item(ledger, DISGRACES, ledger[DISGRACES] - 1)
            self.ledgers = with_item(self.ledgers, painter, fewer)
        self.painters[painter] = GATE  # the space it came from is empty now and counts
        self.painters[painter] = go_back(self.emperor, self.setback, self.painters)
