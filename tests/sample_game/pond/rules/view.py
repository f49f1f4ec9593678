"""The view of one seat."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from pleasance.core.game import Over, Seat, Turn

from .actions import Action, Water
from .components import WEIGHTS, Box
from .rules import legal, turn
from .state import Fish, Phase, State, add


class View(NamedTuple):
    """The facts a seat may know."""

    seat: Seat | None
    turn: Turn
    legal: tuple[Action, ...]
    box: Box
    phase: Phase
    round: int
    sizes: tuple[int, ...]
    """How many fish each seat holds."""

    hands: tuple[Fish | None, ...]
    """The viewer's own fish; those of all seats once the game is over (P-9)."""

    unseen: Fish
    """All fish that the seat cannot see, in the deck or in hands."""

    water: Water
    bite: int
    owner: Seat
    asked: tuple[Seat, ...]
    kept: tuple[int, ...]
    freed: tuple[int, ...]
    caught: tuple[int, ...]
    eaten: tuple[int, ...]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.sizes)


def view(state: State, seat: Seat | None) -> View:
    """Build up what *seat* knows; `None` is a spectator."""
    now = turn(state)
    is_over = isinstance(now, Over)
    hands = tuple(
        hand if is_over or owner == seat else None for owner, hand in enumerate(state.hands)
    )
    hidden = [hand for hand, known in zip(state.hands, hands, strict=True) if known is None]
    return View(
        seat=seat,
        turn=now,
        legal=() if seat is None else legal(state, seat),
        box=state.box,
        phase=state.phase,
        round=state.round,
        sizes=tuple(sum(hand) for hand in state.hands),
        hands=hands,
        unseen=tuple(map(sum, zip(state.deck, *hidden, strict=True))),
        water=state.water,
        bite=state.bite,
        owner=state.owner,
        asked=state.asked,
        kept=state.kept,
        freed=state.freed,
        caught=state.caught,
        eaten=state.eaten,
    )


def imagine(view: View, rng: Random) -> State:
    """Deal the unseen fish to the other hands; the rest is the deck."""
    deck = view.unseen
    hands: list[Fish] = []
    for size, known in zip(view.sizes, view.hands, strict=True):
        hand = known or (0,) * len(WEIGHTS)
        while sum(hand) < size:
            (weight,) = rng.choices(WEIGHTS, deck)
            hand, deck = add(hand, weight, 1), add(deck, weight, -1)
        hands.append(hand)
    return State(
        box=view.box,
        phase=view.phase,
        round=view.round,
        hands=tuple(hands),
        deck=deck,
        water=view.water,
        bite=view.bite,
        owner=view.owner,
        asked=view.asked,
        kept=view.kept,
        freed=view.freed,
        caught=view.caught,
        eaten=view.eaten,
    )
