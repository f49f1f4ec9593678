"""What the networks think of a position, compiled: shares, tokens, and what others will play."""

from __future__ import annotations

from pleasance.compiled.jit import copy_into, jit, lowest_bit
from pleasance.compiled.kernel import Flat, Shares
from pleasance.compiled.rng import Luck
from pleasance.games.sakura.bots.network.features import list_lasting, list_passing, list_unseen
from pleasance.games.sakura.bots.network.lookahead import Desk, like_cards
from pleasance.games.sakura.bots.network.model import (
    TOKEN_SCALE,
    VALUE,
    add_facts,
    begin,
    finish,
    squash,
)
from pleasance.games.sakura.kernel.layout import HANDS, SEATS
from pleasance.games.sakura.kernel.setup import deal


@jit
def foretell_seats(
    box: Flat, view: Flat, seat: int, value: Shares, desk: Desk, shares: Shares, tokens: Shares
) -> None:
    """Tell what *seat* may think that each seat wins, and has at the end, knowing no hand."""
    width = VALUE.first
    for other in range(view[SEATS]):
        begin(value, width, 0, list_unseen(view, seat), desk.sums)
        count = list_lasting(box, view, other, False, desk.facts)
        count = list_passing(box, view, other, desk.facts, count)
        add_facts(value, width, desk.facts, count, desk.sums)
        finish(value, VALUE, VALUE.out, desk.sums, desk.inner, desk.out)
        shares[other] = squash(desk.out[0])
        tokens[other] = desk.out[1] / TOKEN_SCALE


@jit
def guess_cards(
    box: Flat,
    view: Flat,
    seat: int,
    worlds: int,
    luck: Luck,
    policy: Shares,
    desk: Desk,
    chances: Shares,
) -> None:
    """Tell how likely each of the others plays each card, over worlds that fit the view."""
    world = desk.positions[0]
    for other in range(view[SEATS]):
        if other != seat:
            like_cards(box, view, other, policy, desk)
    for _ in range(worlds):
        copy_into(world, view)
        deal(box, world, luck)
        for other in range(view[SEATS]):
            if other != seat:
                share_hand(world[HANDS + other], desk.likes[other], 1.0 / worlds, chances[other])


@jit
def share_hand(hand: int, likes: Shares, part: float, chances: Shares) -> None:
    """Share a part of certainty among the cards of a hand, as much as each is liked."""
    total, cards = 0.0, hand
    while cards:
        total += likes[lowest_bit(cards)]
        cards &= cards - 1
    cards = hand
    while cards:
        card = lowest_bit(cards)
        chances[card] += part * likes[card] / total
        cards &= cards - 1
