"""The networks see what a seat knows, the same from every seat, and judge as they were fitted."""

from __future__ import annotations

from importlib.resources import files
from random import Random

import numpy as np
import pytest

from pleasance.compiled.kernel import Flat
from pleasance.core.budget import Thinking
from pleasance.core.game import AnyGame, Choose, Seat
from pleasance.games.sakura.bots.network import player, storage
from pleasance.games.sakura.bots.network.features import FACTS, MOST_TRUE, list_facts, list_unseen
from pleasance.games.sakura.bots.network.lookahead import foretell, make_desk, prepare
from pleasance.games.sakura.bots.network.model import FACES_KNOWN, UNSEEN_SCALE
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.packing import pack, pack_view
from pleasance.games.sakura.rules.path import GATE
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.tests.twins import find, meet, twin, walk
from pleasance.games.sakura.training.selfplay import hide

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may

PLAIN = find()
TACTICAL = find("tactical")


def look(box: Flat, state: Flat, seat: int) -> set[int]:
    """List the facts that a seat sees."""
    facts = np.zeros(MOST_TRUE, dtype=np.int64)
    list_facts(box, state, state, seat, True, facts)
    return set(facts.tolist()) - {FACTS}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_seat_sees_the_same_whoever_sits_where(seats: int) -> None:
    """Those together in the gate come in seat order."""
    box, rng = twin(PLAIN).box, Random(seats)
    met = [meet(PLAIN, seats, rng) for _ in range(200)]
    apart = [state for state in met if state.painters.count(GATE) <= 1]
    assert len(apart) > 20
    for state in apart:
        flat = pack(state)
        order = rng.sample(range(seats), seats)
        other = flat.copy()
        for start in (at.PLACES, at.TOKENS, at.LOST):
            other[start : start + seats] = flat[start : start + seats][order]
        for seat in range(seats):
            assert look(box, flat, order[seat]) == look(box, other, seat)


def test_a_fact_is_one_of_those_there_are_and_none_is_told_twice() -> None:
    rng = Random(1)
    for game, seats in ((PLAIN, 2), (TACTICAL, 2), (PLAIN, 4), (PLAIN, 6)):
        box = twin(game).box
        for _ in range(300):
            flat = pack(meet(game, seats, rng))
            facts = np.zeros(MOST_TRUE, dtype=np.int64)
            list_facts(box, flat, flat, 0, True, facts)
            true = [fact for fact in facts.tolist() if fact != FACTS]
            assert all(0 <= fact < FACTS for fact in true)
            assert len(true) >= 12


@pytest.mark.parametrize(("made", "seats"), [(PLAIN, 2), (TACTICAL, 2), (PLAIN, 3), (PLAIN, 6)])
def test_what_is_hidden_from_a_seat_in_training_is_what_its_view_hides(
    made: AnyGame, seats: int
) -> None:
    rng, view = Random(seats), np.zeros(at.SIZE, dtype=np.int64)
    for state, flat in walk(made, made.start(seats), rng):
        for seat in range(seats):
            hide(flat, seat, view)
            assert np.array_equal(view, pack_view(made.view(state, Seat(seat))))


def reckon(layers: storage.Layers, inputs: storage.Numbers) -> storage.Numbers:
    """Carry inputs through a network as the textbook says."""
    first = np.maximum(inputs @ layers["first"] + layers["first_bias"], 0)
    second = np.maximum(first @ layers["second"] + layers["second_bias"], 0)
    out: storage.Numbers = second @ layers["third"] + layers["third_bias"]
    return out


def test_the_compiled_network_reckons_as_the_textbook_says() -> None:
    """The value of a position, from the stored layers and by the compiled code."""
    folder = files("pleasance.games.sakura") / "weights"
    layers = storage.read_layers((folder / "value.npz").read_bytes())
    state = meet(PLAIN, 4, Random(4))
    traits, box, flat = storage.describe_cards(state.box), twin(PLAIN).box, pack(state)
    value, policy = storage.load_networks(state.box)
    desk = make_desk()
    view = np.zeros(at.SIZE, dtype=np.int64)
    hide(flat, 1, view)
    prepare(box, view, 1, value, policy, desk)
    told = foretell(box, flat, 1, desk.bases[0], value, desk)
    inputs = np.zeros(storage.INPUTS, dtype=np.float32)
    inputs[list(look(box, flat, 1))] = 1
    bits = np.array([[mask >> card & 1 for card in range(FACES_KNOWN)] for mask in cards(flat)])
    inputs[FACTS : FACTS + storage.CARD_TRAITS] = bits[0] @ traits
    inputs[FACTS + storage.CARD_TRAITS :] = bits[1] @ traits * UNSEEN_SCALE
    assert told == pytest.approx(1 / (1 + np.exp(-reckon(layers, inputs)[0])), abs=1e-5)


def cards(flat: Flat) -> tuple[int, int]:
    """Tell the hand of seat 1 after it has played its lowest card, and what it cannot see."""
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
def test_every_choice_gets_a_share_and_the_same_luck_the_same(game: AnyGame, seats: int) -> None:
    for state, seat in decisions(game, seats, 3):
        view = game.view(state, seat)
        worths = player.judge_long(view, Random(9), Thinking(simulations=8))
        assert tuple(worths) == view.legal
        assert all(0 <= worth <= 1 for worth in worths.values())
        assert worths == player.judge_long(view, Random(9), Thinking(simulations=8))


def test_thinking_ends_when_the_time_is_up() -> None:
    state, seat = decisions(PLAIN, 4, 5)[0]
    view = PLAIN.view(state, seat)
    few = player.judge_long(view, Random(1), Thinking(seconds=0.0))
    long = player.judge_long(view, Random(1), Thinking(seconds=0.5))  # a stall is no end
    assert tuple(few) == tuple(long) == view.legal
    assert few != long


def test_a_hidden_card_changes_nothing_of_what_is_foretold() -> None:
    """Two worlds that look the same to a seat get the same answer from the same luck."""
    for state, seat in decisions(PLAIN, 3, 7)[::4]:
        view = PLAIN.view(state, seat)
        other = PLAIN.view(PLAIN.imagine(view, Random(5)), seat)
        assert view == other
        assert player.judge_quickly(view, Random(2)) == player.judge_quickly(other, Random(2))


def test_a_deck_of_ones_own_is_judged_by_what_its_cards_do() -> None:
    """Swapping what two cards do swaps what the networks know about them, but for when."""
    changed = find(changes=(('\n1 = "E+1/+2"\n2 = "C-2/+1"\n', '\n1 = "C-2/+1"\n2 = "E+1/+2"\n'),))
    state = changed.start(3)
    traits, house = storage.describe_cards(state.box), storage.describe_cards(PLAIN.start(3).box)
    actions = storage.CARD_TRAITS - 6
    assert np.allclose(traits[1, :14], house[2, :14])
    assert np.allclose(traits[2, 28:actions], house[1, 28:actions])
    assert np.allclose(traits[3:], house[3:])
    for one, seat in decisions(changed, 3, 1)[:20]:
        view = changed.view(one, seat)
        assert tuple(player.judge_quickly(view, Random(1))) == view.legal
