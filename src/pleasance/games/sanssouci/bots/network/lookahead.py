"""The master's look ahead, compiled: whole turns tried in worlds that fit a view."""

from __future__ import annotations

from math import exp, sqrt

from pleasance.compiled.jit import copy_into, jit
from pleasance.compiled.kernel import Flat, Shares
from pleasance.compiled.rng import Luck
from pleasance.games.sanssouci.bots.network.model import Bureau, choose_turn
from pleasance.games.sanssouci.bots.planner.rollout import carry_out
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import SPACE
from pleasance.games.sanssouci.kernel.codes import scores
from pleasance.games.sanssouci.kernel.rules import OVER, ROUNDS, TAKE
from pleasance.games.sanssouci.kernel.setup import deal, draw

MARGIN = 0.1
"""What a point of lead counts where victory is certain, so that no point is given away."""


@jit
def spread_leads(left: int) -> float:
    """Tell how far a lead with so many own turns left may still swing, in points."""
    return 0.6 * (1.5 + 10.0 * sqrt(left / ROUNDS))


@jit
def rate_lead(lead: float, left: int) -> float:
    """Weigh a lead with so many own turns left: a point counts most where victory is open."""
    spread = spread_leads(left)
    return spread * (4.0 / (1.0 + exp(-lead / spread)) - 2.0) + MARGIN * lead


@jit
def play_on(
    box: Flat, state: Flat, bureau: Bureau, seat: int, turns: int, luck: Luck, points: Flat
) -> float:
    """Play by the network until *seat* has had so many turns more; rate how it stands then."""
    seats = state[at.SEATS]
    while state[at.PHASE] != OVER:
        if state[at.PHASE] != TAKE:
            draw(box, state, luck)
            continue
        best = choose_turn(box, state, bureau, 1.0)
        if state[at.ACTOR] == seat:
            turns -= 1
            left = ROUNDS - 1 - state[at.TURNS] // seats
            if turns == 0 and left > 0:
                lead = bureau.values[best] - bureau.costs[bureau.rows[best, SPACE]]
                return rate_lead(lead, left)
        carry_out(box, state, bureau.rows[best])
    scores(box, state, points)
    rival = 0
    for other in range(seats):
        if other != seat:
            rival = max(rival, points[other])
    return rate_lead(float(points[seat] - rival), 0)


@jit
def try_turns(
    box: Flat,
    root: Flat,
    turns: Flat,
    left: Flat,
    count: int,
    bureau: Bureau,
    ahead: int,
    luck: Luck,
    room: Flat,
    totals: Shares,
) -> None:
    """Try the first *count* of the turns numbered in *left* in one more world, with the same luck.

    *turns* holds rows of afterstates, *room* `[2, SIZE]` is working space.
    """
    world, state = room[0], room[1]
    copy_into(world, root)
    deal(box, world, luck)
    fate = luck[0]
    for place in range(count):
        luck[0] = fate
        copy_into(state, world)
        seat = state[at.ACTOR]
        carry_out(box, state, turns[left[place]])
        totals[left[place]] += play_on(box, state, bureau, seat, ahead, luck, bureau.scratch[2])
