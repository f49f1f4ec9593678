"""CONTRIBUTING.md is true: its commands are those of make, and its links and paths are there."""

from __future__ import annotations

import re
from pathlib import Path

from support.programs import run_program

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MOST_WORDS = 500


def test_it_names_every_command_of_make_and_no_other() -> None:
    listed = run_program("make", "--no-print-directory", "help", cwd=ROOT).stdout
    targets = set(re.findall(r"^make (\w+)", listed.replace("  make", "make"), re.MULTILINE))
    assert len(targets) > 10
    assert set(re.findall(r"^\| `make (\w+)` \|", PAGE, re.MULTILINE)) == targets
    assert set(re.findall(r"\bmake (\w+)", "".join(re.findall(r"`[^`]+`", PAGE)))) <= targets


def test_its_links_lead_to_headings() -> None:
    links = re.findall(r"\]\(([^)#]+\.md)#([\w-]+)\)", PAGE)
    assert links
    for file, anchor in links:
        text = (ROOT / file).read_text(encoding="utf-8")
        headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
        assert anchor in {heading.lower().replace(" ", "-") for heading in headings}, anchor


def test_its_paths_are_there() -> None:
    for path in re.findall(r"`((?:players|i18n|server)/[\w/.]*)`", PAGE):
        assert (ROOT / "src" / "pleasance" / path).exists(), path


def test_it_is_short() -> None:
    assert len(PAGE.replace("|", "").split()) <= MOST_WORDS
