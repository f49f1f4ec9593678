"""The forecast of a game for people: points, nobles, rows, columns and missions of each garden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import numpy as np

from pleasance.core.bits import bits
from pleasance.core.game import Over, Seat
from pleasance.games.sanssouci.bots.outlook.features import (
    extract,
)
from pleasance.games.sanssouci.bots.outlook.model import (
    MIN_POINTS,
    Probabilities,
    load_layers,
    predict,
)
from pleasance.games.sanssouci.bots.outlook.workspace import (
    POINTS,
    STATIC_POINTS,
    TURNS_LEFT,
    OutlookFeatures,
    make_outlook_features,
)
from pleasance.games.sanssouci.kernel.packing import pack_constants, pack_view
from pleasance.games.sanssouci.rules.components import WIDTH, Motif
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.games.sanssouci.rules.view import View

MIN_PROBABILITY = 1e-6
"""Less probable outcomes are left out."""


class GardenOutlook(NamedTuple):
    """The forecast of one garden."""

    points: Mapping[int, float]
    """Probability of each number of points to come, the end scoring included (S-18)."""

    nobles: tuple[tuple[float, ...], ...]
    """Probability that the noble of each column ends in each row; 0 is the terrace."""

    rows: Mapping[int, float]
    """Probability that each row 2 to 6 will be complete."""

    columns: tuple[float, ...]
    """Probability that each column will be complete."""

    missions: Mapping[Motif, float]
    """Probability that each column is one of its missions; visible ones are certain."""

    @property
    def expected(self) -> float:
        """Average the points to come."""
        return sum(points * chance for points, chance in self.points.items())

    def mission_points(self, column: Motif) -> float:
        """Average the points of a mission of this column: the row of its noble.

        For a hidden mission the mean is a little low: nobles go further down for missions.
        """
        return sum(row * chance for row, chance in enumerate(self.nobles[column]))


class Outlook(NamedTuple):
    """The forecast of a game, from the view of a seat or a spectator."""

    gardens: tuple[GardenOutlook, ...]
    """The forecast of each seat's garden."""

    shares: tuple[float, ...]
    """Each seat's share of victory; together they are one."""


def forecast(view: View, _rng: Random) -> Outlook:
    """Forecast each garden, once the set-up draws are made.

    Certain facts get probability 1; after the last turn only hidden missions are open. The random
    generator is unused: the forecasts of all games have the same signature.
    """
    assert view.phase >= Phase.SIDES, "no forecast before the set-up is complete"
    constants, position, seats = pack_constants(view.box), pack_view(view), range(view.seats)
    features = make_outlook_features(view.seats)
    for seat in seats:
        extract(constants, position, seat, int(view.missions[seat] != 0), features, seat)
    chances = predict(load_layers(), features, view.seats)
    own = 0 if view.seat is None else view.missions[view.seat]
    pairs = [_mission_pairs(chances.missions[seat], view.missions[seat], own) for seat in seats]
    gardens = tuple(
        _combine(view, Seat(seat), chances=chances, features=features, pairs=pairs[seat])
        for seat in seats
    )
    scored = [sum(garden.ledger) for garden in view.gardens]
    return Outlook(gardens, _victory_shares(view, gardens, scored))


def _mission_pairs(fit: Any, known: int, own: int) -> dict[tuple[int, int], float]:
    """Compute the probability of each pair of missions of a seat; the viewer's own are excluded."""
    if known:
        one, two = bits(known)
        return {(one, two): 1.0}
    free = [column for column in range(WIDTH) if not own >> column & 1]
    weights = {(one, two): float(fit[one] * fit[two]) for one, two in combinations(free, 2)}
    total = sum(weights.values())
    return {pair: weight / total for pair, weight in weights.items()}


