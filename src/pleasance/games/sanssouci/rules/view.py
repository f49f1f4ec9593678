"""Views of one seat, and determinization: complete worlds that agree with a view."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from pleasance.core.bits import bits, mask_of
from pleasance.core.game import Seat, Turn
from pleasance.core.identity_cache import cache_last
from pleasance.core.tuples import with_item
from pleasance.games.sanssouci.rules.actions import Action, Space
from pleasance.games.sanssouci.rules.components import Motif
from pleasance.games.sanssouci.rules.garden import Cell
from pleasance.games.sanssouci.rules.rules import legal, turn
from pleasance.games.sanssouci.rules.scoring import scores
from pleasance.games.sanssouci.rules.state import Box, Cards, Columns, Garden, Phase, State


class View(NamedTuple):
    """Everything one seat may know; nothing else may reach it."""

    seat: Seat | None
    """The viewing seat; `None` is a spectator."""

    turn: Turn
    legal: tuple[Action, ...]
    """The legal choices of the viewing seat."""

    phase: Phase
    actor: Seat
    turns: int
    first: Seat
    market: tuple[int, ...]
    bag: tuple[int, ...]
    """Tiles yet to come, by motif: all seats can count those that have been turned up."""

    gardens: tuple[Garden, ...]
    tile: Cell
    emptied: Space

    hand: Cards
    """The viewing seat's own cards."""

    hand_sizes: tuple[int, ...]
    unplayed: tuple[Cards, ...]
    """Cards in each seat's hand or deck: all own the same cards, and all plays are public."""

    missions: tuple[Columns, ...]
    """The viewing seat's own missions; all missions once the game is over."""

    mission_counts: tuple[int, ...]
    scores: tuple[int, ...]
    box: Box

    @property
    def seats(self) -> int:
        """Count the seats."""
        return len(self.gardens)


def view(state: State, seat: Seat | None) -> View:
    """Build the view of *seat*; `None` is a spectator."""
    seen = _public_view(state)
    if seat is None:
        return seen
    missions = seen.missions
    if state.phase is not Phase.OVER:
        missions = with_item(missions, seat, state.missions[seat])
    return seen._replace(
        seat=seat, legal=legal(state, seat), hand=state.hands[seat], missions=missions
    )


@cache_last
def _public_view(state: State) -> View:
    """Build the view of a spectator, field by field; missions are shown at the end (S-18)."""
    is_over = state.phase is Phase.OVER
    seats = range(len(state.gardens))
    return View(
        seat=None,
        turn=turn(state),
        legal=(),
        phase=state.phase,
        actor=state.actor,
        turns=state.turns,
        first=state.first,
        market=state.market,
        bag=state.bag,
        gardens=state.gardens,
        tile=state.tile,
        emptied=state.emptied,
        hand=0,
        hand_sizes=tuple(hand.bit_count() for hand in state.hands),
        unplayed=tuple(state.hands[other] | state.decks[other] for other in seats),
        missions=state.missions if is_over else (0,) * len(seats),
        mission_counts=tuple(missions.bit_count() for missions in state.missions),
        scores=scores(state),
        box=state.box,
    )


def imagine(view: View, rng: Random) -> State:
    """Deal the hidden hands and missions at random, as the draws would (determinization)."""
    hands = tuple(
        view.hand if seat == view.seat else _deal(unplayed, size, rng)
        for seat, (unplayed, size) in enumerate(zip(view.unplayed, view.hand_sizes, strict=True))
    )
    return state_from_view(view, hands, _imagine_missions(view, rng))


def state_from_view(view: View, hands: tuple[Cards, ...], missions: tuple[Columns, ...]) -> State:
    """Fill in the hidden hands and missions of a view; the other cards are in the decks."""
    return State(
        phase=view.phase,
        actor=view.actor,
        turns=view.turns,
        market=view.market,
        bag=view.bag,
        hands=hands,
        decks=tuple(cards ^ hand for cards, hand in zip(view.unplayed, hands, strict=True)),
        gardens=view.gardens,
        tile=view.tile,
        emptied=view.emptied,
        missions=missions,
        first=view.first,
        box=view.box,
    )


def _deal(cards: Cards, size: int, rng: Random) -> Cards:
    """Pick *size* of *cards* at random."""
    return mask_of(rng.sample(list(bits(cards)), size))


def _imagine_missions(view: View, rng: Random) -> tuple[Columns, ...]:
    """Deal missions that the viewer has not seen to every seat with hidden ones."""
    pool = [motif for motif in Motif if not sum(view.missions) >> motif & 1]
    rng.shuffle(pool)
    missions = []
    for known, count in zip(view.missions, view.mission_counts, strict=True):
        missions.append(known or mask_of(pool[:count]))
        if not known:
            del pool[:count]
    return tuple(missions)
