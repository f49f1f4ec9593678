"""The forecast of Sanssouci: probabilities, hidden information, certainty, and calibration."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from random import Random
from typing import Any

import numpy as np
import pytest

from conformance import Configuration, find_configuration, random_game
from pleasance.core.bits import bits, mask_of
from pleasance.core.game import Over, Seat
from pleasance.games.sanssouci.bots.outlook import model
from pleasance.games.sanssouci.bots.outlook.forecast import GardenOutlook, Outlook, forecast
from pleasance.games.sanssouci.rules.components import Motif
from pleasance.games.sanssouci.rules.garden import mirror
from pleasance.games.sanssouci.rules.scoring import complete_columns, complete_rows, winners
from pleasance.games.sanssouci.rules.state import ROUNDS, Garden, Phase, State, noble_row
from pleasance.games.sanssouci.training.outlook import calibration

# The compiler alone takes longer than the fast part may; it is best run once, in one process.
pytestmark = [pytest.mark.slow, pytest.mark.long]

RNG = Random(1)


def positions(config: Configuration, seed: int, step: int) -> list[State]:
    """List positions of a random game once the set-up draws are made, the last one included."""
    found = [state for state, _ in random_game(config, seed) if state.phase >= Phase.SIDES]
    return [*found[:-1:step], found[-1]]


def check(garden: Garden, prospect: GardenOutlook) -> None:
    """Assert that probabilities sum to one, and that certain facts have 0 or 1."""
    assert sum(prospect.points.values()) == pytest.approx(1)
    assert sum(prospect.missions.values()) == pytest.approx(2)
    for column, chances in enumerate(prospect.nobles):
        assert sum(chances) == pytest.approx(1)
        assert not any(chances[: noble_row(garden, column)])
        for row in range(1, 7):
            if garden.gardeners >> ((row - 1) * 9 + column) & 1:
                assert chances[row] == 0 or row == noble_row(garden, column)
    for row, chance in prospect.rows.items():
        assert 0 <= chance <= 1
        assert (row in complete_rows(garden)) <= (chance == 1)
    for motif in complete_columns(garden):
        assert prospect.columns[motif] == 1


@pytest.mark.parametrize(
    "table", ["sanssouci-2", "sanssouci-3-rewards", "sanssouci-4-rewards-boars"]
)
def test_probabilities_sum_to_one_and_certain_facts_are_certain(table: str) -> None:
    config = find_configuration(table)
    for state in positions(config, 2, 7):
        for seat in (Seat(0), None):
            outlook = forecast(config.game.view(state, seat), RNG)
            assert sum(outlook.shares) == pytest.approx(1)
            for garden, prospect in zip(state.gardens, outlook.gardens, strict=True):
                check(garden, prospect)


def test_the_mean_number_of_walks_is_at_most_the_turns_left() -> None:
    config = find_configuration("sanssouci-2")
    for state in positions(config, 3, 1)[-60:]:
        for seat, prospect in enumerate(forecast(config.game.view(state, Seat(1)), RNG).gardens):
            stands = [noble_row(state.gardens[seat], column) for column in range(9)]
            walks = sum(1 - ends[row] for ends, row in zip(prospect.nobles, stands, strict=True))
            place = (seat - state.first) % 2
            played = state.turns // 2 + (place < state.turns % 2)
            assert walks <= ROUNDS - played + 1e-6


def test_hidden_information_does_not_change_a_forecast() -> None:
    config = find_configuration("sanssouci-3-rewards-boars")
    rng = Random(3)
    for state in positions(config, 4, 9)[:-1]:
        for seat in (Seat(1), None):
            view = config.game.view(state, seat)
            seen = config.game.view(config.game.imagine(view, rng), seat)
            assert forecast(view, RNG) == forecast(seen, RNG)


def test_own_missions_are_certain_and_excluded_for_others() -> None:
    config = find_configuration("sanssouci-4")
    for state in positions(config, 5, 11)[:-1]:
        outlook = forecast(config.game.view(state, Seat(2)), RNG)
        own = set(map(Motif, bits(state.missions[2])))
        assert outlook.gardens[2].missions == dict.fromkeys(own, 1.0)
        for seat in (0, 1, 3):
            assert not own & set(outlook.gardens[seat].missions)


def points_to_come(config: Configuration, state: State, end: State, seat: int) -> int:
    """Count by the rules the points that came between a position and the end."""
    points: int = config.game.scores(end)[seat]
    return points - sum(state.gardens[seat].ledger)


def test_after_the_last_turn_only_hidden_missions_are_unknown() -> None:
    config = find_configuration("sanssouci-2-rewards-boars")
    states = positions(config, 6, 1)
    end = states[-1]
    assert isinstance(config.game.turn(end), Over)
    for seat in (Seat(0), Seat(1)):
        over = forecast(config.game.view(end, seat), RNG)
        won = winners(end)
        assert over.shares == tuple((one in won) / len(won) for one in (0, 1))
        for one, prospect in enumerate(over.gardens):
            assert prospect.points == {points_to_come(config, end, end, one): 1.0}
    done = Seat(1 - states[-2].actor)  # the other one has had the last turn but one
    late = next(state for state in states if state.turns == 2 * ROUNDS - 1)
    own, came = config.game.view(late, done), points_to_come(config, late, end, done)
    assert forecast(own, RNG).gardens[done].points == {came: 1.0}
    seen = forecast(config.game.view(late, None), RNG).gardens[done]
    assert len(seen.points) > 1
    assert came in seen.points
    assert all(max(chances) == 1 for chances in seen.nobles)
    assert set(seen.rows.values()) | set(seen.columns) <= {0.0, 1.0}


def turn_over(state: State) -> State:
    """Exchange left and right: gardens, cards, tiles, missions; side B mirrors side A (S-3)."""

    def rename(columns: int) -> int:
        return mask_of(8 - column if column < 9 else column for column in bits(columns))

    def cell(place: Any) -> Any:
        return place if place < 0 else place + 8 - 2 * (place % 9)

    gardens = tuple(
        garden._replace(
            built=mirror(garden.built),
            gardeners=mirror(garden.gardeners),
            ahead=mirror(garden.ahead),
            boar=cell(garden.boar),
            rewards_side=garden.rewards_side ^ 1 if garden.rewards_side >= 0 else -1,
        )
        for garden in state.gardens
    )
    return state._replace(
        gardens=gardens,
        market=tuple(motif if motif < 0 else 8 - motif for motif in state.market),
        bag=state.bag[::-1],
        hands=tuple(map(rename, state.hands)),
        decks=tuple(map(rename, state.decks)),
        missions=tuple(map(rename, state.missions)),
        tile=cell(state.tile),
    )


def list_numbers(outlook: Outlook, columns: Sequence[int]) -> list[float]:
    """List the numbers of an outlook, with the columns in this order."""
    return [
        number
        for garden in outlook.gardens
        for number in (
            garden.expected,
            *garden.rows.values(),
            *(garden.columns[column] for column in columns),
            *(garden.missions.get(Motif(column), 0) for column in columns),
            *(chance for column in columns for chance in garden.nobles[column]),
        )
    ]


def test_a_mirrored_garden_has_the_mirrored_forecast() -> None:
    config = find_configuration("sanssouci-3-rewards-boars")
    for state in positions(config, 7, 13)[:-1]:
        one = forecast(config.game.view(state, Seat(0)), RNG)
        other = forecast(config.game.view(turn_over(state), Seat(0)), RNG)
        plain = list_numbers(one, range(9))
        assert list_numbers(other, range(8, -1, -1)) == pytest.approx(plain, abs=1e-4)
        assert list_numbers(other, range(9)) != pytest.approx(plain, abs=1e-4)
        assert other.shares == pytest.approx(one.shares, abs=1e-4)


def test_the_best_last_walk_is_forecast() -> None:
    config = find_configuration("sanssouci-2")
    states = [s for s in positions(config, 8, 1) if s.phase is Phase.WALK]
    state = next(s for s in states if s.turns == 2 * ROUNDS - 1)
    seat = state.actor
    ends = [
        _finish(config, config.game.play(state, (choice,)))
        for choice in config.game.legal(state, seat)
    ]
    best = max(points_to_come(config, state, end, seat) for end in ends)
    outlook = forecast(config.game.view(state, seat), RNG).gardens[seat]
    assert len(ends) > 2
    assert outlook.points[best] > 0.5


def _finish(config: Configuration, state: State) -> State:
    """Play to the end of a game in its last turn, drawing what is due."""
    while not isinstance(config.game.turn(state), Over):
        state = config.game.reveal(state, config.game.chances(state)[0][0])
    return state


def test_the_forecast_beats_base_rates_and_is_calibrated() -> None:
    report = calibration.calibrate(model.load_layers(), games=60, seed=9)
    for name, table in report.table.items():
        assert table["all"]["log_loss"] < table["all"]["base_log_loss"], name
        assert table["all"]["brier"] < table["all"]["base_brier"], name
    for name, bins in report.series.items():
        rows = np.array([one.rows for one in bins])
        wrong = np.array([abs(one.forecast - one.observed) for one in bins])
        assert (wrong * rows).sum() / rows.sum() < 0.08, name


def test_the_weights_have_the_recorded_checksum() -> None:
    folder = files("pleasance.games.sanssouci") / "weights"
    recorded = json.loads((folder / "outlook.json").read_text(encoding="utf-8"))
    data = (folder / "outlook.npz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == recorded["sha256"]
    assert len(data) <= 300_000
