"""What the command line says: in which language, and in one line when something is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from pleasance.core.errors import BadFileError, PleasanceError, UnfairDrawError
from pleasance.core.game import AnyGame
from pleasance.i18n.catalog import LANGUAGES, Words, load_words

WRONG_INPUT = 2
"""Exit status when what was asked cannot be done."""

NOT_FAIR = 1
"""Exit status when the draws of a record do not follow from its secret."""

_asked: ContextVar[str | None] = ContextVar("_asked", default=None)


class Complaint(Exception):  # noqa: N818  (it is said to a person, not to the program)
    """One line that tells what is wrong, and where."""

    def __init__(
        self, sentence: str, *, status: int = WRONG_INPUT, line: int | None = None
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        self.line = line
        self.file: str | None = None

    def __str__(self) -> str:
        if self.file is None:
            return one_line(f"pleasance: {self.sentence}")
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return one_line(f"{place}: {self.sentence}")


@contextmanager
def complaining(*, game: AnyGame | None = None, file: str | None = None) -> Iterator[None]:
    """Put refusals into the words of *game*, and say in which *file* they arose."""
    try:
        yield
    except PleasanceError as refusal:
        complaint = complain(refusal, game)
        # A refusal about a file names it in its sentence.
        complaint.file = None if isinstance(refusal, BadFileError) else file
        raise complaint from refusal
    except Complaint as complaint:
        if not isinstance(complaint.__cause__, BadFileError):
            complaint.file = complaint.file or file
        raise


def complain(refusal: PleasanceError, game: AnyGame | None = None) -> Complaint:
    """Put a refusal into words."""
    words = speak(game)
    line = refusal.params.get("line")
    status = NOT_FAIR if isinstance(refusal, UnfairDrawError) else WRONG_INPUT
    return Complaint(
        words.error(refusal), status=status, line=line if isinstance(line, int) else None
    )


def one_line(text: str) -> str:
    """Fold *text* into one line that is safe to show: no line breaks, no control characters."""
    folded = " ".join(text.split())
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in folded)


def ask_for(language: str | None) -> None:
    """Choose the language for the rest of this command; `None` leaves it as it is."""
    if language is not None:
        load_words(language)
        _asked.set(language)


def speak(game: AnyGame | None = None) -> Words:
    """Load the words of *game*, or of the core, in the language that was asked for."""
    return load_words(find_language(), None if game is None else game.spec.package)


def find_language() -> str:
    """Find the language: the one asked for, or what the environment says, or English."""
    settings = ("PLEASANCE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wishes = [_asked.get(), *(os.environ.get(setting) for setting in settings)]
    wish = next((wish for wish in wishes if wish), LANGUAGES[0])
    return wish[:2].lower() if wish[:2].lower() in LANGUAGES else LANGUAGES[0]


def read_text(file: str) -> str:
    """Read a file, or what is piped in where *file* is `-`."""
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except FileNotFoundError as error:
        raise BadFileError("file_missing", file=file) from error
    except IsADirectoryError as error:
        raise BadFileError("file_is_folder", file=file) from error
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise BadFileError("file_closed", file=file, reason=reason) from error
    try:
        # The mark that some editors put first, and their line ends, are no part of the text.
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadFileError("file_not_text", file=file, line=line) from error
