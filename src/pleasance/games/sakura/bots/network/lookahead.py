"""One round of foresight with networks, compiled: sampled worlds and cards, the value after it.

In each world the hidden cards are dealt as the draws would have dealt them, the others play cards
as the policy network thinks they like to, and every choice of the seat is carried out to the end of
the round, where the value network tells its share of victory.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from pleasance.compiled.jit import copy_into, jit, lowest_bit
from pleasance.compiled.kernel import Flat, Shares
from pleasance.compiled.rng import Luck, below
from pleasance.games.sakura.bots.network.features import (
    FACTS,
    MOST_TRUE,
    list_lasting,
    list_passing,
    list_unseen,
)
from pleasance.games.sakura.bots.network.model import (
    FACES_KNOWN,
    ONE,
    POLICY,
    VALUE,
    add_cards,
    add_facts,
    begin,
    finish,
    squash,
)
from pleasance.games.sakura.bots.planner.player import load_weights
from pleasance.games.sakura.bots.planner.potential import list_ways, try_ways
from pleasance.games.sakura.kernel.codes import (
    CODE_BACK,
    CODE_FORWARD,
    COURT,
    MOST_CHOICES,
    legal,
    put_down,
    stand,
)
from pleasance.games.sakura.kernel.layout import (
    DONE,
    HANDS,
    MOST_SEATS,
    PAINTERS,
    PLAYED,
    PROCESSION,
    SAKURA,
    SCORED,
    SEATS,
    SIZE,
)
from pleasance.games.sakura.kernel.playout import take_top
from pleasance.games.sakura.kernel.rules import ALL_DECIDED, carry_on, find_giver, score
from pleasance.games.sakura.kernel.setup import deal

_FINE = 1 << 30


class Desk(NamedTuple):
    """Working space for looking ahead; compiled code makes no arrays of its own."""

    positions: Flat
    codes: Flat
    facts: Flat
    bases: Shares
    """The first layer of the value network for each choice, but for the procession."""
    sums: Shares
    inner: Shares
    out: Shares
    likes: Shares
    """How much each seat likes to play each card, and to give each away."""
    worths: Shares
    """What each choice has brought, over all worlds so far."""
    weights: Shares
    """By what the others choose directions: the planner's judgement."""


def make_desk() -> Desk:
    """Lay out working space."""
    width = max(SIZE, MOST_CHOICES)
    return Desk(
        positions=np.zeros((3, width), dtype=np.int64),
        codes=np.zeros(width, dtype=np.int64),
        facts=np.zeros(MOST_TRUE, dtype=np.int64),
        bases=np.zeros((MOST_CHOICES + 1, VALUE.first), dtype=np.float32),
        sums=np.zeros(VALUE.first, dtype=np.float32),
        inner=np.zeros(VALUE.second, dtype=np.float32),
        out=np.zeros(POLICY.out, dtype=np.float32),
        likes=np.zeros((MOST_SEATS, POLICY.out)),
        worths=np.zeros(MOST_CHOICES),
        weights=load_weights(),
    )


@jit
def prepare(box: Flat, view: Flat, seat: int, value: Shares, policy: Shares, desk: Desk) -> int:
    """Make ready to look ahead from a packed view; tell how many choices there are."""
    count = legal(box, view, seat, desk.codes)
    width = VALUE.first
    common = desk.bases[MOST_CHOICES]
    begin(value, width, 0, list_unseen(view, seat), common)
    known = list_lasting(box, view, seat, True, desk.facts)
    add_facts(value, width, desk.facts, known, common)
    for choice in range(count):
        copy_into(desk.bases[choice], common)
        hand = view[HANDS + seat] & ~list_cards(desk.codes[choice])
        add_cards(value, FACTS, hand, width, ONE, desk.bases[choice])
        desk.worths[choice] = 0.0
    if not view[PLAYED]:
        for other in range(view[SEATS]):
            if other != seat:
                like_cards(box, view, other, policy, desk)
    return count


