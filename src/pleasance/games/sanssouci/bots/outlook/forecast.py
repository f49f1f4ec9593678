"""What becomes of the gardens, for people: points to come, nobles, rows, columns, missions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import numpy as np

from pleasance.core.bits import bits
from pleasance.core.game import Over, Seat
from pleasance.games.sanssouci.bots.outlook import features as see
from pleasance.games.sanssouci.bots.outlook.features import Glance, look, make_glance
from pleasance.games.sanssouci.bots.outlook.model import LEAST, Chances, foretell, load_layers
from pleasance.games.sanssouci.kernel.packing import pack_box, pack_view
from pleasance.games.sanssouci.rules.components import WIDTH, Motif
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.games.sanssouci.rules.view import View

TINY = 1e-6
"""What is less likely is not told."""


class Prospect(NamedTuple):
    """What can be expected of one garden."""

    points: Mapping[int, float]
    """How likely each number of points is to come by the end, the end scoring included (S-18)."""

    nobles: tuple[tuple[float, ...], ...]
    """How likely the noble of each column ends in each row; 0 is the terrace."""

    rows: Mapping[int, float]
    """How likely each row 2 to 6 will be complete."""

    columns: tuple[float, ...]
    """How likely each column will be complete."""

    missions: Mapping[Motif, float]
    """How likely each column is one of its missions: certain for those one may see."""

    @property
    def expected(self) -> float:
        """Tell the mean of the points to come."""
        return sum(points * chance for points, chance in self.points.items())

    def mission_points(self, column: Motif) -> float:
        """Tell what a mission of this column would bring in the mean: the row of its noble.

        If it is hidden whose mission this is, a little more: nobles go further down for missions.
        """
        return sum(row * chance for row, chance in enumerate(self.nobles[column]))


class Outlook(NamedTuple):
    """What can be expected, as one seat or a spectator may."""

    gardens: tuple[Prospect, ...]
    """What can be expected of the garden of each seat."""

    shares: tuple[float, ...]
    """Each seat's share of victory; together they are one."""


def look_out(view: View, _rng: Random) -> Outlook:
    """Tell what can be expected of each garden, once the set-up draws are made.

    What is certain is told as certain; after the last turn only hidden missions are open. No luck
    is needed here: the outlooks of all games are asked alike.
    """
    assert view.phase >= Phase.SIDES, "before all is laid out nothing can be foretold"
    box, flat, seats = pack_box(view.box), pack_view(view), range(view.seats)
    glance = make_glance(view.seats)
    for seat in seats:
        look(box, flat, seat, int(view.missions[seat] != 0), glance, seat)
    chances = foretell(load_layers(), glance, view.seats)
    own = 0 if view.seat is None else view.missions[view.seat]
    pairs = [_pair_missions(chances.missions[seat], view.missions[seat], own) for seat in seats]
    gardens = tuple(
        _tell(view, Seat(seat), chances=chances, glance=glance, pairs=pairs[seat]) for seat in seats
    )
    scored = [sum(garden.ledger) for garden in view.gardens]
    return Outlook(gardens, _share_out(view, gardens, scored))


def _pair_missions(fits: Any, known: int, own: int) -> dict[tuple[int, int], float]:
    """Tell how likely each two columns are somebody's missions; those of the viewer are not."""
    if known:
        one, two = bits(known)
        return {(one, two): 1.0}
    free = [column for column in range(WIDTH) if not own >> column & 1]
    weights = {(one, two): float(fits[one] * fits[two]) for one, two in combinations(free, 2)}
    total = sum(weights.values())
    return {pair: weight / total for pair, weight in weights.items()}


