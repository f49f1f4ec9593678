"""The arena plays the matches of a plan, with any number of workers, in one run or several."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest

from pleasance.arena import duplicate_match, executors
from pleasance.arena.confidence_sequence import ConfidenceSequence
from pleasance.arena.duplicate_match import DuplicateMatch, GameResult, play_match, prepare_players
from pleasance.arena.estimates import measure_player, measure_seat
from pleasance.arena.match_store import FILE, MatchStore, match_from_json, match_to_json
from pleasance.arena.plan import Plan, check_plan
from pleasance.arena.run import MatchCollector, run_arena
from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.games import find_game, game_names
from pleasance.i18n.catalog import LANGUAGES, load_messages

PLAN = Plan(game="sanssouci", seats=2, players=("greedy", "random"), seed="arena")


def without_times(matches: list[DuplicateMatch]) -> list[DuplicateMatch]:
    """Drop move times, which differ between runs, and sort by match number."""
    return [match._replace(times={}) for match in sorted(matches, key=lambda match: match.number)]


@pytest.fixture
def first_choice_players(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every player take the first legal choice, whatever its name."""

    def resolve_player(_name: str, _game: object) -> Any:
        return lambda view, _rng: view.legal[0]

    monkeypatch.setattr(duplicate_match, "resolve_player", resolve_player)
    prepare_players.cache_clear()
    yield
    prepare_players.cache_clear()


def make_plan(seats: int, *players: str, is_mixed: bool = False) -> Plan:
    return Plan(game="sakura", seats=seats, players=players, is_mixed=is_mixed)


@pytest.mark.parametrize(
    ("plan", "tables"),
    [
        (make_plan(2, "a", "b"), [(0, 1)]),
        (make_plan(4, "a", "b"), [(0, 1, 1, 1)]),
        (make_plan(4, "a", "b", "c"), [(0, 1, 2, 1), (0, 2, 1, 2)]),
        (make_plan(2, "a", "b", "c"), [(0, 1), (0, 2)]),
        (make_plan(3, "a"), [(0, 0, 0)]),
        (make_plan(4, "a", "b", is_mixed=True), [(0, 1, 0, 1), (0, 0, 1, 1)]),
        (make_plan(3, "a", "b", "c", is_mixed=True), [(0, 1, 2), (0, 2, 1)]),
        (
            make_plan(6, *"abcdef", is_mixed=True),
            [(0, 1, 2, 3, 4, 5), (0, 5, 4, 3, 2, 1)],
        ),
        (make_plan(3, "a", "b", is_mixed=True), [(0, 1, 0), (1, 0, 1)]),
        (make_plan(2, "a", "b", "c", is_mixed=True), [(0, 1), (0, 2), (1, 2)]),
    ],
)
def test_a_round_has_every_kind_of_table_once(plan: Plan, tables: list[tuple[int, ...]]) -> None:
    assert plan.round_length == len(tables)
    assert [plan.table(match) for match in range(2 * len(tables))] == tables * 2


@pytest.mark.parametrize(("seats", "players", "length"), [(6, 2, 4), (6, 3, 16), (5, 5, 24)])
def test_mixed_tables_use_every_seating_order_where_there_are_few(
    seats: int, players: int, length: int
) -> None:
    plan = make_plan(seats, *"abcdef"[:players], is_mixed=True)
    assert plan.round_length == length
    sat = [table for match in range(length) for table in plan.tables(match)]
    assert {tuple(sorted(table)) for table in sat} == {tuple(sorted(sat[0]))}
    for player in range(players):
        held = [sum(table[seat] == player for table in sat) for seat in range(seats)]
        assert len(set(held)) == 1, "every player holds every seat equally often"


def test_a_plan_names_the_default_budget_of_a_player() -> None:
    assert make_plan(2, "flat", "ismcts:30", "greedy").names == ("flat:200", "ismcts:30", "greedy")
    with pytest.raises(BadSetupError, match="arena_twice"):
        check_plan(make_plan(2, "flat", "flat:200"))


def test_every_player_sits_on_every_seat_once_in_a_match() -> None:
    assert make_plan(3, "a", "b", "c").tables(0) == ((0, 1, 2), (2, 0, 1), (1, 2, 0))


