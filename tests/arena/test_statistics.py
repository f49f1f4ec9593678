"""Statistics of the arena: intervals, the confidence sequence, ratings and move times."""

from math import inf
from random import Random

import pytest
from openskill.models import PlackettLuce

from pleasance.arena import estimates
from pleasance.arena.confidence_sequence import ConfidenceSequence
from pleasance.arena.duplicate_match import DuplicateMatch, GameResult, MoveTimes
from pleasance.arena.ratings import rate

pytestmark = pytest.mark.slow


def make_result(
    table: tuple[int, ...], scores: tuple[int, ...], winners: tuple[int, ...]
) -> GameResult:
    shares = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(table)))
    return GameResult(table, scores, shares, decisions=9)


def make_match(*games: GameResult) -> DuplicateMatch:
    return DuplicateMatch(0, games, {})


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(1, 12.7062), (2, 4.3027), (5, 2.5706), (29, 2.0452), (200, 1.9719), (5000, 1.9600)],
)
def test_quantiles_of_students_t_match_the_tables(freedom: int, expected: float) -> None:
    assert estimates.student_t_quantile(freedom) == pytest.approx(expected, abs=2e-4)


def test_a_mean_has_the_interval_of_the_textbook() -> None:
    # Mean 3, standard deviation sqrt(2.5), t(4) = 2.7764.
    found = estimates.estimate([1, 2, 3, 4, 5])
    assert found.mean == 3
    assert found.high - 3 == pytest.approx(2.7764 * (2.5 / 5) ** 0.5, abs=1e-3)
    assert found.low == pytest.approx(6 - found.high)


def test_a_share_stays_between_0_and_1() -> None:
    found = estimates.estimate_share([1.0, 1.0, 0.5])
    assert found.high == 1
    assert 0 <= found.low < found.mean


def test_winning_every_match_proves_no_share_of_one() -> None:
    # Were the true mean lower, twenty full matches in a row would have a chance below 5 %.
    assert estimates.estimate_share([1.0] * 20).low == pytest.approx(0.05 ** (1 / 20))
    assert estimates.estimate_share([0.0] * 20).high == pytest.approx(1 - 0.05 ** (1 / 20))


def test_equal_results_leave_an_interval_of_positive_width() -> None:
    found = estimates.estimate_share([0.5] * 20)
    slack = 1 - 0.05 ** (1 / 20)
    assert (found.low, found.high) == pytest.approx((0.5 - slack, 0.5 + slack))
    assert estimates.estimate_share([0.5, 0.5]) == estimates.Estimate(0.5, 0.0, 1.0, 2)


def test_one_match_or_none_gives_the_widest_interval() -> None:
    assert estimates.estimate_share([0.5]) == estimates.Estimate(0.5, 0.0, 1.0, 1)
    assert estimates.estimate([]) == estimates.Estimate(0.0, -inf, inf, 0)


@pytest.mark.parametrize("weights", [(0.25, 0.5, 0.25), (0.1, 0.3, 0.6), (0.05, 0.9, 0.05)])
def test_the_interval_covers_the_true_share_in_95_of_100_cases(weights: tuple[float, ...]) -> None:
    values = (0.0, 0.5, 1.0)
    truth = sum(value * weight for value, weight in zip(values, weights, strict=True))
    rng = Random(5)
    tries = 2000
    found = [estimates.estimate_share(rng.choices(values, weights, k=60)) for _ in range(tries)]
    assert 0.93 <= sum(one.low <= truth <= one.high for one in found) / tries <= 0.975


def run_until_verdict(
    rng: Random, mean: float, null_mean: float, matches: int = 250
) -> ConfidenceSequence:
    """Add random results of 0, 0.5 or 1 with this mean, until there is a verdict."""
    sequence = ConfidenceSequence(null_mean)
    weights = (0.75 - mean / 1, 0.5, mean - 0.25)
    for _ in range(matches):
        sequence.add(rng.choices((0.0, 0.5, 1.0), weights)[0])
        if sequence.verdict != "open":
            break
    return sequence


def test_testing_after_every_match_errs_in_at_most_5_of_100_cases() -> None:
    rng = Random(8)
    wrong = sum(run_until_verdict(rng, 0.5, null_mean=0.5).verdict != "open" for _ in range(200))
    assert wrong / 200 <= 0.05


