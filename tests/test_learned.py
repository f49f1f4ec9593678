"""Learned players: legal, honest, repeatable, and better than the planner."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from itertools import count
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any

import numpy as np
import pytest

from conformance import CONFIGURATIONS, find_configuration, walk
from pleasance.compiled.kernel import Kernel
from pleasance.core.bits import bits, mask_of
from pleasance.core.fair import Fair, secret_from_seed
from pleasance.core.game import Choose
from pleasance.core.playout import play_out
from pleasance.games.sanssouci.bots.network.accumulator import make_net, split_net
from pleasance.games.sanssouci.bots.network.feature_index import PLACES, WORDS, mirror_words
from pleasance.games.sanssouci.bots.network.features import see_garden, see_market
from pleasance.games.sanssouci.bots.network.model import (
    begin_look,
    foretell,
    judge_turns,
    make_bureau,
    show_garden,
)
from pleasance.games.sanssouci.bots.network.player import load_net
from pleasance.games.sanssouci.bots.network.storage import read_net
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import CARD, SPACE
from pleasance.games.sanssouci.kernel.rules import ROUNDS, TAKE, seat_block
from pleasance.games.sanssouci.training import train
from pleasance.games.sanssouci.training.adam import Fit
from pleasance.games.sanssouci.training.measure import measure
from pleasance.players import find_player

# The compiler alone takes longer than the fast part may; it is best run once, in one process.
pytestmark = [pytest.mark.slow, pytest.mark.long]


TAUGHT = [config.name for config in CONFIGURATIONS if config.game.spec.name == "sanssouci"]


@pytest.mark.parametrize("table", TAUGHT)
@pytest.mark.parametrize("name", ["network", "master:2"])
def test_a_learned_player_makes_legal_choices_until_the_end(table: str, name: str) -> None:
    """And the same ones again from the same luck, as is looked up at every fourth."""
    config = find_configuration(table)
    player, again = find_player(name, config.game), find_player(name, config.game)
    places = count()

    def choose(view: Any, rng: Random) -> Any:
        luck = rng.getstate()
        chosen = player(view, rng)
        if next(places) % 4 == 0:
            rng.setstate(luck)
            assert again(view, rng) == chosen
        return chosen

    fair = Fair(secret_from_seed("learned"), (None,) * config.seats)
    rngs = [Random(seat) for seat in range(config.seats)]
    play_out(config.game, [choose] * config.seats, fair, rngs=rngs)


@pytest.mark.parametrize("name", ["network", "master:20"])
def test_what_a_seat_cannot_see_does_not_change_what_it_has_learned(name: str) -> None:
    config = find_configuration("sanssouci-3-rewards-boars")
    player = find_player(name, config.game)
    rng = Random(3)
    for state, turn in list(walk(config, 4))[::5]:
        if isinstance(turn, Choose):
            view = config.game.view(state, turn.seats[0])
            seen = config.game.view(config.game.imagine(view, rng), turn.seats[0])
            assert player(view, Random(1)) == player(seen, Random(1))


def test_a_master_answers_when_its_time_is_up() -> None:
    config = find_configuration("sanssouci-4-rewards-boars")
    player = find_player("master:0.1s", config.game)
    states = [state for state, turn in walk(config, 5) if isinstance(turn, Choose)]
    views = [config.game.view(state, state.actor) for state in states[3::20]]
    for view in views:
        find_player("master:1", config.game)(view, Random(1))  # compiles
    for view in views:
        began = thread_time()
        assert player(view, Random(1)) in view.legal
        assert thread_time() - began < 0.3


def positions(name: str, seed: int) -> list[tuple[Kernel, Any]]:
    """List packed positions of a random game in which a turn begins."""
    config = find_configuration(name)
    assert config.game.kernel is not None
    kernel = config.game.kernel()
    assert isinstance(kernel, Kernel)
    packed = [kernel.pack(state) for state, turn in walk(config, seed) if isinstance(turn, Choose)]
    return [(kernel, state) for state in packed if state[at.PHASE] == TAKE]


def test_correcting_a_look_gives_what_a_fresh_one_gives() -> None:
    net = make_net(np.random.default_rng(1))
    bureau, fresh = make_bureau(net), make_bureau(net)
    for kernel, state in positions("sanssouci-3-rewards-boars", 6)[::4]:
        count, seat = judge_turns(kernel.box, state, bureau), state[at.ACTOR]
        hand = state[seat_block(seat) + at.HAND]
        for row, value in zip(bureau.rows[:count:9], bureau.values[:count:9], strict=True):
            begin_look(fresh, kernel.box, state, seat, 1, 3, ROUNDS - 1 - state[at.TURNS] // 3)
            see_market(fresh.sheet, state, seat, hand & ~(1 << row[CARD]), row[SPACE])
            assert foretell(kernel.box, state, fresh, row) == pytest.approx(value, abs=1e-3)


def mirror(state: Any) -> Any:
    """Exchange left and right in all gardens, cards and tiles."""
    state = state.copy()

    def turn_over(cells: int) -> int:
        return mask_of(cell + 8 - 2 * (cell % 9) for cell in bits(int(cells)))

    def rename(cards: int) -> int:
        return mask_of(8 - card if card < 9 else card for card in bits(int(cards)))

    for space in range(10):
        if state[at.MARKET + space] >= 0:
            state[at.MARKET + space] = 8 - state[at.MARKET + space]
    state[at.BAG : at.BLOCK] = state[at.BAG : at.BLOCK][::-1].copy()
    for seat in range(state[at.SEATS]):
        block = seat_block(seat)
        for place in (at.BUILT, at.GARDENERS, at.AHEAD):
            state[block + place] = turn_over(state[block + place])
        for place in (at.HAND, at.DECK, at.MISSIONS):
            state[block + place] = rename(state[block + place])
        boar = state[block + at.BOAR]
        state[block + at.BOAR] = boar if boar < 0 else boar + 8 - 2 * (boar % 9)
    return state


def test_a_mirrored_garden_is_told_in_mirrored_words() -> None:
    bureau = make_bureau(make_net(np.random.default_rng(1)))
    garden = bureau.rows[0]
    for kernel, state in positions("sanssouci-2-boars", 7)[::3]:
        told = []
        for each in (state, mirror(state)):
            begin_look(bureau, kernel.box, each, 0, 1, 2, 9)
            see_market(bureau.sheet, each, 0, each[seat_block(0) + at.HAND], -1)
            show_garden(each, 0, garden)
            see_garden(bureau.sheet, kernel.box, each, garden)
            told.append(bureau.sheet[:PLACES].copy())
        assert sorted(mirror_words()[told[0]]) == sorted(told[1])


def test_the_network_beats_the_planner() -> None:
    with ThreadPoolExecutor(1) as pool:
        for seats, options, due in ((2, (), 0.75), (4, ("rewards", "boars"), 0.35)):
            net = load_net()
            share, *_ = measure(pool, (net, net), seats=seats, options=options, games=120)
            assert share > due


def test_the_weights_are_those_that_were_measured() -> None:
    folder = files("pleasance.games.sanssouci") / "weights"
    told = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    data = (folder / "points.npz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == told["sha256"]
    assert len(data) <= 300_000


def test_a_fit_follows_its_slopes_down() -> None:
    rng = np.random.default_rng(2)
    parts = split_net(make_net(rng))
    fit = Fit({name: part.astype(np.float64) for name, part in parts.items()})
    words, targets = rng.integers(1, WORDS, size=(6, PLACES)), rng.standard_normal(6)
    counts = fit.count_words(words, WORDS)
    slopes, error = fit.slopes(counts, targets)
    for name, place in (("words", (words[0, 0], 3)), ("inner", (5, 7)), ("outer", (2,))):
        fit.weights[name][place] += 1e-6
        raised = fit.slopes(counts, targets)[1]
        fit.weights[name][place] -= 1e-6
        assert (raised - error) / 1e-6 == pytest.approx(slopes[name][place], rel=0.02, abs=1e-5)
    for _ in range(60):
        fit.step(counts, targets, 1e-3)
    assert fit.slopes(counts, targets)[1] < error / 10


def test_a_small_training_run_writes_what_it_learned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = [
        "--seconds",
        "0.1",
        "--games",
        "26",
        "--batch",
        "256",
        "--reuse",
        "0.5",
        "--matches",
        "4",
    ]
    train.main(["--out", str(tmp_path), *few])
    assert '"games": 26' in capsys.readouterr().out
    net = read_net(tmp_path / "points.npz")
    assert not net.words[0].any()
    assert (tmp_path / "curve.json").exists()
    train.main(["--out", str(tmp_path / "more"), "--start", str(tmp_path / "points.npz"), *few])
    again = read_net(tmp_path / "more" / "points.npz")
    assert np.abs(again.words - net.words).max() < 0.1
    assert not np.array_equal(again.words, net.words)
