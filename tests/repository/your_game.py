"""The parts of docs/guide/your-game.md: files, commands, and what they print."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "your-game.md"
GAME = ROOT / "tests" / "sample_game" / "pond"
FILES = re.compile(r'^```\w+ title="games/pond/([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_STEPS = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WIRED = re.compile(r'^```python title="two lines of [^"]+"\n(from .*\n)( .*\n)```$', re.MULTILINE)


class Step(NamedTuple):
    """Commands, and the lines that the page says they print."""

    commands: str
    printed: tuple[str, ...]


def read_files() -> dict[str, str]:
    """Read the files of the game from the page."""
    return dict(FILES.findall(PAGE.read_text(encoding="utf-8")))


def write_files(game: Path) -> None:
    """Write the files of the game into a folder, as a reader does."""
    for name, text in read_files().items():
        path = game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def read_steps() -> tuple[Step, ...]:
    """Read all commands of the page, in order."""
    steps: list[Step] = []
    for kind, text in _STEPS.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "sh":
            steps.append(Step(text, ()))
        else:
            steps[-1] = Step(steps[-1].commands, tuple(text.splitlines()))
    return tuple(steps)


def wire_board(game: Path) -> None:
    """Add the two lines that the page adds to `__init__.py` for the board."""
    ((imported, field),) = _WIRED.findall(PAGE.read_text(encoding="utf-8"))
    path = game / "__init__.py"
    text = path.read_text(encoding="utf-8")
    for anchor, line in (("from .display import text\n", imported), (_LAST_FIELD, field)):
        assert text.count(anchor) == 1, anchor
        text = text.replace(anchor, anchor + line)
    path.write_text(text, encoding="utf-8")


_LAST_FIELD = "        heuristics=HEURISTICS,\n"


def fill_page() -> None:
    """Copy the files of the sample game into the page."""
    page = FILES.sub(
        lambda found: (
            found[0].partition("\n")[0]
            + "\n"
            + (GAME / found[1]).read_text(encoding="utf-8")
            + "```"
        ),
        PAGE.read_text(encoding="utf-8"),
    )
    PAGE.write_text(page, encoding="utf-8")
