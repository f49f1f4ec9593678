"""A record is a game as text: it reads back, replays, and says clearly what is wrong with it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conformance import CONFIGURATIONS, error_text, find_configuration, play_game
from pleasance.core.errors import BadNotationError, BadRecordError, PleasanceError
from pleasance.core.game import AnyGame
from pleasance.core.record import (
    MAX_LINE_LENGTH,
    Record,
    Token,
    parse_record,
    parse_records,
    write_record,
    write_records,
)
from pleasance.core.replay import replay
from pleasance.core.tags import fit_game
from pleasance.core.verify import verify
from pleasance.i18n.catalog import load_messages
from sample_game import SAMPLE as TEXT

POND = find_configuration("pond-2").game


def attempt(work: Callable[[], object]) -> PleasanceError | None:
    try:
        work()
    except PleasanceError as refusal:
        return refusal
    return None


def test_a_record_has_tags_and_tokens() -> None:
    record = parse_record(TEXT)
    assert list(record.tags) == ["Game", "Rules", "Seats", "Result"]
    assert record.texts()[:5] == ("+1", "+1", "+3", "+2", "+deep")
    assert [token.line for token in record.tokens][:5] == [6, 6, 6, 6, 7]
    assert [token.number for token in record.tokens][:6] == [0, 0, 0, 0, 1, 1]
    assert write_record(record) == TEXT
    assert replay(POND, record).state.round == 3


def test_line_breaks_numbers_and_remarks_do_not_count() -> None:
    head, body = TEXT.split("\n\n")
    remark = ' {a remark\n[Game "no"] over\nlines}\n'
    loose = remark + body.replace("\n", remark).replace("2.", "\t99. {} ").replace(" +", "\n+")
    assert parse_record(f"{head}\n{loose}{{}}") == parse_record(TEXT)
    assert parse_record(f"{head}\n{loose}").tokens[3].remark.endswith("over lines")


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    assert parse_record("\ufeff" + TEXT.replace("\n", "\r\n")) == parse_record(TEXT)


def test_each_record_starts_at_its_game_tag() -> None:
    record = parse_record(TEXT)
    text = write_records([record, record, record])
    assert text.count("\n\n[Game") == 2
    assert parse_records(text) == [record] * 3
    with pytest.raises(BadRecordError, match="record_second"):
        parse_record(text)


def test_quotes_and_backslashes_in_a_tag_are_escaped() -> None:
    record = Record({"Game": "pond", "Note": 'a "b" \\ c\\"'}, ())
    assert write_record(record) == '[Game "pond"]\n[Note "a \\"b\\" \\\\ c\\\\\\""]\n\n'
    assert parse_record(write_record(record)) == record


def test_long_turns_are_wrapped() -> None:
    tokens = tuple(Token(f"+t{n}l=e", number=1 + n // 50) for n in range(100))
    text = write_record(Record({"Game": "pond"}, tokens))
    lines = text.split("\n\n")[1].splitlines()
    assert max(map(len, lines)) <= MAX_LINE_LENGTH
    assert [line for line in lines if ". " in line] == [lines[0], lines[len(lines) // 2]]
    assert parse_record(text).tokens == tokens


texts = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=9)
names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,5}", fullmatch=True).filter(
    lambda name: name != "Game"
)
plain = st.from_regex(r"[!-z|~]{1,8}", fullmatch=True).filter(
    lambda text: not text.startswith("[") and not text.rstrip(".").isdigit()
)
tokens = st.builds(
    Token, plain, number=st.integers(0, 999_999), remark=st.sampled_from(["", "a b"])
)
records = st.builds(
    lambda game, tags, tokens: Record({"Game": game, **tags}, tuple(tokens)),
    texts,
    st.dictionaries(names, texts, max_size=4),
    st.lists(tokens, max_size=20),
)


@pytest.mark.slow
@given(st.lists(records, min_size=1, max_size=3))
def test_any_records_read_back(written: list[Record]) -> None:
    text = write_records(written)
    read = parse_records(text)
    assert read == written
    assert [list(record.tags) for record in read] == [list(record.tags) for record in written]
    assert write_records(read) == text


@given(st.sampled_from(["a\nb", "\x1b[31m", "\u2028"]))
def test_what_no_tag_can_hold_is_not_written(value: str) -> None:
    with pytest.raises(BadRecordError, match="record_tag_value"):
        write_record(Record({"Game": value}, ()))


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "record_none", 1),
        (" \n\n", "record_none", 1),
        ("+1 +2", "record_before_game", 1),
        ("\n{remark}", "record_before_game", 2),
        ('[Rules "1"]\n[Game "pond"]', "record_before_game", 1),
        ('[Game "pond"', "record_tag", 1),
        ('[Game "po"nd"]', "record_tag", 1),
        ('[Game "po\\nd"]', "record_tag", 1),
        ("[Game]", "record_tag", 1),
        ('[Game "pond"]\n[Rules "\x1b"]', "record_tag", 2),
        ('[Game "pond"]\n[Rules "1"]\n[Rules "1"]', "record_tag_twice", 3),
        ('[Game "pond"]\n+1\n[Rules "1"]', "record_tag_late", 3),
        ('[Game "pond"]\n+1\n\n+2 {open\n\n', "record_remark_open", 4),
        ('[Game "pond"]\n+1 }', "record_remark_closed", 2),
    ],
)
def test_text_that_is_no_record_is_refused_with_its_line(text: str, code: str, line: int) -> None:
    with pytest.raises((BadRecordError, BadNotationError), match=code) as refusal:
        parse_records(text)
    assert refusal.value.params["line"] == line
    assert error_text(refusal.value)


@given(st.text() | st.text('[]{}"\\ \n.12+?Game'))
@example('[Game "' + "1" * 5000 + '"]\n' + "1" * 5000 + ".")
def test_any_text_is_records_or_refused(text: str) -> None:
    refusal = attempt(lambda: parse_records(text))
    if refusal is None:
        found = parse_records(text)
        assert parse_records(write_records(found)) == found
    else:
        assert "line" in refusal.params
        assert error_text(refusal)


REAL = [(c.game, write_record(play_game(c, 5).record)) for c in CONFIGURATIONS]
Cut = Callable[[list[str], int, int], list[str]]
CUTS: dict[str, Cut] = {
    "drop": lambda parts, i, _: parts[:i] + parts[i + 1 :],
    "repeat": lambda parts, i, _: parts[: i + 1] + parts[i:],
    "swap": lambda parts, i, j: [
        parts[{i: j, j: i}.get(place, place)] for place in range(len(parts))
    ],
    "replace": lambda parts, i, j: [*parts[:i], parts[j], *parts[i + 1 :]],
    "cut off": lambda parts, i, _: parts[:i],
}


@pytest.mark.slow
@given(
    st.data(), st.sampled_from(REAL), st.sampled_from(sorted(CUTS)), st.sampled_from(["\n", " "])
)
def test_a_mangled_record_is_replayed_or_refused(
    data: st.DataObject, real: tuple[AnyGame, str], cut: str, unit: str
) -> None:
    game, text = real
    parts = text.split(unit)
    place = st.integers(0, len(parts) - 1)
    mangled = unit.join(CUTS[cut](parts, data.draw(place), data.draw(place)))

    def work() -> None:
        for record in parse_records(mangled):
            fitted = fit_game(game, record)
            replay(fitted, record)
            verify(fitted, record)

    if (refusal := attempt(work)) is not None:
        assert "line" in refusal.params
        assert load_messages("en", game.spec.package).error(refusal)


def test_tokens_are_compared_by_their_text_alone() -> None:
    token = Token("+1", line=3, number=2, remark="seat 1")
    assert token == Token("+1")
    assert token != replace(token, text="+2")
