"""Quick judgements: how many points a choice brings this turn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from pleasance.core.budget import Thinking
from pleasance.core.data import load_house
from pleasance.core.game import Heuristics
from pleasance.core.levels import read_levels, read_ratings
from pleasance.games.sanssouci.rules.actions import Action, Side
from pleasance.games.sanssouci.rules.components import WIDTH, read_components
from pleasance.games.sanssouci.rules.moves import walks
from pleasance.games.sanssouci.rules.rules import legal, play
from pleasance.games.sanssouci.rules.state import Phase, State
from pleasance.games.sanssouci.rules.view import View, imagine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def weigh(view: View, rng: Random) -> Mapping[Action, float]:
    """Weigh each legal choice by the most points that the rest of this turn can bring."""
    if view.phase is Phase.SIDES:
        return {choice: _worth_of_side(view, choice) for choice in view.legal}
    # The turn up to the refill depends only on what the actor sees, so one world is enough.
    world = imagine(view, rng)
    before = sum(world.gardens[world.actor].ledger)
    return {choice: _best(play(world, (choice,)), view) - before for choice in view.legal}


def _best(state: State, view: View) -> float:
    """Count the most points the actor can have at the end of this turn."""
    seat = view.actor
    garden = state.gardens[seat]
    match state.phase:
        case Phase.PLACE | Phase.BOAR:
            return max(_best(play(state, (choice,)), view) for choice in legal(state, seat))
        case Phase.WALK:
            ends = walks(garden)
            values = state.box.components.row_values
            best = values[(ends.bit_length() - 1) // WIDTH] if ends else 0
            return sum(garden.ledger) + best
        case _:
            return sum(garden.ledger)


def _worth_of_side(view: View, choice: Action) -> float:
    """Add up the marks of a side: all it could bring, all it could cost."""
    assert isinstance(choice, Side), choice
    assert view.seat is not None, view
    board = view.gardens[view.seat].rewards_board
    marks = view.box.components.rewards[board * 2 + choice.side]
    return sum(max(pay) + min(pay) for pay in marks)


def plan(view: View, rng: Random) -> Mapping[Action, float]:
    """Weigh each legal choice by the best turn it can end in and what that garden promises."""
    from pleasance.games.sanssouci.bots.planner.player import judge_choices  # noqa: PLC0415  (compiled)

    if view.phase is Phase.SIDES:
        return weigh(view, rng)
    return judge_choices(view)


def trial(weights: NDArray[np.float64], games: int, seed: str) -> float:
    """Tell how well other weights of the plan do, with the house set."""
    from pleasance.games.sanssouci.training.tuning_games import play_trial  # noqa: PLC0415  (compiled)

    house = read_components(load_house("pleasance.games.sanssouci"), is_house=True)
    return play_trial(house, weights, games, seed)


def load_weights() -> NDArray[np.float64]:
    """Load the weights of the plan."""
    from pleasance.games.sanssouci.bots.planner import player  # noqa: PLC0415  (compiled)

    return player.load_weights()


def learned(view: View, rng: Random) -> Mapping[Action, float]:
    """Weigh each legal choice by the trained network."""
    from pleasance.games.sanssouci.bots.network.player import judge_choices  # noqa: PLC0415  (compiled)

    return judge_choices(view, rng)


def search(view: View, rng: Random, thinking: Thinking) -> Mapping[Action, float]:
    """Weigh each legal choice by the trained network and a look ahead."""
    from pleasance.games.sanssouci.bots.network.player import search_choices  # noqa: PLC0415  (compiled)

    return search_choices(view, rng, thinking)


def rearm(path: Path) -> Heuristics[Action, View]:
    """Make the same judgements with the network of a file, or of a folder that training wrote."""
    from pleasance.games.sanssouci.bots.network import player  # noqa: PLC0415  (compiled)
    from pleasance.games.sanssouci.bots.network.storage import read_net  # noqa: PLC0415  (compiled)

    net = read_net(path / "points.npz" if path.is_dir() else path)
    return HEURISTICS._replace(
        learned=partial(player.judge_choices, net=net),
        search=partial(player.search_choices, net=net),
    )


HEURISTICS: Heuristics[Action, View] = Heuristics(
    weigh=weigh,
    rearm=rearm,
    plan=plan,
    trial=trial,
    weights=load_weights,
    learned=learned,
    search=search,
    levels=read_levels("pleasance.games.sanssouci"),
    ratings=read_ratings("pleasance.games.sanssouci"),
)