@pytest.mark.parametrize(("games", "matches"), [(1, 2), (8, 2), (9, 4), (100, 26)])
def test_games_are_rounded_up_to_whole_rounds(games: int, matches: int) -> None:
    assert make_plan(4, "a", "b", "c").count_matches(games) == matches


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (make_plan(2), "arena_nobody"),
        (make_plan(2, "greedy", "random", "greedy"), "arena_twice"),
        (make_plan(2, "greedy", "nobody"), "player_unknown"),
        (make_plan(9, "greedy"), "seats"),
        (Plan(game="chess", seats=2, players=("greedy",)), "game_unknown"),
        (Plan(game="sakura", seats=2, players=("greedy",), options=("boars",)), "option_unknown"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(plan: Plan, code: str) -> None:
    with pytest.raises(BadSetupError) as caught:
        check_plan(plan)
    assert caught.value.code == code


@pytest.mark.usefixtures("first_choice_players")
@pytest.mark.parametrize("name", game_names())
def test_identical_players_win_exactly_their_share_of_every_match(name: str) -> None:
    # Deterministic players play the same game in every rotation, on other seats.
    for seats in find_game(name).spec.seats:
        plan = Plan(game=name, seats=seats, players=("one", "other"))
        for number in range(3):
            match = play_match(plan, number)
            assert len({game.scores for game in match.games}) == 1
            found = measure_player(match, 0)
            assert found
            assert found.share == pytest.approx(1 / seats)
            assert sum(measure_seat(match, seat).share for seat in range(seats)) == pytest.approx(1)


@pytest.mark.parametrize("name", game_names())
def test_a_match_is_reproducible_and_another_match_has_other_draws(name: str) -> None:
    plan = Plan(game=name, seats=2, players=("random",))
    first = without_times([play_match(plan, 0)])
    assert first == without_times([play_match(plan, 0)])
    assert first != without_times([play_match(plan, 1)._replace(number=0)])
    games = first[0].games
    assert games[0] != games[1], "each rotation has its own random numbers for the players"


def test_a_match_counts_choices_and_times() -> None:
    match = play_match(PLAN, 0)
    assert sum(spent.choices for spent in match.times.values()) == sum(
        game.decisions for game in match.games
    )
    for spent in match.times.values():
        assert sum(spent.counts.values()) == spent.choices
        assert spent.mean > 0
    assert match.times[0].quantile(0.95) >= match.times[0].quantile(0.5) > 0


def test_a_match_reads_back() -> None:
    match = play_match(PLAN, 3)
    assert match_from_json(match_to_json(match)) == match


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing() -> None:
    with executors.SerialExecutor() as executor:
        serial = without_times(list(executors.play_matches(PLAN, range(12), executor)))
    with executors.ProcessExecutor(2) as executor:
        parallel = without_times(list(executors.play_matches(PLAN, range(12), executor)))
    assert serial == parallel
    assert [match.number for match in serial] == list(range(12))


def test_stopping_early_ends_the_workers() -> None:
    with executors.ProcessExecutor(2) as executor:
        first = next(executors.play_matches(PLAN, range(500), executor))
    assert len(first.games) == 2


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_dead_worker_is_reported_and_finished_matches_are_kept(tmp_path: Path) -> None:
    executor, collector = executors.ProcessExecutor(2), MatchCollector(PLAN, 3000)

    def kill_one(_: MatchCollector) -> None:
        if collector.played == 4:
            os.kill(next(iter(executor.workers)), signal.SIGKILL)

    with (
        MatchStore(tmp_path, PLAN) as store,
        pytest.raises(executors.LostWorkerError, match="arena_worker"),
    ):
        run_arena(PLAN, collector, executor, store=store, on_match=kill_one)
    for language in LANGUAGES:
        assert "workers" in load_messages(language).error(executors.LostWorkerError("arena_worker"))
    kept = (tmp_path / FILE).read_bytes().count(b"\n") - 1
    assert 4 <= kept < 3000
    assert len(play_plan(tmp_path, kept)) == kept, "the next run resumes in the same folder"


def test_at_least_one_core_is_counted() -> None:
    assert executors.count_cores() >= 1


def play_plan(
    folder: Path | None, matches: int, sequence: ConfidenceSequence | None = None
) -> list[DuplicateMatch]:
    collector = MatchCollector(PLAN, matches, sequence)
    if folder is None:
        return run_arena(PLAN, collector, executors.SerialExecutor())
    with MatchStore(folder, PLAN) as store:
        return run_arena(PLAN, collector, executors.SerialExecutor(), store=store)


def test_several_runs_play_the_same_matches_as_one(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "arena"
    kept = play_plan(folder, 3)
    assert play_plan(folder, 3) == kept, "nothing is played again, so even the times are the same"
    complete = play_plan(folder, 6)
    assert complete[:3] == kept
    assert without_times(complete) == without_times(play_plan(None, 6))
    assert play_plan(folder, 2) == kept[:2]
    assert len((folder / FILE).read_text().splitlines()) == 1 + 6


def test_a_match_whose_line_was_truncated_by_a_crash_is_played_again(tmp_path: Path) -> None:
    complete = play_plan(tmp_path, 3)
    file = tmp_path / FILE
    file.write_bytes(file.read_bytes()[:-20])
    assert without_times(play_plan(tmp_path, 3)) == without_times(complete)
    assert len(file.read_text().splitlines()) == 1 + 3


@pytest.mark.parametrize("text", ["{}\n", "nonsense\n", "[]\n", '{"arena": 1}\n{"match": 1}\n'])
def test_a_file_that_holds_no_matches_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(BadFileError) as caught:
        play_plan(tmp_path, 1)
    assert caught.value.code == "arena_broken"
    assert (tmp_path / FILE).read_text() == text


def test_another_plan_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    play_plan(tmp_path, 1)
    other = Plan(game="sanssouci", seats=2, players=("random", "greedy"), seed="arena")
    with pytest.raises(BadSetupError, match="arena_other") as caught, MatchStore(tmp_path, other):
        pass
    params = caught.value.params
    assert (params["what"], params["theirs"]) == ("players", "greedy,random")


def test_two_arenas_do_not_share_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="needs file locks")
    with MatchStore(tmp_path, PLAN), pytest.raises(BadFileError, match="arena_open"):
        MatchStore(tmp_path, PLAN).__enter__()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadFileError, match="file_closed"):
        MatchStore(tmp_path / "file" / "arena", PLAN)


