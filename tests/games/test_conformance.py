"""Laws of every game, in every configuration; the sample game included."""

import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance import (
    CONFIGURATIONS,
    Configuration,
    continue_randomly,
    error_text,
    every_configuration,
    play_game,
    random_game,
)
from pleasance.core.errors import BadNotationError, BadSetupError, IllegalActionError
from pleasance.core.game import AnyGame, Choose, Draw, Over, Seat
from pleasance.core.record import HIDDEN_DRAW, parse_record, write_record
from pleasance.core.replay import replay
from pleasance.core.steps import Drew, seat_tokens
from pleasance.core.verify import verify
from pleasance.games import find_game, game_names
from pleasance.i18n.catalog import LANGUAGES, load_messages
from sample_game import installed_sample_game

SEEDS = (1, 2)
games = st.sampled_from(sorted({c.game.spec.name: c.game for c in CONFIGURATIONS}.items()))


def test_a_third_game_costs_one_folder() -> None:
    before = game_names()
    with installed_sample_game():
        assert set(game_names()) == {*before, "pond"}
        assert find_game("pond").spec.name == "pond"
    assert game_names() == before


@every_configuration
def test_only_the_allowed_numbers_of_seats_are_there(config: Configuration) -> None:
    assert config.seats in config.game.spec.seats
    with pytest.raises(BadSetupError, match="option_unknown"):
        config.game.configure((*config.game.options, "no such option"), None)


@every_configuration
def test_options_and_data_can_be_changed_and_changed_back(config: Configuration) -> None:
    game = config.game
    again = game.configure(tuple(reversed(game.options)), None)
    assert again.options == game.options
    assert again.data == game.data
    assert again.data.is_builtin
    assert again.start(config.seats) == game.start(config.seats)


@every_configuration
def test_every_action_has_one_text_and_one_number(config: Configuration) -> None:
    game = config.game
    texts: set[str] = set()
    for space in (game.space, game.draws):
        for code, action in enumerate(space):
            assert space.code(action) == code
            assert game.parse(str(action)) == action
            assert space.write(action) == str(action) == space.write(game.parse(str(action)))
            assert space.read(str(action)) is action
            assert not set(str(action)) & set(' \t\n{}[]"\\'), f"{action} breaks a record"
            texts.add(str(action))
        assert space.read("no such thing") is None
    assert len(texts) == len(game.space) + len(game.draws)
    assert all(str(outcome).startswith("+") for outcome in game.draws)
    assert not any(str(action).startswith("+") for action in game.space)
    assert HIDDEN_DRAW not in texts


@given(games, st.text() | st.text("+0123456789abcdefghi:=>@~^v/*-lrAB. ", max_size=8))
def test_any_text_is_an_action_or_bad_notation(named: tuple[str, AnyGame], text: str) -> None:
    _, game = named
    try:
        action = game.parse(text)
    except BadNotationError:
        return
    assert str(action) == text
    assert (action in game.space) != (action in game.draws)


@pytest.mark.parametrize("seed", SEEDS)
@every_configuration
def test_choices_and_draws_are_listed_in_order(config: Configuration, seed: int) -> None:
    game = config.game
    for state, turn in random_game(config, seed):
        choosers = turn.seats if isinstance(turn, Choose) else ()
        assert choosers == tuple(sorted(set(choosers))) or len(choosers) == 1
        for seat in map(Seat, range(config.seats)):
            codes = [game.space.code(action) for action in game.legal(state, seat)]
            assert codes == sorted(set(codes))
            assert bool(codes) == (seat in choosers)
        chances = game.chances(state) if isinstance(turn, Draw) else ()
        codes = [game.draws.code(outcome) for outcome, _ in chances]
        assert codes == sorted(set(codes))
        assert bool(codes) == isinstance(turn, Draw)
        assert all(type(weight) is int and weight > 0 for _, weight in chances)


@every_configuration
def test_what_is_not_legal_is_refused(config: Configuration) -> None:
    game, rng = config.game, Random(1)
    for state, turn in random_game(config, 1):
        if isinstance(turn, Choose):
            legal = [game.legal(state, seat) for seat in turn.seats]
            for place, allowed in enumerate(legal):
                choices = [options[0] for options in legal]
                for choices[place] in rng.sample(game.space.actions, 8):
                    if choices[place] not in allowed:
                        refuse_play(game, state, choices)
        else:
            refuse_play(game, state, [rng.choice(game.space.actions)])
        likely = [outcome for outcome, _ in game.chances(state)] if isinstance(turn, Draw) else []
        for outcome in rng.sample(game.draws.actions, 8):
            if outcome not in likely:
                with pytest.raises(IllegalActionError):
                    game.reveal(state, outcome)


def refuse_play(game: AnyGame, state: Any, choices: list[Any]) -> None:
    with pytest.raises(IllegalActionError) as refusal:
        game.play(state, choices)
    assert error_text(refusal.value, game.spec.package)


@every_configuration
def test_states_are_plain_values_and_functions_are_pure(config: Configuration) -> None:
    game = config.game
    pairs = zip(random_game(config, 1), random_game(config, 1), strict=True)
    for place, ((state, turn), (twin, _)) in enumerate(pairs):
        assert state == twin
        assert hash(state) == hash(twin)
        if place % 5:
            continue
        assert pickle.loads(pickle.dumps(state)) == state
        assert game.turn(twin) == turn
        assert game.scores(state) == game.scores(twin)
        for seat in config.viewers:
            assert game.view(state, seat) == game.view(twin, seat)
            assert repr(game.view(state, seat)) == repr(game.view(twin, seat))


