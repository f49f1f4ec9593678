"""The docs site is complete, strict, and needs no other host."""

from __future__ import annotations

import re
import threading
import tomllib
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from browser.chromium import FLAGS, find_chromium
from docs.conftest import ROOT, Build
from pleasance.games import game_names

pytestmark = pytest.mark.slow
SETTINGS = tomllib.loads((ROOT / "docs/site/pages.toml").read_text())
IMPORT = re.compile(r"^from (pleasance[\w.]*) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)
GUIDES = [ROOT / f"docs/guide/{name}.md" for name in ("python", "bots", "your-game")]


def anchors(site: Path) -> set[str]:
    """Collect the names that the API reference documents."""
    pages = (site / "reference").glob("*.html")
    return {name for page in pages for name in re.findall(r'id="([\w.]+)"', page.read_text())}


def imported_names(page: Path) -> Iterator[str]:
    """List what a page imports from the package."""
    for module, several, line in IMPORT.findall(page.read_text()):
        names = (several or line).split(",")
        yield from (f"{module}.{name.split()[0]}" for name in names if name.strip())


def test_the_site_has_every_page_and_every_name(site: Path) -> None:
    assert {f"{name}.html" for name in game_names()} == {
        it.name for it in (site / "rules").iterdir()
    }
    named = {name for page in SETTINGS["reference"] for name in page["names"]}
    assert named <= anchors(site)
    assert {f"{page.stem}.html" for page in (ROOT / "docs/guide").glob("*.md")} - {
        "README.html"
    } <= {page.name for page in (site / "guide").iterdir()}


@pytest.mark.parametrize(
    "guide", [page for page in GUIDES if page.exists()], ids=lambda it: it.stem
)
def test_the_reference_holds_every_name_that_a_guide_imports(guide: Path, site: Path) -> None:
    assert not set(imported_names(guide)) - anchors(site)


def test_a_docstring_is_shown_with_its_example(small: Path, build: Build, tmp_path: Path) -> None:
    done = build(small, tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site/reference/small.html").read_text()
    assert "Double a number." in page
    assert "language-pycon" in page
    assert "<blockquote>" not in page
    home = (tmp_path / "site/index.html").read_text()
    assert 'href="page.html#a-part"' in home
    assert 'src="box.svg"' in home


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("README.md", "[x](docs/gone.md)", "README.md: docs/gone.md leads nowhere"),
        ("README.md", "[x](docs/page.md#gone)", "anchor"),
        ("README.md", "![x](https://example.org/x.png)", "is loaded from another host"),
        ("docs/new.md", "# New", "new.md: no menu in docs/site/pages.toml lists this page"),
        ("docs/site/pages.toml", 'names = ["small.gone"]', "small.gone"),
        ("docs/site/pages.toml", 'text = "[x](../page.md#gone)"', "anchor"),
    ],
)
def test_what_is_broken_fails_the_build(
    file: str, text: str, fault: str, small: Path, build: Build, tmp_path: Path
) -> None:
    path = small / file
    key = text.partition(" ")[0]
    old = path.read_text() if path.exists() else ""
    replaced = re.sub(rf"^{key} = .*$", text, old, flags=re.MULTILINE)
    path.write_text(replaced if replaced != old else f"{old}\n{text}\n")
    done = build(small, tmp_path / "out")
    assert done.returncode == 1
    assert fault in done.stderr


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Serve the site on this machine."""
    handler = partial(_QuietHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Leave the log out."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_reads_and_searches_the_site_without_another_host(
    scheme: str, address: str
) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("there is no Chromium: apt install chromium")
    asked: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(color_scheme=scheme, viewport={"width": 390, "height": 844})
        page.on("request", lambda request: asked.append(request.url))
        for name in ("index.html", "reference/games.html", "strength.html"):
            page.goto(address + name)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == {"light": "rgb(246, 240, 226)", "dark": "rgb(20, 32, 26)"}[scheme]
        assert page.evaluate("document.fonts.check('16px \"Source Sans\"')")
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(address + "index.html", wait_until="networkidle")
        page.locator(".md-search__button").click()
        page.get_by_role("combobox", name="Search").fill("determinization")
        page.locator('a[href*="reference/players.html?h=determinization"]').first.wait_for()
        browser.close()
    assert all(url.startswith((address, "data:", "blob:")) for url in asked)
