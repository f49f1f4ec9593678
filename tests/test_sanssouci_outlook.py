"""Sanssouci's outlook: adds up, knows what a view knows, and is certain at last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from random import Random
from typing import Any

import numpy as np
import pytest

from conformance import Configuration, find_configuration, walk
from pleasance.core.bits import bits, mask_of
from pleasance.core.game import Over, Seat
from pleasance.games.sanssouci.bots.outlook import model
from pleasance.games.sanssouci.bots.outlook.forecast import Outlook, Prospect, look_out
from pleasance.games.sanssouci.rules.components import Motif
from pleasance.games.sanssouci.rules.garden import mirror
from pleasance.games.sanssouci.rules.scoring import complete_columns, complete_rows, winners
from pleasance.games.sanssouci.rules.state import ROUNDS, Garden, Phase, State, noble_row
from pleasance.games.sanssouci.training import outlook_calibration as calibration

# The compiler alone takes longer than the fast part may; it is best run once, in one process.
pytestmark = [pytest.mark.slow, pytest.mark.long]

RNG = Random(1)


def positions(config: Configuration, seed: int, step: int) -> list[State]:
    """List positions of a random game once the set-up draws are made, the last one included."""
    found = [state for state, _ in walk(config, seed) if state.phase >= Phase.SIDES]
    return [*found[:-1:step], found[-1]]


def check(garden: Garden, prospect: Prospect) -> None:
    """Assert that chances are one together, and that what is certain is told so."""
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
def test_chances_are_one_together_and_what_is_certain_is_told_so(table: str) -> None:
    config = find_configuration(table)
    for state in positions(config, 2, 7):
        for seat in (Seat(0), None):
            outlook = look_out(config.game.view(state, seat), RNG)
            assert sum(outlook.shares) == pytest.approx(1)
            for garden, prospect in zip(state.gardens, outlook.gardens, strict=True):
                check(garden, prospect)


def test_no_more_nobles_walk_in_the_mean_than_turns_are_left() -> None:
    config = find_configuration("sanssouci-2")
    for state in positions(config, 3, 1)[-60:]:
        outlook = look_out(config.game.view(state, Seat(1)), RNG)
        for seat, prospect in enumerate(outlook.gardens):
            stands = [noble_row(state.gardens[seat], column) for column in range(9)]
            walks = sum(1 - told[row] for told, row in zip(prospect.nobles, stands, strict=True))
            place = (seat - state.first) % 2
            played = state.turns // 2 + (place < state.turns % 2)
            assert walks <= ROUNDS - played + 1e-6


def test_what_a_seat_cannot_see_does_not_change_its_outlook() -> None:
    config = find_configuration("sanssouci-3-rewards-boars")
    rng = Random(3)
    for state in positions(config, 4, 9)[:-1]:
        for seat in (Seat(1), None):
            view = config.game.view(state, seat)
            seen = config.game.view(config.game.imagine(view, rng), seat)
            assert look_out(view, RNG) == look_out(seen, RNG)


def test_own_missions_are_certain_and_are_nobody_elses() -> None:
    config = find_configuration("sanssouci-4")
    for state in positions(config, 5, 11)[:-1]:
        outlook = look_out(config.game.view(state, Seat(2)), RNG)
        own = set(map(Motif, bits(state.missions[2])))
        assert outlook.gardens[2].missions == dict.fromkeys(own, 1.0)
        for seat in (0, 1, 3):
            assert not own & set(outlook.gardens[seat].missions)


def come(config: Configuration, state: State, end: State, seat: int) -> int:
    """Tell by the rules how many points came between a position and the end."""
    points: int = config.game.scores(end)[seat]
    return points - sum(state.gardens[seat].ledger)


def test_after_the_last_turn_all_is_known_but_hidden_missions() -> None:
    config = find_configuration("sanssouci-2-rewards-boars")
    states = positions(config, 6, 1)
    end = states[-1]
    assert isinstance(config.game.turn(end), Over)
    for seat in (Seat(0), Seat(1)):
        over = look_out(config.game.view(end, seat), RNG)
        won = winners(end)
        assert over.shares == tuple((one in won) / len(won) for one in (0, 1))
        for one, prospect in enumerate(over.gardens):
            assert prospect.points == {come(config, end, end, one): 1.0}
    done = Seat(1 - states[-2].actor)  # the other one has had the last turn but one
    late = next(state for state in states if state.turns == 2 * ROUNDS - 1)
    own, came = config.game.view(late, done), come(config, late, end, done)
    assert look_out(own, RNG).gardens[done].points == {came: 1.0}
    seen = look_out(config.game.view(late, None), RNG).gardens[done]
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


def test_a_mirrored_garden_has_the_mirrored_outlook() -> None:
    config = find_configuration("sanssouci-3-rewards-boars")
    for state in positions(config, 7, 13)[:-1]:
        told = look_out(config.game.view(state, Seat(0)), RNG)
        other = look_out(config.game.view(turn_over(state), Seat(0)), RNG)
        plain = list_numbers(told, range(9))
        assert list_numbers(other, range(8, -1, -1)) == pytest.approx(plain, abs=1e-4)
        assert list_numbers(other, range(9)) != pytest.approx(plain, abs=1e-4)
        assert other.shares == pytest.approx(told.shares, abs=1e-4)


def test_when_only_a_walk_is_left_the_best_one_is_foretold() -> None:
    config = find_configuration("sanssouci-2")
    states = [s for s in positions(config, 8, 1) if s.phase is Phase.WALK]
    state = next(s for s in states if s.turns == 2 * ROUNDS - 1)
    seat = state.actor
    ends = [
        _finish(config, config.game.play(state, (choice,)))
        for choice in config.game.legal(state, seat)
    ]
    best = max(come(config, state, end, seat) for end in ends)
    outlook = look_out(config.game.view(state, seat), RNG).gardens[seat]
    assert len(ends) > 2
    assert outlook.points[best] > 0.5


def _finish(config: Configuration, state: State) -> State:
    """Play to the end of a game in its last turn, drawing what is due."""
    while not isinstance(config.game.turn(state), Over):
        state = config.game.reveal(state, config.game.chances(state)[0][0])
    return state


def test_the_outlook_knows_more_than_base_rates_and_means_what_it_says() -> None:
    report = calibration.calibrate(model.load_layers(), games=60, seed=9)
    for name, table in report.table.items():
        assert table["all"]["log_loss"] < table["all"]["base_log_loss"], name
        assert table["all"]["brier"] < table["all"]["base_brier"], name
    for name, bins in report.series.items():
        rows = np.array([one.rows for one in bins])
        wrong = np.array([abs(one.told - one.happened) for one in bins])
        assert (wrong * rows).sum() / rows.sum() < 0.08, name


def test_the_weights_are_those_that_were_measured() -> None:
    folder = files("pleasance.games.sanssouci") / "weights"
    told = json.loads((folder / "outlook.json").read_text(encoding="utf-8"))
    data = (folder / "outlook.npz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == told["sha256"]
    assert len(data) <= 300_000
