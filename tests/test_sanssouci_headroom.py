"""What trials find that the network does not know."""

from __future__ import annotations

import json
from itertools import islice
from math import exp

import numpy as np
import pytest

from conformance import find_configuration, walk
from pleasance.core.game import Choose
from pleasance.games.sanssouci.bots.network.lookahead import rate_lead, spread_leads
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.packing import hide, pack, pack_view
from pleasance.games.sanssouci.training import search_gain as headroom
from pleasance.games.sanssouci.training.search_gain import (
    LOOKS,
    Trials,
    main,
    tell,
    to_chances,
    weigh,
    weigh_most,
)
from pleasance.games.sanssouci.training.search_gain import walk as walk_games

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may


def make_trials(promised: list[float], came: list[float], worlds: int = 32) -> Trials:
    tried = np.tile(np.array(came), (len(LOOKS), worlds, 1))
    return Trials(np.array(promised), tried, tried / 100, np.arange(len(came))[:, None])


def test_trials_find_a_turn_that_is_better_than_promised() -> None:
    trials = make_trials([1.0, 0.5], [1.0, 3.0])
    assert weigh(trials, 1, 16) == pytest.approx([2.0, 0.02])


def test_a_few_worlds_do_not_outweigh_what_the_network_promised() -> None:
    trials = make_trials([5.0, 1.0], [1.0, 3.0])
    assert weigh(trials, 1, 4) == pytest.approx([0, 0])
    assert weigh(trials, 1, 16) == pytest.approx([2.0, 0.02])


def test_whoever_chooses_is_judged_by_other_worlds() -> None:
    trials = make_trials([1.0, 0.9], [1.0, 3.0])
    for came in (trials.tried, trials.chances):
        came[:, 16:, 1] = 0.0  # what the first worlds like is worth nothing in the others
    assert weigh(trials, 1, 16) == pytest.approx([-1.0, -0.01])


def test_every_look_and_number_of_worlds_is_told() -> None:
    lines = list(tell([make_trials([1.0, 0.5], [1.0, 3.0]), make_trials([1.0, 0.0], [1.0, 0.0])]))
    *looks, most = lines
    assert {(line["ahead"], line["worlds"]) for line in looks} == {
        (ahead, worlds) for ahead in LOOKS for worlds in (4, 8, 16)
    }
    assert all(line["gain"] == pytest.approx(1.0) for line in looks)
    assert all(line["game"] == pytest.approx(18.0) for line in looks)  # 1 % in each of 18 turns
    assert (most["most"], most["spread"]) == pytest.approx((1.0, 1.386))
    assert (most["game"], most["game_spread"]) == pytest.approx((18.0, 24.9))


def test_nobody_wins_more_than_who_is_judged_by_what_chose() -> None:
    trials = make_trials([1.0, 0.9], [1.0, 1.0])
    trials.tried[1:, :16, 1] = 3.0
    assert weigh(trials, 1, 16) == pytest.approx([0.0, 0.0])
    assert weigh_most(trials) == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("left", [0, 1, 9])
def test_rated_leads_are_told_as_chances(left: int) -> None:
    leads = (-12.0, -1.0, 0.0, 1.0, 12.0)
    chances = to_chances(np.array([rate_lead(lead, left) for lead in leads]), left)
    assert chances + chances[::-1] == pytest.approx(1)
    spread = spread_leads(left) if left else 1e-9  # what is over is certain
    assert chances[2:] == pytest.approx(
        [0.5, *(1 / (1 + exp(-lead / spread)) for lead in leads[3:])]
    )


@pytest.mark.parametrize("search", ["0", "2"])
def test_real_positions_are_tried(search: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--seconds", "0", "--worlds", "8", "--search", search])
    *looks, most = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["ahead"] for line in looks] == [1, 2, 3]
    assert all(line["positions"] == 1 and line["worlds"] == 4 for line in looks)
    assert most["positions"] == 1


def test_only_positions_of_who_searches_are_shown() -> None:
    shown = list(islice(walk_games("1", 4), 12))
    assert {int(position[at.ACTOR]) for position in shown} == {0}
    assert {int(position[at.ACTOR]) for position in islice(walk_games("1", 0), 12)} == {0, 1}


def test_who_searches_plays_what_the_trials_say(monkeypatch: pytest.MonkeyPatch) -> None:
    last = [*islice(walk_games("1", 2), 12)]
    assert all((one == two).all() for one, two in zip(last, walk_games("1", 2), strict=False))
    monkeypatch.setattr(headroom, "choose", lambda trials, _look, _worlds: len(trials.rows) - 1)
    worst = [*islice(walk_games("1", 2), 12)]
    assert not all((one == two).all() for one, two in zip(last, worst, strict=True))


@pytest.mark.parametrize("wrong", [("--threads", "0"), ("--worlds", "4"), ("--search", "-1")])
def test_what_cannot_be_done_is_said(
    wrong: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(list(wrong))
    assert "at least 1 thread and 8 worlds" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["sanssouci-2", "sanssouci-4-rewards-boars"])
def test_what_is_hidden_is_hidden_as_from_a_view(name: str) -> None:
    config = find_configuration(name)
    for state, turn in walk(config, 4):
        for seat in turn.seats if isinstance(turn, Choose) else ():
            view = config.game.view(state, seat)
            assert (hide(pack(state), seat) == pack_view(view)).all()
