"""The greedy player of Sanssouci: the immediate points of each choice in this turn."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pleasance.games.sanssouci.rules.actions import Action, Side
from pleasance.games.sanssouci.rules.components import WIDTH
from pleasance.games.sanssouci.rules.moves import walks
from pleasance.games.sanssouci.rules.rules import legal, play
from pleasance.games.sanssouci.rules.state import Phase, State
from pleasance.games.sanssouci.rules.view import View, imagine


def immediate_values(view: View, rng: Random) -> Mapping[Action, float]:
    """Value each legal choice by the most points that the rest of this turn can bring."""
    if view.phase is Phase.SIDES:
        return {choice: _side_value(view, choice) for choice in view.legal}
    # The turn up to the refill depends only on what the actor sees, so one world is enough.
    world = imagine(view, rng)
    before = sum(world.gardens[world.actor].ledger)
    return {choice: _best_points(play(world, (choice,)), view) - before for choice in view.legal}


def _best_points(state: State, view: View) -> float:
    """Count the most points the actor can have at the end of this turn."""
    seat = view.actor
    garden = state.gardens[seat]
    match state.phase:
        case Phase.PLACE | Phase.BOAR:
            return max(_best_points(play(state, (choice,)), view) for choice in legal(state, seat))
        case Phase.WALK:
            ends = walks(garden)
            values = state.box.components.row_values
            best = values[(ends.bit_length() - 1) // WIDTH] if ends else 0
            return sum(garden.ledger) + best
        case _:
            return sum(garden.ledger)


def _side_value(view: View, choice: Action) -> float:
    """Add up the rewards and penalties of a side."""
    assert isinstance(choice, Side), choice
    assert view.seat is not None, view
    board = view.gardens[view.seat].rewards_board
    marks = view.box.components.rewards[board * 2 + choice.side]
    return sum(max(pay) + min(pay) for pay in marks)
