"""Benchmarks count what they say they count."""

from random import Random

import pytest

from pleasance.core.errors import BadSetupError
from pleasance.games import find_game, game_names
from pleasance.research.bench import _pick, bench_games, bench_rules, calibrate, play_randomly


def test_calibration_is_a_speed() -> None:
    assert calibrate(repeats=1) > 0


@pytest.mark.parametrize("name", game_names())
def test_a_random_game_counts_choices_and_draws(name: str) -> None:
    game = find_game(name)
    seats = game.spec.seats[0]
    counted = play_randomly(game, seats, Random(1))
    assert 0 < counted.decisions < counted.tokens
    assert counted == play_randomly(game, seats, Random(1))


@pytest.mark.parametrize("name", game_names())
def test_the_rules_are_measured_in_decisions_and_in_tokens(name: str) -> None:
    game = find_game(name)
    decisions, tokens = bench_rules(game, game.spec.seats[-1], 0.01, calibration=1.5)
    assert (decisions.unit, tokens.unit) == ("decisions/s", "tokens/s")
    assert 0 < decisions.value < tokens.value
    assert decisions.calibration == 1.5
    assert decisions.game == name


@pytest.mark.parametrize("name", game_names())
def test_the_fewest_and_the_most_seats_are_measured(name: str) -> None:
    game = find_game(name)
    seats = {measure.seats for measure in bench_games((game,), 0.01)}
    assert seats == {game.spec.seats[0], game.spec.seats[-1]}


@pytest.mark.parametrize("name", game_names())
def test_a_wrong_number_of_seats_is_refused(name: str) -> None:
    with pytest.raises(BadSetupError, match="seats"):
        bench_rules(find_game(name), 1, 0.01)


@pytest.mark.parametrize(("luck", "outcome"), [(0, "a"), (0.249, "a"), (0.25, "b"), (0.999, "b")])
def test_a_draw_follows_its_weights(luck: float, outcome: str) -> None:
    assert _pick((("a", 1), ("b", 3)), luck) == outcome


@pytest.mark.parametrize(("luck", "outcome"), [(0, "a"), (0.49, "a"), (0.5, "b"), (0.999, "b")])
def test_a_draw_of_equal_weights_is_uniform(luck: float, outcome: str) -> None:
    assert _pick((("a", 1), ("b", 1)), luck) == outcome
