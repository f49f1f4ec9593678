"""Features, networks, search and forecasts see what a seat knows and compute as fitted."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from random import Random

import numpy as np
import pytest

from pleasance.compiled.arrays import copy_of
from pleasance.compiled.jit import copy_into
from pleasance.compiled.signature import IntArray
from pleasance.core.bits import bits
from pleasance.core.budget import SearchBudget
from pleasance.core.game import AnyGame, Choose, Seat
from pleasance.games.sakura import GAME
from pleasance.games.sakura.bots.network import player, storage
from pleasance.games.sakura.bots.network.accumulator import CARD_ROWS, UNSEEN_SCALE
from pleasance.games.sakura.bots.network.feature_index import FEATURES, MAX_ACTIVE_FEATURES
from pleasance.games.sakura.bots.network.features import extract, list_unseen
from pleasance.games.sakura.bots.network.search import (
    evaluate_position,
    prepare_search,
    search,
)
from pleasance.games.sakura.bots.network.workspace import make_lookahead_workspace
from pleasance.games.sakura.bots.outlook.forecast import forecast
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.packing import pack, pack_view
from pleasance.games.sakura.kernel.view import view as kernel_view
from pleasance.games.sakura.rules.components import Space
from pleasance.games.sakura.rules.path import GATE
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.tests.twins import get_kernel, make_game, random_position, walk
from pleasance.games.sakura.training.layers import (
    LayerArrays,
    WeightArray,
    read_networks,
    trait_array,
)

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may

PLAIN = make_game()
TACTICAL = make_game("tactical")


def active_features(box: IntArray, state: IntArray, seat: int) -> set[int]:
    """List the facts that a seat sees."""
    features = np.zeros(MAX_ACTIVE_FEATURES, dtype=np.int64)
    extract(box, state, state, seat, True, features)
    return set(features.tolist()) - {FEATURES}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_features_do_not_depend_on_the_order_of_seats(seats: int) -> None:
    """Those together in the gate come in seat order."""
    box, rng = get_kernel(PLAIN).constants, Random(seats)
    met = [random_position(PLAIN, seats, rng) for _ in range(200)]
    apart = [state for state in met if state.painters.count(GATE) <= 1]
    assert len(apart) > 20
    for state in apart:
        flat = pack(state)
        order = rng.sample(range(seats), seats)
        other = copy_of(flat)
        for start in (at.PLACES, at.TOKENS, at.LOST):
            other[start : start + seats] = [flat[start + seat] for seat in order]
        for seat in range(seats):
            assert active_features(box, flat, order[seat]) == active_features(box, other, seat)


def test_every_active_feature_is_in_range() -> None:
    rng = Random(1)
    for game, seats in ((PLAIN, 2), (TACTICAL, 2), (PLAIN, 4), (PLAIN, 6)):
        box = get_kernel(game).constants
        for _ in range(300):
            flat = pack(random_position(game, seats, rng))
            features = np.zeros(MAX_ACTIVE_FEATURES, dtype=np.int64)
            extract(box, flat, flat, 0, True, features)
            true = [fact for fact in features.tolist() if fact != FEATURES]
            assert all(0 <= fact < FEATURES for fact in true)
            assert len(true) >= 12


@pytest.mark.parametrize(("made", "seats"), [(PLAIN, 2), (TACTICAL, 2), (PLAIN, 3), (PLAIN, 6)])
def test_what_is_hidden_from_a_seat_in_training_is_what_its_view_hides(
    made: AnyGame, seats: int
) -> None:
    rng, view = Random(seats), np.zeros(at.SIZE, dtype=np.int64)
    for state, flat in walk(made, made.start(seats), rng):
        for seat in range(seats):
            kernel_view(flat, seat, view)
            assert np.array_equal(view, pack_view(made.view(state, Seat(seat))))


def forward_by_textbook(layers: LayerArrays, inputs: WeightArray) -> WeightArray:
    """Carry inputs through a network as the textbook says."""
    first = np.maximum(inputs @ layers["first"] + layers["first_bias"], 0)
    second = np.maximum(first @ layers["second"] + layers["second_bias"], 0)
    out: WeightArray = second @ layers["third"] + layers["third_bias"]
    return out


def test_the_compiled_network_computes_the_textbook_formula() -> None:
    """The value of a position, from the stored layers and by the compiled code."""
    layers, _ = read_networks()
    state = random_position(PLAIN, 4, Random(4))
    traits, box, flat = trait_array(state.box), get_kernel(PLAIN).constants, pack(state)
    nets, workspace = storage.load_networks(state.box), make_lookahead_workspace()
    view = np.zeros(at.SIZE, dtype=np.int64)
    kernel_view(flat, 1, view)
    prepare_search(box, view, 1, nets, workspace)
    copy_into(workspace.work, flat)
    told = evaluate_position(box, 1, 0, nets.value, workspace)
    inputs = np.zeros(storage.INPUTS, dtype=np.float32)
    inputs[list(active_features(box, flat, 1))] = 1
    bits = np.array([[mask >> card & 1 for card in range(CARD_ROWS)] for mask in cards(flat)])
    inputs[FEATURES : FEATURES + storage.CARD_TRAITS] = bits[0] @ traits
    inputs[FEATURES + storage.CARD_TRAITS :] = bits[1] @ traits * UNSEEN_SCALE
    assert told == pytest.approx(
        1 / (1 + np.exp(-forward_by_textbook(layers, inputs)[0])), abs=1e-5
    )


def cards(flat: IntArray) -> tuple[int, int]:
    """Return the hand of seat 1 after it has played its lowest card, and what it cannot see."""
    hand = int(flat[at.HANDS + 1])
    return hand & (hand - 1), int(list_unseen(flat, 1))


def decisions(game: AnyGame, seats: int, seed: int) -> list[tuple[State, Seat]]:
    """List some positions of a random game with a seat that chooses."""
    found = []
    for state, _ in walk(game, game.start(seats), Random(seed)):
        turn = game.turn(state)
        if isinstance(turn, Choose):
            found.append((state, turn.seats[-1]))
    return found


@pytest.mark.parametrize(("game", "seats"), [(PLAIN, 2), (TACTICAL, 2), (PLAIN, 4), (PLAIN, 6)])
def test_every_choice_gets_a_share_and_the_same_seed_the_same_shares(
    game: AnyGame, seats: int
) -> None:
    for state, seat in decisions(game, seats, 3):
        view = game.view(state, seat)
        worths = search(view, Random(9), SearchBudget(simulations=8))
        assert tuple(worths) == view.legal
        assert all(0 <= worth <= 1 for worth in worths.values())
        assert worths == search(view, Random(9), SearchBudget(simulations=8))


def test_a_search_ends_when_its_time_is_up() -> None:
    state, seat = decisions(PLAIN, 4, 5)[0]
    view = PLAIN.view(state, seat)
    few = search(view, Random(1), SearchBudget(seconds=0.0))
    long = search(view, Random(1), SearchBudget(seconds=0.5))  # a stall is no end
    assert tuple(few) == tuple(long) == view.legal
    assert few != long


def test_a_hidden_card_changes_no_forecast() -> None:
    """Two worlds that look the same to a seat get the same answer from the same random numbers."""
    for state, seat in decisions(PLAIN, 3, 7)[::4]:
        view = PLAIN.view(state, seat)
        other = PLAIN.view(PLAIN.imagine(view, Random(5)), seat)
        assert view == other
        assert player.evaluate(view, Random(2)) == player.evaluate(other, Random(2))


def test_a_custom_deck_is_valued_by_what_its_cards_do() -> None:
    """Swapping what two cards do swaps what the networks know about them, but for when."""
    changed = make_game(
        changes=(('\n1 = "E+1/+2"\n2 = "C-2/+1"\n', '\n1 = "C-2/+1"\n2 = "E+1/+2"\n'),)
    )
    state = changed.start(3)
    traits, house = trait_array(state.box), trait_array(PLAIN.start(3).box)
    actions = storage.CARD_TRAITS - 6
    assert np.allclose(traits[1, :14], house[2, :14])
    assert np.allclose(traits[2, 28:actions], house[1, 28:actions])
    assert np.allclose(traits[3:], house[3:])
    for one, seat in decisions(changed, 3, 1)[:20]:
        view = changed.view(one, seat)
        assert tuple(player.evaluate(view, Random(1))) == view.legal


@pytest.mark.parametrize(("options", "seats"), [((), 2), (("tactical",), 2), ((), 3), ((), 6)])
def test_shares_add_up_to_one_and_forecast_cards_may_be_held(
    options: tuple[str, ...], seats: int
) -> None:
    game = make_game(*options)
    for state, _ in walk(game, game.start(seats), Random(seats)):
        turn = game.turn(state)
        if not isinstance(turn, Choose):
            continue
        view = game.view(state, Seat(0))
        outlook = forecast(view, Random(1))
        assert sum(outlook.shares) == pytest.approx(1)
        assert len(outlook.shares) == len(outlook.tokens) == seats
        assert all(-1 < tokens < 30 for tokens in outlook.tokens)
        is_open = len(turn.seats) > 1
        assert set(outlook.cards) == ({*map(Seat, range(1, seats))} if is_open else set())
        for chances in outlook.cards.values():
            assert sum(chances.values()) == pytest.approx(1)
            assert not set(chances) & set(bits(view.hand | view.discards))


def test_a_spectator_gets_an_outlook_without_knowing_a_hand() -> None:
    game = make_game()
    state = next(s for s, _ in walk(game, game.start(3), Random(1)) if s.number == 3)
    assert isinstance(game.turn(state), Choose)
    outlook = forecast(game.view(state, None), Random(1))
    assert sum(outlook.shares) == pytest.approx(1)
    assert set(outlook.cards) == {0, 1, 2}


def test_the_forecast_of_an_almost_certain_winner_is_high() -> None:
    """Before the last sakura, one painter has many more tokens than the others can still get."""
    game = make_game()
    state = next(s for s, _ in walk(game, game.start(3), Random(1)) if s.number == 1)
    rich, poor = (14, 0, 0, 0, 0), (3, 0, 0, 0, 0)
    end = state.box.paths[3].sakura[-1]
    painters = (Space(20), Space(21), Space(22))
    late = state._replace(scored=2, emperor=Space(end - 2), painters=painters, number=12)
    for seat in range(3):
        ledgers = tuple(rich if painter == seat else poor for painter in range(3))
        outlook = forecast(game.view(late._replace(ledgers=ledgers), Seat(0)), Random(1))
        assert outlook.shares[seat] > 0.85


FOLDER = files("pleasance.games.sakura") / "weights"
MOST_BYTES = 300 * 1024


def test_the_report_knows_the_networks_beside_it() -> None:
    report = json.loads((FOLDER / "training.json").read_text(encoding="utf-8"))
    assert report["rules_version"] == GAME.spec.rules_version
    assert set(report["sha256"]) == {"value.npz", "policy.npz"}
    for name, told in report["sha256"].items():
        data = (FOLDER / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == told
        assert len(data) <= MOST_BYTES
