"""The forecast of the networks for people: shares of victory, tokens, and cards to be played."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import numpy as np

from pleasance.compiled.rng import fork_rng_state
from pleasance.core.game import Over, Seat
from pleasance.games.sakura.bots.network.accumulator import CARD_ROWS
from pleasance.games.sakura.bots.network.player import evaluate
from pleasance.games.sakura.bots.network.storage import load_networks
from pleasance.games.sakura.bots.network.workspace import make_lookahead_workspace
from pleasance.games.sakura.bots.outlook.model import forecast_cards, forecast_seats
from pleasance.games.sakura.kernel.layout import MAX_SEATS
from pleasance.games.sakura.kernel.packing import pack_constants, pack_view
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.view import View


class Outlook(NamedTuple):
    """The networks' expectation, from the knowledge of one seat or a spectator."""

    shares: tuple[float, ...]
    """Each seat's share of victory; together they are one."""

    tokens: tuple[float, ...]
    """The tokens that each seat will have at the end."""

    cards: Mapping[Seat, Mapping[Card, float]]
    """For each other seat that is about to play: how likely it plays each card."""


def forecast(view: View, rng: Random) -> Outlook:
    """Forecast a position by the networks."""
    assert not isinstance(view.turn, Over), "a game that is over needs no forecast"
    seats, own = range(view.seats), -1 if view.seat is None else int(view.seat)
    constants, position = pack_constants(view.box), pack_view(view)
    nets, workspace = load_networks(view.box), make_lookahead_workspace()
    shares, tokens = np.zeros(MAX_SEATS), np.zeros(MAX_SEATS)
    forecast_seats(constants, position, own, nets.value, workspace, shares, tokens)
    chances = np.zeros((MAX_SEATS, CARD_ROWS))
    if not view.played and not view.draws:
        rng_state = fork_rng_state(rng)
        forecast_cards(constants, position, own, rng_state, nets.policy, workspace, chances)
    if view.seat is not None and view.legal:
        # With the own hand in view, a search of one round is more exact.
        rest = shares[: view.seats].sum() - shares[own]
        shares[own] = max(evaluate(view, rng).values())
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
