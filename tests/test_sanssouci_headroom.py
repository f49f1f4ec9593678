"""What trials find that the network does not know."""

from __future__ import annotations

import json

import numpy as np
import pytest

from conformance import find_configuration, walk
from pleasance.core.game import Choose
from pleasance.games.sanssouci.packing import hide, pack, pack_view
from pleasance.learn.sanssouci_headroom import LOOKS, Trials, main, tell, weigh

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may


def make_trials(promised: list[float], came: list[float], worlds: int = 32) -> Trials:
    tried = np.tile(np.array(came), (len(LOOKS), worlds, 1))
    return Trials(np.array(promised), tried)


def test_trials_find_a_turn_that_is_better_than_promised() -> None:
    trials = make_trials([1.0, 0.5], [1.0, 3.0])
    assert weigh(trials, 1, 16) == pytest.approx(2.0)


def test_a_few_worlds_do_not_outweigh_what_the_network_promised() -> None:
    trials = make_trials([5.0, 1.0], [1.0, 3.0])
    assert weigh(trials, 1, 4) == 0
    assert weigh(trials, 1, 16) == pytest.approx(2.0)


def test_whoever_chooses_is_judged_by_other_worlds() -> None:
    trials = make_trials([1.0, 0.9], [1.0, 3.0])
    trials.tried[:, 16:, 1] = 0.0  # what the first worlds like is worth nothing in the others
    assert weigh(trials, 1, 16) == pytest.approx(-1.0)


def test_every_look_and_number_of_worlds_is_told() -> None:
    lines = list(tell([make_trials([1.0, 0.5], [1.0, 3.0]), make_trials([1.0, 0.0], [1.0, 0.0])]))
    assert {(line["ahead"], line["worlds"]) for line in lines} == {
        (ahead, worlds) for ahead in LOOKS for worlds in (4, 8, 16)
    }
    assert all(line["gain"] == pytest.approx(1.0) for line in lines)


def test_real_positions_are_tried(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--seconds", "0", "--worlds", "8"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["ahead"] for line in lines] == [1, 2, 3]
    assert all(line["positions"] == 1 and line["worlds"] == 4 for line in lines)


@pytest.mark.parametrize("wrong", [("--threads", "0"), ("--worlds", "4")])
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
