"""The search gain: how much better rollouts choose than the network alone."""

from __future__ import annotations

import json
from itertools import islice
from math import exp

import numpy as np
import pytest

from conformance import find_configuration, random_game
from pleasance.core.game import Choose
from pleasance.games.sanssouci.bots.network.search import lead_swing, lead_value
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.packing import pack, pack_view
from pleasance.games.sanssouci.kernel.view import view as kernel_view
from pleasance.games.sanssouci.training import search_gain as search_gain_script
from pleasance.games.sanssouci.training.search_gain import (
    HORIZONS,
    Simulations,
    main,
    max_gain,
    sample_positions,
    search_gain,
    summarize,
    victory_chances,
)

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may


def make_simulations(prior: list[float], simulated: list[float], worlds: int = 32) -> Simulations:
    values = np.tile(np.array(simulated), (len(HORIZONS), worlds, 1))
    return Simulations(np.array(prior), values, values / 100, np.arange(len(simulated))[:, None])


def test_simulations_find_a_better_turn_than_the_prior() -> None:
    simulations = make_simulations([1.0, 0.5], [1.0, 3.0])
    assert search_gain(simulations, 1, 16) == pytest.approx([2.0, 0.02])


def test_a_few_worlds_do_not_outweigh_the_prior() -> None:
    simulations = make_simulations([5.0, 1.0], [1.0, 3.0])
    assert search_gain(simulations, 1, 4) == pytest.approx([0, 0])
    assert search_gain(simulations, 1, 16) == pytest.approx([2.0, 0.02])


def test_a_choice_is_evaluated_by_other_worlds() -> None:
    simulations = make_simulations([1.0, 0.9], [1.0, 3.0])
    for values in (simulations.values, simulations.victories):
        values[:, 16:, 1] = 0.0  # what the first worlds like is worth nothing in the others
    assert search_gain(simulations, 1, 16) == pytest.approx([-1.0, -0.01])


def test_the_summary_has_every_horizon_and_number_of_worlds() -> None:
    better, same = ([1.0, 0.5], [1.0, 3.0]), ([1.0, 0.0], [1.0, 0.0])
    *looks, most = summarize([make_simulations(*better), make_simulations(*same)])
    assert {(line["ahead"], line["worlds"]) for line in looks} == {
        (ahead, worlds) for ahead in HORIZONS for worlds in (4, 8, 16)
    }
    assert all(line["gain"] == pytest.approx(1.0) for line in looks)
    assert all(line["game"] == pytest.approx(18.0) for line in looks)  # 1 % in each of 18 turns
    assert (most["most"], most["spread"]) == pytest.approx((1.0, 1.386))
    assert (most["game"], most["game_spread"]) == pytest.approx((18.0, 24.9))


def test_the_same_worlds_give_an_upper_bound() -> None:
    simulations = make_simulations([1.0, 0.9], [1.0, 1.0])
    simulations.values[1:, :16, 1] = 3.0
    assert search_gain(simulations, 1, 16) == pytest.approx([0.0, 0.0])
    assert max_gain(simulations) == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("left", [0, 1, 9])
def test_lead_values_become_probabilities_of_victory(left: int) -> None:
    leads = (-12.0, -1.0, 0.0, 1.0, 12.0)
    chances = victory_chances(np.array([lead_value(lead, left) for lead in leads]), left)
    assert chances + chances[::-1] == pytest.approx(1)
    spread = lead_swing(left) if left else 1e-9  # what is over is certain
    assert chances[2:] == pytest.approx(
        [0.5, *(1 / (1 + exp(-lead / spread)) for lead in leads[3:])]
    )


@pytest.mark.parametrize("search", ["0", "2"])
def test_the_script_simulates_real_positions(
    search: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--seconds", "0", "--worlds", "8", "--search", search])
    *looks, most = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["ahead"] for line in looks] == [1, 2, 3]
    assert all(line["positions"] == 1 and line["worlds"] == 4 for line in looks)
    assert most["positions"] == 1


def test_only_positions_of_the_searching_seat_are_sampled() -> None:
    shown = list(islice(sample_positions("1", 4), 12))
    assert {int(position[at.ACTOR]) for position in shown} == {0}
    assert {int(position[at.ACTOR]) for position in islice(sample_positions("1", 0), 12)} == {0, 1}


def test_the_searching_seat_plays_its_simulated_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    last = [*islice(sample_positions("1", 2), 12)]
    assert all((one == two).all() for one, two in zip(last, sample_positions("1", 2), strict=False))

    def last_turn(found: Simulations, _horizon: int, _worlds: int) -> int:
        return len(found.rows) - 1

    monkeypatch.setattr(search_gain_script, "choose_simulated", last_turn)
    worst = [*islice(sample_positions("1", 2), 12)]
    assert not all((one == two).all() for one, two in zip(last, worst, strict=True))


@pytest.mark.parametrize("wrong", [("--threads", "0"), ("--worlds", "4"), ("--search", "-1")])
def test_impossible_options_are_refused(
    wrong: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(list(wrong))
    assert "at least 1 thread and 8 worlds" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["sanssouci-2", "sanssouci-4-rewards-boars"])
def test_the_view_of_a_packed_position_equals_the_packed_view(name: str) -> None:
    config = find_configuration(name)
    for state, turn in random_game(config, 4):
        for seat in turn.seats if isinstance(turn, Choose) else ():
            expected = pack_view(config.game.view(state, seat))
            seen = np.empty_like(expected)
            kernel_view(pack(state), int(seat), seen)
            assert (seen == expected).all()