def test_the_confidence_sequence_covers_the_true_mean_at_any_time() -> None:
    rng = Random(3)
    missed = 0
    for _ in range(100):
        sequence = ConfidenceSequence(0.9)
        for _ in range(200):
            sequence.add(float(rng.random() < 0.3))
        missed += not sequence.low <= 0.3 <= sequence.high
    assert missed <= 5


@pytest.mark.parametrize(("mean", "verdict"), [(0.65, "above"), (0.35, "below")])
def test_a_clear_difference_is_found(mean: float, verdict: str) -> None:
    rng = Random(4)
    found = [run_until_verdict(rng, mean, null_mean=0.5) for _ in range(40)]
    assert {sequence.verdict for sequence in found} == {verdict}
    assert all((sequence.low >= 0.5) == (verdict == "above") for sequence in found)


def test_the_interval_narrows_around_the_mean() -> None:
    sequence = ConfidenceSequence(1 / 3)
    widths = []
    for number in range(1000):
        sequence.add(float(number % 3 == 0))
        widths.append(sequence.high - sequence.low)
    assert widths == sorted(widths, reverse=True)
    assert sequence.low < 1 / 3 < sequence.high
    assert widths[-1] < 0.15


def test_a_match_is_measured_over_all_seats_of_a_player() -> None:
    shared = make_match(
        make_result((0, 1, 1), (10, 6, 10), (0, 2)),
        make_result((1, 0, 1), (3, 9, 4), (1,)),
        make_result((1, 1, 0), (8, 2, 5), (0,)),
    )
    assert estimates.measure_player(shared, 0) == estimates.MatchMeasures(
        share=0.5, score=8.0, margin=(0 + 5 - 3) / 3
    )
    found = estimates.measure_player(shared, 1)
    assert found
    assert found.share == pytest.approx(0.25)
    assert found.margin == pytest.approx((-4 + 0 - 6 - 5 + 3 - 6) / 6)
    assert estimates.measure_player(shared, 2) is None
    assert [estimates.measure_seat(shared, seat).share for seat in range(3)] == [
        0.5,
        1 / 3,
        pytest.approx(1 / 6),
    ]


def test_ratings_are_those_of_openskill() -> None:
    model = PlackettLuce()
    [[first], [second]] = model.rate([[model.rating()], [model.rating()]], ranks=[0, 1])
    ratings = rate(2, [make_match(make_result((0, 1), (9, 7), (0,)))])
    assert [tuple(rating) for rating in ratings] == [
        (first.mu, first.sigma),
        (second.mu, second.sigma),
    ]
    assert first.mu > 25 > second.mu


def test_a_tie_break_counts_before_points() -> None:
    won, lost = rate(2, [make_match(make_result((0, 1), (9, 9), (1,)))])[::-1]
    assert won.mu > 25 > lost.mu


def test_a_shared_victory_leaves_ratings_even() -> None:
    first, second = rate(2, [make_match(make_result((0, 1), (9, 9), (0, 1)))])
    assert first.mu == pytest.approx(second.mu)


def test_a_player_on_several_seats_has_one_rating() -> None:
    first, second = rate(2, [make_match(make_result((0, 1, 1), (9, 7, 5), (0,)))] * 20)
    assert first.mu > 30 > second.mu
    assert second.sigma < 25 / 3


def test_move_times_add_up() -> None:
    spent = MoveTimes(3, 0.3, {-24: 3}).plus(MoveTimes(1, 2.0, {7: 1}))
    assert (spent.choices, spent.seconds, spent.mean) == (4, 2.3, 2.3 / 4)
    assert spent.quantile(0.5) == pytest.approx(0.1, rel=0.15)
    assert spent.quantile(0.95) == pytest.approx(2, rel=0.15)
    assert MoveTimes().quantile(0.95) == MoveTimes().mean == 0


def test_a_pair_is_compared_at_every_table_where_both_sit() -> None:
    table = (0, 1, 2, 1)
    found = make_match(
        make_result(table, (9, 5, 7, 9), (3,)),  # the tie for most points went to seat 4
        make_result(table, (4, 4, 4, 1), (0, 1)),
    )
    assert estimates.measure_pair(found, 0, 1) == pytest.approx((1 + 0 + 0.5 + 1) / 4)
    assert estimates.measure_pair(found, 1, 0) == pytest.approx(1 - (1 + 0 + 0.5 + 1) / 4)
    assert estimates.measure_pair(found, 0, 2) == pytest.approx((1 + 1) / 2)
    assert estimates.measure_pair(found, 0, 3) is None
