"""The scripts of the page: every word is in three catalogs, text stays text, nothing is missing."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from pleasance.core.messages import LANGUAGES, Words, load_catalog
from pleasance.core.patterns import parameters, parse_pattern
from pleasance.players import player_names
from pleasance.server.page.files import read_files
from pleasance.server.page.shell import pack_words
from pleasance.table.entries import ChooseEntry, DrawEntry, Entry, SayEntry, name_entry

PAGE = files("pleasance.server.page")
TEMPLATES = {each.name: each.read_text("utf-8") for each in (PAGE / "templates").iterdir()}
SOURCES = {
    each.name: each.read_text("utf-8") for each in PAGE.iterdir() if each.name.endswith(".py")
}
SCRIPTS = {name: text.decode() for name, text in read_files().items() if name.endswith(".js")}

KEY = re.compile(r"""["{](page\.[a-z_]+(?:\.[a-z_]+)*)["}]""")
MADE = re.compile(r"""[`"](page\.[a-z_]+\.)[$\{]""")
"""Keys that are put together: `page.bot.${kind}`."""


def find_keys() -> set[str]:
    """Collect the keys that the page uses, also those it puts together."""
    texts = (*TEMPLATES.values(), *SOURCES.values(), *SCRIPTS.values())
    keys = {key for text in texts for key in KEY.findall(text)}
    kinds = {
        "page.bot.": player_names(),
        "page.bot_hint.": player_names(),
        "page.time.": ("days", "hours", "minutes", "seconds"),
        "page.log.": [
            name_entry(entry.__new__(entry))
            for entry in Entry.__args__
            if entry not in {ChooseEntry, DrawEntry, SayEntry}
        ],
    }
    made = {start for text in texts for start in MADE.findall(text)}
    assert made == set(kinds)
    return keys | {f"{start}{kind}" for start, ends in kinds.items() for kind in ends}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogs_have_every_word_of_the_page_and_no_other(language: str) -> None:
    catalog = load_catalog("pleasance.server", "words", language)
    assert find_keys() == {key for key in catalog if key.startswith("page.")}


def test_all_languages_tell_the_page_the_same_things() -> None:
    used = [
        {
            key: set(parameters(parse_pattern(pattern)))
            for key, pattern in load_catalog("pleasance.server", "words", language).items()
            if key.startswith("page.")
        }
        for language in LANGUAGES
    ]
    assert all(each == used[0] for each in used)


@pytest.mark.parametrize("language", LANGUAGES)
def test_packed_words_say_what_the_patterns_say(language: str) -> None:
    catalog = load_catalog("pleasance.server", "words", language)
    words, packed = Words(language, catalog), pack_words(language)
    for bank in ("none", "5 min"):
        said = words("page.clock.some", move="30 s", bank=bank)
        assert said == write(packed["page.clock.some"], {"move": "30 s", "bank": bank})
    for key, message in packed.items():
        if not words.parameters(key):
            assert write(message, {}) == words(key)


def write(message: object, params: dict[str, str]) -> str:
    """Write a packed message as words.js does, without plurals."""
    assert isinstance(message, list)
    said = []
    for part in message:
        if isinstance(part, str):
            said.append(part)
        elif "select" in part:
            cases = part["cases"]
            said.append(write(cases.get(params[part["select"]], cases["other"]), params))
        else:
            said.append(params[part["name"]])
    return "".join(said)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_makes_no_markup_from_text(name: str) -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function"
    assert not re.search(forbidden, SCRIPTS[name])
    assert "style=" not in SCRIPTS[name]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_uses_what_it_imports_and_imports_what_is_there(name: str) -> None:
    text = SCRIPTS[name]
    assert len(text.splitlines()) <= 300
    for names, source in re.findall(
        r'^import (?:\{([^}]*)\} from )?"\./([^"]+)";', text, re.MULTILINE
    ):
        assert source in SCRIPTS
        for imported in filter(None, (each.strip() for each in names.split(","))):
            declared = rf"^export (?:async )?(?:const|class|function) {imported}\b"
            assert re.search(declared, SCRIPTS[source], re.MULTILINE), f"{imported} of {source}"
            assert len(re.findall(rf"\b{imported}\b", text)) > 1, f"{imported} in {name}"


def test_nothing_of_the_page_needs_a_secure_address() -> None:
    """Over plain HTTP in the home network a browser has no clipboard and little of crypto."""
    together = "".join(SCRIPTS.values())
    assert "crypto.subtle" not in together
    assert "randomUUID" not in together
    assert "if (navigator.clipboard)" in together
