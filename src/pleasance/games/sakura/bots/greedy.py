"""The greedy player: the expected lead after this round, with the others at random."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pleasance.core.game import Choose, Draw, Seat
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.scoring import rank_pay
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import View, imagine

_WORLDS = 24
"""Worlds imagined for each decision."""


def immediate_values(view: View, rng: Random) -> Mapping[Choice, float]:
    """Estimate the lead of the viewing seat after this round, on average over imagined worlds."""
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


def evaluate(state: State, seat: Seat) -> float:
    """Count the tokens of *seat*, and what its rank would be paid now, against the others' mean."""
    tokens = [sum(ledger) for ledger in state.ledgers]
    if state.scored < rules.LAST_SAKURA:
        pay = state.box.pay[len(tokens)][state.scored]
        paid = rank_pay(state.painters, pay)
        tokens = [had + more for had, more in zip(tokens, paid, strict=True)]
    others = len(tokens) - 1
    return tokens[seat] - (sum(tokens) - tokens[seat]) / others


def _finish_round(state: State, seat: Seat, rng: Random) -> float:
    """Evaluate the end of the round: *seat* chooses its best directions, the others random ones."""
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
    return evaluate(state, seat)
