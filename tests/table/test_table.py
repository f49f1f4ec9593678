"""A table keeps secrets, refuses what is not due, takes back what may be taken back, logs all."""

from random import Random

import pytest

from conformance import (
    Configuration,
    error_text,
    every_configuration,
    find_configuration,
    make_fair,
)
from conformance.tables import AnyTable, choose_at_random, play_to_end, start_table
from pleasance.core import errors
from pleasance.core.game import Seat
from pleasance.core.record import HIDDEN_DRAW, write_record
from pleasance.core.verify import verify
from pleasance.table.entries import ChooseEntry, DrawEntry, UndoEntry, from_json
from pleasance.table.table import Table

ONE, TWO, THREE = Seat(0), Seat(1), Seat(2)
POND = find_configuration("pond-3")


def find_bite(*, freed: bool = True) -> AnyTable:
    """Play the pond until a fish has bitten, and free it."""
    for seed in range(100):
        table = start_table(POND, seed)
        for seat in (ONE, TWO, THREE):
            table.choose(seat, table.view(seat).legal[0], table.ply)
        if len(table.waiting) == 1:
            if freed:
                table.choose(table.waiting[0], "free", table.ply)
            return table
    raise AssertionError("no fish ever bites")


def test_draws_that_are_due_are_made_at_once() -> None:
    table = start_table(POND)
    assert [type(entry) for entry in table.log] == [DrawEntry] * 7
    assert table.ply == 7
    assert table.waiting == (ONE, TWO, THREE)


def test_a_secret_choice_is_logged_at_once_and_shown_when_all_have_chosen() -> None:
    table = start_table(POND)
    choice = table.view(ONE).legal[0]
    assert table.choose(ONE, choice, 7) == (ChooseEntry(ONE, 7, str(choice), 0.0),)
    assert (table.ply, table.waiting) == (7, (TWO, THREE))
    assert table.choice(ONE) == choice
    assert len(table.record_for(ONE).tokens) == 7
    table.choose(THREE, table.view(THREE).legal[0], 7)
    table.choose(TWO, str(table.view(TWO).legal[0]), 7)
    assert table.ply >= 10
    assert table.choice(ONE) is None


def test_what_others_chose_in_secret_can_be_told_by_nobody() -> None:
    for seed in range(20):
        tables = [start_table(POND, seed), start_table(POND, seed)]
        legal = tables[0].view(ONE).legal
        if len(legal) < 2:
            continue
        for table, choice in zip(tables, legal, strict=False):
            table.choose(ONE, choice, 7)
        for seat in (TWO, THREE, None):
            told = [tell(table, seat) for table in tables]
            assert told[0] == told[1]
        return
    raise AssertionError("nobody had a choice")


def tell(table: AnyTable, seat: Seat | None) -> str:
    """Gather all that *seat* can get out of a table."""
    told = [table.view(seat), write_record(table.record_for(seat)), table.waiting, table.ply]
    told += [table.events(seat), *(table.can_undo(other) for other in (TWO, THREE))]
    for token in (*map(str, table.game.space), "nonsense", "+1"):
        if seat is not None and token not in map(str, table.view(seat).legal):
            with pytest.raises(errors.PleasanceError) as refusal:
                table.choose(seat, token, table.ply)
            told.append(str(refusal.value))
    return repr(told)


@pytest.mark.parametrize(
    ("seat", "choice", "ply", "kind", "code"),
    [
        (ONE, "1", 6, errors.StaleChoiceError, "stale"),
        (ONE, "1", 8, errors.StaleChoiceError, "stale"),
        (Seat(3), "1", 7, errors.IllegalActionError, "not_your_turn"),
        (Seat(-1), "1", 7, errors.IllegalActionError, "not_your_turn"),
        (TWO, "nonsense", 7, errors.BadNotationError, "unreadable"),
        (TWO, "+1", 7, errors.BadNotationError, "not_a_choice"),
        (TWO, "keep", 7, errors.IllegalActionError, "pond_cannot"),
    ],
)
def test_a_choice_that_is_not_due_is_refused_and_changes_nothing(
    seat: Seat, choice: str, ply: int, kind: type[errors.PleasanceError], code: str
) -> None:
    table, twin = start_table(POND), start_table(POND)
    with pytest.raises(kind, match=code) as refusal:
        table.choose(seat, choice, ply)
    assert table == twin
    assert error_text(refusal.value, POND.game.spec.package)


def test_a_seat_chooses_once_until_it_takes_it_back() -> None:
    table = start_table(POND)
    twin = start_table(POND)
    choice = table.view(ONE).legal[-1]
    table.choose(ONE, choice, 7)
    with pytest.raises(errors.IllegalActionError, match="already_chosen"):
        table.choose(ONE, choice, 7)
    assert table.can_undo(ONE)
    assert not table.can_undo(TWO)
    table.undo(ONE)
    assert table.waiting == (ONE, TWO, THREE)
    assert table.view(ONE) == twin.view(ONE)
    table.choose(ONE, choice, 7)