def _tell(
    view: View,
    seat: Seat,
    *,
    chances: Chances,
    glance: Glance,
    pairs: Mapping[tuple[int, int], float],
) -> Prospect:
    """Put together what is expected of one garden."""
    nobles = _slow_down(chances.nobles[seat], glance, seat)
    missions = dict.fromkeys(Motif, 0.0)
    for pair, chance in pairs.items():
        for column in pair:
            missions[Motif(column)] += chance
    lines = [float(chance) for chance in chances.lines[seat]]
    facts = glance.facts[seat]
    counted = int(facts[see.BASE] - facts[see.POINTS])
    if facts[see.LEFT] == 0:
        is_known = view.missions[seat] != 0
        points = _count_missions(nobles, {} if is_known else pairs, counted)
    else:
        told = chances.points[seat] * (chances.points[seat] > TINY)
        told = told / told.sum()
        points = {
            counted + LEAST + int(place): float(told[place]) for place in np.flatnonzero(told)
        }
    return Prospect(
        points=points,
        nobles=tuple(tuple(float(chance) for chance in column) for column in nobles),
        rows=dict(zip(range(2, 7), lines[:5], strict=True)),
        columns=tuple(lines[5:]),
        missions={column: chance for column, chance in missions.items() if chance > 0},
    )


def _slow_down(nobles: Any, glance: Glance, seat: int) -> Any:
    """Let no more nobles walk in the mean than there are turns left."""
    stands = glance.stands[seat]
    place = np.array([int(column) & -int(column) for column in stands]).astype(float)
    stand = np.log2(place).astype(int)
    stay = nobles[np.arange(WIDTH), stand]
    walks, left = (1 - stay).sum(), glance.facts[seat, see.LEFT]
    if walks <= left:
        return nobles
    slowed = nobles * (left / walks)
    slowed[np.arange(WIDTH), stand] += 1 - left / walks
    return slowed


def _count_missions(
    nobles: Any, pairs: Mapping[tuple[int, int], float], counted: int
) -> dict[int, float]:
    """Tell the points to come when all turns are over: what is counted and the hidden missions."""
    if not pairs:
        return {counted: 1.0}
    rows = nobles.argmax(1)
    points: dict[int, float] = {}
    for (one, two), chance in pairs.items():
        came = counted + int(rows[one] + rows[two])
        points[came] = points.get(came, 0.0) + chance
    return points


def _share_out(view: View, gardens: Sequence[Prospect], scored: Sequence[int]) -> tuple[float, ...]:
    """Tell how likely each seat has most points at the end, as if each came by its own alone."""
    if isinstance(view.turn, Over):
        return _share_end(view)
    most = 1 + max(
        points + max(garden.points) for garden, points in zip(gardens, scored, strict=True)
    )
    exact = np.zeros((len(gardens), most + 1))
    for seat, (garden, points) in enumerate(zip(gardens, scored, strict=True)):
        for came, chance in garden.points.items():
            exact[seat, max(points + came, 0)] += chance
    return tuple(float(share) for share in share_victory(exact[None])[0])


def share_victory(exact: Any) -> Any:
    """Share victory by the chances of final points `[table, seat, points]`; ties share it."""
    below = np.cumsum(exact, axis=-1) - exact
    seats = exact.shape[1]
    shares = np.zeros(exact.shape[:2])
    for seat in range(seats):
        # How likely so many of the others have as many points, and none has more.
        tied = [np.ones_like(exact[:, seat])]
        for other in range(seats):
            if other != seat:
                more = [np.zeros_like(tied[0]), *(part * exact[:, other] for part in tied)]
                tied = [*(part * below[:, other] for part in tied), np.zeros_like(tied[0])]
                tied = [one + two for one, two in zip(tied, more, strict=True)]
        won = sum(part / (number + 1) for number, part in enumerate(tied))
        shares[:, seat] = (exact[:, seat] * won).sum(-1)
    return shares / shares.sum(-1, keepdims=True)


def _share_end(view: View) -> tuple[float, ...]:
    """Share victory when the game is over (S-19)."""
    assert isinstance(view.turn, Over), view.turn
    standing = [
        (points, garden.gardeners.bit_count())
        for points, garden in zip(view.scores, view.gardens, strict=True)
    ]
    won = [mine == max(standing) for mine in standing]
    return tuple(share / sum(won) for share in won)
