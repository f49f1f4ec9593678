"""Serializers of views and box facts."""

from __future__ import annotations

from pleasance.core.game import WireSerializers

from ..rules.actions import Water
from ..rules.components import WEIGHTS
from ..rules.view import View
from .wire_types import PondBox, PondView


def view_to_wire(view: View) -> PondView:
    """Serialize a view, field by field."""
    points = zip(view.kept, view.freed, view.caught, view.eaten, strict=True)
    return PondView(
        seat=view.seat,
        round=view.round,
        is_deep=view.water is Water.DEEP,
        bite=view.bite,
        hands=_hands_to_wire(view),
        scores=tuple(kept + freed + caught - eaten for kept, freed, caught, eaten in points),
    )


def private_to_wire(view: View) -> dict[str, object]:
    """Serialize the fields that differ from seat to seat."""
    return {"seat": view.seat, "hands": _hands_to_wire(view)}


def box_to_wire(seats: int) -> PondBox:
    """Serialize the box for a number of seats."""
    return PondBox(seats, tuple(WEIGHTS))


def _hands_to_wire(view: View) -> tuple[tuple[int, ...], ...]:
    return tuple(
        (0,) * size
        if hand is None
        else tuple(w for w, n in zip(WEIGHTS, hand, strict=True) for _ in range(n))
        for size, hand in zip(view.sizes, view.hands, strict=True)
    )


WIRE = WireSerializers(PondView, PondBox, view_to_wire, private_to_wire, box_to_wire)
