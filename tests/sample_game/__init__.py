"""The sample game, Pond: one folder that nothing in `src` refers to."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pleasance import games

FOLDER = str(Path(__file__).parent)

SAMPLE = """\
[Game "pond"]
[Rules "1"]
[Seats "2"]
[Result "4 4"]

+1 +1 {seat 1} +3 +2 {seat 2}
1. +deep 1 3 keep +4 +2
2. +shallow 1 2 free catch +1 +2
3. +deep 4 2 free leave
"""
"""A whole game of the sample game."""


@contextmanager
def installed_sample_game() -> Iterator[None]:
    """Install the sample game beside the others while the context lasts."""
    games.__path__.append(FOLDER)
    try:
        yield
    finally:
        games.__path__.remove(FOLDER)
