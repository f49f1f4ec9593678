"""What the networks think of a position, for people: who wins, with how much, what is played."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import numpy as np

from pleasance.core.game import Over, Seat
from pleasance.games.sakura.bots.network.lookahead import make_desk
from pleasance.games.sakura.bots.network.model import FACES_KNOWN
from pleasance.games.sakura.bots.network.player import judge_quickly
from pleasance.games.sakura.bots.network.storage import load_networks
from pleasance.games.sakura.bots.outlook.model import foretell_seats, guess_cards
from pleasance.games.sakura.kernel.layout import MOST_SEATS
from pleasance.games.sakura.kernel.packing import pack_box, pack_view
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.view import View

WORLDS = 200
"""Worlds imagined to tell what others hold and play."""


class Outlook(NamedTuple):
    """What the networks expect, as one seat or a spectator may."""

    shares: tuple[float, ...]
    """Each seat's share of victory; together they are one."""

    tokens: tuple[float, ...]
    """The tokens that each seat will have at the end."""

    cards: Mapping[Seat, Mapping[Card, float]]
    """For each other seat that is about to play: how likely it plays each card."""


def look_out(view: View, rng: Random) -> Outlook:
    """Tell what the networks expect from a position."""
    assert not isinstance(view.turn, Over), "what has happened need not be foretold"
    seats, own = range(view.seats), -1 if view.seat is None else int(view.seat)
    box, flat, desk = pack_box(view.box), pack_view(view), make_desk()
    value, policy = load_networks(view.box)
    shares, tokens = np.zeros(MOST_SEATS), np.zeros(MOST_SEATS)
    foretell_seats(box, flat, own, value, desk, shares, tokens)
    chances = np.zeros((MOST_SEATS, FACES_KNOWN))
    if not view.played and not view.draws:
        luck = np.array([rng.getrandbits(64) or 1], dtype=np.uint64)
        guess_cards(box, flat, own, WORLDS, luck, policy, desk, chances)
    if view.seat is not None and view.legal:
        # With the own hand in view, one round of foresight knows more.
        rest = shares[: view.seats].sum() - shares[own]
        shares[own] = max(judge_quickly(view, rng).values())
        shares[: view.seats] *= np.where(np.arange(view.seats) == own, 1, (1 - shares[own]) / rest)
    total = shares[: view.seats].sum()
    return Outlook(
        shares=tuple(float(shares[seat] / total) for seat in seats),
        tokens=tuple(float(tokens[seat]) for seat in seats),
        cards={
            Seat(seat): {Card(int(card)): float(chances[seat, card]) for card in held}
            for seat in seats
            if len(held := np.flatnonzero(chances[seat]))
        },
    )
