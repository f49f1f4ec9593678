"""Scores and the items that make them up."""

from __future__ import annotations

from pleasance.core.catalog import ScoreItem
from pleasance.core.game import Seat

from .state import State


def scores(state: State) -> tuple[int, ...]:
    """Count each seat's points."""
    return tuple(sum(item.points for item in why) for why in score_items(state))


def score_items(state: State) -> tuple[tuple[ScoreItem, ...], ...]:
    """Explain each seat's points (P-5 to P-7)."""
    columns = zip(state.kept, state.freed, state.caught, state.eaten, strict=True)
    return tuple(
        (
            ScoreItem("kept", kept),
            ScoreItem("freed", freed),
            ScoreItem("caught", caught),
            ScoreItem("frog", -eaten),
        )
        for kept, freed, caught, eaten in columns
    )


def winners(state: State) -> tuple[Seat, ...]:
    """Find the seats with most points, then with the heaviest fish in hand (P-9)."""
    leaders = _leaders(state)
    heaviest = max(_heaviest(state, seat) for seat in leaders)
    return tuple(seat for seat in leaders if _heaviest(state, seat) == heaviest)


def decided_by(state: State) -> str:
    """Name what decided the game: points, the heaviest fish, or nothing (P-9)."""
    if len(_leaders(state)) == 1:
        return "points"
    return "heaviest" if len(winners(state)) == 1 else "shared"


def _leaders(state: State) -> tuple[Seat, ...]:
    points = scores(state)
    return tuple(Seat(seat) for seat, own in enumerate(points) if own == max(points))


def _heaviest(state: State, seat: Seat) -> int:
    return max((weight for weight, n in enumerate(state.hands[seat], start=1) if n), default=0)
