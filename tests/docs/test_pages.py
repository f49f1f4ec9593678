"""The pages of the docs site are prepared from those of the repository."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from docs_site import lists
from docs_site.html_check import check_site
from docs_site.links import REPOSITORY, rewrite_links
from docs_site.pages import BadPagesError, find_places, list_navigation, write_toml

ROOT = Path(__file__).parents[2]
UP = "../"
PLACES = {
    "README.md": "index.md",
    "docs/guide/README.md": "guide/index.md",
    "docs/guide/bots.md": "guide/bots.md",
    "docs/pictures/sakura.png": "pictures/sakura.png",
    "src/pleasance/games/sakura/RULES.md": "rules/sakura.md",
}


def rewrite(text: str, name: str = "docs/guide/bots.md") -> str:
    rewritten, broken = rewrite_links(text, name, PLACES, ROOT)
    assert not broken
    return rewritten


@pytest.mark.parametrize(
    ("link", "rewritten"),
    [
        ("[home](../../README.md)", f"[home]({UP}index.md)"),
        ("[a](../../src/pleasance/games/sakura/RULES.md#path)", f"[a]({UP}rules/sakura.md#path)"),
        (f"![]({UP}pictures/sakura.png)", f"![]({UP}pictures/sakura.png)"),
        (f"[guides]({UP}guide)", "[guides](index.md)"),
        ("[code](../../src/pleasance/cli)", f"[code]({REPOSITORY}/tree/main/src/pleasance/cli)"),
        ("[tool](../../Makefile)", f"[tool]({REPOSITORY}/blob/main/Makefile)"),
        (f"[own]({REPOSITORY}/blob/main/docs/guide/README.md)", "[own](index.md)"),
        ("[here](#part), [there](https://example.org/x.md)",) * 2,
        (f'<img src="{UP}pictures/sakura.png">', f'<img src="{UP}pictures/sakura.png">'),
        ("[a]: ../../README.md", f"[a]: {UP}index.md"),
        ("`[code](nowhere.md)` and ``[x](y)``",) * 2,
        ("```md\n[code](nowhere.md)\n```",) * 2,
    ],
)  # fmt: skip
def test_a_link_leads_to_a_page_or_into_the_repository(link: str, rewritten: str) -> None:
    assert rewrite(link) == rewritten


@pytest.mark.parametrize("link", ["gone.md", "../../../outside.md", f"{REPOSITORY}/blob/main/gone"])
def test_a_link_that_leads_nowhere_is_reported(link: str) -> None:
    _, broken = rewrite_links(f"[x]({link})", "docs/guide/bots.md", PLACES, ROOT)
    assert broken == [f"docs/guide/bots.md: {link} leads nowhere"]


def test_every_page_of_the_repository_has_a_place_of_its_own() -> None:
    places = find_places(ROOT)
    assert places["README.md"] == "index.md"
    assert places["docs/decisions/README.md"] == "decisions/index.md"
    assert PLACES.items() <= places.items()
    assert len(set(places.values())) == len(places)


def test_menus_list_each_page_once_in_their_order() -> None:
    menus = list_navigation(["index.md", {"A": ["b.md", "*.md"]}], ["a.md", "b.md", "index.md"], [])
    assert menus == ["index.md", {"A": ["b.md", "a.md"]}]
    assert write_toml(menus) == '["index.md", { "A" = ["b.md", "a.md"] }]'


def test_a_menu_without_a_page_and_a_page_without_a_menu_are_refused() -> None:
    with pytest.raises(BadPagesError) as refusal:
        list_navigation([{"A": ["gone.md"]}], ["a.md", "b.md"], ["b.md"])
    assert str(refusal.value).splitlines() == [
        "docs/site/pages.toml: no page matches gone.md",
        "a.md: no menu in docs/site/pages.toml lists this page",
    ]


def test_lists_are_indented_for_the_site() -> None:
    assert doctest.testmod(lists) == (0, 1)
    fenced = "```md\n- a\n  b\n```\nText\n- item\n\n  ```sh\n  - code\n\n  x\n  ```\n- next\nEnd"
    assert lists.indent_lists(fenced).splitlines() == [
        "```md", "- a", "  b", "```", "Text", "", "- item", "", "    ```sh", "    - code", "",
        "    x", "    ```", "- next", "  End",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ('<a href="b.html">', "a.html: b.html leads nowhere"),
        ('<a href="#gone">', "a.html: #gone leads nowhere"),
        ('<img src="b.png">', "a.html: b.png is missing"),
        ('<script src="//x.org/x.js">', "a.html: //x.org/x.js is loaded from another host"),
        ('<p style="background: url(http://x.org/y)">',
         "a.html: http://x.org/y is loaded from another host"),
        ('<img srcset="a.html 1x, https://x.org/y 2x">',
         "a.html: https://x.org/y is loaded from another host"),
    ],
)  # fmt: skip
def test_a_fault_of_a_built_page_is_found(page: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(page)
    assert check_site(tmp_path) == [fault]


def test_a_style_sheet_that_loads_from_another_host_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text('@import "https://x.org/y.css"; a { src: url("a.css") }')
    assert check_site(tmp_path) == ["a.css: https://x.org/y.css is loaded from another host"]


def test_a_page_without_faults_passes(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a id="x" href="a.html#x"></a><img src="data:image/png,">')
    assert not check_site(tmp_path)
