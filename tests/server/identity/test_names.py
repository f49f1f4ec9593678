"""Names: no invisible, reversed or endless text; look-alikes are detected."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pleasance.server.base.errors import BadRequestError
from pleasance.server.identity.names import clean_account_name, clean_label, clean_name, skeleton


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("A\u202eda\u2066", "Ada"),
        ("A\x00d\x1ba\u200b\ufeff", "Ada"),
        ("Ada\u2028Lovelace\u00a0II", "Ada Lovelace II"),
        ("Jose\u0301", "José"),
        ("Z\u0300\u0301\u0302\u0303\u0304\u0305algo", "Z\u0300\u0301algo"),
        ("<b>Ada</b> & \"co'", "<b>Ada</b> & \"co'"),
        ("小梅 🌸", "小梅 🌸"),
        ("\u3164Ada\u2800", "Ada"),
        ("\ud800Ada", "Ada"),
    ],
)
def test_a_name_is_cleaned(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize("typed", ["", "   ", "\u200b\u202e", "\u3164\u3164", "\u2800"])
def test_a_name_that_shows_nothing_is_refused(typed: str) -> None:
    with pytest.raises(BadRequestError, match="name_empty"):
        clean_name(typed)


def test_a_name_has_at_most_40_characters_once_it_is_clean() -> None:
    assert len(clean_name("a" * 40 + " " * 100)) == 40
    with pytest.raises(BadRequestError, match="name_long"):
        clean_name("a" * 41)


@given(st.text(max_size=60))
def test_whatever_is_typed_a_clean_name_stays_as_it_is_and_shows(typed: str) -> None:
    try:
        name = clean_name(typed)
    except BadRequestError:
        return
    assert clean_name(name) == name
    assert name == name.strip() == unicodedata.normalize("NFC", name)
    assert 1 <= len(name) <= 40
    assert not any(unicodedata.category(letter).startswith("C") for letter in name)


@given(st.text(max_size=40))
def test_the_unique_key_is_the_same_for_all_spellings_of_a_name(typed: str) -> None:
    try:
        name = clean_name(typed)
    except BadRequestError:
        return
    assert skeleton(skeleton(name)) == skeleton(name)
    assert skeleton(f" {name}\u200d ") == skeleton(name)


@pytest.mark.parametrize("name", ["Аda", "pаypal", "Αlpha beta"])  # noqa: RUF001  (letters of other alphabets)
def test_an_account_may_not_mix_alphabets_that_look_alike(name: str) -> None:
    with pytest.raises(BadRequestError, match="name_mixed"):
        clean_account_name(name)


@pytest.mark.parametrize("name", ["Ада", "Ada 小梅", "Müller-Lüdenscheidt", "O'Neil", "ada_99"])
def test_an_account_may_have_a_name_in_any_alphabet(name: str) -> None:
    assert clean_account_name(name) == name


@pytest.mark.parametrize("name", ["Admin", "PLEASANCE", "s y s t e m", "!!!", "🌸"])
def test_some_names_are_not_for_accounts(name: str) -> None:
    with pytest.raises(BadRequestError, match="name_reserved"):
        clean_account_name(name)


def test_a_label_of_which_nothing_is_left_gets_another() -> None:
    assert clean_label(" \u202e ", "token") == "token"
    assert clean_label("a" * 100, "token") == "a" * 40