def _combine(
    view: View,
    seat: Seat,
    *,
    chances: Probabilities,
    features: OutlookFeatures,
    pairs: Mapping[tuple[int, int], float],
) -> GardenOutlook:
    """Combine the forecast of one garden."""
    nobles = _limit_walks(chances.nobles[seat], features, seat)
    missions = dict.fromkeys(Motif, 0.0)
    for pair, chance in pairs.items():
        for column in pair:
            missions[Motif(column)] += chance
    lines = [float(chance) for chance in chances.lines[seat]]
    facts = features.facts[seat]
    baseline = int(facts[STATIC_POINTS] - facts[POINTS])
    if facts[TURNS_LEFT] == 0:
        is_known = view.missions[seat] != 0
        points = _settled_points(nobles, {} if is_known else pairs, baseline)
    else:
        likely = chances.points[seat] * (chances.points[seat] > MIN_PROBABILITY)
        likely = likely / likely.sum()
        points = {
            baseline + MIN_POINTS + int(place): float(likely[place])
            for place in np.flatnonzero(likely)
        }
    return GardenOutlook(
        points=points,
        nobles=tuple(tuple(float(chance) for chance in column) for column in nobles),
        rows=dict(zip(range(2, 7), lines[:5], strict=True)),
        columns=tuple(lines[5:]),
        missions={column: chance for column, chance in missions.items() if chance > 0},
    )


def _limit_walks(nobles: Any, features: OutlookFeatures, seat: int) -> Any:
    """Limit the mean number of walks to the turns left."""
    stands = features.stands[seat]
    place = np.array([int(column) & -int(column) for column in stands]).astype(float)
    stand = np.log2(place).astype(int)
    stay = nobles[np.arange(WIDTH), stand]
    walks, left = (1 - stay).sum(), features.facts[seat, TURNS_LEFT]
    if walks <= left:
        return nobles
    slowed = nobles * (left / walks)
    slowed[np.arange(WIDTH), stand] += 1 - left / walks
    return slowed


def _settled_points(
    nobles: Any, pairs: Mapping[tuple[int, int], float], baseline: int
) -> dict[int, float]:
    """Compute the points to come after all turns: the static value and hidden missions."""
    if not pairs:
        return {baseline: 1.0}
    rows = nobles.argmax(1)
    points: dict[int, float] = {}
    for (one, two), chance in pairs.items():
        total = baseline + int(rows[one] + rows[two])
        points[total] = points.get(total, 0.0) + chance
    return points


def _victory_shares(
    view: View, gardens: Sequence[GardenOutlook], scored: Sequence[int]
) -> tuple[float, ...]:
    """Compute each seat's share of victory, as if the seats' points were independent."""
    if isinstance(view.turn, Over):
        return _final_shares(view)
    most = 1 + max(
        points + max(garden.points) for garden, points in zip(gardens, scored, strict=True)
    )
    exact = np.zeros((len(gardens), most + 1))
    for seat, (garden, points) in enumerate(zip(gardens, scored, strict=True)):
        for more, chance in garden.points.items():
            exact[seat, max(points + more, 0)] += chance
    return tuple(float(share) for share in victory_shares(exact[None])[0])


def victory_shares(exact: Any) -> Any:
    """Compute shares of victory from probabilities `[table, seat, points]`; ties share it."""
    below = np.cumsum(exact, axis=-1) - exact
    seats = exact.shape[1]
    shares = np.zeros(exact.shape[:2])
    for seat in range(seats):
        # `tied[n]`: the probability that n others have as many points, and none has more.
        tied = [np.ones_like(exact[:, seat])]
        for other in range(seats):
            if other != seat:
                more = [np.zeros_like(tied[0]), *(part * exact[:, other] for part in tied)]
                tied = [*(part * below[:, other] for part in tied), np.zeros_like(tied[0])]
                tied = [one + two for one, two in zip(tied, more, strict=True)]
        won = sum(part / (number + 1) for number, part in enumerate(tied))
        shares[:, seat] = (exact[:, seat] * won).sum(-1)
    return shares / shares.sum(-1, keepdims=True)


def _final_shares(view: View) -> tuple[float, ...]:
    """Compute the shares of victory when the game is over (S-19)."""
    assert isinstance(view.turn, Over), view.turn
    standing = [
        (points, garden.gardeners.bit_count())
        for points, garden in zip(view.scores, view.gardens, strict=True)
    ]
    won = [mine == max(standing) for mine in standing]
    return tuple(share / sum(won) for share in won)
