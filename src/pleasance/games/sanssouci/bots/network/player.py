"""The learned players of Sanssouci: from a view to the worth of each choice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

import numpy as np

from pleasance.compiled.kernel import Flat
from pleasance.core.budget import Thinking
from pleasance.games.sanssouci.bots.network.accumulator import Net
from pleasance.games.sanssouci.bots.network.lookahead import rate_lead, try_turns
from pleasance.games.sanssouci.bots.network.model import (
    Bureau,
    judge_turns,
    make_bureau,
    value_side,
    weigh_rivals,
)
from pleasance.games.sanssouci.bots.network.storage import read_net
from pleasance.games.sanssouci.bots.planner.player import choice_of
from pleasance.games.sanssouci.kernel.afterstates import SPACE, WALKED
from pleasance.games.sanssouci.kernel.layout import EMPTIED, PHASE, SIZE
from pleasance.games.sanssouci.kernel.packing import pack_box, pack_view
from pleasance.games.sanssouci.kernel.rules import ROUNDS, TAKE
from pleasance.games.sanssouci.rules.actions import Action, Side
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.games.sanssouci.rules.view import View

FIELD = 8
"""So many whole turns are tried, the best by the network."""

MOST_BEHIND = 9.0
"""What the network thinks so many points worse than the best is not tried."""

AHEAD = 2
"""So many own turns more are played before the network judges."""

PRIOR = 6.0
"""As many worlds the network's own judgement counts."""

CLOSE = 1e-6
"""So much less than the choice of a search the rest is worth at least."""


@cache
def load_net() -> Net:
    """Read the weights of the network."""
    with (files("pleasance.games.sanssouci") / "weights" / "points.npz").open("rb") as file:
        return read_net(file)


def judge_choices(view: View, _rng: Random, *, net: Net | None = None) -> Mapping[Action, float]:
    """Tell by the network how far each choice leads ahead of the rivals, in points at the end."""
    bureau = make_bureau(net or load_net())
    if view.phase is Phase.SIDES:
        return _judge_sides(view, bureau)
    values = judge_leads(pack_box(view.box), pack_view(view), bureau)
    return _gather(view, bureau.rows[: len(values)].tolist(), values.tolist())


def _judge_sides(view: View, bureau: Bureau) -> Mapping[Action, float]:
    """Tell the points that each side of the own rewards board promises."""
    assert view.seat is not None, "spectators do not choose"
    box, state = pack_box(view.box), pack_view(view)
    worths: dict[Action, float] = {}
    for choice in view.legal:
        assert isinstance(choice, Side), choice
        worths[choice] = value_side(box, state, bureau, view.seat, choice.side)
    return worths


def judge_leads(box: Flat, state: Flat, bureau: Bureau) -> Any:
    """List the whole turns, as rows of the bureau, with the lead that each promises."""
    count = judge_turns(box, state, bureau)
    values = bureau.values[:count].copy()
    spaces = np.full(count, state[EMPTIED])
    if state[PHASE] == TAKE:
        spaces = bureau.rows[:count, SPACE].copy()
    weigh_rivals(box, state, bureau, int(np.bitwise_or.reduce(1 << spaces)))
    return values - bureau.costs[spaces]


def _gather(view: View, rows: list[Any], values: list[float]) -> Mapping[Action, float]:
    """Give each choice the worth of the best turn that it can begin."""
    worths: dict[Action, float] = {}
    for row, value in zip(rows, values, strict=True):
        choice = choice_of(view.phase, row)
        worths[choice] = max(value, worths.get(choice, value))
    return worths


def search_choices(
    view: View, rng: Random, thinking: Thinking, *, net: Net | None = None
) -> Mapping[Action, float]:
    """Tell by a search what each choice is worth, in points of lead; only the best few are tried.

    Sequential halving over shared worlds, as the other searches do it, but the network's judgement
    counts as much as some worlds do: it errs less than a few of them. Who walks is left to it.
    """
    bureau = make_bureau(net or load_net())
    if view.phase is Phase.SIDES:
        return _judge_sides(view, bureau)
    turns, leads, tried = rank_turns(pack_box(view.box), pack_view(view), bureau)
    left = ROUNDS - 1 - view.turns // view.seats
    values = np.array([rate_lead(lead, left) for lead in leads.tolist()])
    if len(tried) > 1:
        values = _halve(view, rng, thinking, bureau=bureau, turns=turns, values=values, tried=tried)
    return _gather(view, turns.tolist(), values.tolist())


def rank_turns(box: Flat, state: Flat, bureau: Bureau) -> tuple[Any, Any, list[int]]:
    """List the whole turns, the lead that each promises, and which of them are worth a trial."""
    leads = judge_leads(box, state, bureau)
    turns = bureau.rows[: len(leads)].copy()
    return turns, leads, pick_turns(turns, leads)


def pick_turns(turns: Any, leads: Any) -> list[int]:
    """Find the best few turns that differ before somebody walks: there the network errs least."""
    order = np.argsort(-leads, kind="stable")
    picked: dict[tuple[int, ...], int] = {}
    for turn in order.tolist():
        if len(picked) == FIELD or leads[turn] <= leads[order[0]] - MOST_BEHIND:
            break
        picked.setdefault(tuple(turns[turn, :WALKED].tolist()), turn)
    return list(picked.values())


def share_finds(turns: Any, values: Any, found: Any, tried: list[int]) -> None:
    """Let turns that differ from a tried one by the walk alone gain or lose what it did.

    Else its second best walk would bring back what trying has taken from a tile.
    """
    for turn in tried:
        alike = (turns[:, :WALKED] == turns[turn, :WALKED]).all(axis=1)
        found[alike] = found[turn] + values[alike] - values[turn]


def _halve(
    view: View,
    rng: Random,
    thinking: Thinking,
    *,
    bureau: Bureau,
    turns: Any,
    values: Any,
    tried: list[int],
) -> Any:
    """Value whole turns by trying some of them in worlds; the one that is left at last leads."""
    box, root = pack_box(view.box), pack_view(view)
    luck = np.array([rng.getrandbits(64) or 1], dtype=np.uint64)
    room, totals = np.empty((2, SIZE), dtype=np.int64), PRIOR * values
    found, left, weight = values.copy(), list(tried), PRIOR
    rounds = (len(left) - 1).bit_length()
    for _ in range(rounds):
        some = np.array(left, dtype=np.int64)
        # A simulation is what one turn costs among two, so that four do not think twice as long.
        for _ in thinking.split(rounds, len(left) * view.seats / 2).spend():
            try_turns(box, root, turns, some, len(left), bureau, AHEAD, luck, room, totals)
            weight += 1
        left.sort(key=lambda turn: -totals[turn])
        found[left] = totals[left] / weight
        left = left[: (len(left) + 1) // 2]
    share_finds(turns, values, found, tried)
    best = left[0]
    others = np.delete(np.arange(len(found)), best)
    found[others] = np.minimum(found[others], found[best] - CLOSE)
    return found