@pytest.mark.parametrize("seed", SEEDS)
@every_configuration
def test_a_game_ends_with_scores_that_are_explained(config: Configuration, seed: int) -> None:
    check_random_game(config, seed)


@pytest.mark.slow
@every_configuration
def test_hundreds_of_random_games_end_without_an_error(config: Configuration) -> None:
    for seed in range(300):
        check_random_game(config, seed, is_quick=True)


def check_random_game(config: Configuration, seed: int, *, is_quick: bool = False) -> None:
    game, number, last = config.game, 0, None
    for state, _ in random_game(config, seed):
        last = state
        if not is_quick:
            assert number <= game.number(state) <= number + 1
            number = game.number(state)
            check_scores(config, state)
    assert isinstance(game.turn(last), Over)
    check_scores(config, last)
    assert game.number(last) > 0


def check_scores(config: Configuration, state: Any) -> None:
    game = config.game
    scores, score_items, winners = game.scores(state), game.score_items(state), game.winners(state)
    assert scores == tuple(sum(item.points for item in why) for why in score_items)
    assert len(scores) == config.seats
    assert winners
    assert list(winners) == sorted(set(winners))
    assert {scores[seat] for seat in winners} == {max(scores)}
    decided_by = game.decided_by(state)
    assert (decided_by == "shared") == (len(winners) > 1)
    if decided_by == "points":
        assert scores.count(max(scores)) == 1


@pytest.mark.slow
@every_configuration
def test_everything_has_words(config: Configuration) -> None:
    game = config.game
    for language in LANGUAGES:
        words = load_messages(language, game.spec.package)
        for action in (*game.space, *game.draws):
            assert game.describe(action, words)
        for place, (state, _) in enumerate(random_game(config, 1)):
            if place % 10:
                continue
            for seat in config.viewers:
                view = game.view(state, seat)
                assert max(map(len, game.render(view, words, 100).splitlines())) <= 100
                assert all(game.preview(view, choice, words) is not None for choice in view.legal)
            for item in (item for why in game.score_items(state) for item in why):
                assert game.describe(item, words)
            assert words(f"decided.{game.decided_by(state)}")


@every_configuration
def test_a_view_tells_the_seat_what_it_may_choose(config: Configuration) -> None:
    game = config.game
    for state, turn in random_game(config, 1):
        for seat in config.viewers:
            view = game.view(state, seat)
            assert view.seat == seat
            assert view.turn == turn
            assert view.legal == (() if seat is None else game.legal(state, seat))


@pytest.mark.parametrize("seed", SEEDS)
@every_configuration
def test_a_private_draw_changes_nobody_elses_view(config: Configuration, seed: int) -> None:
    game, rng = config.game, Random(seed)
    private = 0
    for state, turn in random_game(config, seed):
        if not isinstance(turn, Draw) or turn.to is None:
            continue
        private += 1
        outcomes = [outcome for outcome, _ in game.chances(state)]
        worlds = [game.reveal(state, o) for o in rng.sample(outcomes, min(4, len(outcomes)))]
        for seat in config.viewers:
            if seat != turn.to:
                views = [game.view(world, seat) for world in worlds]
                assert all(view == views[0] for view in views)
                assert len({repr(view) for view in views}) == 1
    assert private


@pytest.mark.parametrize("seed", SEEDS)
@every_configuration
def test_an_imagined_world_looks_the_same(config: Configuration, seed: int) -> None:
    game, rng = config.game, Random(seed)
    for state, turn in random_game(config, seed):
        for seat in config.viewers:
            view = game.view(state, seat)
            world = game.imagine(view, rng)
            assert game.view(world, seat) == view
            assert game.turn(world) == turn
            if isinstance(turn, Over):
                assert game.scores(world) == game.scores(state)


@pytest.mark.slow
@every_configuration
def test_an_imagined_world_can_be_played_to_the_end(config: Configuration) -> None:
    game, rng = config.game, Random(1)
    for place, (state, _) in enumerate(random_game(config, 1)):
        if place % 7:
            continue
        for seat in config.viewers:
            world = game.imagine(game.view(state, seat), rng)
            *_, (_, turn) = continue_randomly(game, world, rng)
            assert isinstance(turn, Over)


@every_configuration
def test_a_record_reads_back_replays_and_verifies(config: Configuration) -> None:
    playout = play_game(config, 7)
    text = write_record(playout.record)
    record = parse_record(text)
    assert record == playout.record
    assert write_record(record) == text
    assert all(len(line) <= 100 for line in text.splitlines() if not line.startswith("["))
    assert replay(config.game, record).steps == playout.steps
    assert verify(config.game, record).replay.state == playout.state


@every_configuration
def test_the_record_of_one_seat_hides_what_it_did_not_see(config: Configuration) -> None:
    game, playout = config.game, play_game(config, 7)
    full = playout.record.texts()
    for seat in config.viewers:
        shown = tuple(token.text for token in seat_tokens(game, playout.steps, seat))
        assert len(shown) == len(full)
        private = [s for s in playout.steps if isinstance(s, Drew) and s.to not in {None, seat}]
        assert shown.count(HIDDEN_DRAW) == len(private) > 0
        assert all(a in {b, HIDDEN_DRAW} for a, b in zip(shown, full, strict=True))


@every_configuration
def test_the_same_seed_gives_the_same_game(config: Configuration) -> None:
    assert play_game(config, 3).record == play_game(config, 3).record
    assert play_game(config, 3).record != play_game(config, 4).record
