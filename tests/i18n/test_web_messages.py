"""Words of the app: what is said is in all three catalogs, and what is there is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pleasance.i18n.catalog import LANGUAGES, read_patterns
from pleasance.i18n.icu_messages import parameters, parse_pattern

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "pleasance"
APP = [
    *sorted((ROOT / "web" / "src").rglob("*.svelte")),
    *sorted((ROOT / "web" / "src").rglob("*.ts")),
]
BOARDS = {
    folder.parent.name: [*sorted(folder.rglob("*.svelte")), *sorted(folder.rglob("*.ts"))]
    for folder in sorted(PACKAGE.glob("games/*/web"))
}
PYTHON = sorted((PACKAGE / "server").rglob("*.py"))

SAID = re.compile(r"""\bsay\(\s*"([a-z0-9_.]+)\"""")
QUOTED = re.compile(r"""["'`]([a-z0-9_.]+)["'`]""")
IN_PYTHON = re.compile(r"""["']page\.([a-z0-9_.]+)["']""")
BEGUN = re.compile(r"`([a-z0-9_.]+\.)\$\{")
"""Keys that are put together: `bot.${kind}`."""


def read(paths: list[Path]) -> str:
    """Read sources in one piece, without their tests."""
    texts = (path.read_text("utf-8") for path in paths if ".test." not in path.name)
    return "\n".join(texts)


def page_keys(language: str) -> set[str]:
    """List what the app can say, as it calls it."""
    catalog = read_patterns("pleasance.server", "catalogs", language)
    return {key.removeprefix("page.") for key in catalog if key.startswith("page.")}


def test_everything_the_app_says_is_in_the_catalog() -> None:
    assert set(SAID.findall(read(APP))) - page_keys("en") == set()


def test_nothing_in_the_catalog_is_never_said() -> None:
    sources = read(APP)
    told = set(QUOTED.findall(sources)) | set(IN_PYTHON.findall(read(PYTHON)))
    begun = tuple(BEGUN.findall(sources)) + tuple(
        re.findall(r'f"page\.([a-z0-9_.]+\.)\{', read(PYTHON))
    )
    assert {
        key for key in page_keys("en") if key not in told and not key.startswith(begun)
    } == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_app_says_the_same_in_every_language(language: str) -> None:
    def needs(tongue: str) -> dict[str, frozenset[str]]:
        catalog = read_patterns("pleasance.server", "catalogs", tongue)
        return {
            key: frozenset(parameters(parse_pattern(pattern)))
            for key, pattern in catalog.items()
            if key.startswith("page.")
        }

    assert needs(language) == needs("en")


@pytest.mark.parametrize("game", BOARDS)
def test_everything_a_board_says_is_in_its_catalog(game: str) -> None:
    sources = read(BOARDS[game])
    known = set(read_patterns(f"pleasance.games.{game}", "messages", "en"))
    known |= set(read_patterns("pleasance.i18n", "catalogs", "en"))
    wanted = set(re.findall(r"""["'`]((?:web|lesson)\.[a-z0-9_.]+)["'`]""", sources))
    assert {key for key in wanted if key not in known and not key.endswith(".")} == set()


@pytest.mark.parametrize("path", [path for paths in (APP, *BOARDS.values()) for path in paths])
def test_no_source_of_the_app_is_long_or_trusts_html(path: Path) -> None:
    text = path.read_text("utf-8")
    is_made = path.name == "wire.ts"
    assert is_made or len(text.splitlines()) <= 300
    assert "{@html" not in text
    assert not re.search(r"\bas any\b|: any\b(?!.*//)", text)