def make_match(number: int, share: float) -> DuplicateMatch:
    games = (
        GameResult((0, 1), (1, 0), (share, 1 - share), 1),
        GameResult((1, 0), (0, 1), (1 - share, share), 1),
    )
    return DuplicateMatch(number, games, {})


def test_the_verdict_does_not_depend_on_the_order_in_which_matches_end() -> None:
    rng = Random(2)
    matches = [make_match(number, rng.choice((0.5, 1.0))) for number in range(60)]
    ends = set()
    for seed in range(5):
        collector = MatchCollector(PLAN, 60, ConfidenceSequence(0.5))
        for match in Random(seed).sample(matches, 60):
            collector.add(match)
        ends.add(len(collector.matches))
        assert collector.matches == matches[: len(collector.matches)]
        assert collector.is_complete()
    assert len(ends) == 1
    assert 5 < ends.pop() < 60


def test_the_sequential_test_counts_whole_rounds_of_tables() -> None:
    plan = Plan(game="sakura", seats=2, players=("a", "b", "c"))
    collector = MatchCollector(plan, 6, ConfidenceSequence(0.5))
    for number in range(5):
        collector.add(make_match(number, 1.0))
    assert collector.sequence
    assert collector.sequence.count == 2
    assert collector.missing == [5]


@pytest.mark.slow
@pytest.mark.parametrize("kept", [0, 1])
def test_play_stops_at_the_verdict(tmp_path: Path, kept: int) -> None:
    sequence = ConfidenceSequence(0.5)
    found = play_plan(tmp_path if kept else None, 60, sequence)
    assert sequence.verdict == "above"
    assert len(found) == sequence.count < 60
    assert fmean(measure.share for match in found if (measure := measure_player(match, 0))) > 0.9
    if kept:
        assert play_plan(tmp_path, 60, ConfidenceSequence(0.5)) == found
