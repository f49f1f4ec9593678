"""Previews of moves: the space of the own painter after each choice, if no one else moved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from pleasance.core.bits import bits
from pleasance.core.game import Choose, Seat
from pleasance.games.sakura.rules.actions import SPACE, Direction, Heading
from pleasance.games.sakura.rules.components import Card, CardAction, Space
from pleasance.games.sakura.rules.moves import CardResolver
from pleasance.games.sakura.rules.view import View

Actions: TypeAlias = tuple[CardAction, ...]
"""The actions of a card that are still to be carried out."""

_HEADINGS = tuple(Heading)
_WAYS = tuple((str(way), way.heading) for way in SPACE.block(Direction))


Landing: TypeAlias = tuple[str, Space, int, bool]
"""A choice (the own card, or a direction), the spaces of the own painter and of the Emperor after
it, and whether it would be a disgrace."""


class _PreviewResolver(CardResolver):
    """Carries out own cards, each as if it were the only one, and notes the own disgrace."""

    __slots__ = ("is_disgraced", "seat", "view")

    def __init__(self, view: View, seat: Seat) -> None:
        super().__init__(view)
        self.view = view
        self.seat = seat
        self.is_disgraced = False

    def disgrace(self, painter: int) -> None:
        """Note the own disgrace, besides carrying it out (K-9)."""
        self.is_disgraced |= painter == self.seat
        super().disgrace(painter)

    def land(self, token: str, actions: Actions) -> Landing:
        """Carry *actions* out from where all stand now."""
        view, seat = self.view, self.seat
        self.emperor, self.painters, self.ledgers = view.emperor, [*view.painters], view.ledgers
        self.is_disgraced = False
        for action in actions:
            self.carry_out(seat, action)
        return token, self.painters[seat], self.emperor, self.is_disgraced


def list_landings(view: View) -> tuple[Landing, ...]:
    """List where the viewing seat's painter would land by each of its choices.

    Where a card lets its owner choose the way, there is one landing for each place that this may
    lead to. Only the own card is carried out: what it does to others counts, what theirs do not.
    """
    turn, seat = view.turn, view.seat
    if seat is None or not isinstance(turn, Choose) or seat not in turn.seats:
        return ()
    resolver = _PreviewResolver(view, seat)
    choices = _list_choices(view, seat)
    landings = [
        resolver.land(token, way) for token, actions in choices for way in _list_ways(actions)
    ]
    return tuple(dict.fromkeys(landings))


def _list_choices(view: View, seat: Seat) -> Iterator[tuple[str, Actions]]:
    """List what *seat* may choose, and the actions that follow from it."""
    faces = view.box.faces
    if view.played:
        first, *rest = faces[view.played[seat]][view.done % 2 :]
        return ((token, (first.toward(heading), *rest)) for token, heading in _WAYS)
    return ((str(card), faces[Card(card)]) for card in bits(view.hand))


@lru_cache(maxsize=1 << 10)
def _list_ways(actions: Actions) -> tuple[Actions, ...]:
    """List every way that the owner may choose to carry *actions* out, forward first (K-7)."""
    for place, action in enumerate(actions):
        if action.is_free:
            before, after = actions[:place], actions[place + 1 :]
            chosen = ((*before, action.toward(heading), *after) for heading in _HEADINGS)
            return tuple(way for each in chosen for way in _list_ways(each))
    return (actions,)
