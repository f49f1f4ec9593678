"""Where the own painter would land by each choice, if nobody else moved."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pleasance.core.bits import bits
from pleasance.core.game import Choose
from pleasance.games.sakura.actions import SPACE, Direction, Heading
from pleasance.games.sakura.components import Card, CardAction, Space
from pleasance.games.sakura.resolve import Procession
from pleasance.games.sakura.state import State
from pleasance.games.sakura.view import View
from pleasance.games.sakura.witness import make_state

_WAYS = SPACE.block(Direction)


class Landing(NamedTuple):
    """Where the own painter would come to stand."""

    token: str
    """By which choice: the own card, or a direction."""

    space: Space
    emperor: Space
    """Where the Emperor would stand then."""

    is_disgraced: bool


class _Rehearsal(Procession):
    """Carries out an own card as if it were the only one, and notes who is disgraced."""

    __slots__ = ("disgraced",)

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.disgraced: set[int] = set()

    def disgrace(self, painter: int) -> None:
        """Note the disgrace, besides carrying it out (K-9)."""
        self.disgraced.add(painter)
        super().disgrace(painter)


def land(view: View) -> tuple[Landing, ...]:
    """Tell where the looking seat's painter would land by each of its choices.

    Where a card lets its owner choose the way, there is one landing for each place that this may
    lead to. Only the own card is carried out: what it does to others counts, what theirs do not.
    """
    turn, seat = view.turn, view.seat
    if seat is None or not isinstance(turn, Choose) or seat not in turn.seats:
        return ()
    return _land(make_state(view), seat, view.hand)


@lru_cache(maxsize=1 << 10)
def _land(state: State, seat: int, hand: int) -> tuple[Landing, ...]:
    """Do so for a position; the views of one round ask for the same again and again."""
    if state.played:
        card = state.played[seat]
        first, *rest = state.box.faces[card][state.done % 2 :]
        begun = ((str(way), [first.toward(way.heading), *rest]) for way in _WAYS)
    else:
        begun = ((str(card), [*state.box.faces[Card(card)]]) for card in bits(hand))
    landings = (each for token, actions in begun for each in _rehearse(state, seat, token, actions))
    return tuple(dict.fromkeys(landings))


def _rehearse(state: State, seat: int, token: str, actions: list[CardAction]) -> list[Landing]:
    """Carry *actions* out in every way that the owner may choose, forward first (K-7)."""
    for place, action in enumerate(actions):
        if action.is_free:
            before, after = actions[:place], actions[place + 1 :]
            chosen = ([*before, action.toward(heading), *after] for heading in Heading)
            return [each for way in chosen for each in _rehearse(state, seat, token, way)]
    walk = _Rehearsal(state)
    for action in actions:
        walk.carry_out(seat, action)
    emperor, painters, _ = walk.settle()
    return [Landing(token, painters[seat], emperor, seat in walk.disgraced)]
