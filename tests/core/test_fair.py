"""Draws are fair: they follow from what was promised, and anybody can check it."""

import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance import (
    Configuration,
    error_text,
    every_configuration,
    find_configuration,
    make_fair,
    play_game,
)
from pleasance.core.errors import BadRecordError, BadSetupError, PleasanceError, UnfairDrawError
from pleasance.core.fair_draws import (
    FairDraws,
    FairTag,
    make_tag,
    parse_tag,
    secret_from_seed,
    write_nonces,
)
from pleasance.core.record import Record, Token, parse_record, write_record
from pleasance.core.steps import Drew
from pleasance.core.verify import verify

PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
POND = find_configuration("pond-2")
POND_RECORD = play_game(POND, 1).record


def find_promised(label: str) -> str:
    found = re.search(rf"^{label} `(.+)`$", PAGE, re.MULTILINE)
    assert found
    return found[1]


def find_rows(columns: int) -> list[list[str]]:
    cells = [row.split(" | ") for row in re.findall(r"^\| (.+) \|$", PAGE, re.MULTILINE)]
    return [row for row in cells if len(row) == columns and row[1].isdigit()]


def test_the_test_vectors_of_the_page_hold() -> None:
    secret = bytes.fromhex(find_promised("Secret"))
    nonces = parse_tag(f"1 commitment={'0' * 64} nonces={find_promised('Nonces')} draws=-").nonces
    fair = FairDraws(secret, nonces)
    assert fair.commitment == find_promised("Commitment")
    rows = find_rows(5)
    assert len(rows) == 9
    for index, total, _, number, rest in rows:
        assert fair.draw_below(int(index), int(total)) == int(rest)
        assert int(number, 16) % int(total) == int(rest)


def test_the_seeds_of_the_page_hold() -> None:
    rows = find_rows(3)
    assert len(rows) == 2
    for seed, game, secret in rows:
        assert secret_from_seed(seed, int(game)).hex() == secret


@every_configuration
def test_the_verifier_of_the_page_agrees(config: Configuration) -> None:
    code = re.search(r"```python\n(.+?)```", PAGE, re.DOTALL)
    assert code
    assert len(code[1].splitlines()) < 45
    names: dict[str, Any] = {}
    exec(code[1], names)  # the point is that this code needs nothing of ours
    playout = play_game(config, 2)
    draws = [step for step in playout.steps if isinstance(step, Drew)]
    chances = [
        [(str(outcome), weight) for outcome, weight in config.game.chances(step.before)]
        for step in draws
    ]
    text = write_record(playout.record)
    names["check"](text, chances)
    place = next(n for n, likely in enumerate(chances) if len(likely) > 1)
    due = str(draws[place].outcome)
    other = next(token for token, _ in chances[place] if token != due)
    with pytest.raises(AssertionError, match="should have been"):
        names["check"](re.sub(rf"(?<=\s){re.escape(due)}(?=\s)", other, text, count=1), chances)


def test_draws_follow_their_weights() -> None:
    fair = make_fair(2)
    drawn = Counter(fair.draw(index, [("a", 1), ("b", 2), ("c", 5)]) for index in range(1, 8001))
    assert 900 < drawn["a"] < 1100
    assert 1850 < drawn["b"] < 2150
    assert 4850 < drawn["c"] < 5150


def test_draws_depend_on_the_secret_each_nonce_and_the_index() -> None:
    nonces = (b"12345678", None, b"12345678")
    sources = [
        FairDraws(secret_from_seed("1"), nonces),
        FairDraws(secret_from_seed("2"), nonces),
        FairDraws(secret_from_seed("1"), (None, None, b"12345678")),
        FairDraws(secret_from_seed("1"), (b"12345678", b"12345678", None)),
    ]
    runs = {tuple(fair.draw_below(index, 1000) for index in range(1, 9)) for fair in sources}
    assert len(runs) == len(sources)


def test_secrets_and_nonces_have_a_length() -> None:
    with pytest.raises(BadSetupError, match="fair_secret_length"):
        FairDraws(b"short", ())
    for length in (0, 7, 65):
        with pytest.raises(BadSetupError, match="fair_nonce_length"):
            FairDraws(bytes(32), (b"x" * length,))


def test_the_secret_is_not_shown() -> None:
    fair = make_fair(2)
    assert fair.secret.hex() not in repr(fair)
    assert repr(fair.secret) not in repr(fair)
    assert fair.secret.hex() not in str(make_tag(fair, range(1, 9), is_revealed=False))


nonces = st.lists(st.none() | st.binary(min_size=8, max_size=64), min_size=1, max_size=6)


@given(st.binary(min_size=32, max_size=32), nonces, st.sets(st.integers(1, 60)), st.booleans())
def test_a_tag_reads_back(
    secret: bytes, nonces: list[bytes | None], indexes: set[int], is_revealed: bool
) -> None:
    tag = make_tag(FairDraws(secret, tuple(nonces)), sorted(indexes), is_revealed=is_revealed)
    assert parse_tag(str(tag)) == tag
    assert list(tag.indexes()) == sorted(indexes)
    assert (tag.secret is not None) == is_revealed


