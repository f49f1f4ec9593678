"""Build the docs site from docs/, the README, the rules and the docstrings: `make docs`.

    python tools/build_docs.py [--root FOLDER] [--out FOLDER]

Runs in the environment that requirements/tools.sh makes. Pages are collected in build/docs-source,
their links rewritten; Zensical makes build/site of them. A link, an anchor or a name of the API
reference that does not exist, a page that no menu lists and a file loaded from another host each
fail the build.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from docs_site.html_check import check_site
from docs_site.links import rewrite_links
from docs_site.lists import indent_lists
from docs_site.pages import (
    SETTINGS,
    BadPagesError,
    find_places,
    list_navigation,
    write_toml,
)

TOOLS = Path(__file__).parent
ROOT = TOOLS.parent
WEB = ROOT / "web"
FONTS = ROOT / "src/pleasance/server/page/dist/assets"
# The names of the app's colors by day and by night, and the site's.
SCHEMES = {":root": "default", ':root[data-color-scheme="dark"]': "slate"}


def build(root: Path, out: Path) -> None:
    """Build the site of the repository *root* into *out*; refuse what does not fit together."""
    source, site = out / "docs-source", out / "site"
    for folder in (source, site):
        shutil.rmtree(folder, ignore_errors=True)
    settings = tomllib.loads((root / SETTINGS / "pages.toml").read_text(encoding="utf-8"))
    pages = write_pages(root, source, settings)
    write_assets(source / "assets")
    menus = list_navigation(settings["navigation"], pages, settings["unlisted"])
    config = (ROOT / SETTINGS / "zensical.toml").read_text(encoding="utf-8")
    config = config.replace("[project]\n", f"[project]\nnav = {write_toml(menus)}\n", 1)
    (out / "zensical.toml").write_text(config, encoding="utf-8")
    run_zensical(out, root / "src")
    if faults := check_site(site.resolve()):
        raise BadPagesError("\n".join(faults))


def write_pages(root: Path, source: Path, settings: dict[str, Any]) -> list[str]:
    """Write the pages and pictures of the repository and the API reference; list the pages."""
    places = find_places(root)
    texts = {
        name: (root / name).read_text(encoding="utf-8") for name in places if name.endswith(".md")
    }
    references = {f"docs/{page['page']}": page for page in settings["reference"]}
    places |= {name: page["page"] for name, page in references.items()}
    texts |= {name: write_reference(page) for name, page in references.items()}
    broken: list[str] = []
    for name, place in places.items():
        path = source / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if name not in texts:
            shutil.copyfile(root / name, path)
            continue
        text, faults = rewrite_links(texts[name], name, places, root)
        path.write_text(indent_lists(text), encoding="utf-8")
        broken += faults
    if broken:
        raise BadPagesError("\n".join(broken))
    own = sorted(places[name] for name in texts if name not in references)
    return own + [page["page"] for page in references.values()]


def write_reference(page: dict[str, Any]) -> str:
    """Write a page of the API reference, which mkdocstrings fills with docstrings."""
    names = (f"::: {name}" for name in page["names"])
    return "\n\n".join([f"# {page['title']}", page["text"].strip(), *names]) + "\n"


def write_assets(assets: Path) -> None:
    """Write the look of the site: colors, fonts and icon of the app, and the style of the pages."""
    (assets / "fonts").mkdir(parents=True)
    shutil.copyfile(ROOT / SETTINGS / "theme.css", assets / "theme.css")
    shutil.copyfile(WEB / "public/icon.svg", assets / "icon.svg")
    base = (WEB / "src/styles/base.css").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"^(\S+) (\{\n(?: .*\n)+\})", base, re.MULTILINE))
    rules = [
        f'[data-md-color-scheme="{name}"] {blocks[selector]}' for selector, name in SCHEMES.items()
    ]
    (assets / "colors.css").write_text("\n".join([*rules, ""]), encoding="utf-8")
    for font in ("source-sans-3-latin-wght-normal", "source-serif-4-latin-600-normal"):
        built = list(FONTS.glob(f"{font}-*.woff2"))
        if not built:
            raise BadPagesError("The fonts of the app are not built: make page does it.")
        shutil.copyfile(built[0], assets / "fonts" / f"{font}.woff2")


def run_zensical(out: Path, source: Path) -> None:
    """Run Zensical; refuse what it warns of."""
    path = os.pathsep.join([str(source), str(TOOLS)])
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict"],
        cwd=out,
        env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise BadPagesError(done.stdout + done.stderr)


def main() -> int:
    """Build the site, and say where it is or what is wrong."""
    parser = argparse.ArgumentParser(description="Build the docs site.")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository")
    parser.add_argument("--out", type=Path, default=ROOT / "build", help="gets docs-source, site")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    try:
        build(arguments.root.resolve(), arguments.out.resolve())
    except BadPagesError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    print(f"The docs are built: {arguments.out / 'site' / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
