"""Code blocks of the pages run, or are listed here with the reason why they do not."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest

from pleasance.core.record import parse_record
from repository.page_commands import find_extras, find_missing
from support.live_server import open_server
from support.programs import run_program

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guide"
STRICT_PAGES = [ROOT / "README.md", *sorted(GUIDE.glob("*.md")), ROOT / "docs" / "fairness.md"]
"""Pages on which every block is run or listed."""

PAGES = [*STRICT_PAGES, *sorted(set((ROOT / "docs").rglob("*.md")) - set(STRICT_PAGES))]
FENCE = re.compile(r"^( *)```(\w*)(.*)\n((?:.*\n)*?)\1```$", re.MULTILINE)

SMALLER = {
    "--games": "2",
    "--seconds": "1",
    "--threads": "1",
    "--workers": "1",
    "--final-games": "8",
    "--every": "300",
    "--judge": "8",
}
"""Options that make a command long, and the values with which the tests run it."""

SMALL_NUMBER = 20
"""Numbers up to this one are run as they stand."""

ADDED = {
    "pleasance arena ": "--games 2",
    "pleasance train sakura ": "--evaluation-games 8 --final-games 8",
    "pleasance train sanssouci ": "--games 64 --batch-size 256 --evaluation-games 8",
}
"""Options that the tests add to a command whose defaults make it long."""

SLOW_PAGES = {"arena.md", "levels.md", "training.md"}

NOT_RUN = {
    "createuser pleasance": "needs a PostgreSQL; tests/server/test_deploy.py runs such servers",
    "docker compose": "needs Docker; tests/container runs the steps of the Dockerfile",
    "BIND_ADDRESS=": "is a file for Docker",
    'echo "POSTGRES_PASSWORD=': "needs Docker",
    "useradd --system": "changes the system; tests/server/test_deploy.py reads the services",
    "python tools/measure_install.py": "tests/packaging measures the same; it takes minutes",
    "sudo -u pleasance": "needs that user",
    "pleasance arena sanssouci --seats 2 --players master:0.1s,openspiel": "needs an extra",
    "PLEASANCE_TOKEN=plz_": "needs a table; tests/server/bots/test_example_bots.py plays at one",
    "curl -X POST https://games.example/api/bots": "is run below, at a server of this computer",
}
"""How a block marked `sh` begins, and why it is not run; blocks marked `console` are."""

SKIPPED_LINES = {
    "make ": "a clean clone tries make; here its target must exist",
    "pip install ": "tests/packaging installs the package; here its extras must exist",
    "git clone ": "the repository is here",
    "cd ": "the commands run in one folder",
    ". .venv/bin/activate": "the command is on the path",
}
"""How lines of commands begin that are not run, and why."""


class Block(NamedTuple):
    """A fenced block of a page."""

    page: Path
    language: str
    title: str
    text: str


def read_blocks(page: Path) -> list[Block]:
    """Read the fenced blocks of a page, those in lists too."""
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [Block(page, language, title, dedent(text)) for _, language, title, text in found]


def read_lines(text: str) -> list[str]:
    """Read the commands of a block; a backslash continues one on the next line."""
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def is_tested_elsewhere(page: Path) -> bool:
    """Whether a test of its own names the page and its blocks are files to be written."""
    return any(block.title for block in read_blocks(page)) and any(
        page.name in path.read_text(encoding="utf-8")
        for path in (ROOT / "tests").rglob("*.py")
        if path != Path(__file__)
    )


def parse_toml(text: str) -> object:
    """Parse a block of TOML."""
    return tomllib.loads(text)


def parse_text(text: str) -> None:
    """Parse a text if it is a record; other texts show output or a format."""
    if text.startswith("[Game "):
        parse_record(text)


PARSERS: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "toml": parse_toml,
    "text": parse_text,
}


def find_reason(block: Block) -> str | None:
    """Find the reason why a block is not run."""
    starts = (start for start in NOT_RUN if block.text.startswith(start))
    return next(starts, None) if block.language == "sh" else None


def name_page(page: Path) -> str:
    """Name a page in the list of tests."""
    return str(page.relative_to(ROOT))


def pages_with(language: str) -> list[object]:
    """List the pages with blocks of a language."""
    return [
        pytest.param(
            page,
            id=name_page(page),
            marks=pytest.mark.slow if page.name in SLOW_PAGES else (),
        )
        for page in PAGES
        if any((block.language, block.title) == (language, "") for block in read_blocks(page))
    ]


@pytest.mark.parametrize("page", STRICT_PAGES, ids=name_page)
def test_every_block_is_run_or_listed(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.count("```") == 2 * len(read_blocks(page)), "each fence has an end"
    assert not re.search(r"\n\n {4}\S", FENCE.sub("", text)), "indented code is not tested"
    if is_tested_elsewhere(page):
        return
    for block in read_blocks(page):
        is_known = block.language in {*PARSERS, "console", "python"} or find_reason(block)
        assert is_known, f"neither run nor listed:\n{block.text}"
        assert not block.title, f"a file that no test reads: {block.title}"


def test_every_listed_block_is_on_a_page() -> None:
    found = {find_reason(block) for page in STRICT_PAGES for block in read_blocks(page)}
    assert set(NOT_RUN) == found - {None}


@pytest.mark.parametrize("language", PARSERS)
def test_the_data_of_the_pages_can_be_read(language: str) -> None:
    blocks = [block for page in STRICT_PAGES for block in read_blocks(page)]
    for block in blocks:
        if block.language == language and not block.title:
            PARSERS[language](block.text)


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """Make a folder where `pleasance`, `python` and the examples can be called by their names."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, arguments in (("python", ""), ("pleasance", "-m pleasance")):
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        (commands / name).chmod(0o755)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "bot").write_text("#!/bin/sh\nexec python examples/stdio_bot.py\n")
    (tmp_path / "bot").chmod(0o755)
    path = f"{commands}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PLEASANCE_HOME": str(tmp_path), "PLEASANCE_LANGUAGE": "en"}