@jit
def list_cards(code: int) -> int:
    """Collect the cards that a choice plays."""
    if code >= CODE_FORWARD:
        return 0
    if code < 60:
        return 2 << code
    return (2 << ((code - 60) // 60)) | (2 << ((code - 60) % 60))


@jit
def like_cards(box: Flat, view: Flat, seat: int, policy: Shares, desk: Desk) -> None:
    """Tell how much *seat* likes to play each card, by what everybody knows."""
    width = POLICY.first
    begin(policy, width, 0, list_unseen(view, -1), desk.sums)
    count = list_lasting(box, view, seat, False, desk.facts)
    count = list_passing(box, view, seat, desk.facts, count)
    add_facts(policy, width, desk.facts, count, desk.sums)
    outs = 2 * FACES_KNOWN if find_giver(box, view) == seat else FACES_KNOWN
    finish(policy, POLICY, outs, desk.sums, desk.inner, desk.out)
    for place in range(outs):
        desk.likes[seat, place] = exp(min(max(desk.out[place], -12.0), 12.0))


@jit
def take_liked(state: Flat, seat: int, first: int, luck: Luck, likes: Shares) -> int:
    """Take a card out of a seat's hand, as likely as it likes it."""
    total, cards = 0.0, state[HANDS + seat]
    while cards:
        total += likes[seat, first + lowest_bit(cards)]
        cards &= cards - 1
    left = total * below(luck, _FINE) / _FINE
    cards = state[HANDS + seat]
    card = lowest_bit(cards)
    while cards:
        card = lowest_bit(cards)
        left -= likes[seat, first + card]
        if left < 0:
            break
        cards &= cards - 1
    state[HANDS + seat] &= ~(1 << card)
    return card


@jit
def put_down_liked(box: Flat, state: Flat, seat: int, luck: Luck, likes: Shares) -> None:
    """Let all but *seat* play what they like (K-6, K-22, K-23)."""
    giver = find_giver(box, state)
    for other in range(state[SEATS]):
        if other != seat:
            state[PLAYED + other] = take_liked(state, other, 0, luck, likes)
            if other == giver:
                state[PLAYED + COURT] = take_liked(state, other, FACES_KNOWN, luck, likes)
    has_court = state[SEATS] < state[PAINTERS]
    if has_court and giver != seat and not state[PLAYED + COURT]:
        state[PLAYED + COURT] = take_top(state, luck)


@jit
def own_share(state: Flat, seat: int) -> float:
    """Tell the share of victory of *seat* at the end of the game (K-21)."""
    own, count = stand(state, seat), 0
    for other in range(state[SEATS]):
        standing = stand(state, other)
        if standing > own:
            return 0.0
        count += standing == own
    return 1.0 / count


@jit
def foretell(box: Flat, state: Flat, seat: int, base: Shares, value: Shares, desk: Desk) -> float:
    """Tell the share of victory of *seat* at the end of a round."""
    if state[SCORED] == SAKURA:
        return own_share(state, seat)
    copy_into(desk.sums, base)
    count = list_passing(box, state, seat, desk.facts, 0)
    add_facts(value, VALUE.first, desk.facts, count, desk.sums)
    finish(value, VALUE, 1, desk.sums, desk.inner, desk.out)
    return squash(desk.out[0])


@jit
def try_own_ways(
    box: Flat, world: Flat, seat: int, plan: int, ways: int, base: Shares, value: Shares, desk: Desk
) -> float:
    """Find the best share of victory among all ways of a seat to end the round."""
    work = desk.positions[1]
    best, way = 0.0, ways
    while True:
        for place in range(PROCESSION):
            work[place] = world[place]
        carry_on(box, work, plan | (way << (2 * seat)), ALL_DECIDED)
        score(box, work)
        best = max(best, foretell(box, work, seat, base, value, desk))
        if way == 0:
            return best
        way = (way - 1) & ways


@jit
def try_choice(
    box: Flat, world: Flat, seat: int, code: int, base: Shares, value: Shares, desk: Desk
) -> float:
    """Carry out a choice to the end of the round; each seat goes the way it likes best."""
    work = desk.positions[1]
    plan = 0
    if code >= CODE_FORWARD:
        stage = world[DONE] & 1
        ways = list_ways(box, world, seat) & ~(1 << stage)
        plan = (code == CODE_BACK) << (2 * seat + stage)
    else:
        put_down(world, seat, code)
        put_down(work, seat, code)
        ways = list_ways(box, world, seat)
    for other in range(world[SEATS]):
        if other != seat:
            others_ways = list_ways(box, world, other)
            if others_ways:
                _, plan = try_ways(box, world, other, plan, others_ways, work, desk.weights)
    return try_own_ways(box, world, seat, plan, ways, base, value, desk)


@jit
def try_worlds(
    box: Flat, view: Flat, seat: int, count: int, worlds: int, luck: Luck, value: Shares, desk: Desk
) -> None:
    """Try all choices in so many more worlds, the same for each; add up what they bring."""
    world, work = desk.positions[0], desk.positions[1]
    for _ in range(worlds):
        copy_into(world, view)
        deal(box, world, luck)
        if not world[PLAYED]:
            put_down_liked(box, world, seat, luck, desk.likes)
        copy_into(work, world)
        for choice in range(count):
            desk.worths[choice] += try_choice(
                box, world, seat, desk.codes[choice], desk.bases[choice], value, desk
            )
