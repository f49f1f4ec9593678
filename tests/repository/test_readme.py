"""The README: two commands at once, what is made up named first, plots drawn by its commands."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from support.programs import run_program

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_both_commands_stand_on_the_first_screen() -> None:
    first_screen = README.splitlines()[:20]
    assert {"make play", "make test"} <= set(first_screen)


def test_it_names_what_is_made_up_before_it_claims_the_book() -> None:
    assert (
        0 < README.index("Made up by us") < README.index("own-box.md") < README.index("y the book")
    )


def test_each_section_has_one_command_and_one_picture() -> None:
    for heading in ("Play", "Host", "Research"):
        (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## )", README, re.MULTILINE | re.DOTALL)
        (commands,) = re.findall(r"```console\n(.*?)```", section, re.DOTALL)
        assert commands.count("\n") == 1
        (picture,) = re.findall(r"!\[.+?\]\((\S+)\)", section)
        assert (ROOT / picture).is_file()


@pytest.mark.slow
def test_its_command_draws_its_plot(tmp_path: Path) -> None:
    (command,) = re.findall(r"^pleasance (arena .*)$", README, re.MULTILINE)
    done = run_program(sys.executable, "-m", "pleasance", *shlex.split(command), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    drawn = (tmp_path / "shares.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "pictures" / "arena.svg").read_text(encoding="utf-8")