def make_smaller(line: str) -> str:
    """Replace large numbers of a command by small ones."""

    def replace(found: re.Match[str]) -> str:
        is_small = float(found[2]) <= SMALL_NUMBER and found[1] != "--every"
        return found[0] if is_small else f"{found[1]} {SMALLER[found[1]]}"

    line = re.sub(rf"({'|'.join(SMALLER)}) ([\d.]+)", replace, line)
    start = next((start for start in ADDED if line.startswith(start)), "")
    is_long = start and ADDED[start].split()[0] not in line and "--help" not in line
    return f"{line} {ADDED[start]}" if is_long else line


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with("console"))
def test_the_commands_of_a_page_run_one_after_the_other(
    page: Path, tmp_path: Path, shell: dict[str, str]
) -> None:
    texts = [block.text for block in read_blocks(page) if block.language == "console"]
    for line in (line for text in texts for line in read_lines(text)):
        if line.startswith(tuple(SKIPPED_LINES)):
            continue
        # One choice makes a game worth keeping, so that --resume finds it: side A of the rewards.
        answers = "sakura\nquit\n" if line == "pleasance play" else "a\nquit\n"
        done = run_program("sh", "-c", make_smaller(line), cwd=tmp_path, env=shell, input=answers)
        assert (done.returncode, done.stderr) == (0, ""), line


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with("python"))
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    for block in read_blocks(page):
        if (block.language, block.title) == ("python", ""):
            done = run_program(sys.executable, "-c", block.text, cwd=tmp_path)
            assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_request_of_the_page_about_accounts_makes_a_bot(tmp_path: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    (block,) = (block for block in read_blocks(GUIDE / "accounts.md") if block.language == "sh")
    with open_server(f"sqlite:///{tmp_path}/x.db") as server, server.visit("Ada") as ada:
        ada.create_account("Ada")
        token = ada.create_token("account")["secret"]
        text = block.text.replace("https://games.example", server.link)
        done = run_program("sh", "-c", f"{text.strip()} -f", env={**os.environ, "TOKEN": token})
    assert done.returncode == 0, done.stderr
    assert "My engine" in done.stdout


@pytest.mark.parametrize("page", PAGES, ids=name_page)
def test_commands_name_what_is_there(page: Path) -> None:
    for block in read_blocks(page):
        if block.language in {"console", "sh"} and not block.title:
            for line in read_lines(block.text):
                words = shlex.split(re.sub(r"^(sudo -u \w+ )?(\w+=\S+ )*", "", line), comments=True)
                assert find_missing(words) == [], line


def test_the_pages_install_extras_and_a_wrong_one_is_found() -> None:
    lines = [
        line for page in PAGES for block in read_blocks(page) for line in read_lines(block.text)
    ]
    installs = [shlex.split(line) for line in lines if line.startswith("pip install ")]
    assert {extra for words in installs for extra in find_extras(words)}
    assert find_missing(["pip", "install", ".[server,sever]"]) == ["sever"]
    assert find_missing(["pip", "install", "pleasance[plots]"]) == ["plots"]
