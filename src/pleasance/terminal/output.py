"""Terminal output: the language, and errors as one line with an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from pleasance.core.errors import BadFileError, PleasanceError, UnfairDrawError
from pleasance.core.game import AnyGame
from pleasance.i18n.catalog import LANGUAGES, MessageCatalog, load_messages

EXIT_BAD_INPUT = 2
"""Exit status when a command cannot be executed."""

EXIT_UNFAIR = 1
"""Exit status when the draws of a record do not follow from its secret."""

_chosen_language: ContextVar[str | None] = ContextVar("_chosen_language", default=None)


class CommandError(Exception):
    """An error message for the user, with the place in a file."""

    def __init__(
        self, message: str, *, status: int = EXIT_BAD_INPUT, line: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.line = line
        self.file: str | None = None

    def __str__(self) -> str:
        if self.file is None:
            return one_line(f"pleasance: {self.message}")
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return one_line(f"{place}: {self.message}")


@contextmanager
def error_context(*, game: AnyGame | None = None, file: str | None = None) -> Iterator[None]:
    """Convert errors to `CommandError` in the words of *game*, with the *file* where they arose."""
    try:
        yield
    except PleasanceError as refusal:
        error = to_command_error(refusal, game)
        # The message of a file error names the file already.
        error.file = None if isinstance(refusal, BadFileError) else file
        raise error from refusal
    except CommandError as error:
        if not isinstance(error.__cause__, BadFileError):
            error.file = error.file or file
        raise


def to_command_error(refusal: PleasanceError, game: AnyGame | None = None) -> CommandError:
    """Convert a refusal to a message and an exit status."""
    words = get_messages(game)
    line = refusal.params.get("line")
    status = EXIT_UNFAIR if isinstance(refusal, UnfairDrawError) else EXIT_BAD_INPUT
    return CommandError(
        words.error(refusal), status=status, line=line if isinstance(line, int) else None
    )


def one_line(text: str) -> str:
    """Fold *text* into one line that is safe to show: no line breaks, no control characters."""
    folded = " ".join(text.split())
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in folded)


def set_language(language: str | None) -> None:
    """Set the language for the rest of this command; `None` leaves it unchanged."""
    if language is not None:
        load_messages(language)
        _chosen_language.set(language)


def get_messages(game: AnyGame | None = None) -> MessageCatalog:
    """Load the messages of *game*, or of the core, in the language of this command."""
    return load_messages(find_language(), None if game is None else game.spec.package)


def find_language() -> str:
    """Find the language: an option, an environment variable, or English."""
    settings = ("PLEASANCE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    candidates = [_chosen_language.get(), *(os.environ.get(setting) for setting in settings)]
    language = next(filter(None, candidates), "")[:2].lower()
    return language if language in LANGUAGES else LANGUAGES[0]


def read_text(file: str) -> str:
    """Read a text file, or standard input if *file* is `-`."""
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
        # A byte order mark and line ends of Windows are not part of the text.
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadFileError("file_not_text", file=file, line=line) from error