def test_what_others_chose_since_falls_with_a_choice_taken_back() -> None:
    table = find_bite()
    (owner, *_), ply = [e.seat for e in table.log if isinstance(e, ChooseEntry)][-1:], table.ply
    neighbor = table.waiting[0]
    table.choose(neighbor, "leave", ply)
    assert table.can_undo(owner)
    assert table.can_undo(neighbor)
    assert not table.can_undo(table.waiting[0])
    table.undo(owner)
    assert table.ply == ply - 1
    assert table.waiting == (owner,)
    assert not table.can_undo(owner)
    assert not table.can_undo(neighbor)


def test_nothing_can_be_taken_back_after_a_draw_a_reveal_or_the_end() -> None:
    table = find_bite()
    shown = table.waiting[0]
    with pytest.raises(errors.IllegalActionError, match="cannot_undo"):
        table.undo(shown)
    table.choose(shown, "catch", table.ply)
    assert isinstance(table.log[-1], DrawEntry)
    assert not any(table.can_undo(seat) for seat in (ONE, TWO, THREE))
    with pytest.raises(errors.IllegalActionError, match="nothing_to_undo"):
        start_table(POND).undo(ONE)
    play_to_end(table, Random(1))
    assert not any(table.can_undo(seat) for seat in (ONE, TWO, THREE))
    with pytest.raises(errors.IllegalActionError, match="game_over"):
        table.choose(ONE, "keep", table.ply)


@pytest.mark.slow
@every_configuration
def test_a_game_at_a_table_ends_in_a_record_that_verifies(config: Configuration) -> None:
    table, rng = start_table(config, 4), Random(4)
    secret = table.fair.secret.hex()
    while not table.is_over:
        with pytest.raises(errors.IllegalActionError, match="record_not_over"):
            table.full_record()
        with pytest.raises(errors.IllegalActionError, match="record_not_over"):
            table.final_state()
        for seat in config.viewers:
            assert secret not in table.record_for(seat).tags["Fair"]
        choose_at_random(table, rng)
    record = table.full_record()
    assert HIDDEN_DRAW not in record.texts()
    assert secret in record.tags["Fair"]
    verdict = verify(config.game, record)
    assert verdict.draws == sum(isinstance(entry, DrawEntry) for entry in table.log)
    assert start_table(config, 4, table.log) == table
    for seat in config.viewers:
        shown = table.record_for(seat)
        assert HIDDEN_DRAW in shown.texts()
        assert shown.tags == record.tags
        seen = [HIDDEN_DRAW if e.action is None else str(e.action) for e in table.events(seat)]
        assert tuple(seen) == shown.texts()


def test_the_record_of_an_open_game_has_no_result_and_can_be_verified_by_its_owner() -> None:
    record = find_bite().full_record(is_owner=True)
    assert "Result" not in record.tags
    assert verify(POND.game, record, is_partial=True).skipped == 0


def test_the_clock_stamps_every_entry() -> None:
    times = iter(range(100))
    table = Table(POND.game, make_fair(3), clock=lambda: float(next(times)), players=("a", "b,c"))
    assert [entry.at for entry in table.log] == list(range(7))
    table.choose(ONE, table.view(ONE).legal[0], 7)
    (entry,) = table.undo(ONE)
    assert entry.at == 8.0
    assert table.record_for(None).tags["Players"] == "a, b c"


def test_a_log_that_does_not_fit_is_refused() -> None:
    log = play_to_end(start_table(POND), Random(1)).log
    with pytest.raises(errors.BadRecordError, match="log_broken"):
        start_table(POND, 2, log)
    place = next(n for n, entry in enumerate(log) if isinstance(entry, ChooseEntry))
    for broken in (
        log[:place] + log[place + 1 :],
        (*log, log[-1]),
        (*log[:7], UndoEntry(ONE, 0.0)),
        (*log[:7], ChooseEntry(ONE, 7, "nonsense", 0.0)),
        (*log[:6], DrawEntry(6, "+deep", 0.0)),
        (*log[:7], DrawEntry(8, "+deep", 0.0)),
    ):
        with pytest.raises(errors.BadRecordError, match="log_broken"):
            start_table(POND, 1, broken)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "[]", "null", '{"kind":"draw"}', "[" * 100_000),
        '{"kind":"undo","seat":true,"at":0.0}',
        '{"kind":"undo","seat":0,"at":NaN}',
        '{"kind":"undo","seat":0,"at":0.0,"more":1}',
        '{"kind":["undo"],"seat":0,"at":0.0}',
        '{"kind":"choose","seat":0,"ply":7,"token":1,"at":0.0}',
    ],
)
def test_a_line_that_is_no_entry_is_refused(text: str) -> None:
    with pytest.raises(errors.BadRecordError, match="log_entry"):
        from_json(text)


def test_a_table_has_as_many_seats_as_the_game_allows() -> None:
    with pytest.raises(errors.BadSetupError, match="seats"):
        Table(POND.game, make_fair(4))
