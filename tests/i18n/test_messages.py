"""Patterns mean what ICU says; the catalogs of all three languages say the same things."""

import ast
import json
import re
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from icu4py.messageformat import MessageFormat

from pleasance.core import errors
from pleasance.core.errors import BadSetupError, IllegalActionError, Parameter
from pleasance.i18n.catalog import LANGUAGES, MessageCatalog, load_messages
from pleasance.i18n.icu_messages import (
    Message,
    Number,
    Part,
    Plural,
    Select,
    format_message,
    format_number,
    parameters,
    parse_pattern,
)
from pleasance.server.base import errors as server_errors
from pleasance.server.base.translate import server_messages
from pleasance.server.http import exception_handlers

SOURCE = Path(errors.__file__).parents[1]
FOLDERS = [
    SOURCE / "i18n" / "catalogs",
    SOURCE / "server" / "catalogs",
    *sorted(SOURCE.glob("games/*/messages")),
]
REFUSALS = {name for name in (*vars(errors), *vars(server_errors)) if name.endswith("Error")}
SERVER = "pleasance.server"

languages = st.sampled_from(LANGUAGES)
# Classic ICU messages group Spanish thousands from four digits on, ICU's own newer numbers and all
# browsers from five: that range is compared on its own below.
numbers = st.integers(-999, 999) | st.integers(10_000, 10**15) | st.integers(-(10**15), -10_000)
texts = st.text("ab {}#'|,", max_size=6)


def arguments() -> st.SearchStrategy[str]:
    return st.sampled_from(["{x}", "{ x }", "{n}", "{n, number}", "{n,number}"])


def nested(messages: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def build(kind: str, case: str, first: str, other: str) -> str:
        return f"{{{kind} , {case} {{{first}}}other{{{other}}} }}"

    plurals = st.builds(
        build,
        st.just("n, plural"),
        st.sampled_from(["one", "=0", "=1", "=-1", "=01", "many", "few"]),
        messages,
        messages,
    )
    selects = st.builds(
        build, st.just("x, select"), st.sampled_from(["a", "b1", "é"]), messages, messages
    )
    return st.lists(plurals | selects | arguments() | texts, min_size=1, max_size=3).map("".join)


patterns = st.recursive(arguments() | texts, nested, max_leaves=5)


@pytest.mark.slow
@given(patterns, languages, numbers, st.sampled_from(["a", "b1", "é", "z", "{'#", ""]))
def test_a_pattern_means_what_icu_says(pattern: str, language: str, n: int, x: str) -> None:
    try:
        expected = MessageFormat(pattern, language).format({"n": n, "x": x})
    except ValueError:
        with pytest.raises(ValueError, match="in pattern"):
            parse_pattern(pattern)
        return
    try:
        said = format_message(parse_pattern(pattern), language, {"n": n, "x": x})
    except (ValueError, KeyError) as refusal:
        # Here ICU guesses; browsers refuse, and so do we.
        assert re.search("closing brace without|stands twice|^'[ab]+'$", str(refusal))  # noqa: PT017  (or nothing)
        reject()
    assert said == expected


@given(st.integers(-(10**15), 10**15) | st.integers(-20_000, 20_000), languages)
def test_a_number_is_written_as_browsers_write_it(number: int, language: str) -> None:
    icu = MessageFormat("{n, number, ::group-auto}", language)
    assert format_number(number, language) == icu.format({"n": number})


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("it''s {n}", "it's 3"),
        ("'{n}' is {n}", "{n} is 3"),
        ("{n, plural, =3 {three} one {one} other {#}}", "three"),
        ("{n, plural, =3 {} other {#}}", ""),
        ("{n, plural, other {'#' #}}", "# 3"),
        ("{n, plural, other {{n, plural, other {#}}+#}}", "3+3"),
        ("{x, select, a {#} other {-}}", "#"),
    ],
)
def test_small_patterns(pattern: str, said: str) -> None:
    assert format_message(parse_pattern(pattern), "en", {"n": 3, "x": "a"}) == said


@pytest.mark.parametrize(
    "pattern",
    [
        *("{", "{x", "{}", "{1x}", "x}", "{x y}", "{x,}", "{x, date}", "{n, plural, one {a}}"),
        *("{n, plural, other}", "{x, select, other {a}", "{x, select, a {} a {} other {}}"),
    ],
)
def test_a_broken_pattern_is_refused_with_its_place(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"at \d+ in pattern"):
        parse_pattern(pattern)


def test_unknown_words_and_missing_parameters_are_named() -> None:
    words = MessageCatalog("en", {"tiles": "{n, plural, one {# tile} other {# tiles}}"})
    assert words("tiles", n=2) == "2 tiles"
    assert "tiles" in words
    with pytest.raises(KeyError, match="no words for cards in en"):
        words("cards")
    with pytest.raises(KeyError, match="tiles in en needs the parameter n"):
        words("tiles")
    with pytest.raises(TypeError, match="n must be a whole number"):
        words("tiles", n="two")


def test_a_refusal_is_said_in_each_language() -> None:
    refusal = BadSetupError("option_twice", option="boars")
    said = {load_messages(language).error(refusal) for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)
    assert all("boars" in sentence for sentence in said)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(BadSetupError, match="language_unknown"):
        load_messages("tlh")


