"""Players that plan or search: honest, deterministic, within their budget, better than chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import perf_counter, thread_time

import pytest

from conformance import Configuration, find_configuration, play_fair
from conformance.kernels import every_configuration_with_kernel
from pleasance.core import budget
from pleasance.core.budget import SearchBudget, parse_budget
from pleasance.core.errors import BadSetupError
from pleasance.core.fair_draws import FairDraws, secret_from_seed
from pleasance.core.game import Choose, Draw, Seat
from pleasance.core.playout import play_out
from pleasance.players.registry import make_player, player_names, takes_budget
from pleasance.players.sequential_halving import halve

THINKERS = ["planner", "flat:20", "ismcts:20"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["planner", "flat:6", "ismcts:6"])
@every_configuration_with_kernel
def test_a_thinker_makes_legal_choices_until_the_end(config: Configuration, name: str) -> None:
    """And the same ones again from the same luck."""
    records = []
    for _ in range(2):
        players = [make_player(name, config.game)] * config.seats
        records.append(play_fair(config, players).record)
    assert records[0] == records[1]


@pytest.mark.parametrize("name", THINKERS)
@pytest.mark.parametrize("game", ["sanssouci-2-rewards-boars", "sakura-4"])
def test_what_a_seat_cannot_see_does_not_change_its_choice(game: str, name: str) -> None:
    config = find_configuration(game)
    player = make_player(name, config.game)
    rng = Random(3)
    state = config.game.start(config.seats)
    for _ in range(90):
        turn = config.game.turn(state)
        if isinstance(turn, Draw):
            state = config.game.reveal(state, rng.choice(config.game.chances(state))[0])
            continue
        assert isinstance(turn, Choose)
        seat = turn.seats[0]
        view = config.game.view(state, seat)
        seen = config.game.view(config.game.imagine(view, rng), seat)
        assert seen == view
        assert player(view, Random(1)) == player(seen, Random(1))
        choices = [rng.choice(config.game.legal(state, Seat(each))) for each in turn.seats]
        state = config.game.play(state, choices)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "strong", "weak", "least"),
    [
        ("sanssouci-2", "planner", "greedy", 0.7),
        ("sanssouci-2", "flat:40", "random", 0.9),
        ("sanssouci-2", "ismcts:40", "random", 0.9),
        ("sakura-3", "planner", "random", 0.6),
        ("sakura-3", "flat:100", "random", 0.45),
        ("sakura-3", "ismcts:100", "random", 0.45),
    ],
)
def test_a_thinker_beats_what_does_not_think(
    game: str, strong: str, weak: str, least: float
) -> None:
    config = find_configuration(game)
    won = 0.0
    games = 20
    for number in range(games):
        place = number % config.seats
        names = [strong if seat == place else weak for seat in range(config.seats)]
        players = [make_player(name, config.game) for name in names]
        fair = FairDraws(secret_from_seed("beats", number + 1), (None,) * config.seats)
        rngs = [Random(f"{number}:{seat}") for seat in range(config.seats)]
        winners = config.game.winners(play_out(config.game, players, fair, rngs=rngs).state)
        won += (place in winners) / len(winners)
    assert won / games >= least


def test_a_budget_of_seconds_is_kept() -> None:
    config = find_configuration("sanssouci-2")
    player = make_player("ismcts:0.05s", config.game)
    rng = Random(1)
    state = config.game.start(2)
    while isinstance(config.game.turn(state), Draw):
        state = config.game.reveal(state, rng.choice(config.game.chances(state))[0])
    turn = config.game.turn(state)
    assert isinstance(turn, Choose)
    view = config.game.view(state, turn.seats[0])
    player(view, rng)  # loads what it needs
    started, worked = perf_counter(), thread_time()
    player(view, rng)
    assert perf_counter() - started >= 0.025  # even where only one more would be too many
    assert thread_time() - worked < 0.5  # whatever else the machine does meanwhile


def test_halving_leaves_the_choice_that_brought_most_and_keeps_to_its_budget() -> None:
    worth = {7: 0.1, 3: 0.4, 9: 0.2, 5: 0.9, 1: 0.3}
    tried: list[int] = []

    def trial(codes: Sequence[int]) -> list[float]:
        tried.extend(codes)
        return [worth[code] for code in codes]

    assert halve(list(worth), SearchBudget(simulations=120), trial) == 5
    assert len(tried) <= 120
    assert tried.count(5) > tried.count(7) > 0
    assert halve([4], SearchBudget(simulations=120), trial) == 4


def test_budgets_are_read_and_refused_in_one_way() -> None:
    assert parse_budget("400") == SearchBudget(simulations=400)
    assert parse_budget("1.5s") == SearchBudget(seconds=1.5)
    assert len(list(SearchBudget(simulations=7).spend())) == 7
    assert len(list(SearchBudget(seconds=0.0).spend())) == 1
    for text in ("", "0", "-1", "1.5", "s", "1e3", "\u0661s"):
        with pytest.raises(BadSetupError):
            parse_budget(text)


@pytest.mark.parametrize(("each", "begun"), [(0.3, 3), (0.25, 4), (0.6, 1), (2.0, 1)])
def test_nothing_is_begun_that_would_end_too_late(
    monkeypatch: pytest.MonkeyPatch, each: float, begun: int
) -> None:
    now = 0.0
    monkeypatch.setattr(budget, "perf_counter", lambda: now)
    found = []
    for number in SearchBudget(seconds=2.001).split(2, 16).spend():
        found.append(number)
        now += each
    assert found == list(range(begun))


def test_only_who_thinks_takes_a_budget() -> None:
    config = find_configuration("sakura-2")
    assert [name for name in player_names() if takes_budget(name)] == ["flat", "ismcts", "master"]
    with pytest.raises(BadSetupError, match="player_no_budget"):
        make_player("greedy:100", config.game)
    with pytest.raises(BadSetupError, match="player_unknown"):
        make_player("deepblue:100", config.game)
    pond = find_configuration("pond-2").game
    for name in ("flat", "ismcts", "planner", "network", "master"):
        with pytest.raises(BadSetupError):
            make_player(name, pond)
