"""The value network: players, incremental accumulator, features, weights, fit and training."""

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

from conformance import CONFIGURATIONS, find_configuration, play_fair, random_game
from conformance.kernels import load_kernel
from pleasance.compiled.kernel import Kernel
from pleasance.core.bits import bits, mask_of
from pleasance.core.game import Choose
from pleasance.games.sanssouci.bots.network import model
from pleasance.games.sanssouci.bots.network.feature_index import FEATURES, SLOTS, mirror_features
from pleasance.games.sanssouci.bots.network.features import extract_garden, extract_market
from pleasance.games.sanssouci.bots.network.storage import load_net
from pleasance.games.sanssouci.bots.network.workspace import make_net_workspace
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import CARD, SPACE, copy_garden
from pleasance.games.sanssouci.kernel.layout import seat_block
from pleasance.games.sanssouci.training import train
from pleasance.games.sanssouci.training.fit import Learner
from pleasance.games.sanssouci.training.measure import measure
from pleasance.games.sanssouci.training.weights import make_net, make_weights, read_weights
from pleasance.players.registry import make_player

# The compiler alone takes longer than the fast part may; it is best run once, in one process.
pytestmark = [pytest.mark.slow, pytest.mark.long]


TABLES = [config.name for config in CONFIGURATIONS if config.game.spec.name == "sanssouci"]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ["network", "master:2"])
def test_a_network_player_makes_legal_and_repeatable_choices(table: str, name: str) -> None:
    """Every fourth choice is repeated with the same random state."""
    config = find_configuration(table)
    player, again = make_player(name, config.game), make_player(name, config.game)
    places = count()

    def choose(view: Any, rng: Random) -> Any:
        rng_state = rng.getstate()
        chosen = player(view, rng)
        if next(places) % 4 == 0:
            rng.setstate(rng_state)
            assert again(view, rng) == chosen
        return chosen

    play_fair(config, [choose] * config.seats)


@pytest.mark.parametrize("name", ["network", "master:20"])
def test_hidden_information_does_not_change_a_choice(name: str) -> None:
    config = find_configuration("sanssouci-3-rewards-boars")
    player = make_player(name, config.game)
    rng = Random(3)
    for state, turn in list(random_game(config, 4))[::5]:
        if isinstance(turn, Choose):
            view = config.game.view(state, turn.seats[0])
            seen = config.game.view(config.game.imagine(view, rng), turn.seats[0])
            assert player(view, Random(1)) == player(seen, Random(1))


def test_a_master_keeps_to_its_time_budget() -> None:
    config = find_configuration("sanssouci-4-rewards-boars")
    player = make_player("master:0.1s", config.game)
    states = [state for state, turn in random_game(config, 5) if isinstance(turn, Choose)]
    views = [config.game.view(state, state.actor) for state in states[3::20]]
    for view in views:
        make_player("master:1", config.game)(view, Random(1))  # compiles
    for view in views:
        began = thread_time()
        assert player(view, Random(1)) in view.legal
        assert thread_time() - began < 0.3


def positions(name: str, seed: int) -> tuple[Kernel, list[Any]]:
    """List packed positions of a random game in which a turn begins."""
    config = find_configuration(name)
    kernel = load_kernel(config)
    packed = [
        np.array(kernel.pack(state))
        for state, turn in random_game(config, seed)
        if isinstance(turn, Choose)
    ]
    return kernel, [state for state in packed if state[at.PHASE] == at.TAKE]


def test_incremental_updates_equal_a_fresh_evaluation() -> None:
    kernel, states = positions("sanssouci-3-rewards-boars", 6)
    net = make_net(make_weights(np.random.default_rng(1)))
    workspace, fresh = (make_net_workspace(net, kernel.constants) for _ in range(2))
    for state in states[::4]:
        count, seat = model.evaluate_turns(state, workspace), state[at.ACTOR]
        hand = state[seat_block(seat) + at.HAND]
        for row, value in zip(workspace.rows[:count:9], workspace.values[:count:9], strict=True):
            model.start_inputs(fresh, state, seat, 1, 3, at.ROUNDS - 1 - state[at.TURNS] // 3)
            extract_market(fresh.inputs, state, seat, hand & ~(1 << row[CARD]), row[SPACE])
            assert model.predict(state, fresh, row) == value


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


def test_a_mirrored_garden_has_mirrored_features() -> None:
    kernel, states = positions("sanssouci-2-boars", 7)
    workspace = make_net_workspace(
        make_net(make_weights(np.random.default_rng(1))), kernel.constants
    )
    garden = workspace.rows[0]
    for state in states[::3]:
        seen = []
        for each in (state, mirror(state)):
            model.start_inputs(workspace, each, 0, 1, 2, 9)
            extract_market(workspace.inputs, each, 0, each[seat_block(0) + at.HAND], -1)
            copy_garden(each, 0, garden)
            extract_garden(workspace.inputs, kernel.constants, each, garden)
            seen.append(workspace.inputs[:SLOTS])
        assert sorted(mirror_features()[feature] for feature in seen[0]) == sorted(seen[1])


def test_the_network_beats_the_planner() -> None:
    with ThreadPoolExecutor(1) as pool:
        for seats, options, due in ((2, (), 0.75), (4, ("rewards", "boars"), 0.35)):
            net = load_net()
            share, *_ = measure(pool, (net, net), seats=seats, options=options, games=120)
            assert share > due


def test_the_weights_have_the_recorded_checksum() -> None:
    folder = files("pleasance.games.sanssouci") / "weights"
    recorded = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    data = (folder / "points.npz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == recorded["sha256"]
    assert len(data) <= 300_000


def test_gradients_equal_finite_differences_and_the_error_falls() -> None:
    rng = np.random.default_rng(2)
    weights = make_weights(rng)
    learner = Learner({name: layer.astype(np.float64) for name, layer in weights.items()})
    words, targets = rng.integers(1, FEATURES, size=(6, SLOTS)), rng.standard_normal(6)
    counts = learner.arrays.count(words, FEATURES)
    gradients, error = learner.gradients(counts, targets)
    for name, place in (("words", (words[0, 0], 3)), ("inner", (5, 7)), ("outer", (2,))):
        learner.weights[name][place] += 1e-6
        raised = learner.gradients(counts, targets)[1]
        learner.weights[name][place] -= 1e-6
        assert (raised - error) / 1e-6 == pytest.approx(gradients[name][place], rel=0.02, abs=1e-5)
    for _ in range(60):
        learner.step(counts, targets, 1e-3)
    assert learner.gradients(counts, targets)[1] < error / 10


def test_a_short_training_run_writes_weights_and_continues(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--seconds", "0.1", "--games", "26", "--batch-size", "256", "--passes", "0.5"]
    few += ["--evaluation-games", "4"]
    train.main(["--out", str(tmp_path), *few])
    assert '"games": 26' in capsys.readouterr().out
    weights = read_weights(tmp_path / "points.npz")
    assert not weights["words"][0].any()
    assert (tmp_path / "curve.json").exists()
    train.main(["--out", str(tmp_path / "more"), "--start", str(tmp_path / "points.npz"), *few])
    again = read_weights(tmp_path / "more" / "points.npz")
    assert np.abs(again["words"] - weights["words"]).max() < 0.1
    assert not np.array_equal(again["words"], weights["words"])