@given(st.text() | st.text("01af,- =", max_size=30).map(lambda text: f"1 commitment={text}"))
def test_any_text_is_a_tag_or_refused(text: str) -> None:
    with suppress(BadRecordError):
        tag = parse_tag(text)
        assert parse_tag(str(tag)) == tag


def with_tag(**changes: object) -> Record:
    """Change the tag of a fair record."""
    tag = parse_tag(POND_RECORD.tags["Fair"])
    facts = {name: getattr(tag, name) for name in FairTag.__slots__}
    changed = FairTag(**{**facts, **changes})
    return Record({**POND_RECORD.tags, "Fair": str(changed)}, POND_RECORD.tokens)


def refuse(record: Record, kind: type[PleasanceError], code: str) -> PleasanceError:
    record = parse_record(write_record(record))
    with pytest.raises(kind, match=f"^{code} ") as refusal:
        verify(POND.game, record)
    assert "line" in refusal.value.params
    assert error_text(refusal.value)
    return refusal.value


def test_a_fair_record_is_verified() -> None:
    verdict = verify(POND.game, POND_RECORD)
    assert verdict.draws == sum(text.startswith("+") for text in POND_RECORD.texts())
    assert verdict.skipped == 0


def test_each_changed_draw_is_found_and_named() -> None:
    record = parse_record(write_record(POND_RECORD))
    draws = [n for n, text in enumerate(record.texts()) if text.startswith("+")]
    for draw, place in enumerate(draws, start=1):
        token = record.tokens[place]
        for other in map(str, POND.game.draws):
            if other == token.text:
                continue
            changed = Token(other, token.line, token.number)
            tokens = (*record.tokens[:place], changed, *record.tokens[place + 1 :])
            refusal = refuse(Record(record.tags, tokens), UnfairDrawError, "fair_draw")
            assert refusal.params["draw"] == draw
            assert refusal.params["token"] == other
            assert refusal.params["due"] == token.text
            assert refusal.params["line"] == token.line


def test_another_secret_than_the_promised_one_is_found() -> None:
    refuse(with_tag(secret=bytes(32)), UnfairDrawError, "fair_commitment")
    refuse(with_tag(commitment="0" * 64), UnfairDrawError, "fair_commitment")


def test_an_index_used_twice_or_late_is_found() -> None:
    count = verify(POND.game, POND_RECORD).draws
    again = (range(1, 4), range(3, count))
    refuse(with_tag(draws=again), UnfairDrawError, "fair_index_again")
    refuse(with_tag(draws=(range(1, 3), range(1, count))), UnfairDrawError, "fair_index_again")


def test_as_many_indexes_as_draws_are_needed() -> None:
    count = verify(POND.game, POND_RECORD).draws
    refuse(with_tag(draws=(range(1, count),)), UnfairDrawError, "fair_no_index")
    refuse(with_tag(draws=(range(1, count + 2),)), UnfairDrawError, "fair_unused_index")
    refuse(with_tag(draws=(range(1, 999_999_999),)), UnfairDrawError, "fair_unused_index")


def test_other_nonces_make_other_draws() -> None:
    refuse(with_tag(nonces=(None, None)), UnfairDrawError, "fair_draw")
    refuse(with_tag(nonces=(None,)), BadRecordError, "fair_nonces")


def test_a_record_that_cannot_be_verified_is_refused() -> None:
    refuse(with_tag(secret=None), BadRecordError, "fair_no_secret")
    bare = {name: value for name, value in POND_RECORD.tags.items() if name != "Fair"}
    refuse(Record(bare, POND_RECORD.tokens), BadRecordError, "fair_no_tag")
    refuse(Record({**bare, "Fair": "2"}, POND_RECORD.tokens), BadRecordError, "fair_tag")
    refuse(Record(POND_RECORD.tags, POND_RECORD.tokens[:-1]), BadRecordError, "record_ends_early")


def test_indexes_that_were_passed_over_are_counted() -> None:
    fair, game = make_fair(2), POND.game
    indexes = [1, 2, 5, 9]
    state, tokens = game.start(2), []
    for index in indexes:
        outcome = fair.draw(index, game.chances(state))
        tokens.append(Token(str(outcome)))
        state = game.reveal(state, outcome)
    tag = make_tag(fair, indexes, is_revealed=True)
    assert str(tag).endswith("draws=1-2,5,9")
    tags = {"Game": "pond", "Rules": "1", "Seats": "2", "Fair": str(tag)}
    verdict = verify(game, Record(tags, tuple(tokens)), is_partial=True)
    assert (verdict.draws, verdict.skipped) == (4, 5)


def test_nonces_are_written_in_seat_order() -> None:
    assert write_nonces((None, b"\x00\xff", None)) == "-,00ff,-"
