"""A quick judgement: the best expected change this round, the others choosing at random."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from pleasance.core.budget import Thinking
from pleasance.core.game import Choose, Draw, Heuristics, Seat
from pleasance.core.levels import read_levels, read_ratings
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.components import open_box
from pleasance.games.sakura.rules.scoring import rank_pay
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import View, imagine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORLDS = 24
"""Worlds imagined for each decision."""


def weigh(view: View, rng: Random) -> Mapping[Choice, float]:
    """Tell how the looking seat would stand after this round, on average over imagined worlds."""
    worth = dict.fromkeys(view.legal, 0.0)
    if view.seat is None or not isinstance(view.turn, Choose):
        return worth
    for _ in range(_WORLDS):
        world = imagine(view, rng)
        others = {
            seat: rng.choice(rules.legal(world, seat))
            for seat in view.turn.seats
            if seat != view.seat
        }
        for choice in view.legal:
            choices = [others.get(seat, choice) for seat in view.turn.seats]
            worth[choice] += _finish_round(rules.play(world, choices), view.seat, rng) / _WORLDS
    return worth


def judge(state: State, seat: Seat) -> float:
    """Count the tokens of *seat*, and what its rank would be paid now, against the others' mean."""
    tokens = [sum(ledger) for ledger in state.ledgers]
    if state.scored < rules.LAST:
        pay = state.box.pay[len(tokens)][state.scored]
        paid = rank_pay(state.painters, pay)
        tokens = [had + more for had, more in zip(tokens, paid, strict=True)]
    others = len(tokens) - 1
    return tokens[seat] - (sum(tokens) - tokens[seat]) / others


def _finish_round(state: State, seat: Seat, rng: Random) -> float:
    """Judge the end of the round; *seat* goes the better way at each ±, the others either way."""
    while not state.draws:
        turn = rules.turn(state)
        if isinstance(turn, Draw):
            state = rules.reveal(state, rng.choice(rules.chances(state))[0])
        elif isinstance(turn, Choose) and seat in turn.seats:
            ways = rules.legal(state, seat)
            return max(_finish_round(rules.play(state, [way]), seat, rng) for way in ways)
        elif isinstance(turn, Choose):
            state = rules.play(state, [rng.choice(rules.legal(state, turn.seats[0]))])
        else:
            break
    return judge(state, seat)


def plan(view: View, rng: Random) -> Mapping[Choice, float]:
    """Tell how the looking seat would stand after this round by the tuned judgement."""
    from pleasance.games.sakura.bots.planner.player import judge_choices  # noqa: PLC0415  (compiled)

    return judge_choices(view, rng)


def trial(weights: NDArray[np.float64], games: int, seed: str) -> float:
    """Tell how well other weights of the plan do, with the house set."""
    from pleasance.games.sakura.training.tuning_games import play_trial  # noqa: PLC0415  (compiled)

    return play_trial(open_box("pleasance.games.sakura", (), None), weights, games, seed)


def load_weights() -> NDArray[np.float64]:
    """Load the weights of the plan."""
    from pleasance.games.sakura.bots.planner import player  # noqa: PLC0415  (compiled)

    return player.load_weights()


def learned(view: View, rng: Random) -> Mapping[Choice, float]:
    """Tell the share of victory after each choice by the networks, from few worlds."""
    from pleasance.games.sakura.bots.network.player import judge_quickly  # noqa: PLC0415  (compiled)

    return judge_quickly(view, rng)


def search(view: View, rng: Random, thinking: Thinking) -> Mapping[Choice, float]:
    """Tell the share of victory after each choice by the networks, thinking so long."""
    from pleasance.games.sakura.bots.network.player import judge_long  # noqa: PLC0415  (compiled)

    return judge_long(view, rng, thinking)


def rearm(folder: Path) -> Heuristics[Choice, View]:
    """Make the same judgements with the networks of a folder."""
    from pleasance.games.sakura.bots.network.player import judge_long, judge_quickly  # noqa: PLC0415  (compiled)
    from pleasance.games.sakura.bots.network.storage import make_loader  # noqa: PLC0415  (compiled)

    load = make_loader(folder)
    load(open_box("pleasance.games.sakura", (), None))
    return HEURISTICS._replace(
        learned=partial(judge_quickly, load=load), search=partial(judge_long, load=load)
    )


HEURISTICS: Heuristics[Choice, View] = Heuristics(
    weigh=weigh,
    plan=plan,
    trial=trial,
    weights=load_weights,
    learned=learned,
    search=search,
    levels=read_levels("pleasance.games.sakura"),
    ratings=read_ratings("pleasance.games.sakura"),
    rearm=rearm,
)