def test_a_parameter_may_have_any_name() -> None:
    words = MessageCatalog("en", {"error.odd": "{key} {language}"})
    assert words.error(IllegalActionError("odd", key=1, language="de")) == "1 de"


def load(folder: Path, language: str) -> dict[str, str]:
    pairs = json.loads(
        (folder / f"{language}.json").read_text(encoding="utf-8"), object_pairs_hook=list
    )
    catalog = dict(pairs)
    assert len(catalog) == len(pairs), f"a key stands twice in {folder}/{language}.json"
    return catalog


def name_folder(folder: Path) -> str:
    return folder.parent.name


@pytest.mark.parametrize("folder", FOLDERS, ids=name_folder)
def test_all_languages_have_the_same_keys_with_the_same_parameters(folder: Path) -> None:
    used = {
        language: {
            key: set(parameters(parse_pattern(pattern)))
            for key, pattern in load(folder, language).items()
        }
        for language in LANGUAGES
    }
    for language in LANGUAGES:
        assert used[language] == used["en"], f"{language} differs from English"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS, ids=name_folder)
def test_every_message_of_the_catalogs_reads_as_in_icu(folder: Path, language: str) -> None:
    for key, pattern in load(folder, language).items():
        message = parse_pattern(pattern)
        icu = MessageFormat(pattern, language)
        for params in samples(message):
            said = format_message(message, language, params)
            assert said == icu.format({**params}), key
            assert said == said.strip() or not said.strip(), f"{key} has blanks at its ends"


@pytest.mark.parametrize("folder", FOLDERS, ids=name_folder)
def test_an_error_is_one_sentence_on_one_line(folder: Path) -> None:
    for language in LANGUAGES:
        for key, pattern in load(folder, language).items():
            if key.startswith("error."):
                assert "\n" not in pattern, key
                assert pattern.endswith((".", "?", "!", "}")), f"{key} in {language}"


def samples(message: Message) -> Iterator[dict[str, Parameter]]:
    """Try each parameter with values of its kind, in up to 60 combinations."""
    kinds: dict[str, tuple[Parameter, ...]] = {}
    for part in walk(message):
        if isinstance(part, Number | Plural):
            kinds[part.name] = (0, 1, 2, 3, 5, 21, -1, 12_345, 1_000_000)
        elif isinstance(part, Select) and not isinstance(kinds.get(part.name, ("",))[0], int):
            kinds[part.name] = (*part.cases, "none of them")
        elif not isinstance(part, str):
            kinds.setdefault(part.name, ("e4", "it's {odd} #", 7))
    for values in islice(product(*kinds.values()), 60):
        yield dict(zip(kinds, values, strict=True))


def walk(message: Message) -> Iterator[Part]:
    for part in message:
        yield part
        if isinstance(part, Plural | Select):
            for case in part.cases.values():
                yield from walk(case)


class Raised(NamedTuple):
    """A place in the code that refuses something."""

    place: str
    package: str | None
    code: str
    given: frozenset[str] | None
    """Names of the parameters; `None` where they cannot be read off."""


def find_refusals() -> Iterator[Raised]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).parts
        if "tests" in parts:
            continue
        is_in_game = parts[0] == "games" and len(parts) > 2
        package = f"pleasance.games.{parts[1]}" if is_in_game else None
        if parts[0] == "server" or path.stem in {"admin_commands", "serve_commands"}:
            package = SERVER
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and (codes := refused_codes(node)):
                given = {keyword.arg or "" for keyword in node.keywords}
                if called(node) == "refuse":
                    given |= {"line", "entry"}
                known = None if "" in given else frozenset(given)
                place = f"{'/'.join(parts)}:{node.lineno}"
                yield from (Raised(place, package, code, known) for code in codes)


def called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def refused_codes(node: ast.Call) -> list[str]:
    """Find the codes in calls like `BadDataError("code", …)` and `file.refuse("code", …)`."""
    if (called(node) in REFUSALS or called(node) == "refuse") and node.args:
        first = node.args[0]
        choices = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
        values = [each.value for each in choices if isinstance(each, ast.Constant)]
        return [value for value in values if isinstance(value, str)]
    return []


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_in_the_code_has_words(language: str) -> None:
    missing = []
    for raised in find_refusals():
        is_server = raised.package == SERVER
        words = server_messages(language) if is_server else load_messages(language, raised.package)
        key = f"error.{raised.code}"
        if key not in words:
            missing.append(f"{raised.place} {raised.code}: no words")
        elif raised.given is not None and (lacking := words.parameters(key) - raised.given):
            missing.append(f"{raised.place} {raised.code}: lacks {', '.join(sorted(lacking))}")
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_http_refuses_by_itself_has_words(language: str) -> None:
    assert all(
        f"error.{code}" in server_messages(language) for code in exception_handlers._CODES.values()
    )


def test_a_refusal_in_two_catalogs_needs_the_same_parameters() -> None:
    """Explaining a game's refusal may find the core's messages first."""
    core, server, *games = (load(folder, "en") for folder in FOLDERS)
    assert not core.keys() & server.keys()
    known = core | server
    for words in games:
        for key in filter(known.__contains__, words):
            used = [set(parameters(parse_pattern(each[key]))) for each in (known, words)]
            assert used[0] == used[1] or not key.startswith("error."), key
