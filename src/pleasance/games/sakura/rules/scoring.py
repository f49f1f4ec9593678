"""Scoring: pay at a sakura, closing ranks, and the winners."""

from __future__ import annotations

from pleasance.core.catalog import ScoreItem
from pleasance.core.game import Seat
from pleasance.core.tuples import with_item
from pleasance.games.sakura.rules.components import Space
from pleasance.games.sakura.rules.path import GATE, Places, line_up
from pleasance.games.sakura.rules.state import DISGRACES, SAKURA, START, Ledger, State


def rank_pay(painters: Places, pay: tuple[int, ...]) -> tuple[int, ...]:
    """Compute what each painter is paid for its rank (K-19)."""
    paid = [0] * len(painters)
    for painter, tokens in zip(line_up(painters), pay, strict=False):
        paid[painter] = tokens
    return tuple(paid)


def enter_pay(
    ledgers: tuple[Ledger, ...], paid: tuple[int, ...], sakura: int
) -> tuple[Ledger, ...]:
    """Write what each painter is paid into its ledger; *sakura* counts from 0."""
    return tuple(
        with_item(ledger, SAKURA + sakura, tokens)
        for ledger, tokens in zip(ledgers, paid, strict=True)
    )


def close_ranks(painters: Places) -> Places:
    """Let each painter go right behind the one ahead of it (K-20)."""
    places = list(painters)
    first = max(painters)
    for rank, painter in enumerate(line_up(painters)):
        places[painter] = max(Space(first - rank), GATE)
    return tuple(places)


def scores(state: State) -> tuple[int, ...]:
    """Count each seat's tokens; the court painter has no seat (K-21, K-22)."""
    return tuple(sum(ledger) for ledger in state.ledgers[: len(state.hands)])


def winners(state: State) -> tuple[Seat, ...]:
    """Name the seats with most tokens and, of these, closest to the Emperor (K-21)."""
    leaders = _leaders(state)
    places = state.painters
    closest = max(places[seat] for seat in leaders)
    return tuple(seat for seat in leaders if places[seat] == closest)


def decided_by(state: State) -> str:
    """Name what separates the winners from the rest (K-21)."""
    if len(winners(state)) > 1:
        return "shared"
    return "closest" if len(_leaders(state)) > 1 else "points"


def score_items(state: State) -> tuple[tuple[ScoreItem, ...], ...]:
    """List the items of each seat's score: its tokens by their cause (K-4, K-9, K-19)."""
    return tuple(
        (
            ScoreItem("start", ledger[START]),
            ScoreItem("disgraces", ledger[DISGRACES]),
            *(
                ScoreItem("sakura", tokens, {"sakura": number})
                for number, tokens in enumerate(ledger[SAKURA:], start=1)
            ),
        )
        for ledger in state.ledgers[: len(state.hands)]
    )


def _leaders(state: State) -> tuple[Seat, ...]:
    """Name the seats with most tokens."""
    tokens = scores(state)
    most = max(tokens)
    return tuple(Seat(seat) for seat, count in enumerate(tokens) if count == most)
