"""A record replays as the rules have it, or is refused with line, token and what would do."""

import pytest

from conformance import error_text, find_configuration, play_game
from pleasance.core import errors
from pleasance.core.perft import perft
from pleasance.core.record import Record, Token, parse_record, write_record
from pleasance.core.replay import replay
from pleasance.core.tags import fit_game
from pleasance.core.verify import verify
from sample_game import SAMPLE as TEXT

POND = find_configuration("pond-2").game
FROGS = find_configuration("pond-3-frogs").game
TAGS = {"Game": "pond", "Rules": "1", "Seats": "2"}


def change(old: str, new: str) -> Record:
    assert old in TEXT
    return parse_record(TEXT.replace(old, new))


def refuse(
    record: Record, kind: type[errors.PleasanceError], *, line: int
) -> pytest.ExceptionInfo[errors.PleasanceError]:
    with pytest.raises(kind) as refusal:
        replay(fit_game(POND, record), record)
    assert refusal.value.params["line"] == line
    return refusal


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('[Rules "1"]\n', "", "record_no_tag", 1),
        ('[Seats "2"]\n', "", "record_no_tag", 1),
        ("pond", "lake", "record_game", 1),
        ('[Rules "1"]', '[Rules "2"]', "record_rules", 2),
        ('[Seats "2"]', '[Seats "two"]', "record_seats", 3),
        ('[Seats "2"]', '[Seats "²"]', "record_seats", 3),
        ('[Seats "2"]', '[Seats "2"]\n[Data "mine"]', "record_data_tag", 4),
        ('[Seats "2"]', f'[Seats "2"]\n[Data "mine {"0" * 64}"]', "record_data_needed", 4),
        ("4 4", "4 3", "record_result", 4),
        ("4 4", "4 three", "record_result_tag", 4),
        ("4 4", "4 4 0", "record_result", 4),
        ("+3 +2", "+3 +?", "record_needs_full", 6),
        ("free leave", "free leave leave", "record_goes_on", 9),
        (" leave", "", "record_ends_early", 9),
        ("4 2 free leave", "4", "record_ends_early", 9),
        ("3. +deep 4 2 free leave", "", "record_ends_early", 8),
    ],
)
def test_a_record_that_is_no_game_is_refused(old: str, new: str, code: str, line: int) -> None:
    refusal = refuse(change(old, new), errors.BadRecordError, line=line)
    assert refusal.value.code == code
    assert error_text(refusal.value)


@pytest.mark.parametrize(
    ("old", "new", "kind", "said"),
    [
        (
            "1. +deep 1 3",
            "1. +deep 1 4",
            errors.IllegalActionError,
            "Token 7, 4, cannot be chosen by seat 2 here; due: 2 3.",
        ),
        (
            "1. +deep 1 3",
            "1. +deep keep 3",
            errors.IllegalActionError,
            "Token 6, keep, cannot be chosen by seat 1 here; due: 1.",
        ),
        (
            "1. +deep 1 3",
            "1. +deep 1 three",
            errors.BadNotationError,
            "Token 7, “three”, cannot be read as a choice of seat 2; due: 2 3.",
        ),
        (
            "1. +deep 1 3",
            "1. +deep 1 +3",
            errors.BadNotationError,
            "Token 7, “+3”, cannot be read as a choice of seat 2; due: 2 3.",
        ),
        (
            "1. +deep 1 3",
            "1. +frog1 1 3",
            errors.IllegalActionError,
            "Token 5, +frog1, cannot be drawn here; due: +deep +shallow.",
        ),
        (
            "1. +deep 1 3",
            "1. 1 +deep 3",
            errors.BadNotationError,
            "Token 5, “1”, cannot be read as a draw; due: +deep +shallow.",
        ),
    ],
)
def test_a_wrong_token_is_named_with_what_would_do(
    old: str, new: str, kind: type[errors.PleasanceError], said: str
) -> None:
    refusal = refuse(change(old, new), kind, line=7)
    assert error_text(refusal.value) == said
    assert isinstance(refusal.value.__cause__, kind)


def test_what_is_due_is_said_where_a_record_breaks_off() -> None:
    refusal = refuse(
        change("3. +deep 4 2 free leave\n", "3. +deep 4\n"), errors.BadRecordError, line=9
    )
    assert error_text(refusal.value) == (
        "The record breaks off before token 20: a choice of seat 2 is due, one of: 2."
    )


def test_wrong_options_and_seats_are_refused_with_their_line() -> None:
    for tag in ("rain", "frogs frogs", "frogs"):
        refuse(
            change('[Seats "2"]', f'[Seats "2"]\n[Options "{tag}"]'),
            errors.BadSetupError,
            line=4 - (tag == "frogs"),
        )
    refuse(change('[Seats "2"]', '[Seats "4"]'), errors.BadSetupError, line=3)


def test_a_record_must_be_replayed_with_its_own_options() -> None:
    with pytest.raises(errors.BadRecordError, match="record_options"):
        replay(FROGS, parse_record(TEXT))


MINE = 'name = "my pond"\n[pond]\nfish = [4, 4, 4, 4]\nrounds = 3\n'


def test_a_record_names_data_that_is_not_of_the_house() -> None:
    mine = POND.configure((), MINE)
    config = find_configuration("pond-2")._replace(game=mine)
    record = parse_record(write_record(play_game(config, 1).record))
    assert record.tags["Data"] == f"my pond {mine.data.sha256}"
    assert fit_game(POND, record, MINE).data == mine.data
    assert verify(mine, record).draws
    with pytest.raises(errors.BadRecordError, match="record_data_needed") as refusal:
        fit_game(POND, record)
    assert "--data FILE" in error_text(refusal.value)
    with pytest.raises(errors.BadRecordError, match="record_data_other") as refusal:
        fit_game(POND, record, MINE + "# changed\n")
    assert mine.data.sha256 in error_text(refusal.value)
    with pytest.raises(errors.BadRecordError, match="record_data_house"):
        fit_game(POND, parse_record(TEXT), MINE)


def test_a_partial_record_gives_the_position_where_it_breaks_off() -> None:
    partial = replay(POND, change("3. +deep 4 2 free leave\n", "3. +deep 4\n"), is_partial=True)
    assert partial.state.round == 3
    assert [str(choice) for choice in partial.pending] == ["4"]
    counted = [perft(POND, partial.state, depth, partial.pending) for depth in range(5)]
    assert counted == [1, 1, 2, 2, 0]
    whole = replay(POND, parse_record(TEXT), is_partial=True)
    assert (whole.pending, perft(POND, whole.state, 1)) == ((), 0)


def count_lines(tokens: tuple[str, ...], depth: int) -> int:
    """Count lines by trying every token there is."""
    record = Record(TAGS, tuple(map(Token, tokens)))
    try:
        replay(POND, record, is_partial=True)
    except errors.PleasanceError:
        return 0
    if depth == 0:
        return 1
    known = map(str, (*POND.space, *POND.draws))
    return sum(count_lines((*tokens, token), depth - 1) for token in known)


def test_perft_counts_the_lines_of_play() -> None:
    start = ("+1", "+3", "+2", "+4", "+deep")
    state = replay(POND, Record(TAGS, tuple(map(Token, start))), is_partial=True).state
    for depth in range(5):
        assert perft(POND, state, depth) == count_lines(start, depth)


def test_perft_ends_with_the_game() -> None:
    state = replay(POND, parse_record(TEXT)).steps[-2].before
    assert [perft(POND, state, depth) for depth in range(4)] == [1, 2, 2, 0]
